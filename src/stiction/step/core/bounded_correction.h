// SPDX-License-Identifier: BSD-2-Clause
// Impulses of an island, looked over before they are applied. With u_f the velocities of the rows without impulses, u⁺ those with
// them and c* the velocity that the drift correction asks for:
//   W = ½ λᵀ(u_f + u⁺)        what the impulses do to the free motion                                                     (1)
//   a solution has W ≤ λᵀc* − ½ λᵀGλ: contacts give energy only where overlap is taken back
//   bound: W ≤ ½ m (3 s)²,    m the mass of the island's trees, s its fastest correction                                    (2)
// An island whose problem is infeasible, or whose impulses break (2), is solved again without correction, and if that is
// accepted once more with the correction scaled so that (2) holds; the report counts it in `corrections_dropped`. Impulses that
// the judge refused and that still give energy, or more than springs hold, are scaled to the length at which they take the most; the status stays what it was.
// A contradiction lasts: contacts whose correction was dropped are left without one for kPause steps (counted in their flags, so
// that the state remembers it), and the island pays for one failed solve in so many.
// So overlap heals at three times the speed that the law allows for, at the most: min(baumgarte·depth/dt, correction_speed,
// sqrt(|gravity| depth)), with kLeastGravity (law/assemble.cpp) for the gravity of a world that has less.
#pragma once

#include <stiction/step/core/impulses.h>

#include <algorithm>
#include <cmath>

namespace stiction {

// (1), of rows that store no energy and of those that may give some: motors and springs.
struct IslandEnergy {
  double work = 0.0, motors = 0.0, springs = 0.0;
  double held = 0.0;       // ½ r²/R: what springs of reference velocity r and compliance R can give in a step
  double given = 0.0;      // by corrections, with what they lift against gravity: Σ max(0, ½ λ(u_before + u⁺))
  double exchanged = 0.0;  // all positive: what `work` is small or large beside
  double slope = 0.0, curvature = 0.0;  // of W over a scale of all impulses: λᵀu_f and λᵀGλ
};

// Of work.lambda and work.problem, which hold the island.
IslandEnergy island_energy(const StepContext& c, int island);
// Right side of (2); zero without corrections.
double correction_energy(const StepContext& c, int island);
// Steps for which the island's contacts are still left without correction, and how it is set.
inline constexpr std::uint32_t kPause = 16, kPauseShift = 8, kPauseBits = 0xffu << kPauseShift;
std::uint32_t pause_of(const StepContext& c, int island);
void set_pause(const StepContext& c, int island, std::uint32_t steps);
// Corrections of the island become `share` of what the law asks for; `was`: their present share.
void share_corrections(int island, double was, double share, Assembly& assembly);

// solve() fills work.problem and work.lambda from the assembly and says how it ended.
template <class Solve>
Report solve_bounded(const StepContext& c, int island, const Solve& solve, StepReport& report) {
  constexpr double kAccepted = 1e-6, kRefused = 1e-2;  // of the energy exchanged
  Workspace& work = c.work;
  const double bound = correction_energy(c, island);
  const auto fine = [&](const Report& r, const IslandEnergy& e) {
    const double springs = r.status == Status::converged ? 0.0 : std::max(0.0, e.springs - e.held);
    return e.work + springs <= bound + (r.status == Status::converged ? kAccepted : kRefused) * e.exchanged;
  };
  if (const std::uint32_t pause = bound > 0.0 ? pause_of(c, island) : 0; pause > 0) {
    share_corrections(island, 1.0, 0.0, work.assembly);
    ++report.corrections_dropped;
    if (const Report plain = solve(); plain.status == Status::converged) return set_pause(c, island, pause - 1), plain;
    share_corrections(island, 0.0, 1.0, work.assembly);
  }
  Report result = solve();
  if (result.status == Status::converged && bound == 0.0) return result;
  IslandEnergy energy = island_energy(c, island);
  const bool possible = fine(result, energy);
  if (bound > 0.0 && (!possible || result.status == Status::infeasible)) {
    const double asked = energy.work;
    share_corrections(island, 1.0, 0.0, work.assembly);
    result = solve();
    energy = island_energy(c, island);
    ++report.corrections_dropped;
    set_pause(c, island, kPause);
    const double share = asked > bound ? 0.5 * std::sqrt(bound / asked) : 0.0;
    if (result.status == Status::converged && share > 1e-6) {
      work.kept.resize(work.lambda.size());
      std::copy_n(work.lambda.data(), work.lambda.size(), work.kept.data());
      share_corrections(island, 0.0, share, work.assembly);
      const Report bounded = solve();
      const IslandEnergy given = island_energy(c, island);
      if (bounded.status == Status::converged && fine(bounded, given)) {
        result = bounded, energy = given;
      } else {
        share_corrections(island, share, 0.0, work.assembly);
        work.lambda.resize(work.kept.size());
        std::copy_n(work.kept.data(), work.kept.size(), work.lambda.data());
      }
    }
  }
  if (result.status != Status::converged && !fine(result, energy)) {
    const double best = energy.curvature > 0.0 ? -energy.slope / energy.curvature : 0.0;
    const double scale = best > 0.0 && best < 1.0 ? best : 0.0;
    for (int i = 0; i < work.lambda.size(); ++i) work.lambda[i] = scale > 0.0 ? scale * work.lambda[i] : 0.0;
    energy = island_energy(c, island);
  }
  const bool accepted = result.status == Status::converged;
  work.granted += std::abs(energy.motors) + (accepted ? energy.given : bound);
  work.granted += accepted ? std::abs(energy.springs) : std::min(std::abs(energy.springs), energy.held);
  return result;
}

}  // namespace stiction
