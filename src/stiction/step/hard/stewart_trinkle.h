// SPDX-License-Identifier: BSD-2-Clause
// Stewart and Trinkle's implicit time stepping: impulses and *positions* obey the contact law together.
//   v⁺ = v + M⁻¹(dt τ + Jᵀλ),   q⁺ = q ⊕ dt v⁺,   0 ≤ g(q̄) + n·(q⁺ − q̄) ⟂ λ_N ≥ 0,   friction law on the tangential rows   (1)
// with M, τ, J and g at q̄, v (position_rows.h has the rows).
//   linear           q̄ = q ⊕ dt v
//   nonlinear        fixed point q̄ ← q ⊕ dt v⁺: g(q⁺) ≥ 0 itself. stop = "gap" ends it as soon as |g(q⁺)| ≤ gap_tolerance at
//                    every contact that carries an impulse, which the tables of the paper were made with
//   anitescu_potra   linear, and n·v⁺ ≥ 0 where g(q̄) ≤ 0, s ≥ 0 elsewhere: always solvable, gaps at activation stay
// The problem holds the active contacts only: those that carried an impulse in the last step and those with g(q̄) < 0. Contacts
// that q⁺ overlaps by more than growth_tolerance join, and the step is solved *again*, not advanced (`resolve`).
// Pairs that meet in the step and whose normal turns by more than 60 degrees between q and q̄ have passed through each other at
// q̄: they are linearised at q instead, with the gap g(q) + dt n(q)·v. A step that still ends with a new overlap of more than 1 mm
// has the status `stalled`.
// Law `pyramid`: its `facets` are the K friction directions d_a = cos(angle + 2πa/K) T1 + sin(angle + 2πa/K) T2, Σβ ≤ μ λ_N, the
// polygon *inscribed* in the friction disc (`polygon`). Laws `coulomb` and others keep their cone. `directions` replaces both by
// columns of the user's (directed_lcp.h). Restitution by Newton's rule or Poisson's, which solves a second problem.
//
// Where the solver fails (a ray of Lemke's method, its iteration cap), the island is solved by `sor` with the exact cone; the
// report counts these as `fallbacks`. If that fails too, the solver's own result is used and the status says so.
// Failure modes: first order; bodies rebound by overlap/dt, capped; the fixed point need not contract for large steps (status
// max_iterations); Newton's rule may create energy with friction. Torques of explicit PD are those at q̄.
// Reference: Stewart, Trinkle 2000 (ICRA), 1996; Anitescu, Potra 1997. Deviations: docs/papers/stewart-trinkle.md.
#pragma once

#include <stiction/step/core/time_stepper.h>
#include <stiction/step/hard/directed_lcp.h>
#include <stiction/step/hard/position_rows.h>

#include <string>
#include <tuple>

namespace stiction {

struct StewartTrinkleOptions {
  std::string version = "linear";
  std::string restitution = "newton";
  std::string polygon = "inscribed";
  std::string directions;
  bool resolve = true;
  double growth_tolerance = 1e-8;
  int fixed_point_iterations = 50;
  double fixed_point_tolerance = 1e-12;
  std::string stop = "change";
  double gap_tolerance = 1e-6;

  static constexpr auto fields() {
    using O = StewartTrinkleOptions;
    return std::tuple{
        Field{"version", &O::version, "linear, nonlinear or anitescu_potra [-]"},
        Field{"restitution", &O::restitution, "impact rule: newton, poisson (law pyramid) or none [-]"},
        Field{"polygon", &O::polygon, "law pyramid: inscribed in the friction disc, or circumscribed [-]"},
        Field{"directions", &O::directions,
              "law pyramid: friction directions 'T1 T2 torsion; ... | NAME: ...' instead of the polygon [-, -, m]"},
        Field{"resolve", &O::resolve, "solve again with the contacts that the end of the step overlaps"},
        Field{"growth_tolerance", &O::growth_tolerance, "overlap at the end that makes a contact active [m]", ">= 0"},
        Field{"fixed_point_iterations", &O::fixed_point_iterations, "nonlinear: iterations allowed [-]", ">= 1"},
        Field{"fixed_point_tolerance", &O::fixed_point_tolerance, "nonlinear: last change of q⁺ [m, rad]"},
        Field{"stop", &O::stop, "nonlinear: at the fixed point (change), or where pressed contacts close (gap) [-]"},
        Field{"gap_tolerance", &O::gap_tolerance, "stop 'gap': largest |gap| of a pressed contact [m]", "> 0"}};
  }
};

class StewartTrinkleStepper final : public TimeStepper {
 public:
  // Throws InvalidInput for options, laws or materials that do not fit.
  StewartTrinkleStepper(const StewartTrinkleOptions& options, const World& world, const SimulationModel& model);
  StepReport step(const StepContext& context, const StepInput& input, State& state) override;
  // Of Poisson's impacts: the problems of compression.
  std::vector<ContactProblem> problems(const StepContext& context, const StepInput& input, const State& state,
                                       bool keep_bodies) override;

 private:
  struct Call {  // the step being made
    const StepContext& context;
    const StepInput& input;
    const State& state;
    const SimulationModel& model() const { return context.model; }
    const Layout& layout() const { return context.model.layout; }
    Workspace& work() const { return context.work; }
    double dt() const { return context.model.dt; }
  };

  bool linearise(const Call& c);
  void find_candidates(const Call& c);
  void start_active_set();
  void select_active(const Call& c);
  void solve(const Call& c, StepReport& report);
  void solve_island(const Call& c, int island, StepReport& report);
  Report solve_once(const Call& c, int island, StepReport& report);
  Report solve_again(const Call& c, int island);
  bool fixed_point(const Call& c, StepReport& report);
  void untangle(const Call& c);
  void move_to_end(const Call& c);
  bool gaps_are_met(const Call& c);
  bool grow(const Call& c, StepReport& report);
  bool passed_through(const Call& c);
  AssembleInput assemble_input(const Call& c) const;

  StewartTrinkleOptions options_;
  PositionRule rule_;
  HardContact law_;  // the model's, with the polygon as it is here
  DirectionSets directions_;
  std::unique_ptr<Solver> fallback_;
  DirectedLcp directed_;

  std::vector<double> w_, w_bar_, end_q_, end_v_, start_v_;  // w: velocity of q̄ in the axes at q; w_bar: in those at q̄
  std::vector<Contact> candidates_, end_contacts_, start_contacts_;
  std::vector<ContactKey> active_, closed_;  // closed: g(q ⊕ dt v) ≤ 0; both sorted, as candidates are
  Kinematics end_, bar_kinematics_;
  DetectionWork end_detection_;
  GrowingVec kept_;
};

void check_stewart_trinkle(const StewartTrinkleOptions& options);

}  // namespace stiction
