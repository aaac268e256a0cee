// SPDX-License-Identifier: BSD-2-Clause
// The part of WorldBuilder that deals with robots and their joints.
#include <stiction/model/world/world_builder_impl.h>

#include <cmath>

namespace stiction {
int WorldBuilder::Impl::add(RobotModel model, const RobotOptions& o) {
  const std::string owner = this->owner("robot", o.name);
  const Pose pose = checked_pose(owner, o.position, o.rotation);
  MaterialTable::check(owner, o.material, o.values);
  unique_name(*this, "robot", o.name, model.name);
  return append_robot(*this, model, pose, o);
}

int WorldBuilder::add_urdf(const std::string& path, const RobotOptions& o) { return impl_->add(load_urdf(path, o), o); }
int WorldBuilder::add_urdf_text(const std::string& xml, const RobotOptions& o) {
  return impl_->add(load_urdf_text(xml, o), o);
}
int WorldBuilder::add_sdf(const std::string& path, const RobotOptions& o) { return impl_->add(load_sdf(path, o), o); }

int WorldBuilder::add_mjcf(const std::string& path, const RobotOptions& o) {
  RobotModel model = load_mjcf(path, o);
  const Vec3 usual(0.0, 0.0, -9.81);
  if (model.gravity && *model.gravity != gravity) {
    if (gravity == usual)
      gravity = *model.gravity;
    else
      model.warnings.push_back("its gravity " + text(*model.gravity) + " is left out: that of the world is " +
                               text(gravity));
  }
  return impl_->add(std::move(model), o);
}

void WorldBuilder::set_joint_position(int robot, const std::string& joint, double position) {
  const Body& body = impl_->world.bodies[impl_->joint(robot, joint)];
  const std::string field = "position of joint '" + joint + "'";
  check_finite(field, position);
  World& w = impl_->world;
  if (sizes(body.joint).nv != 1)
    throw InvalidInput(field + " cannot be one number: the joint has " + std::to_string(sizes(body.joint).nv) +
                       " velocities");
  if (!(position >= w.lower[body.v] && position <= w.upper[body.v]))
    throw InvalidInput(field + " is " + text(position) + ", expected a number from " + text(w.lower[body.v]) + " to " +
                       text(w.upper[body.v]));
  if (body.joint == JointKind::continuous)
    w.q0.segment<2>(body.q) << std::cos(position), std::sin(position);
  else
    w.q0[body.q] = position;
}

void WorldBuilder::set_joint_values(int robot, const std::string& joint, const JointValues& values) {
  const Body& body = impl_->world.bodies[impl_->joint(robot, joint)];
  World& w = impl_->world;
  const int nv = sizes(body.joint).nv;
  const bool has_limits = body.joint == JointKind::revolute || body.joint == JointKind::prismatic;
  const auto field = [&joint](const char* what) { return std::string(what) + " of joint '" + joint + "'"; };
  if ((values.lower || values.upper) && !has_limits)
    throw InvalidInput(field("limits") + " cannot be set: only revolute and prismatic joints have them");
  const double lower = values.lower.value_or(w.lower[body.v]), upper = values.upper.value_or(w.upper[body.v]);
  if (!(lower <= upper))
    throw InvalidInput(field("lower limit") + " is " + text(lower) + ", expected at most the upper limit " +
                       text(upper));
  if (values.damping) check_not_negative(field("damping"), *values.damping);
  if (values.dry_friction) check_not_negative(field("dry_friction"), *values.dry_friction);
  if (values.armature) check_not_negative(field("armature"), *values.armature);
  if (values.effort_limit && !(*values.effort_limit >= 0.0))
    throw InvalidInput(field("effort_limit") + " is " + text(*values.effort_limit) +
                       ", expected a number >= 0 (infinity for none)");
  if (has_limits) w.lower[body.v] = lower, w.upper[body.v] = upper;
  if (values.damping) w.joint_damping.segment(body.v, nv).setConstant(*values.damping);
  if (values.dry_friction) w.dry_friction.segment(body.v, nv).setConstant(*values.dry_friction);
  if (values.armature) w.armature.segment(body.v, nv).setConstant(*values.armature);
  if (values.effort_limit) w.effort_limit.segment(body.v, nv).setConstant(*values.effort_limit);
}

}  // namespace stiction
