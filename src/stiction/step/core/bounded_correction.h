// SPDX-License-Identifier: BSD-2-Clause
// Impulses of an island, looked over before they are applied. With u_f the velocities of the rows without impulses, u⁺ those with
// them and c* the velocity that the drift correction asks for:
//   W = ½ λᵀ(u_f + u⁺)        what the impulses do to the free motion                                                     (1)
//   a solution has W ≤ λᵀc* − ½ λᵀGλ: contacts give energy only where overlap is taken back
//   bound: W ≤ ½ m (3 s)²,    m the mass of the island's trees, s its fastest correction                                    (2)
// An island whose problem is infeasible, or whose impulses break (2), is solved again without correction, and if that is
// accepted once more with the correction scaled so that (2) holds; the report counts it in `corrections_dropped`. Impulses that
// the judge refused and that still give energy, or more than springs hold, are scaled to the length at which they take the most; the
// status stays what it was.
// A contradiction need not be provable: a deep overlap whose normal is nearly across all that can move makes a solver end with impulses
// that cancel each other, far beyond what moves; two limits and a contact may be apart by a micrometre. So an island that did not converge
// after kExhausted iterations, or that exchanges kJam times the energy of (2), is solved without correction, too; that counts if it
// converges and, below kExhausted, exchanges 1/kJam of the energy.
// Overlaps press against each other from several sides, rigid ones with any impulse. Beside what moves, p = m (s + |u_f|):
//   a solution with correction whose largest impulse is above 100 p counts as refused;
//   one without correction that failed or is above 3 p is solved once more with overlaps that yield, u + R λ ≥ 0 with R = 0.01/m; that
//   counts if it converges. A scaled correction must stay below 3 p, too.
// A contradiction lasts: contacts whose correction was dropped are left without one for kPause steps (counted in their flags, so
// that the state remembers it), for twice as many if it fails again, and so on up to kLongestPause: the island pays for one failed
// solve in so many. The first solve with correction is a short one (kFirstTry): a longer search is worth its price only if the
// island has no solution without correction either.
// So overlap heals at three times the speed that the law allows for, at the most: min(baumgarte·depth/dt, correction_speed,
// sqrt(|gravity| depth)), with kLeastGravity (law/assemble.cpp) for the gravity of a world that has less.
#pragma once

#include <stiction/solver/core/deadline.h>
#include <stiction/solver/core/short_solve.h>
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
inline constexpr std::uint32_t kPause = 16, kLongestPause = 240, kPauseShift = 8, kPauseBits = 0xffu << kPauseShift;
inline constexpr std::uint32_t kFailShift = 16, kFailBits = 0x7u << kFailShift;  // pauses in a row
std::uint32_t pause_of(const StepContext& c, int island);
void set_pause(const StepContext& c, int island, std::uint32_t steps);
void pause_longer(const StepContext& c, int island);  // after a failed solve
void forget_pauses(const StepContext& c, int island);
// Impulses of the island, to come back to them. A solve may put its blocks in another order, so they are kept by block.
void keep_impulses(const StepContext& c, int island);
void put_impulses_back(const StepContext& c, int island);
// What rows that give energy back (springs, soft rows of files, motors of cut joints) did, zero if there are none.
double stored_energy(const StepContext& c, int island);
// p, and the largest impulse of a contact in work.lambda [N s].
double moving_impulse(const StepContext& c, int island);
double largest_impulse(const StepContext& c, int island);
inline bool presses(const StepContext& c, int island, double times) {
  return largest_impulse(c, island) > times * moving_impulse(c, island);
}
inline constexpr double kHard = 3.0;
// Whether overlaps yield.
void set_yield(const StepContext& c, int island, bool yields);
// Corrections of the island become `share` of what the law asks for; `was`: their present share.
void share_corrections(int island, double was, double share, Assembly& assembly);

// After a solve without correction: overlaps yield if it failed or they press too hard.
template <class Solve>
Report solve_gently(const StepContext& c, int island, const Solve& solve, const Report& rigid) {
  if (rigid.status == Status::converged && !presses(c, island, kHard)) return rigid;
  keep_impulses(c, island);
  set_yield(c, island, true);
  if (const Report soft = solve(); soft.status == Status::converged) return soft;
  set_yield(c, island, false);
  put_impulses_back(c, island);
  return rigid;
}

// limited: the solver ended, or would have ended, after the work of a short try.
template <class Solve>
Report solve_shortly(const Solve& solve, bool& limited) {
  constexpr double kFirstTry = 150.0;  // Newton steps
  const ShortSolve limit(kFirstTry);
  const Report result = solve();
  limited = limit.taken();
  return result;
}

// solve() fills work.problem and work.lambda from the assembly and says how it ended.
template <class Solve>
Report solve_bounded(const StepContext& c, int island, const Solve& solve, StepReport& report, bool first = true) {
  constexpr double kAccepted = 1e-6, kRefused = 1e-2;  // of the energy exchanged
  constexpr double kJam = 1e4, kJamImpulse = 100.0;
  constexpr int kExhausted = 10000;
  IslandScratch& own = c.own();
  const double bound = correction_energy(c, island);
  const auto fine = [&](const Report& r, const IslandEnergy& e) {
    const double springs = r.status == Status::converged ? 0.0 : std::max(0.0, e.springs - e.held);
    return e.work + springs <= bound + (r.status == Status::converged ? kAccepted : kRefused) * e.exchanged;
  };
  if (const std::uint32_t pause = bound > 0.0 && first ? pause_of(c, island) : 0; pause > 0) {
    share_corrections(island, 1.0, 0.0, c.work.assembly);
    ++report.corrections_dropped;
    if (const Report plain = solve_gently(c, island, solve, solve()); plain.status == Status::converged) {
      set_pause(c, island, pause - 1);
      own.granted += stored_energy(c, island);
      return plain;
    }
    share_corrections(island, 0.0, 1.0, c.work.assembly);
  }
  const bool brief = first && bound > 0.0;
  bool limited = false;
  Report result = brief ? solve_shortly(solve, limited) : solve();
  if (result.status == Status::converged && bound == 0.0) {
    own.granted += stored_energy(c, island);
    return result;
  }
  IslandEnergy energy = island_energy(c, island);
  const bool unfinished = limited && result.status != Status::converged && result.status != Status::infeasible;
  const bool refused = result.status == Status::infeasible ||
                       (!unfinished && (!fine(result, energy) || presses(c, island, kJamImpulse)));
  const bool exhausted = result.status != Status::converged && (unfinished || result.iterations >= kExhausted) &&
                         !SolveDeadline::has_passed();
  const bool jammed = result.status != Status::converged && energy.exchanged > kJam * bound;
  if (bound > 0.0 && (refused || ((exhausted || jammed) && !is_spent(report)))) {
    keep_impulses(c, island);
    share_corrections(island, 1.0, 0.0, c.work.assembly);
    Report plain = solve();
    if (exhausted && !refused && plain.status != Status::converged) {
      set_yield(c, island, true);
      plain = solve();
      if (plain.status != Status::converged) set_yield(c, island, false);
    }
    const bool solved = plain.status == Status::converged;
    if (refused || (solved && (exhausted || energy.exchanged > kJam * (bound + island_energy(c, island).exchanged)))) {
      const double share = energy.work > bound ? 0.5 * std::sqrt(bound / energy.work) : 0.0;
      ++report.corrections_dropped;
      pause_longer(c, island);
      result = solve_gently(c, island, solve, plain), energy = island_energy(c, island);
      if (solved && refused && share > 1e-6) {
        keep_impulses(c, island);
        share_corrections(island, 0.0, share, c.work.assembly);
        const Report bounded = solve();
        const IslandEnergy given = island_energy(c, island);
        if (bounded.status == Status::converged && fine(bounded, given) && !presses(c, island, kHard)) {
          result = bounded, energy = given;
        } else {
          share_corrections(island, share, 0.0, c.work.assembly);
          put_impulses_back(c, island);
        }
      }
    } else {
      share_corrections(island, 0.0, 1.0, c.work.assembly);
      put_impulses_back(c, island);
      if (unfinished) return solve_bounded(c, island, solve, report, false);
    }
  } else if (brief && result.status == Status::converged) {
    forget_pauses(c, island);
  }
  if (result.status != Status::converged && !fine(result, energy)) {
    const double best = energy.curvature > 0.0 ? -energy.slope / energy.curvature : 0.0;
    const double scale = best > 0.0 && best < 1.0 ? best : 0.0;
    for (int i = 0; i < own.lambda.size(); ++i) own.lambda[i] = scale > 0.0 ? scale * own.lambda[i] : 0.0;
    energy = island_energy(c, island);
  }
  const bool accepted = result.status == Status::converged;
  own.granted += std::abs(energy.motors) + (accepted ? energy.given : bound);
  own.granted += accepted ? std::abs(energy.springs) : std::min(std::abs(energy.springs), energy.held);
  return result;
}

}  // namespace stiction
