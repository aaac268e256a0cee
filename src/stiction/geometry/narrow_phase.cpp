// SPDX-License-Identifier: BSD-2-Clause
// One switch over pairs of kinds. Pairs are brought into one order (half-spaces, meshes first, then by kind), computed, and
// turned back if they came the other way round.
#include <stiction/geometry/closed_forms.h>
#include <stiction/geometry/half_space.h>
#include <stiction/geometry/pairs.h>
#include <stiction/geometry/triangle_mesh.h>

#include <algorithm>
#include <bit>

namespace stiction {
namespace {

// An axis shows that a pair is apart only if it leaves this much: more than the errors of what it replaces, so that the
// contacts found do not depend on what is remembered [m].
constexpr double kSafe = 1e-6;

}  // namespace

// The direction along which a pair was apart when it was last looked at, in the frame of its first shape; zero if it was not.
// A pair that is still apart along it costs two support points. One slot per pair; pairs that share a slot forget each other.
class SeparatingAxes {
 public:
  void expect(std::size_t pairs) {
    if (slots_.size() < 2 * pairs || slots_.empty()) slots_.assign(std::bit_ceil(std::max(2 * pairs, kFewest)), {});
  }
  Vec3& of(std::uint64_t pair) {
    if (slots_.empty()) expect(1);
    const std::uint64_t hash = pair * 0x9E37'79B9'7F4A'7C15u;
    Slot& slot = slots_[(hash >> 32) & (slots_.size() - 1)];
    if (slot.pair != pair) slot = {pair, Vec3::Zero()};
    return slot.axis;
  }

 private:
  static constexpr std::size_t kFewest = 128;
  struct Slot {
    std::uint64_t pair = 0;
    Vec3 axis = Vec3::Zero();
  };
  std::vector<Slot> slots_;  // a power of two
};

struct NarrowPhase::Impl {
  Queries query;
  MeshScratch scratch;
  SeparatingAxes axes;

  void against_half_space(const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                          std::vector<ManifoldPoint>& out) {
    const half_space::Plane plane(pose_a);
    switch (b.kind) {
      case ShapeKind::point:
        return half_space::add_sphere(plane, pose_b.translation, 0.0, margin, 0, out);
      case ShapeKind::sphere:
        return half_space::add_sphere(plane, pose_b.translation, b.radius(), margin, 0, out);
      case ShapeKind::capsule:
        return half_space::add_capsule(plane, b, pose_b, margin, out);
      case ShapeKind::box:
        return half_space::add_box(plane, b, pose_b, margin, out);
      case ShapeKind::cylinder:
        return half_space::add_cylinder(plane, b, pose_b, margin, out);
      case ShapeKind::convex:
        return half_space::add_convex(plane, b, pose_b, margin, out);
      case ShapeKind::half_space:
      case ShapeKind::mesh:
      case ShapeKind::heightfield:
        return;  // static against static
    }
  }

  void against_triangles(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                         std::vector<ManifoldPoint>& out) {
    Aabb box = outer_bounds(b, pose_a.inverse() * pose_b);
    box.lo.array() -= margin, box.hi.array() += margin;
    if (a.kind == ShapeKind::mesh) {
      a.mesh->find(box, scratch.triangles);
      collide_mesh(query, *a.mesh, pose_a, b, pose_b, margin, false, scratch, out);
    } else {
      a.heightfield->find(box, scratch.triangles);
      collide_mesh(query, a.heightfield->surface, pose_a, b, pose_b, margin, true, scratch, out);
    }
  }

  // Whether the pair, a.kind <= b.kind, has a closed form.
  static bool add_closed_form(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                              std::vector<ManifoldPoint>& out) {
    const bool ball = a.kind == ShapeKind::point || a.kind == ShapeKind::sphere;
    if (ball && b.kind == ShapeKind::point) return true;  // two points never touch
    if (ball && b.kind == ShapeKind::sphere)
      closed_form::add_balls(pose_a.translation, a.radius(), pose_b.translation, b.radius(), margin, 0, out);
    else if (ball && b.kind == ShapeKind::capsule)
      closed_form::add_ball_capsule(pose_a.translation, a.radius(), b, pose_b, margin, out);
    else if (ball && b.kind == ShapeKind::box)
      closed_form::add_ball_box(pose_a.translation, a.radius(), b, pose_b, margin, out);
    else if (ball && b.kind == ShapeKind::cylinder)
      closed_form::add_ball_cylinder(pose_a.translation, a.radius(), b, pose_b, margin, out);
    else if (a.kind == ShapeKind::capsule && b.kind == ShapeKind::capsule)
      closed_form::add_capsules(a, pose_a, b, pose_b, margin, out);
    else
      return false;
    return true;
  }

  // a.kind <= b.kind, both convex. The distance, if it was found that they are farther apart than the margin; else the margin.
  double convex_pair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                     std::uint64_t pair, const Vec3& hint, std::vector<ManifoldPoint>& out) {
    if (a.kind == ShapeKind::box && b.kind == ShapeKind::box) return collide_boxes(a, pose_a, b, pose_b, margin, out);
    if (add_closed_form(a, pose_a, b, pose_b, margin, out)) return margin;
    const Placed placed_a{&a, pose_a, nullptr}, placed_b{&b, pose_b, nullptr};
    Vec3& axis = axes.of(pair);
    if (!axis.isZero())
      if (const double apart = separation(placed_a, placed_b, pose_a.rotation * axis); apart >= margin + kSafe)
        return apart - kSafe;
    const double apart = collide_convex(query, placed_a, placed_b, margin, hint, axis, out);
    axis = pose_a.rotation.transpose() * axis;
    return std::max(margin, apart - kSafe);
  }
};

NarrowPhase::NarrowPhase() : impl_(std::make_unique<Impl>()) {}
NarrowPhase::~NarrowPhase() = default;
NarrowPhase::NarrowPhase(NarrowPhase&&) noexcept = default;
NarrowPhase& NarrowPhase::operator=(NarrowPhase&&) noexcept = default;

void NarrowPhase::expect(std::size_t pairs) { impl_->axes.expect(pairs); }

double NarrowPhase::collide(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                            std::uint64_t pair, const Vec3& hint, std::vector<ManifoldPoint>& out) {
  const auto is_ground = [](ShapeKind k) { return k >= ShapeKind::half_space; };
  const bool turn = is_ground(b.kind) ? !is_ground(a.kind) : !is_ground(a.kind) && a.kind > b.kind;
  const Shape &first = turn ? b : a, &second = turn ? a : b;
  const Pose &pose_1 = turn ? pose_b : pose_a, &pose_2 = turn ? pose_a : pose_b;
  const std::size_t begin = out.size();
  double apart = margin;
  if (first.kind == ShapeKind::half_space)
    impl_->against_half_space(pose_1, second, pose_2, margin, out);
  else if (!is_ground(first.kind))
    apart = impl_->convex_pair(first, pose_1, second, pose_2, margin, pair, turn ? Vec3(-hint) : hint, out);
  else if (!is_ground(second.kind))
    impl_->against_triangles(first, pose_1, second, pose_2, margin, out);
  if (turn)
    for (std::size_t i = begin; i < out.size(); ++i) out[i].normal = -out[i].normal;
  return out.size() > begin ? 0.0 : apart;
}

}  // namespace stiction
