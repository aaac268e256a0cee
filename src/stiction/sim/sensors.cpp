// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/accelerations.h>
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/sim/sensors.h>

#include <algorithm>

namespace stiction {
namespace {

void put(const Vec3& x, double* out) { Eigen::Map<Vec3>{out} = x; }

Pose sensor_pose(const Sensor& s, const SensorMoment& m) {
  return body_pose(m.layout(), m.kinematics(), s.object) * s.placement;
}
Pose reference_pose(const Sensor& s, const SensorMoment& m) {
  return s.relative ? body_pose(m.layout(), m.kinematics(), s.reference) * s.reference_placement : Pose{};
}

// (linear, angular) in world axes, or as seen from the reference, in its axes.
Vec6 sensor_twist(const Sensor& s, const SensorMoment& m) {
  const Vec3 point = sensor_pose(s, m).translation;
  Vec6 twist = point_twist(m.layout(), m.kinematics(), s.object, point);
  if (!s.relative) return twist;
  const Pose frame = reference_pose(s, m);
  twist -= point_twist(m.layout(), m.kinematics(), s.reference, point);  // of the point as the reference carries it
  twist.head<3>() = (frame.rotation.transpose() * twist.head<3>()).eval();
  twist.tail<3>() = (frame.rotation.transpose() * twist.tail<3>()).eval();
  return twist;
}

// (x, y, z, w) with w ≥ 0.
void put_rotation(const Mat3& R, double* out) {
  Quat q(R);
  if (q.w() < 0.0) q.coeffs() = -q.coeffs();
  Eigen::Map<Eigen::Vector4d>{out} = q.normalized().coeffs();
}

// Positions and velocities of frames.
void read_frame(const Sensor& s, const SensorMoment& m, double* out) {
  const Pose pose = sensor_pose(s, m), from = reference_pose(s, m);
  const Mat3 R = from.rotation.transpose() * pose.rotation;
  switch (s.kind) {
    case SensorKind::framepos:
      return put(from.rotation.transpose() * (pose.translation - from.translation), out);
    case SensorKind::framequat:
      return put_rotation(R, out);
    case SensorKind::framexaxis:
      return put(R.col(0), out);
    case SensorKind::frameyaxis:
      return put(R.col(1), out);
    case SensorKind::framezaxis:
      return put(R.col(2), out);
    case SensorKind::framelinvel:
      return put(sensor_twist(s, m).head<3>(), out);
    case SensorKind::frameangvel:
      return put(sensor_twist(s, m).tail<3>(), out);
    case SensorKind::velocimeter:
      return put(pose.rotation.transpose() * sensor_twist(s, m).head<3>(), out);
    case SensorKind::gyro:
      return put(pose.rotation.transpose() * sensor_twist(s, m).tail<3>(), out);
    case SensorKind::magnetometer:
      return put(pose.rotation.transpose() * s.field, out);
    default:
      return;
  }
}

// A part of a body: motion of its centre of mass, inertia about it, world axes.
struct PartMotion {
  double mass;
  Vec3 centre, linear, angular;
  Mat3 inertia;
};

PartMotion motion_of(const SensorPart& part, const SensorMoment& m) {
  const Pose pose = body_pose(m.layout(), m.kinematics(), part.body);
  const Vec3 centre = pose * part.com;
  const Vec6 twist = point_twist(m.layout(), m.kinematics(), part.body, centre);
  return {part.mass, centre, twist.head<3>(), twist.tail<3>(),
          pose.rotation * part.about_com * pose.rotation.transpose()};
}

void read_subtree(const Sensor& s, const SensorMoment& m, double* out) {
  double mass = 0.0;
  Vec3 centre = Vec3::Zero(), momentum = Vec3::Zero(), spin = Vec3::Zero();
  for (const SensorPart& part : s.parts) {
    const PartMotion x = motion_of(part, m);
    mass += x.mass, centre += x.mass * x.centre, momentum += x.mass * x.linear;
  }
  if (mass > 0.0)
    centre /= mass;
  else
    centre = sensor_pose(s, m).translation;
  const Vec3 linear = mass > 0.0 ? Vec3(momentum / mass) : momentum;
  if (s.kind == SensorKind::subtreecom) return put(centre, out);
  if (s.kind == SensorKind::subtreelinvel) return put(linear, out);
  for (const SensorPart& part : s.parts) {
    const PartMotion x = motion_of(part, m);
    spin += x.inertia * x.angular + x.mass * (x.centre - centre).cross(x.linear - linear);
  }
  put(spin, out);
}

// What holds the parts beyond the sensor: Σ (m a, I α + ω × Iω) − loads from outside, about the sensor's point.
Vec6 transmitted(const Sensor& s, SensorMoment& m) {
  const Kinematics& k = m.accelerations();
  const Vec3 point = sensor_pose(s, m).translation;
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  std::vector<int> whole;
  for (const SensorPart& part : s.parts) {
    const PartMotion x = motion_of(part, m);
    const Vec6 a = felt_acceleration(m.world(), m.layout(), k, part.body, x.centre);
    const Vec3 f = x.mass * a.head<3>(), alpha = a.tail<3>();
    force += f;
    moment += x.inertia * alpha + x.angular.cross(x.inertia * x.angular) + (x.centre - point).cross(f);
    if (part.whole && part.body != kWorldBody) whole.push_back(part.body);
  }
  for (const Load& load : m.loads()) {
    const bool inside = load.geom >= 0 ? std::binary_search(s.geoms.begin(), s.geoms.end(), load.geom)
                                       : std::find(whole.begin(), whole.end(), load.body) != whole.end();
    if (!inside) continue;
    force -= load.force;
    moment -= load.torque + (load.point - point).cross(load.force);
  }
  Vec6 out;
  out << force, moment;
  return out;
}

void read_dynamics(const Sensor& s, SensorMoment& m, double* out) {
  const Pose pose = sensor_pose(s, m);
  if (s.kind == SensorKind::force || s.kind == SensorKind::torque) {
    const Vec6 wrench = transmitted(s, m);
    return put(
        pose.rotation.transpose() * (s.kind == SensorKind::force ? Vec3(wrench.head<3>()) : Vec3(wrench.tail<3>())),
        out);
  }
  const Kinematics& k = m.accelerations();
  const Vec6 a = felt_acceleration(m.world(), m.layout(), k, s.object, pose.translation);
  if (s.kind == SensorKind::accelerometer) return put(pose.rotation.transpose() * a.head<3>(), out);
  put(s.kind == SensorKind::framelinacc ? a.head<3>() : a.tail<3>(), out);
}

double read_range(const Sensor& s, const SensorMoment& m) {
  const Pose pose = sensor_pose(s, m);
  const auto hit =
      cast_ray(m.world(), m.layout(), m.kinematics(), {pose.translation, pose.rotation.col(2)}, s.geoms, kInfinity);
  return hit ? hit->hit.distance : -1.0;
}

}  // namespace

void read_sensor(const Sensor& s, SensorMoment& m, double* out) {
  switch (s.kind) {
    case SensorKind::clock:
      out[0] = m.state().time;
      return;
    case SensorKind::e_potential:
      out[0] = energy_of_position(s, m);
      return;
    case SensorKind::e_kinetic:
      out[0] = energy_of_motion(m);
      return;
    case SensorKind::rangefinder:
      out[0] = read_range(s, m);
      return;
    case SensorKind::touch:
      out[0] = read_touch(s, m);
      return;
    case SensorKind::contact:
      return read_contact_sensor(s, m, out);
    case SensorKind::accelerometer:
    case SensorKind::force:
    case SensorKind::torque:
    case SensorKind::framelinacc:
    case SensorKind::frameangacc:
      return read_dynamics(s, m, out);
    default:
      break;
  }
  switch (sensor_info(s.kind).object) {
    case SensorObject::frame:
      return read_frame(s, m, out);
    case SensorObject::subtree:
      return read_subtree(s, m, out);
    case SensorObject::joint:
    case SensorObject::ball:
      return read_joint_sensor(s, m, out);
    case SensorObject::tendon:
      out[0] = read_tendon_sensor(s, m);
      return;
    case SensorObject::actuator:
      out[0] = read_actuator_sensor(s, m);
      return;
    default:
      return;
  }
}

}  // namespace stiction
