// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/checks.h>
#include <stiction/model/hulls.h>
#include <stiction/model/robot_loader.h>

#include <cmath>

namespace stiction {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void check_body(const World& world, const std::string& field, BodyId body, bool world_allowed) {
  if (body == kWorldBody && world_allowed) return;
  check_index(field, body, static_cast<int>(world.bodies.size()));
}

Pose checked_pose(const std::string& owner, const Vec3& position, const Quat& rotation) {
  check_finite(owner + ".position", position);
  return {checked_rotation(owner + ".rotation", rotation).toRotationMatrix(), position};
}

// What does not move has neither velocity nor inertia; saying so would have no effect.
void check_static(const std::string& owner, const BodyOptions& o) {
  if (!o.velocity.isZero(0.0))
    throw InvalidInput(owner + ".velocity is " + text(o.velocity) + ", expected none: it does not move by itself");
  if (!o.spin.isZero(0.0))
    throw InvalidInput(owner + ".spin is " + text(o.spin) + ", expected none: it does not move by itself");
  if (o.inertia) throw InvalidInput(owner + ".inertia is given, expected none: it adds no mass");
}

// Shapes that a moving body gets: triangles become one hull per connected part.
std::vector<Shape> moving_shapes(const Shape& shape, const std::string& owner, std::vector<std::string>& warnings) {
  if (shape.kind == ShapeKind::half_space || shape.kind == ShapeKind::heightfield)
    throw InvalidInput(owner + " is a " + std::string(name(shape.kind)) +
                       " and would move; only static geometry can be one");
  if (shape.kind != ShapeKind::mesh) return {shape};
  std::vector<Shape> parts = moving_hulls(*shape.mesh, owner, warnings);
  if (parts.empty()) throw InvalidInput(owner + " is a flat mesh and would move; give it a thickness");
  return parts;
}

}  // namespace

struct WorldBuilder::Impl : Draft {
  std::string owner(const char* what, const std::string& given) const {
    return given.empty() ? std::string(what) : std::string(what) + " '" + given + "'";
  }
  const Robot& robot(int index) const {
    check_index("robot", index, static_cast<int>(world.robots.size()));
    return world.robots[at(index)];
  }
  // Body that a named joint of a robot carries.
  BodyId joint(int index, const std::string& name) const {
    const Robot& r = robot(index);
    for (std::size_t i = 0; i < r.joint_names.size(); ++i)
      if (r.joint_names[i] == name) return r.first_body + static_cast<int>(i);
    throw InvalidInput("robot '" + r.name + "': " + unknown_name("joint", name, r.joint_names));
  }
  int add(RobotModel model, const RobotOptions& options);
};

WorldBuilder::WorldBuilder() : impl_(std::make_unique<Impl>()) {}
WorldBuilder::~WorldBuilder() = default;
WorldBuilder::WorldBuilder(const WorldBuilder& o) : gravity(o.gravity), impl_(std::make_unique<Impl>(*o.impl_)) {}
WorldBuilder& WorldBuilder::operator=(const WorldBuilder& o) {
  if (this != &o) {
    impl_ = std::make_unique<Impl>(*o.impl_);
    gravity = o.gravity;
  }
  return *this;
}

void WorldBuilder::add_material(const std::string& name, const MaterialValues& values) {
  impl_->materials.describe(name, values);
}

void WorldBuilder::set_material_pair(const std::string& a, const std::string& b, const MaterialValues& values) {
  impl_->materials.set_pair(a, b, values);
}

int WorldBuilder::add_ground(const MaterialValues& values, const std::string& material) {
  BodyOptions options;
  options.name = "ground";
  options.material = material;
  options.values = values;
  return add_static(make_half_space(), options);
}

int WorldBuilder::add_static(const Shape& shape, const BodyOptions& o) {
  const std::string owner = impl_->owner("static geometry", o.name);
  const Pose pose = checked_pose(owner, o.position, o.rotation);
  check_static(owner, o);
  MaterialTable::check(owner, o.material, o.values);
  if (shape.kind == ShapeKind::point) throw InvalidInput(owner + " is a point; points belong to moving bodies");
  const std::string name = o.name.empty() ? std::string(stiction::name(shape.kind)) : o.name;
  return append_geom(*impl_, {name, kWorldBody, shape, pose, impl_->materials.index(o.material, o.values)}, {});
}

BodyId WorldBuilder::add_body(const Shape& shape, double mass, const BodyOptions& o) {
  const std::string owner = impl_->owner(name(shape.kind), o.name);
  check_positive(owner + ".mass", mass);
  const Pose pose = checked_pose(owner, o.position, o.rotation);
  check_finite(owner + ".velocity", o.velocity);
  check_finite(owner + ".spin", o.spin);
  MaterialTable::check(owner, o.material, o.values);
  if (shape.kind == ShapeKind::point && !o.inertia)
    throw InvalidInput(owner + ".inertia is missing: a point has none of its own");
  std::vector<std::string> said;
  const std::vector<Shape> parts = moving_shapes(shape, owner, said);

  // The body's frame sits at the centre of mass (a free body then flies exactly); position places the shape's frame.
  SolidInertia solid;
  if (shape.kind != ShapeKind::point) solid = solid_inertia(shape, mass);
  const Mat3 inertia = o.inertia.value_or(solid.about_com);
  if (const std::string w = check_inertia(owner + ".inertia", inertia); !w.empty()) said.push_back(w);
  Body body;
  body.name = unique_name(*impl_, "body", o.name,
                          std::string(name(shape.kind)) + "_" + std::to_string(impl_->world.bodies.size()));
  body.inertia = {mass, Vec3::Zero(), inertia};
  Vec6 v;
  v << pose.rotation.transpose() * o.velocity, pose.rotation.transpose() * o.spin;
  const Pose shape_in_body{Mat3::Identity(), -solid.com};
  const BodyId id = append_free_body(*impl_, body, {pose.rotation, pose * solid.com}, v);
  const int material = impl_->materials.index(o.material, o.values);
  for (const Shape& part : parts) append_geom(*impl_, {body.name, id, part, shape_in_body, material}, {});
  impl_->warnings.insert(impl_->warnings.end(), said.begin(), said.end());
  return id;
}

int WorldBuilder::add_geom(BodyId body, const Shape& shape, const Pose& placement, const BodyOptions& o) {
  const std::string owner = impl_->owner("geom", o.name);
  check_body(impl_->world, owner + ".body", body, true);
  check_pose(owner + ".placement", placement);
  check_static(owner, o);
  if (!o.position.isZero(0.0) || !o.rotation.isApprox(Quat::Identity(), 0.0))
    throw InvalidInput(owner + " gives position or rotation beside placement; give placement alone");
  MaterialTable::check(owner, o.material, o.values);
  std::vector<std::string> said;
  const std::vector<Shape> parts = body == kWorldBody ? std::vector<Shape>{shape} : moving_shapes(shape, owner, said);
  if (body == kWorldBody && shape.kind == ShapeKind::point)
    throw InvalidInput(owner + " is a point; points belong to moving bodies");
  const int first = static_cast<int>(impl_->world.geoms.size());
  const int material = impl_->materials.index(o.material, o.values);
  const std::string name = o.name.empty() ? std::string(stiction::name(shape.kind)) : o.name;
  for (const Shape& part : parts) append_geom(*impl_, {name, body, part, placement, material}, {});
  impl_->warnings.insert(impl_->warnings.end(), said.begin(), said.end());
  return first;
}

int WorldBuilder::add_contact_point(BodyId body, const Vec3& offset, bool bilateral, std::optional<double> stiffness,
                                    std::optional<double> damping, const MaterialValues& values) {
  check_body(impl_->world, "contact point.body", body, false);
  check_finite("contact point.offset", offset);
  MaterialValues all = values;
  if (stiffness) all.stiffness = stiffness;
  if (damping) all.damping = damping;
  check_material("contact point", all);
  const Pose place{Mat3::Identity(), offset};
  if (!bilateral)
    return append_geom(*impl_, {"contact point", body, make_point(), place, impl_->materials.index("", all)}, {});
  Loop hold;
  hold.name = "hold " + impl_->world.body_name(body);
  hold.b = body;
  hold.frame_b = place;
  hold.frame_a.translation = start_pose(impl_->world, body) * offset;
  hold.stiffness = all.stiffness.value_or(kInfinity);
  hold.damping = all.damping.value_or(0.0);
  impl_->world.loops.push_back(hold);
  return static_cast<int>(impl_->world.loops.size()) - 1;
}

void WorldBuilder::add_loop(const Loop& loop) {
  const std::string owner = impl_->owner("loop", loop.name);
  check_body(impl_->world, owner + ".a", loop.a, true);
  check_body(impl_->world, owner + ".b", loop.b, true);
  if (loop.a == loop.b)
    throw InvalidInput(owner + " joins body " + std::to_string(loop.a) + " to itself; name two bodies");
  check_pose(owner + ".frame_a", loop.frame_a);
  check_pose(owner + ".frame_b", loop.frame_b);
  check_stiffness(owner + ".stiffness", loop.stiffness);
  check_not_negative(owner + ".damping", loop.damping);
  impl_->world.loops.push_back(loop);
}

void WorldBuilder::exclude_pair(int geom_a, int geom_b) {
  const int n = static_cast<int>(impl_->world.geoms.size());
  check_index("exclude_pair.geom_a", geom_a, n);
  check_index("exclude_pair.geom_b", geom_b, n);
  impl_->pair_filters.emplace_back(geom_a, geom_b);
}

void WorldBuilder::exclude_bodies(BodyId a, BodyId b) {
  check_body(impl_->world, "exclude_bodies.a", a, true);
  check_body(impl_->world, "exclude_bodies.b", b, true);
  impl_->body_filters.emplace_back(a, b);
}

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
int WorldBuilder::add_mjcf(const std::string& path, const RobotOptions& o) { return impl_->add(load_mjcf(path, o), o); }

void WorldBuilder::set_joint_position(int robot, const std::string& joint, double position) {
  const Body& body = impl_->world.bodies[at(impl_->joint(robot, joint))];
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
  const Body& body = impl_->world.bodies[at(impl_->joint(robot, joint))];
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

const World& WorldBuilder::draft() const { return impl_->world; }
const std::vector<std::string>& WorldBuilder::warnings() const { return impl_->warnings; }

std::shared_ptr<const World> WorldBuilder::compile() const {
  check_finite("World.gravity", gravity);
  auto world = std::make_shared<World>(impl_->world);
  world->gravity = gravity;
  std::vector<int> used;
  for (const Geom& g : world->geoms) used.push_back(g.material);
  impl_->materials.compile(used, *world);
  world->excluded_pairs = excluded_pairs(*impl_);
  world->fingerprint = fingerprint(*world);
  return world;
}

}  // namespace stiction
