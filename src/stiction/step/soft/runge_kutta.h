// SPDX-License-Identifier: BSD-2-Clause
// Explicit Runge-Kutta stages on the manifold, shared by `rk4` and `rigid_euler`.
//   order 1   a₁ at (q, v);                                    v⁺ = v + h a₁,                     q⁺ = q ⊕ h v
//   order 2   a₂ at (q ⊕ (h/2) v, v + (h/2) a₁);               v⁺ = v + h a₂,                     q⁺ = q ⊕ h v₂
//   order 4   a_k+1 at (q ⊕ hc v_k, v + hc a_k), c = ½ ½ 1;    v⁺ = v + h (a₁+2a₂+2a₃+a₄)/6,      q⁺ = q ⊕ h (v₁+2v₂+2v₃+v₄)/6
// Velocities of all stages are averaged in the tangent space at the start, linear ones of floating bases in world axes, angular
// ones as body components. So order 4 holds for joints in Euclidean space, order 2 where something turns freely. With `lie` the
// averaged are rates of rotation vectors, dexp⁻¹ ω (dynamics/kernels/integrate.h): order 4 everywhere. [Munthe-Kaas 1998]
#pragma once

#include <stiction/dynamics/kernels/integrate.h>
#include <stiction/step/soft/soft_dynamics.h>

#include <algorithm>
#include <array>

namespace stiction {

struct StageWork {
  std::array<std::vector<double>, 4> velocity, acceleration;  // in the axes at the start
  std::vector<double> q, v;                                   // of the stage, in its own axes
  void resize(const World& world) {
    for (auto& x : velocity) x.resize(world.nv);
    for (auto& x : acceleration) x.resize(world.nv);
    q.resize(world.nq), v.resize(world.nv);
  }
};

// accelerate(stage, q, v, out): the acceleration in the axes of q; stage 0 is the start. Fills next_q and next_v of the work.
template <class Accelerate>
void runge_kutta(const SoftContext& c, int order, double h, const double* q, const double* v, StageWork& s,
                 const Accelerate& accelerate, bool lie = false) {
  SoftWork& w = c.work;
  const auto nv = c.world.nv, nq = c.world.nq;
  std::copy(v, v + nv, s.velocity[0].begin());
  accelerate(0, q, v, s.acceleration[0].data());
  keep_start_axes(c);
  static constexpr double kShare[4] = {0.0, 0.5, 0.5, 1.0};
  for (int k = 1; k < order; ++k) {
    const auto i = k;
    const double step = h * kShare[k];
    for (int j = 0; j < nv; ++j) s.velocity[i][j] = v[j] + step * s.acceleration[i - 1][j];
    std::copy(q, q + nq, s.q.begin());
    std::copy(s.velocity[i].begin(), s.velocity[i].end(), s.v.begin());
    advance(c.model.layout, step, s.velocity[i - 1].data(), s.q.data(), s.v.data());
    accelerate(k, s.q.data(), s.v.data(), s.acceleration[i].data());
    to_start_axes(c, s.acceleration[i].data());
    if (lie) coordinate_rates(c.model.layout, step, s.velocity[i - 1].data(), s.velocity[i].data());
  }
  const auto& a = s.acceleration;
  const auto& u = s.velocity;
  for (int j = 0; j < nv; ++j) {
    if (order == 4) {
      w.next_v[j] = v[j] + h / 6.0 * (a[0][j] + 2.0 * a[1][j] + 2.0 * a[2][j] + a[3][j]);
      w.mean[j] = (u[0][j] + 2.0 * u[1][j] + 2.0 * u[2][j] + u[3][j]) / 6.0;
    } else {
      const auto last = order - 1;
      w.next_v[j] = v[j] + h * a[last][j];
      w.mean[j] = u[last][j];
    }
  }
  std::copy(q, q + nq, w.next_q.begin());
  advance(c.model.layout, h, w.mean.data(), w.next_q.data(), w.next_v.data());
}

}  // namespace stiction
