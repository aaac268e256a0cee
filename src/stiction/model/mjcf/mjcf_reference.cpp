// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/cholesky.h>
#include <stiction/base/find_named.h>
#include <stiction/model/mjcf/mjcf_reference.h>

#include <algorithm>

namespace stiction {
namespace {

using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic>;  // per velocity: (linear at the origin, angular), world axes

// Motion of the joint's velocities; `pose`: of the body.
void set_columns(const Body& body, const Pose& joint, const Pose& pose, Columns& out) {
  const auto turn = [&](int i, const Vec3& axis) { out.col(body.v + i) << pose.translation.cross(axis), axis; };
  const auto shift = [&](int i, const Vec3& axis) { out.col(body.v + i) << axis, Vec3::Zero(); };
  switch (body.joint) {
    case JointKind::revolute:
    case JointKind::continuous:
      return turn(0, joint.rotation * body.axis);
    case JointKind::prismatic:
      return shift(0, joint.rotation * body.axis);
    case JointKind::spherical:
      for (int i = 0; i < 3; ++i) turn(i, pose.rotation.col(i));
      return;
    case JointKind::free:
      for (int i = 0; i < 3; ++i) shift(i, Vec3::Unit(i)), turn(3 + i, pose.rotation.col(i));
      return;
    default:
      return;  // no other kinds in MJCF
  }
}

Mat mass_matrix_at_reference(const MjcfModel& model) {
  const RobotModel& robot = model.robot;
  Columns columns = Columns::Zero(6, robot.nv);
  std::vector<Pose> poses;
  Mat M = robot.armature.asDiagonal();
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    const Body& b = robot.bodies[i];
    const Pose joint = (b.parent == kWorldBody ? Pose{} : poses[b.parent]) * b.placement;
    poses.push_back(joint * joint_pose(b.joint, b.axis, model.reference.data() + b.q));
    set_columns(b, joint, poses.back(), columns);
    const Vec3 centre = poses.back() * b.inertia.com;
    const Mat3 inertia = poses.back().rotation * b.inertia.about_com * poses.back().rotation.transpose();
    std::vector<int> chain;  // velocities that move the body
    for (BodyId id = static_cast<BodyId>(i); id != kWorldBody; id = robot.bodies[id].parent)
      for (int k = 0; k < sizes(robot.bodies[id].joint).nv; ++k) chain.push_back(robot.bodies[id].v + k);
    for (const int j : chain)
      for (const int k : chain) {
        const Vec3 wj = columns.col(j).tail<3>(), wk = columns.col(k).tail<3>();
        const Vec3 vj = columns.col(j).head<3>() + wj.cross(centre), vk = columns.col(k).head<3>() + wk.cross(centre);
        M(j, k) += b.inertia.mass * vj.dot(vk) + wj.dot(inertia * wk);
      }
  }
  for (const Tendon& t : robot.tendons)
    for (const TendonJoint& a : t.joints)
      for (const TendonJoint& b : t.joints)
        M(robot.bodies[a.body].v, robot.bodies[b.body].v) += t.armature * a.coefficient * b.coefficient;
  return M;
}

}  // namespace

Pose mjcf_pose(const MjcfModel& model, BodyId body, const Vec& q) {
  Pose pose;
  for (BodyId id = body; id != kWorldBody; id = model.robot.bodies[id].parent) {
    const Body& b = model.robot.bodies[id];
    pose = b.placement * joint_pose(b.joint, b.axis, q.data() + b.q) * pose;
  }
  return pose;
}

Pose mjcf_reference_pose(const MjcfModel& model, BodyId body, const Pose& placement) {
  Pose pose = placement;
  for (BodyId id = body; id != kWorldBody; id = model.robot.bodies[id].parent) {
    const Body& b = model.robot.bodies[id];
    pose = b.placement * joint_pose(b.joint, b.axis, model.reference.data() + b.q) * pose;
  }
  return pose;
}

Mat mjcf_point_jacobian(const MjcfModel& model, BodyId body, const Vec3& point) {
  const RobotModel& robot = model.robot;
  Columns columns = Columns::Zero(6, robot.nv);
  for (BodyId id = body; id != kWorldBody; id = robot.bodies[id].parent) {
    const Body& b = robot.bodies[id];
    const Pose joint = b.parent == kWorldBody ? b.placement : mjcf_reference_pose(model, b.parent, b.placement);
    set_columns(b, joint, joint * joint_pose(b.joint, b.axis, model.reference.data() + b.q), columns);
  }
  for (int j = 0; j < robot.nv; ++j) columns.col(j).head<3>() += Vec3(columns.col(j).tail<3>()).cross(point);
  return columns;
}

Mat mjcf_inverse_mass(const MjcfModel& model) { return inverse_of_positive(mass_matrix_at_reference(model)); }

BodyId find_mjcf_joint(const MjcfModel& model, const std::string& name, const std::string& place) {
  const std::vector<std::string>& names = model.robot.joint_names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw InvalidInput(place + ": " + unknown_name("joint", name, names));
  return static_cast<BodyId>(found - names.begin());
}

const Frame& find_mjcf_site(const MjcfModel& model, const std::string& name, const std::string& place) {
  return find_named("site", model.sites, name, place + ": ");
}

const Frame& find_mjcf_link(const MjcfModel& model, const std::string& name, const std::string& place) {
  static const Frame world{"world", kWorldBody, {}};
  return name == "world" ? world : find_named("body", model.robot.frames, name, place + ": ");
}

}  // namespace stiction
