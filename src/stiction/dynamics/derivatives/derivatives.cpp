// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/derivatives/derivatives.h>
#include <stiction/dynamics/kernels/motion.h>

#include <algorithm>

namespace stiction {
namespace {

// Own inertia about the base origin, momentum, bias force and the two parts of 2B; the subtree's start as the own ones.
void own_inertia(const BodyPlan& plan, const BodyData& b, BodyTangent& t) {
  const Vec3 c = b.R * plan.com + b.p;
  t.mass = plan.mass;
  t.moment = plan.mass * c;
  const Vec3& mc = t.moment;
  double* I = t.inertia;
  rotate_packed(b.R, plan.inertia, I);
  I[0] += mc.y() * c.y() + mc.z() * c.z(), I[3] += mc.x() * c.x() + mc.z() * c.z();
  I[5] += mc.x() * c.x() + mc.y() * c.y();
  I[1] -= mc.x() * c.y(), I[2] -= mc.x() * c.z(), I[4] -= mc.y() * c.z();
  t.subtree_mass = t.mass;
  t.subtree_moment = mc;
  std::copy(t.inertia, t.inertia + 6, t.subtree_inertia);
  const Column momentum = inertia_times(t.mass, mc, t.inertia, t.velocity);
  t.bias = cross_force(t.velocity, momentum);
  t.momentum = momentum.lin;
  const double half_trace = 0.5 * (t.inertia[0] + t.inertia[3] + t.inertia[5]);
  const Vec3 w = -2.0 * t.velocity.ang, v = t.velocity.lin, m = 2.0 * mc;
  Mat3 spread = -unpacked(t.inertia);  // Σ m r rᵀ
  spread.diagonal().array() += half_trace;
  for (int i = 0; i < 3; ++i) t.spin.col(i) = w.cross(spread.col(i));
  t.spin.noalias() -= v * m.transpose();  // −2 m ĉ v̂ = −(v 2mcᵀ − (2mc·v) 1)
  t.spin.diagonal().array() += m.dot(v);
}

void add_subtree(const BodyTangent& child, BodyTangent& parent) {
  parent.subtree_mass += child.subtree_mass;
  parent.subtree_moment += child.subtree_moment;
  for (int c = 0; c < 6; ++c) parent.subtree_inertia[c] += child.subtree_inertia[c];
  parent.momentum += child.momentum;
  parent.spin += child.spin;
}

Column subtree_times(const BodyTangent& t, const Column& s) {
  return inertia_times(t.subtree_mass, t.subtree_moment, t.subtree_inertia, s);
}

void velocity_tangent(const BodyTangent& t, const Column& parent, const Column& s, VelocityTangent& out) {
  out.psi_dot = cross_motion(parent, s);
  out.psi_bias = cross_motion(parent, out.psi_dot);
  out.phi = out.psi_dot + cross_motion(t.velocity, s);
  out.inertial = subtree_times(t, s);
  out.turning = {2.0 * out.psi_dot.ang.cross(t.momentum), t.spin * out.psi_dot.ang};
  out.gyration = 2.0 * t.momentum.cross(s.lin) + t.spin.transpose() * s.ang;
}

// The same for a floating base: unit columns, nothing above it, and the classical acceleration has no ω × v.
void base_tangents(const BodyTangent& t, VelocityTangent* out) {
  const Column still = zero_column();
  for (int i = 0; i < 3; ++i) {
    const Vec3 e = Vec3::Unit(i);
    VelocityTangent &linear = out[i], &angular = out[3 + i];
    linear.psi_dot = linear.psi_bias = linear.phi = linear.turning = still;
    angular.psi_dot = angular.psi_bias = angular.turning = still;
    angular.phi = {Vec3::Zero(), t.velocity.ang.cross(e)};
    linear.inertial = {t.subtree_mass * e, t.subtree_moment.cross(e)};
    angular.inertial = {e.cross(t.subtree_moment), packed_times(t.subtree_inertia, e)};
    linear.gyration = 2.0 * t.momentum.cross(e);
    angular.gyration = t.spin.row(i);
  }
}

// Chains begin with the six velocities of a floating base, whose columns are unit vectors.
int base_width(const BodyPlan& plan) { return plan.floating ? 6 : 0; }

// ∂τ_i/∂v_j for j at or above i, ∂τ_j/∂v_i for j above i.
void velocity_block(const Layout& layout, const Kinematics& k, const DerivativeData& data, const BodyPlan& plan,
                    int stride, double* dv) {
  const BodyTangent& t = data.bodies[static_cast<int>(&plan - layout.bodies.data())];
  const int* chain = layout.chain.data() + plan.chain;
  const int above = plan.length - plan.nv, first = base_width(plan);
  for (int i = plan.v; i < plan.v + plan.nv; ++i) {
    const VelocityTangent& x = data.velocities[i];
    const Column& s = k.columns[i];
    const Column moved = Column{2.0 * s.ang.cross(t.momentum), t.spin * s.ang} + subtree_times(t, x.phi);
    if (plan.code != JointCode::root_free && first != 0) {  // unit columns: (2) is a copy, (1) three numbers
      const Vec3& w = data.spin[plan.tree];
      Eigen::Map<Vec3>{dv + i * stride + chain[0]}.setZero();
      Eigen::Map<Vec3>{dv + i * stride + chain[3]} = x.gyration + x.inertial.ang.cross(w);
      for (int d = 0; d < 3; ++d)
        dv[chain[d] * stride + i] = moved.lin[d], dv[chain[3 + d] * stride + i] = moved.ang[d];
    }
    for (int d = plan.code == JointCode::root_free ? 0 : first; d < plan.length; ++d) {
      const int j = chain[d];
      dv[i * stride + j] = x.gyration.dot(k.columns[j].ang) + dot(x.inertial, data.velocities[j].phi);
      if (d < above) dv[j * stride + i] = dot(k.columns[j], moved);
    }
  }
}

}  // namespace

void DerivativeData::resize(const World& world) {
  bodies.resize(world.bodies.size());
  velocities.resize(world.nv);
  spin.resize(world.trees.size());
}

void prepare_derivatives(const World& world, const Layout& layout, const Kinematics& k, DerivativeData& data) {
  for (std::size_t n = 0; n < world.trees.size(); ++n) {
    const Tree& tree = world.trees[n];
    const int last = tree.first_body + tree.bodies - 1;
    data.spin[n] = tree.floating ? k.bodies[tree.first_body].w : Vec3(Vec3::Zero());
    const Vec3 origin = tree.floating ? k.bodies[tree.first_body].v : Vec3(Vec3::Zero());
    for (int i = tree.first_body; i <= last; ++i) {
      data.bodies[i].velocity = {k.bodies[i].v - origin, k.bodies[i].w};
      own_inertia(layout.bodies[i], k.bodies[i], data.bodies[i]);
    }
    for (int i = last; i >= tree.first_body; --i) {
      const BodyPlan& plan = layout.bodies[i];
      const BodyTangent& t = data.bodies[i];
      if (plan.code == JointCode::root_free) {
        base_tangents(t, &data.velocities[plan.v]);
        continue;
      }
      const Column parent = plan.parent == kWorldBody ? zero_column() : data.bodies[plan.parent].velocity;
      for (int j = plan.v; j < plan.v + plan.nv; ++j) velocity_tangent(t, parent, k.columns[j], data.velocities[j]);
      if (plan.parent != kWorldBody) add_subtree(t, data.bodies[plan.parent]);
    }
  }
}

void inverse_dynamics_dv(const Layout& layout, const Kinematics& k, const DerivativeData& data, int stride,
                         double* dv) {
  for (const BodyPlan& plan : layout.bodies) velocity_block(layout, k, data, plan, stride, dv);
}

}  // namespace stiction
