// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/step/core/velocity_forces.h>

#include <cmath>
#include <numeric>

namespace stiction {

int bound_velocity_forces(const StepContext& c, const State& state) {
  constexpr double most = 0.5;  // of |v|
  const Layout& layout = c.model.layout;
  Kinematics& moving = c.work.kinematics;
  Kinematics& still = c.work.guard.kinematics;
  std::vector<double>& kick = c.work.guard.kick;
  kick.assign(c.world.nv, 0.0);
  fused_pass(c.world, layout, state.q.data(), kick.data(), Purpose::step, still);
  int bounded = 0;
  for (const Tree& tree : c.world.trees) {
    if (tree.free_body) continue;
    const int end = tree.v + tree.nv;
    for (int j = tree.v; j < end; ++j) kick[j] = c.model.dt * (moving.bias[j] - still.bias[j]);
    factorise(layout, tree, still);
    solve_transposed(layout, tree, still, kick.data());
    const double kick2 = std::inner_product(kick.begin() + tree.v, kick.begin() + end, kick.begin() + tree.v, 0.0);
    const double v2 = 2.0 * tree_energy(c.world, layout, moving, tree, state.v.data()).kinetic;
    if (!(kick2 > most * most * v2)) continue;
    const double share = most * std::sqrt(v2 / kick2);
    for (int j = tree.v; j < end; ++j) moving.bias[j] = still.bias[j] + share * (moving.bias[j] - still.bias[j]);
    ++bounded;
  }
  return bounded;
}

}  // namespace stiction
