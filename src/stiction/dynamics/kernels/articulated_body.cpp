// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/articulated_body.h>
#include <stiction/dynamics/kernels/motion.h>

#include <algorithm>

namespace stiction {
namespace {

// Spatial inertia at the base origin, (linear, angular), from mass, mass × centre and the inertia about the origin.
void set_inertia(double mass, const Vec3& moment, const double* I, Mat6& out) {
  out.setZero();
  out(0, 0) = out(1, 1) = out(2, 2) = mass;
  Mat3 c;
  c << 0, -moment.z(), moment.y(), moment.z(), 0, -moment.x(), -moment.y(), moment.x(), 0;
  out.bottomLeftCorner<3, 3>() = c;  // n = moment × v
  out.topRightCorner<3, 3>() = -c;   // f = ω × moment
  out.bottomRightCorner<3, 3>() = unpacked(I);
}

Vec3 in_base(const Pose& base, const Vec3& point) { return base.rotation.transpose() * (point - base.translation); }

}  // namespace

void ArticulatedBody::resize(const World& world) {
  const std::size_t n = world.bodies.size(), nv = world.nv;
  inertia_.resize(n), force_.resize(n), move_.resize(n), forces_.resize(n), moves_.resize(n), marked_.resize(n);
  joints_.resize(nv), moment_.resize(nv), moments_.resize(nv);
  chain_bodies_.reserve(n);
  of_tree_.resize(world.trees.size());
}

void ArticulatedBody::prepare(const World& world, const Layout& layout, const Kinematics& k) {
  for (std::size_t i = 0; i < layout.bodies.size(); ++i) {
    const BodyPlan& plan = layout.bodies[i];
    const BodyData& b = k.bodies[i];
    if (plan.free_body)
      set_inertia(plan.mass, Vec3::Zero(), plan.inertia, inertia_[i]);
    else
      set_inertia(b.mass, b.moment, b.inertia, inertia_[i]);
  }
  for (int i = static_cast<int>(layout.bodies.size()) - 1; i >= 0; --i) {
    const BodyPlan& plan = layout.bodies[i];
    Mat6& I = inertia_[i];
    for (int velocity = plan.v + plan.nv - 1; velocity >= plan.v; --velocity) {
      Joint& joint = joints_[velocity];
      joint.s << k.columns[velocity].lin, k.columns[velocity].ang;
      joint.U.noalias() = I * joint.s;
      const double added =
          plan.free_body ? world.armature[velocity] : k.factor[layout.row[velocity] + layout.depth[velocity]];
      joint.inverse = 1.0 / (joint.s.dot(joint.U) + added);
      I.noalias() -= (joint.inverse * joint.U) * joint.U.transpose();
    }
    if (plan.parent != kWorldBody) inertia_[plan.parent] += I;
  }
}

Vec3 ArticulatedBody::point_acceleration(const Layout& layout, const Kinematics& k, BodyId body,
                                         const Vec3& point) const {
  if (body == kWorldBody) return Vec3::Zero();
  const Pose& base = k.base[layout.bodies[body].tree];
  const Vec6& a = move_[body];
  return base.rotation * (a.head<3>() + a.tail<3>().cross(in_base(base, point)));
}

void ArticulatedBody::solve(const Layout& layout, double* x) {
  for (Vec6& p : force_) p.setZero();
  for (int i = static_cast<int>(layout.bodies.size()) - 1; i >= 0; --i) {
    const BodyPlan& plan = layout.bodies[i];
    Vec6& p = force_[i];
    for (int velocity = plan.v + plan.nv - 1; velocity >= plan.v; --velocity) {
      const Joint& joint = joints_[velocity];
      const double u = moment_[velocity] = x[velocity] - joint.s.dot(p);
      p += joint.U * (u * joint.inverse);
    }
    if (plan.parent != kWorldBody) force_[plan.parent] += p;
  }
  for (std::size_t i = 0; i < layout.bodies.size(); ++i) {
    const BodyPlan& plan = layout.bodies[i];
    Vec6& a = move_[i];
    if (plan.parent == kWorldBody)
      a.setZero();
    else
      a = move_[plan.parent];
    for (int velocity = plan.v; velocity < plan.v + plan.nv; ++velocity) {
      const Joint& joint = joints_[velocity];
      x[velocity] = (moment_[velocity] - joint.U.dot(a)) * joint.inverse;
      a += joint.s * x[velocity];
    }
  }
}

void ArticulatedBody::mark_chains(const World& world, const Layout& layout, const ContactPlace* places, int m) {
  std::fill(marked_.begin(), marked_.end(), 0);
  for (int i = 0; i < m; ++i)
    for (BodyId body : {places[i].a, places[i].b})
      for (; body != kWorldBody && !marked_[body]; body = layout.bodies[body].parent) marked_[body] = 1;
  chain_bodies_.clear();
  for (std::size_t t = 0; t < world.trees.size(); ++t) {
    const Tree& tree = world.trees[t];
    of_tree_[t].first = static_cast<int>(chain_bodies_.size());
    for (int i = tree.first_body; i < tree.first_body + tree.bodies; ++i)
      if (marked_[i]) chain_bodies_.push_back(i);
    of_tree_[t].second = static_cast<int>(chain_bodies_.size());
  }
}

// p = −(unit forces along the rows of the frame), on b; with the other sign on a.
void ArticulatedBody::push(const Layout& layout, const Kinematics& k, const ContactPlace& place) {
  for (const BodyId body : {place.a, place.b}) {
    if (body == kWorldBody) continue;
    const Pose& base = k.base[layout.bodies[body].tree];
    const Vec3 p = in_base(base, place.point);
    const double sign = body == place.b ? -1.0 : 1.0;
    for (int c = 0; c < 3; ++c) {
      const Vec3 f = sign * (base.rotation.transpose() * place.frame.row(c).transpose());
      forces_[body].col(c).head<3>() += f;
      forces_[body].col(c).tail<3>() += p.cross(f);
    }
  }
}

// (2) and (3) for three columns at once, on the chains of one tree. Forces are zero again afterwards.
void ArticulatedBody::sweep_tree(const Layout& layout, int tree) {
  const auto [first, last] = of_tree_[tree];
  for (int c = last - 1; c >= first; --c) {
    const int i = chain_bodies_[c];
    const BodyPlan& plan = layout.bodies[i];
    Columns& p = forces_[i];
    for (int velocity = plan.v + plan.nv - 1; velocity >= plan.v; --velocity) {
      const Joint& joint = joints_[velocity];
      Eigen::RowVector3d& u = moments_[velocity];
      u.noalias() = -joint.inverse * (joint.s.transpose() * p);
      p.noalias() += joint.U * u;
    }
    if (plan.parent != kWorldBody) forces_[plan.parent] += p;
    p.setZero();
  }
  for (int c = first; c < last; ++c) {
    const int i = chain_bodies_[c];
    const BodyPlan& plan = layout.bodies[i];
    Columns& a = moves_[i];
    if (plan.parent == kWorldBody)
      a.setZero();
    else
      a = moves_[plan.parent];
    for (int velocity = plan.v; velocity < plan.v + plan.nv; ++velocity) {
      const Joint& joint = joints_[velocity];
      const Eigen::RowVector3d x = moments_[velocity] - joint.inverse * (joint.U.transpose() * a);
      a.noalias() += joint.s * x;
    }
  }
}

void ArticulatedBody::contact_inertia(const World& world, const Layout& layout, const Kinematics& k,
                                      const ContactPlace* places, int m, double* A) {
  mark_chains(world, layout, places, m);
  for (const int i : chain_bodies_) forces_[i].setZero();
  const auto tree_of = [&](BodyId body) { return body == kWorldBody ? -1 : layout.bodies[body].tree; };
  const int rows = 3 * m;
  std::fill(A, A + rows * rows, 0.0);
  for (int j = 0; j < m; ++j) {
    push(layout, k, places[j]);
    const int ta = tree_of(places[j].a), tb = tree_of(places[j].b);
    if (ta >= 0) sweep_tree(layout, ta);
    if (tb >= 0 && tb != ta) sweep_tree(layout, tb);
    for (int i = 0; i < m; ++i)
      for (const BodyId body : {places[i].a, places[i].b}) {
        const int tree = tree_of(body);
        if (tree < 0 || (tree != ta && tree != tb)) continue;
        const Pose& base = k.base[tree];
        const Vec3 p = in_base(base, places[i].point);
        const Mat3 axes = places[i].frame * base.rotation;
        const double sign = body == places[i].b ? 1.0 : -1.0;
        for (int c = 0; c < 3; ++c) {
          const auto a = moves_[body].col(c);
          const Vec3 read = axes * (a.head<3>() + a.tail<3>().cross(p));
          for (int r = 0; r < 3; ++r) A[(3 * i + r) * rows + 3 * j + c] += sign * read[r];
        }
      }
  }
}

}  // namespace stiction
