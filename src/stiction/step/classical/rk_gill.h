// SPDX-License-Identifier: BSD-2-Clause
// Runge-Kutta-Gill with the forces of the law `relaxed` (law/relaxed.h). With s = √2 and slopes premultiplied by dt:
//   k₁ = f(y);  k₂ = f(y + ½k₁);  k₃ = f(y + ½(s − 1)k₁ + ½(2 − s)k₂);  k₄ = f(y − ½s k₂ + (1 + ½s)k₃)                (1)
//   y⁺ = y + (k₁ + (2 − s)k₂ + (2 + s)k₃ + k₄)/6
// on the manifold as in runge_kutta.h. A step: detect; A and a₀ of the touching points (contact_space.h); displacements from the
// referential points; the problem of the law; friction and its states; then (1). The force is
//   held        Jᵀf of the start, constant over the step (of floating bases: constant in world axes)
//   per_stage   computed again at every stage with the points carried along, referential points and friction states frozen
// Contacts of one island are one dense problem of 3m unknowns: O(m³) beside O(bodies).
// Failure: the problem's own (status stalled if no solution was found); explicit: `micro` needs steps of about 1e-5 s.
#pragma once

#include <stiction/solver/catalog.h>
#include <stiction/solver/quadratic/bound_qp.h>
#include <stiction/step/core/time_stepper.h>
#include <stiction/step/exponential/symmetric_modes.h>
#include <stiction/step/soft/contact_space.h>
#include <stiction/step/soft/runge_kutta.h>

namespace stiction {

struct RkGillOptions {
  std::string forces = "held";

  static constexpr auto fields() {
    return std::tuple{Field{"forces", &RkGillOptions::forces, "contact forces: held over the step, or per_stage"}};
  }
};

// Forces of the law on points at one (q, v).
class RelaxedForces {
 public:
  // Fills the forces, friction law included; sliding[i]: whether point i slides now. False: no solution was found.
  bool compute(const SoftContext& c, ContactSpace& space, std::vector<RelaxedPoint>& points,
               std::vector<char>& sliding);
  int rounds() const { return rounds_; }  // of the problem
  // Per point: below the surface since it was first seen, so that nobody knows how it came there. Such points are asked back at
  // sqrt(|gravity| depth) at the most: the law's k_c d would throw what starts deep.
  std::vector<char> buried;

 private:
  // Points that touch, in islands: those that share trees of bodies, in the order of their first point.
  void find_islands(const SoftContext& c, const std::vector<RelaxedPoint>& points);
  void gather(const std::vector<RelaxedPoint>& points, int island, ContactSpace& space);
  bool is_buried(int point) const { return point < static_cast<int>(buried.size()) && buried[point] != 0; }
  bool solve_relaxed(const RelaxedLaw& law, double dt, double gravity, const ContactSpace& space,
                     std::vector<RelaxedPoint>& points);
  void solve_macro(const RelaxedLaw& law, double dt, const ContactSpace& space, std::vector<RelaxedPoint>& points);
  void pseudo_inverse(const ContactSpace& space);

  bool solve_inside(const RelaxedLaw& law, double dt, const ContactSpace& space, std::vector<RelaxedPoint>& points);
  void take_target(const RelaxedLaw& law, double dt, double gravity, const ContactSpace& space,
                   const std::vector<RelaxedPoint>& points);

  BoundQp qp_;
  ContactProblem problem_;
  std::unique_ptr<Solver> solver_ = make_solver("auto");
  SymmetricModes modes_;
  std::vector<int> touching_, kept_;
  std::vector<int> tree_parent_, island_of_tree_, island_of_point_;
  int islands_ = 0;
  GrowingVec impulse_;
  std::vector<double> target_, matrix_, vectors_, pair_;
  int rounds_ = 0;
};

class RkGillStepper final : public TimeStepper {
 public:
  // Throws InvalidInput, also for a gain of the law that cannot hold anything at this dt.
  RkGillStepper(const RkGillOptions& options, const World& world, const SimulationModel& model);
  StepReport step(const StepContext& context, const StepInput& input, State& state) override;

 private:
  void start(const SoftContext& c, const State& state, StepReport& report);
  void renew(const SoftContext& c, StepReport& report);
  void add_held(const SoftContext& c);
  void show_forces(const SoftContext& c, Workspace& shared) const;

  bool per_stage_ = false;
  SoftWork work_;
  StageWork stages_;
  ContactSpace space_;
  RelaxedForces forces_;
  DetectionWork detection_;
  std::vector<Contact> contacts_;
  std::vector<RelaxedPoint> points_, stage_points_;
  std::vector<char> sliding_, stage_sliding_;
  std::vector<double> held_, mean_force_;
};

}  // namespace stiction
