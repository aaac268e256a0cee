// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/motion.h>
#include <stiction/step/derivative/contact_motion.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kStep = 1e-5;       // of the smaller shape; as an angle [rad]
constexpr double kMargin = 1e-3;     // looked farther than the contact's own gap [m]
constexpr double kContinuous = 0.1;  // a normal that turns by more within a step is another one

bool is_ball(const Shape& s) { return s.kind == ShapeKind::sphere || s.kind == ShapeKind::point; }

// Whether (2) holds, and how far p lies above x along n.
bool is_point_on_plane(const Shape& a, const Shape& b, double gap, double& above) {
  if (a.kind != ShapeKind::half_space) return false;
  const bool round = is_ball(b) || b.kind == ShapeKind::capsule;
  if (!round && b.kind != ShapeKind::box && b.kind != ShapeKind::convex) return false;
  above = -0.5 * gap - (round ? b.radius() : 0.0);
  return true;
}

ContactMotion on_plane(const Vec3& n, double above) {
  const Mat3 halved = Mat3::Identity() - 0.5 * n * n.transpose();
  return {halved, halved * skew(above * n), Mat3::Zero(), Mat3::Zero(), n, Vec3::Zero()};
}

ContactMotion between_balls(const Vec3& n, double radius_a, double radius_b, double gap) {
  const double from_a = radius_a + 0.5 * gap, from_b = radius_b + 0.5 * gap;
  const Mat3 along = n * n.transpose();
  ContactMotion m;
  m.normal_by_shift = (Mat3::Identity() - along) / (from_a + from_b);
  m.point_by_shift = from_a * m.normal_by_shift + 0.5 * along;
  const Mat3 lever = -skew(from_b * n);  // r × c = −c × r
  m.normal_by_turn = m.normal_by_shift * lever, m.point_by_turn = m.point_by_shift * lever;
  m.gap_by_shift = n, m.gap_by_turn.setZero();
  return m;
}

// The smaller of two shapes' sizes.
double size_of(const DetectionPlan& plan, const Contact& c) {
  double size = 1.0;
  for (const std::uint32_t g : {c.key.geom_a, c.key.geom_b})
    if (const double r = plan.balls[g].radius; r > 0.0 && r < size) size = r;
  return size;
}

// b moved by a step along one of six directions: a shift, or a turn about p.
Pose moved(const Pose& pose, const Vec3& p, int direction, double step) {
  const Vec3 axis = Vec3::Unit(direction % 3);
  if (direction < 3) return {pose.rotation, pose.translation + step * axis};
  const Mat3 turn = Eigen::AngleAxisd(step, axis).toRotationMatrix();
  return {turn * pose.rotation, p + turn * (pose.translation - p)};
}

}  // namespace

const ManifoldPoint* ContactMotions::look(const Contact& c, int side) const {
  for (const ManifoldPoint& m : manifold_[side])
    if (m.feature == c.key.feature) return (m.normal - c.normal).norm() < kContinuous ? &m : nullptr;
  return nullptr;
}

void ContactMotions::add_difference(const std::vector<Contact>& contacts, std::size_t first, std::size_t last,
                                    int direction, double step) {
  for (std::size_t i = first; i < last; ++i) {
    const Contact& c = contacts[i];
    ContactMotion& m = motions_[i];
    const ManifoldPoint *after = look(c, 0), *before = look(c, 1);
    Vec3 point = Vec3::Zero(), normal = Vec3::Zero();
    double gap = direction < 3 ? c.normal[direction] : 0.0;
    if (after != nullptr && before != nullptr) {
      point = (after->point - before->point) / (2.0 * step), normal = (after->normal - before->normal) / (2.0 * step);
      gap = (after->gap - before->gap) / (2.0 * step);
      const Vec3 bend = after->point - 2.0 * c.point + before->point;
      const Vec3 turn = after->normal - 2.0 * c.normal + before->normal;
      if (bend.norm() > kContinuous * step || turn.norm() > kContinuous * step) m.border = true;  // a kink
    } else {
      m.border = true;
      if (const ManifoldPoint* one = after != nullptr ? after : before) {
        const double way = after != nullptr ? step : -step;
        point = (one->point - c.point) / way, normal = (one->normal - c.normal) / way;
      } else if (direction < 3) {
        point = Vec3::Unit(direction);
      }
    }
    (direction < 3 ? m.point_by_shift : m.point_by_turn).col(direction % 3) = point;
    (direction < 3 ? m.normal_by_shift : m.normal_by_turn).col(direction % 3) = normal;
    (direction < 3 ? m.gap_by_shift : m.gap_by_turn)[direction % 3] = gap;
  }
}

void ContactMotions::difference_pair(const World& world, const DetectionPlan& plan, const DetectionWork& detection,
                                     const std::vector<Contact>& contacts, std::size_t first, std::size_t last) {
  const std::uint32_t a = contacts[first].key.geom_a, b = contacts[first].key.geom_b;
  const double length = size_of(plan, contacts[first]);
  double margin = kMargin;
  for (std::size_t i = first; i < last; ++i) margin = std::max(margin, kMargin + std::abs(contacts[i].gap));
  margin += world.material(static_cast<int>(a), static_cast<int>(b)).margin;
  for (int direction = 0; direction < 6; ++direction) {
    // Points of one pair share the looks: all turn about the first one, and are turned about their own below.
    const double step = direction < 3 ? kStep * length : kStep;
    for (int side = 0; side < 2; ++side) {
      manifold_[side].clear();
      const Pose pose_b = moved(detection.poses[b], contacts[first].point, direction, side == 0 ? step : -step);
      narrow_phase_.collide(world.geoms[a].shape, detection.poses[a], world.geoms[b].shape, pose_b, margin,
                            (static_cast<std::uint64_t>(a) << 32) | b, contacts[first].normal, manifold_[side]);
    }
    add_difference(contacts, first, last, direction, step);
  }
  for (std::size_t i = first; i < last;
       ++i) {  // a turn about p_i is one about p_first and a shift by r × (p_first − p_i)
    const Mat3 shift = skew(contacts[i].point - contacts[first].point);
    motions_[i].point_by_turn += motions_[i].point_by_shift * shift;
    motions_[i].normal_by_turn += motions_[i].normal_by_shift * shift;
    motions_[i].gap_by_turn += shift.transpose() * motions_[i].gap_by_shift;
  }
}

void ContactMotions::find(const World& world, const DetectionPlan& plan, const DetectionWork& detection,
                          const std::vector<Contact>& contacts) {
  motions_.assign(contacts.size(), {});
  for (std::size_t i = 0; i < contacts.size();) {
    const Contact& c = contacts[i];
    const Shape &a = world.geoms[c.key.geom_a].shape, &b = world.geoms[c.key.geom_b].shape;
    const double gap = c.gap + world.material(static_cast<int>(c.key.geom_a), static_cast<int>(c.key.geom_b)).margin;
    double above = 0.0;
    if (is_point_on_plane(a, b, gap, above)) {
      motions_[i++] = on_plane(c.normal, above);
    } else if (is_ball(a) && is_ball(b)) {
      motions_[i++] = between_balls(c.normal, a.radius(), b.radius(), gap);
    } else {
      std::size_t last = i + 1;
      while (last < contacts.size() && contacts[last].key.geom_a == c.key.geom_a &&
             contacts[last].key.geom_b == c.key.geom_b)
        ++last;
      difference_pair(world, plan, detection, contacts, i, last);
      i = last;
    }
  }
}

}  // namespace stiction
