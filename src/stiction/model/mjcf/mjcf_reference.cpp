// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/cholesky.h>
#include <stiction/base/disjoint_sets.h>
#include <stiction/base/find_named.h>
#include <stiction/model/mjcf/mjcf_reference.h>

#include <algorithm>
#include <numeric>

namespace stiction {
namespace {

using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic>;  // per velocity: (linear at the origin, angular), world axes

// Motion of the joint's velocities, from column `first` on; `pose`: of the body.
void set_columns(const Body& body, const Pose& joint, const Pose& pose, int first, Columns& out) {
  const auto turn = [&](int i, const Vec3& axis) { out.col(first + i) << pose.translation.cross(axis), axis; };
  const auto shift = [&](int i, const Vec3& axis) { out.col(first + i) << axis, Vec3::Zero(); };
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

// Bodies that one another's inertia reaches: of one tree, or of trees that a tendon couples.
std::vector<int> coupled_bodies(const RobotModel& robot) {
  std::vector<int> set(robot.bodies.size());
  std::iota(set.begin(), set.end(), 0);
  for (std::size_t i = 0; i < robot.bodies.size(); ++i)
    if (robot.bodies[i].parent != kWorldBody) merge_sets(set, static_cast<int>(i), robot.bodies[i].parent);
  for (const Tendon& t : robot.tendons)
    for (const TendonJoint& joint : t.joints) merge_sets(set, t.joints.front().body, joint.body);
  return set;
}

// Which velocities belong together; matrices of zeros.
MjcfInverseMass empty_parts(const RobotModel& robot) {
  MjcfInverseMass out;
  out.part_of.assign(static_cast<std::size_t>(robot.nv), 0), out.row_of = out.part_of;
  std::vector<int> set = coupled_bodies(robot), part_of_set(set.size(), -1);
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    int& part = part_of_set[static_cast<std::size_t>(root_of(set, static_cast<int>(i)))];
    if (part < 0) part = static_cast<int>(out.parts.size()), out.parts.emplace_back();
    std::vector<int>& velocities = out.parts[static_cast<std::size_t>(part)].velocities;
    for (int k = 0; k < sizes(robot.bodies[i].joint).nv; ++k) {
      const int v = robot.bodies[i].v + k;
      out.part_of[v] = part, out.row_of[v] = static_cast<int>(velocities.size());
      velocities.push_back(v);
    }
  }
  for (MjcfInverseMass::Part& part : out.parts) {
    const auto n = static_cast<Eigen::Index>(part.velocities.size());
    part.inverse = Mat::Zero(n, n);
  }
  return out;
}

MjcfInverseMass mass_matrix_at_reference(const MjcfModel& model) {
  const RobotModel& robot = model.robot;
  Columns columns = Columns::Zero(6, robot.nv);
  std::vector<Pose> poses;
  MjcfInverseMass M = empty_parts(robot);
  const auto entry = [&M](int j, int k) -> double& { return M.parts[M.part_of[j]].inverse(M.row_of[j], M.row_of[k]); };
  for (int v = 0; v < robot.nv; ++v) entry(v, v) = robot.armature[v];
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    const Body& b = robot.bodies[i];
    const Pose joint = (b.parent == kWorldBody ? Pose{} : poses[b.parent]) * b.placement;
    poses.push_back(joint * joint_pose(b.joint, b.axis, model.reference.data() + b.q));
    set_columns(b, joint, poses.back(), b.v, columns);
    const Vec3 centre = poses.back() * b.inertia.com;
    const Mat3 inertia = poses.back().rotation * b.inertia.about_com * poses.back().rotation.transpose();
    std::vector<int> chain;  // velocities that move the body
    for (BodyId id = static_cast<BodyId>(i); id != kWorldBody; id = robot.bodies[id].parent)
      for (int k = 0; k < sizes(robot.bodies[id].joint).nv; ++k) chain.push_back(robot.bodies[id].v + k);
    for (const int j : chain)
      for (const int k : chain) {
        const Vec3 wj = columns.col(j).tail<3>(), wk = columns.col(k).tail<3>();
        const Vec3 vj = columns.col(j).head<3>() + wj.cross(centre), vk = columns.col(k).head<3>() + wk.cross(centre);
        entry(j, k) += b.inertia.mass * vj.dot(vk) + wj.dot(inertia * wk);
      }
  }
  for (const Tendon& t : robot.tendons)
    for (const TendonJoint& a : t.joints)
      for (const TendonJoint& b : t.joints)
        entry(robot.bodies[a.body].v, robot.bodies[b.body].v) += t.armature * a.coefficient * b.coefficient;
  return M;
}

// Columns of the joints between a body and the world; `column` says where those of a velocity begin.
template <class Column>
Mat point_jacobian(const MjcfModel& model, BodyId body, const Vec3& point, Eigen::Index count, const Column& column) {
  const RobotModel& robot = model.robot;
  Columns columns = Columns::Zero(6, count);
  for (BodyId id = body; id != kWorldBody; id = robot.bodies[id].parent) {
    const Body& b = robot.bodies[id];
    const Pose joint = b.parent == kWorldBody ? b.placement : mjcf_reference_pose(model, b.parent, b.placement);
    set_columns(b, joint, joint * joint_pose(b.joint, b.axis, model.reference.data() + b.q), column(b.v), columns);
  }
  for (Eigen::Index j = 0; j < count; ++j) columns.col(j).head<3>() += Vec3(columns.col(j).tail<3>()).cross(point);
  return columns;
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
  return point_jacobian(model, body, point, model.robot.nv, [](int v) { return v; });
}

Mat mjcf_point_jacobian(const MjcfModel& model, BodyId body, const Vec3& point, const MjcfInverseMass& inverse) {
  const auto& part = inverse.parts[inverse.part_of[model.robot.bodies[body].v]];
  return point_jacobian(model, body, point, part.inverse.rows(), [&](int v) { return inverse.row_of[v]; });
}

MjcfInverseMass mjcf_inverse_mass(const MjcfModel& model) {
  MjcfInverseMass out = mass_matrix_at_reference(model);
  for (MjcfInverseMass::Part& part : out.parts) part.inverse = inverse_of_positive(part.inverse);
  return out;
}

bool MjcfInverseMass::finite() const {
  return std::all_of(parts.begin(), parts.end(), [](const Part& p) { return p.inverse.allFinite(); });
}

Vec MjcfInverseMass::diagonal() const {
  Vec out(static_cast<Eigen::Index>(part_of.size()));
  for (const Part& part : parts)
    for (std::size_t i = 0; i < part.velocities.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      out[part.velocities[i]] = part.inverse(row, row);
    }
  return out;
}

double MjcfInverseMass::product(const Vec& x) const {
  double sum = 0.0;
  for (const Part& part : parts) {
    const Vec own = x(part.velocities);
    if (!own.isZero(0.0)) sum += own.dot(part.inverse * own);
  }
  return sum;
}

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
