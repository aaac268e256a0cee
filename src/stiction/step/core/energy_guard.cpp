// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/disjoint_sets.h>
#include <stiction/base/finite.h>
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/step/core/energy_guard.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kGrowth = 1.2;  // of Σv² of a tree from which on the energy is looked at
constexpr double kMild =
    1.5;  // of the kinetic energy of a tree: (1) allows for two and a half times, whatever was given
constexpr double kTurned = 0.5;  // of all joints of a tree together, below which its inertia is about the same [rad]
constexpr double kMinor = 1e-6;  // of Σ m v²: trees that hold less are looked at with the others
constexpr double kScheme = 0.25;
constexpr double kLeast = 1e-9;  // round-off of energies in the field's usual sizes [J]

// Four sums, so that none waits for the other.
double squares(const double* x, int n) {
  double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
  int i = 0;
  for (; i + 4 <= n; i += 4)
    a += x[i] * x[i], b += x[i + 1] * x[i + 1], c += x[i + 2] * x[i + 2], d += x[i + 3] * x[i + 3];
  for (; i < n; ++i) a += x[i] * x[i];
  return (a + b) + (c + d);
}

void join(const GuardedStep& s, BodyId a, BodyId b, std::vector<int>& group) {
  if (a == kWorldBody || b == kWorldBody) return;
  merge_sets(group, s.model.layout.bodies[a].tree, s.model.layout.bodies[b].tree);
}

// Nothing moves faster than gravity makes it in a step: T ≤ ½ m u² and ΔU ≤ g dt m u with u the fastest point are within the slack.
bool is_slow(const GuardedStep& s) {
  const double fall = s.world.gravity.norm() * s.model.dt, reach = std::max(1.0, s.model.detection.extent);
  for (const Tree& tree : s.world.trees) {
    double sum = 0.0, spin = 0.0;
    for (int j = tree.v; j < tree.v + tree.nv; ++j)
      sum += std::abs(s.next_v[j]), spin += s.world.armature[j] * s.next_v[j] * s.next_v[j];
    const double mass = s.work.tree_mass[s.model.layout.bodies[tree.first_body].tree];
    if (!(reach * sum <= fall && spin <= mass * fall * fall)) return false;
  }
  return true;
}

// Trees that exchange energy: those that touch and those that loops join. Couplings and drives may join any: then all are one group.
void find_groups(const GuardedStep& s, std::vector<int>& group) {
  group.resize(s.world.trees.size());
  const bool one = !s.world.couplings.empty() || !s.world.actuators.empty() || !s.world.tendons.empty();
  for (std::size_t t = 0; t < group.size(); ++t) group[t] = one ? 0 : static_cast<int>(t);
  for (const Contact& c : s.work.contacts) join(s, c.a, c.b, group);
  for (const Loop& loop : s.world.loops) join(s, loop.a, loop.b, group);
  for (std::size_t t = 0; t < group.size(); ++t) group[t] = root_of(group, static_cast<int>(t));
}

// E and T at one end of the step, added to the groups.
void add_energies(const GuardedStep& s, const double* q, const double* v, bool end, std::vector<GroupEnergy>& sums) {
  const bool known = !end && s.at_start != nullptr;
  if (!known) forward_kinematics(s.world, s.model.layout, q, v, s.work.guard.kinematics);
  const Kinematics& k = known ? *s.at_start : s.work.guard.kinematics;
  for (std::size_t t = 0; t < s.world.trees.size(); ++t) {
    const TreeEnergy one = tree_energy(s.world, s.model.layout, k, s.world.trees[t], v);
    GroupEnergy& sum = sums[s.work.guard.group[t]];
    (end ? sum.after : sum.before) += one.kinetic + one.potential;
    (end ? sum.kinetic_after : sum.kinetic_before) += one.kinetic;
    if (!end) sum.round_off += std::abs(one.potential);
  }
}

// What springs of loops hold at the end counts as gained: they give it in the next step. Kinematics are those of the end.
void add_loops(const GuardedStep& s, std::vector<GroupEnergy>& sums) {
  if (s.model.anchored() == nullptr) return;  // elsewhere loops are rows
  for (const Loop& loop : s.world.loops) {
    const BodyId body = loop.a == kWorldBody ? loop.b : loop.a;
    if (!std::isfinite(loop.stiffness) || body == kWorldBody) continue;
    const Pose a = body_pose(s.model.layout, s.work.guard.kinematics, loop.a);
    const Pose b = body_pose(s.model.layout, s.work.guard.kinematics, loop.b);
    const double apart2 = (b * loop.frame_b.translation - a * loop.frame_a.translation).squaredNorm();
    sums[s.work.guard.group[s.model.layout.bodies[body].tree]].after += 0.5 * loop.stiffness * apart2;
  }
}

// Σ|f|(|v| + |v⁺|) of a tree. Axes of a floating base may differ between the three: lengths of its parts are taken.
double power(const Tree& tree, const double* f, const double* before, const double* after) {
  const auto length = [](const double* x) { return std::sqrt(squares(x, 3)); };
  double sum = 0.0;
  int j = tree.v;
  for (int part = 0; tree.floating && part < 2; ++part, j += 3)
    sum += length(f + j) * (length(before + j) + length(after + j));
  for (; j < tree.v + tree.nv; ++j) sum += std::abs(f[j]) * (std::abs(before[j]) + std::abs(after[j]));
  return sum;
}

// Whether kinetic energies stay below kMild times what they were, with M of the start: ½|L̂v⁺|² and ½|L̂v|², L̂(v⁺ − v) being the
// whitened impulse. For steps that leave the factor of M in the workspace.
bool gains_little(const StepContext& c, const double* v) {
  const Layout& layout = c.model.layout;
  const Workspace& work = c.work;
  for (const Tree& tree : c.world.trees) {
    double before = 0.0, after = 0.0, turned = 0.0;
    for (int j = tree.v; j < tree.v + tree.nv; ++j) {
      const double* row = work.kinematics.factor.data() + layout.row[j];
      const int* chain = layout.chain.data() + layout.chain_of[j];
      double one = 0.0;
      for (int d = 0; d <= layout.depth[j]; ++d) one += row[d] * v[chain[d]];
      const double other = one + work.whitened[j];
      before += one * one, after += other * other;
      if (!tree.floating || j >= tree.v + 3) turned += std::abs(work.next[j]);
    }
    if (!(after <= kMild * before && c.model.dt * turned <= kTurned)) return false;
  }
  return true;
}

bool explained(const GroupEnergy& e, double granted, double fall, double& excess) {
  const double given = e.given + granted;
  const double slack = kScheme * e.kinetic_before + fall * std::sqrt(2.0 * e.mass * e.kinetic_after) +
                       e.mass * fall * fall + kLeast + 1e-12 * e.round_off;
  excess = e.after - e.before - given - slack;
  return excess <= e.kinetic_before + given + slack;
}

}  // namespace

bool energy_is_in_doubt(const GuardedStep& s, const StepReport& report) {
  if (report.unaccepted != 0) return true;
  const auto faster = [&](const Tree& tree) {
    return !(squares(s.next_v + tree.v, tree.nv) <= kGrowth * squares(s.v + tree.v, tree.nv));
  };
  if (std::none_of(s.world.trees.begin(), s.world.trees.end(), faster) || is_slow(s)) return false;
  double all = 0.0;
  for (std::size_t t = 0; t < s.world.trees.size(); ++t)
    all += s.work.tree_mass[t] * squares(s.v + s.world.trees[t].v, s.world.trees[t].nv);
  for (std::size_t t = 0; t < s.world.trees.size(); ++t) {
    const Tree& tree = s.world.trees[t];
    if (faster(tree) && !(s.work.tree_mass[t] * squares(s.next_v + tree.v, tree.nv) <= kMinor * all)) return true;
  }
  return false;
}

bool energy_is_explained(const GuardedStep& s, const double* before, const double* after, StepReport& report) {
  GuardWork& guard = s.work.guard;
  find_groups(s, guard.group);
  guard.energy.assign(s.world.trees.size(), {});
  add_energies(s, s.q, s.v, false, guard.energy);
  add_energies(s, s.next_q, s.next_v, true, guard.energy);
  add_loops(s, guard.energy);
  for (std::size_t t = 0; t < s.world.trees.size(); ++t) {
    GroupEnergy& sum = guard.energy[guard.group[t]];
    sum.mass += s.work.tree_mass[t];
    sum.given += s.model.dt * power(s.world.trees[t], s.work.applied.data(), before, after);
  }
  const double fall = s.world.gravity.norm() * s.model.dt;
  double worst = 0.0;
  bool all = true;
  for (std::size_t t = 0; t < s.world.trees.size(); ++t) {
    double excess = 0.0;
    if (guard.group[t] != static_cast<int>(t) || explained(guard.energy[t], s.work.granted, fall, excess)) continue;
    worst = std::max(worst, excess), all = false;
  }
  if (all) return true;
  report.excess = worst;
  report.refuse(Status::unphysical);
  return false;
}

bool energy_is_explained(const StepContext& c, const State& start, const double* before, const double* after,
                         const std::vector<double>& q, const std::vector<double>& v, StepReport& report,
                         const Kinematics* at_start) {
  const GuardedStep s{c.world, c.model, c.work, start.q.data(), start.v.data(), q.data(), v.data(), at_start};
  if (!energy_is_in_doubt(s, report)) return true;
  if (!all_finite(q) || !all_finite(v)) return true;  // commit() says numerical_failure
  const bool factorised = at_start != nullptr && c.model.dry.empty();
  if (report.unaccepted == 0 && factorised && gains_little(c, start.v.data())) return true;
  return energy_is_explained(s, before, after, report);
}

}  // namespace stiction
