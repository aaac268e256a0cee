// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/law/tree_delassus.h>

#include <algorithm>
#include <utility>

namespace stiction {
TreeDelassus::TreeDelassus(const World& world, const Layout& layout, const Kinematics& kinematics,
                           std::vector<DelassusPoint> points)
    : world_(world),
      layout_(layout),
      kinematics_(kinematics),
      points_(std::move(points)),
      bodies_(world.bodies.size()),
      v_(world.nv) {}

void TreeDelassus::multiply(const double* x, double* y) const {
  add_wrenches(x);
  project_wrenches();
  for (const Tree& tree : world_.trees) {
    solve_transposed(layout_, tree, kinematics_, v_.data());
    solve_lower(layout_, tree, kinematics_, v_.data());
  }
  spread_velocities();
  for (const DelassusPoint& c : points_) {
    const Vec3 u = c.axes * (velocity(c.b, c.point) - velocity(c.a, c.point));
    std::copy_n(u.data(), 3, y);
    y += 3;
  }
}

void TreeDelassus::add_wrenches(const double* x) const {
  for (Spatial& w : bodies_) w = {Vec3::Zero(), Vec3::Zero()};
  for (const DelassusPoint& c : points_) {
    const Vec3 force = c.axes.transpose() * Eigen::Map<const Vec3>(x);
    x += 3;
    for (const auto& [body, sign] : {std::pair{c.a, -1.0}, std::pair{c.b, 1.0}}) {
      if (body == kWorldBody) continue;
      const Pose& base = kinematics_.base[layout_.bodies[body].tree];
      const Vec3 f = sign * (base.rotation.transpose() * force);
      bodies_[body].linear += f;
      bodies_[body].angular += (base.rotation.transpose() * (c.point - base.translation)).cross(f);
    }
  }
}

// Children have larger numbers than their parents.
void TreeDelassus::project_wrenches() const {
  for (std::size_t b = bodies_.size(); b-- > 0;) {
    const BodyPlan& plan = layout_.bodies[b];
    for (int j = plan.v; j < plan.v + plan.nv; ++j) {
      const Column& s = kinematics_.columns[j];
      v_[j] = s.lin.dot(bodies_[b].linear) + s.ang.dot(bodies_[b].angular);
    }
    if (plan.parent == kWorldBody) continue;
    bodies_[plan.parent].linear += bodies_[b].linear;
    bodies_[plan.parent].angular += bodies_[b].angular;
  }
}

void TreeDelassus::spread_velocities() const {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyPlan& plan = layout_.bodies[b];
    bodies_[b] = plan.parent == kWorldBody ? Spatial{Vec3::Zero(), Vec3::Zero()} : bodies_[plan.parent];
    for (int j = plan.v; j < plan.v + plan.nv; ++j) {
      const Column& s = kinematics_.columns[j];
      bodies_[b].linear += v_[j] * s.lin;
      bodies_[b].angular += v_[j] * s.ang;
    }
  }
}

Vec3 TreeDelassus::velocity(BodyId body, const Vec3& point) const {
  if (body == kWorldBody) return Vec3::Zero();
  const Pose& base = kinematics_.base[layout_.bodies[body].tree];
  const Vec3 p = base.rotation.transpose() * (point - base.translation);
  return base.rotation * (bodies_[body].linear + bodies_[body].angular.cross(p));
}

}  // namespace stiction
