// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/model/world/hulls.h>
#include <stiction/model/world/world_builder_impl.h>

#include <cmath>

namespace stiction {
namespace {

// What does not move has neither velocity nor inertia; saying so would have no effect.
void check_static(const std::string& owner, const BodyOptions& o) {
  if (!o.velocity.isZero(0.0))
    throw InvalidInput(owner + ".velocity is " + text(o.velocity) + ", expected none: it does not move by itself");
  if (!o.angular_velocity.isZero(0.0))
    throw InvalidInput(owner + ".angular_velocity is " + text(o.angular_velocity) +
                       ", expected none: it does not move by itself");
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
  check_finite(owner + ".angular_velocity", o.angular_velocity);
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
  v << pose.rotation.transpose() * o.velocity, pose.rotation.transpose() * o.angular_velocity;
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
  check_finite(owner + ".axis", loop.axis);
  if (std::abs(loop.axis.norm() - 1.0) > 1e-6)
    throw InvalidInput(owner + ".axis is " + text(loop.axis) + ", expected a vector of length 1");
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

const World& WorldBuilder::draft() const { return impl_->world; }
const std::vector<std::string>& WorldBuilder::warnings() const { return impl_->warnings; }

std::shared_ptr<const World> WorldBuilder::compile() const {
  check_finite("World.gravity", gravity);
  auto world = std::make_shared<World>(impl_->world);
  world->gravity = gravity;
  std::vector<int> used;
  for (const Geom& g : world->geoms) used.push_back(g.material);
  impl_->materials.compile(used, *world);
  complete_softness(*impl_, *world);
  complete_sensors(*world);
  world->excluded_pairs = excluded_pairs(*impl_);
  world->fingerprint = fingerprint(*world);
  return world;
}

}  // namespace stiction
