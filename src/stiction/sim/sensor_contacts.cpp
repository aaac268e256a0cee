// SPDX-License-Identifier: BSD-2-Clause
// Touch, contact, rays, noise.
#include <stiction/base/hash.h>
#include <stiction/base/random.h>
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/sim/sensors.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stiction {
namespace {

bool has(const std::vector<int>& sorted, int x) { return std::binary_search(sorted.begin(), sorted.end(), x); }

bool meets(const Zone& zone, const Pose& pose, const Vec3& origin, const Vec3& direction) {
  const Ray own{pose.rotation.transpose() * (origin - pose.translation), pose.rotation.transpose() * direction};
  Shape shape;
  shape.size = zone.size;
  switch (zone.kind) {
    case Zone::ellipsoid:
      return cast_at_ellipsoid(zone.size, own).has_value();
    case Zone::sphere:
      shape.kind = ShapeKind::sphere;
      break;
    case Zone::capsule:
      shape.kind = ShapeKind::capsule;
      break;
    case Zone::cylinder:
      shape.kind = ShapeKind::cylinder;
      break;
    case Zone::box:
      shape.kind = ShapeKind::box;
      break;
  }
  return cast_ray(shape, {}, own, kInfinity).has_value();
}

bool is_inside(const Zone& zone, const Pose& pose, const Vec3& point) {
  const Vec3 p = pose.rotation.transpose() * (point - pose.translation);
  const double r = zone.size.x(), half = zone.size.y();
  switch (zone.kind) {
    case Zone::sphere:
      return p.squaredNorm() <= r * r;
    case Zone::capsule:
      return (p - Vec3(0.0, 0.0, std::clamp(p.z(), -half, half))).squaredNorm() <= r * r;
    case Zone::ellipsoid:
      return p.cwiseQuotient(zone.size).squaredNorm() <= 1.0;
    case Zone::cylinder:
      return std::abs(p.z()) <= half && p.head<2>().squaredNorm() <= r * r;
    case Zone::box:
      return (p.cwiseAbs().array() <= zone.size.array()).all();
  }
  return false;
}

// A contact as the sensor sees it: the normal leads from its first side to its second.
struct Seen {
  double gap;
  Vec3 point, normal, tangent, force, torque, linear,
      angular;  // force and torque on the second side; velocity of the second against the first
};

// 1: the contact as it is, −1: turned round, 0: not among those that are asked for.
int side_of(const Sensor& s, const FeltContact& c) {
  const ContactReading& r = s.reading;
  const auto first = [&](int geom) { return !r.first || has(s.geoms, geom); };
  const auto second = [&](int geom) { return !r.second || has(s.others, geom); };
  if (first(c.geom_a) && second(c.geom_b)) return 1;
  return first(c.geom_b) && second(c.geom_a) ? -1 : 0;
}

std::vector<Seen> matching(const Sensor& s, SensorMoment& m) {
  std::vector<Seen> out;
  const Pose zone = body_pose(m.layout(), m.kinematics(), s.object) * s.placement;
  for (const FeltContact& c : m.contacts()) {
    const Vec3 normal = c.frame.row(2);
    if (c.gap > 0.0 && !(c.force.dot(normal) > 0.0)) continue;  // seen ahead
    const int sign = side_of(s, c);
    if (sign == 0 || (s.reading.inside && !is_inside(s.zone, zone, c.point))) continue;
    const Vec6 relative =
        point_twist(m.layout(), m.kinematics(), c.b, c.point) - point_twist(m.layout(), m.kinematics(), c.a, c.point);
    out.push_back({c.gap, c.point, sign * normal, c.frame.row(0), sign * c.force, sign * c.torque,
                   sign * relative.head<3>(), sign * relative.tail<3>()});
  }
  return out;
}

// The slot with all its fields; those that are not asked for are skipped.
void put_slot(const ContactReading& r, double found, const Seen& x, double*& out) {
  Mat3 axes;
  axes << x.normal.transpose(), x.tangent.transpose(), x.normal.cross(x.tangent).transpose();
  const auto put = [&](ContactReading::Field field, const Vec3& value) {
    if ((r.fields >> field & 1U) != 0) Eigen::Map<Vec3>{out} = value, out += 3;
  };
  const auto put_number = [&](ContactReading::Field field, double value) {
    if ((r.fields >> field & 1U) != 0) *out++ = value;
  };
  put_number(ContactReading::found, found);
  put(ContactReading::force, axes * x.force), put(ContactReading::torque, axes * x.torque);
  put_number(ContactReading::dist, x.gap);
  put(ContactReading::pos, x.point), put(ContactReading::normal, x.normal), put(ContactReading::tangent, x.tangent);
  put(ContactReading::linvel, axes * x.linear), put(ContactReading::angvel, axes * x.angular);
}

// One contact in world axes that does what all of them do, where their forces have their centre.
void put_net_force(const ContactReading& r, const std::vector<Seen>& all, double* out) {
  Seen sum{0.0, Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  double weight = 0.0;
  for (const Seen& x : all) sum.point += x.force.norm() * x.point, weight += x.force.norm(), sum.force += x.force;
  if (weight > 0.0) sum.point /= weight;
  for (const Seen& x : all) sum.torque += (x.point - sum.point).cross(x.force) + x.torque;
  put_slot(r, static_cast<double>(all.size()), sum, out);
}

}  // namespace

double read_touch(const Sensor& s, SensorMoment& m) {
  const Pose zone = body_pose(m.layout(), m.kinematics(), s.object) * s.placement;
  double sum = 0.0;
  for (const FeltContact& c : m.contacts()) {
    const Vec3 normal = c.frame.row(2);
    const double pressed = c.force.dot(normal);
    const bool on_a = has(s.geoms, c.geom_a), on_b = has(s.geoms, c.geom_b);
    if (!(pressed > 0.0) || (!on_a && !on_b)) continue;
    if (meets(s.zone, zone, c.point, on_b ? Vec3(-normal) : normal)) sum += pressed;  // the ray leads out of the body
  }
  return sum;
}

void read_contact_sensor(const Sensor& s, SensorMoment& m, double* out) {
  std::fill(out, out + sensor_size(s), 0.0);
  std::vector<Seen> all = matching(s, m);
  if (all.empty()) return;
  const ContactReading& r = s.reading;
  if (r.reduce == ContactReading::netforce) return put_net_force(r, all, out);
  if (r.reduce == ContactReading::mindist)
    std::stable_sort(all.begin(), all.end(), [](const Seen& a, const Seen& b) { return a.gap < b.gap; });
  if (r.reduce == ContactReading::maxforce)
    std::stable_sort(all.begin(), all.end(),
                     [](const Seen& a, const Seen& b) { return a.force.norm() > b.force.norm(); });
  const auto found = static_cast<double>(all.size());
  const std::size_t slots = std::min(all.size(), static_cast<std::size_t>(r.slots));
  for (std::size_t i = 0; i < slots; ++i) put_slot(r, found, all[i], out);
}

void add_noise(const Sensor& s, std::uint64_t seed, double time, double* x) {
  if (!(s.noise > 0.0) || s.kind == SensorKind::contact) return;
  if (s.kind == SensorKind::rangefinder && x[0] < 0.0) return;
  Random random(Hash().add(s.name).add(seed).add(time).value());
  const SensorInfo& info = sensor_info(s.kind);
  if (info.range != SensorRange::unit) {
    for (int i = 0; i < info.size; ++i) x[i] += s.noise * random.normal();
    if (info.range == SensorRange::positive) x[0] = std::max(0.0, x[0]);
    return;
  }
  Vec3 turn;
  for (int i = 0; i < 3; ++i) turn[i] = s.noise * random.normal();
  const double angle = turn.norm();
  if (!(angle > 0.0)) return;
  const Eigen::AngleAxisd rotation(angle, turn / angle);
  if (info.size == 3)
    Eigen::Map<Vec3>{x} = rotation * Vec3(Eigen::Map<const Vec3>(x));
  else
    Eigen::Map<Eigen::Vector4d>{x} = (Quat(Eigen::Map<const Quat>(x)) * Quat(rotation)).normalized().coeffs();
}

void cut_off(const Sensor& s, double* x) {
  const SensorInfo& info = sensor_info(s.kind);
  if (!(s.cutoff > 0.0) || info.range == SensorRange::unit) return;
  for (int i = 0; i < info.size; ++i)
    x[i] = info.range == SensorRange::positive ? std::min(x[i], s.cutoff) : std::clamp(x[i], -s.cutoff, s.cutoff);
}

std::optional<GeomHit> cast_ray(const World& world, const Layout& layout, const Kinematics& k, const Ray& ray,
                                const std::vector<int>& ignored, double farthest) {
  std::optional<GeomHit> best;
  for (int i = 0; i < static_cast<int>(world.geoms.size()); ++i) {
    const Geom& g = world.geoms[static_cast<std::size_t>(i)];
    if (g.shape.kind == ShapeKind::point || has(ignored, i)) continue;
    const Pose pose = body_pose(layout, k, g.body) * g.placement;
    const Ball ball = bounding_ball(g.shape);
    const Vec3 to = pose * ball.centre - ray.origin;
    const double along = to.dot(ray.direction);
    if (std::isfinite(ball.radius)) {  // 1e-9: rounding must not lose a hit
      if ((to - along * ray.direction).norm() > ball.radius * (1.0 + 1e-9) || along < -ball.radius * (1.0 + 1e-9))
        continue;
      if (along - ball.radius > farthest) continue;
    }
    const auto hit = cast_ray(g.shape, pose, ray, farthest);
    if (hit && (!best || hit->distance < best->hit.distance)) best = GeomHit{*hit, i}, farthest = hit->distance;
  }
  return best;
}

}  // namespace stiction
