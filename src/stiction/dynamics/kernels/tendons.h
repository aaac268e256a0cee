// SPDX-License-Identifier: BSD-2-Clause
// Lengths and rates of tendons. Those of spatial ones are where the kinematics are, those of fixed ones at any q.
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>

namespace stiction {

// Number of leading velocities that move both bodies: none where they belong to different trees.
inline int shared_chain(const Layout& layout, int a, int b) {
  if (a == kWorldBody || b == kWorldBody || layout.bodies[a].tree != layout.bodies[b].tree) return 0;
  return layout.common(a, b);
}

// Calls use(velocity, ∂(n · ṗ + m · ω)/∂v) for a point p of a body that turns with ω, for the velocities of its chain behind the first
// `skip`. World axes.
template <class Use>
void for_chain(const Layout& layout, const Kinematics& k, int body, const Vec3& p, const Vec3& n, const Vec3& m,
               int skip, const Use& use) {
  if (body == kWorldBody) return;
  const BodyPlan& b = layout.bodies[body];
  const Pose& base = k.base[b.tree];
  const Vec3 linear = base.rotation.transpose() * n;
  const Vec3 moment =
      (base.rotation.transpose() * (p - base.translation)).cross(linear) + base.rotation.transpose() * m;
  const int* chain = layout.chain.data() + b.chain;
  for (int d = skip; d < b.length; ++d) {
    const Column& s = k.columns[chain[d]];
    use(chain[d], s.lin.dot(linear) + s.ang.dot(moment));
  }
}

// Lengths and ∂L/∂v of spatial tendons at the placements of `k`.
void place_tendons(const World& world, const Layout& layout, Kinematics& k);

inline const std::vector<TendonTerm>& tendon_terms(const Layout& layout, const Kinematics& k, int tendon) {
  const TendonPlan& plan = layout.tendons[tendon];
  return plan.spatial ? k.tendon_terms[tendon] : plan.terms;
}

inline double tendon_length(const Layout& layout, const Kinematics& k, int tendon, const double* q) {
  const TendonPlan& plan = layout.tendons[tendon];
  if (plan.spatial) return k.tendon_length[tendon];
  double sum = 0.0;
  for (const TendonTerm& x : plan.terms) sum += x.coefficient * joint_position(layout.bodies[x.body], q);
  return sum;
}

inline double tendon_rate(const std::vector<TendonTerm>& terms, const double* v) {
  double sum = 0.0;
  for (const TendonTerm& x : terms) sum += x.coefficient * v[x.velocity];
  return sum;
}

// force += Jᵀ f.
inline void add_tendon_force(const std::vector<TendonTerm>& terms, double f, double* force) {
  for (const TendonTerm& x : terms) force[x.velocity] += x.coefficient * f;
}

}  // namespace stiction
