// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/step/core/energy_guard.h>

#include <cmath>
#include <numeric>

namespace stiction {
namespace {

constexpr double kGrowth = 1.2;  // of Σv² from which on the energy is looked at
constexpr double kScheme = 0.25;
constexpr double kLeast = 1e-9;  // round-off of energies in the field's usual sizes [J]

TreeEnergy energy_at(const StepContext& c, const double* q, const double* v) {
  Kinematics& k = c.work.end;
  forward_kinematics(c.world, c.model.layout, q, v, k);
  TreeEnergy sum{0.0, 0.0};
  for (const Tree& tree : c.world.trees) {
    const TreeEnergy one = tree_energy(c.world, c.model.layout, k, tree, v);
    sum.kinetic += one.kinetic, sum.potential += one.potential;
  }
  return sum;
}

double squares(const double* x, int n) { return std::inner_product(x, x + n, x, 0.0); }

}  // namespace

bool energy_is_explained(const StepContext& c, const State& start, const double* before, const double* after,
                         const std::vector<double>& q, const std::vector<double>& v, StepReport& report) {
  const int nv = c.world.nv;
  if (report.unaccepted == 0 && squares(v.data(), nv) <= kGrowth * squares(start.v.data(), nv)) return true;
  const TreeEnergy old = energy_at(c, start.q.data(), start.v.data()), now = energy_at(c, q.data(), v.data());
  double given = c.work.granted;
  for (int j = 0; j < nv; ++j)
    given += c.model.dt * std::abs(c.work.applied[j]) * (std::abs(before[j]) + std::abs(after[j]));
  const double mass = std::accumulate(c.work.tree_mass.begin(), c.work.tree_mass.end(), 0.0);
  const double fall = c.world.gravity.norm() * c.model.dt;
  const double slack = kScheme * old.kinetic + fall * std::sqrt(2.0 * mass * now.kinetic) + mass * fall * fall +
                       kLeast + 1e-12 * std::abs(old.potential);
  const double excess = now.kinetic + now.potential - old.kinetic - old.potential - given - slack;
  if (excess <= old.kinetic + given + slack) return true;
  report.excess = excess;
  report.refuse(Status::unphysical);
  return false;
}

}  // namespace stiction
