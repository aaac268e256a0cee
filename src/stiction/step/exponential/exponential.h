// SPDX-License-Identifier: BSD-2-Clause
// Exponential integration of stiff soft contacts: steppers `exponential` and `exponential_midpoint`.
// Over one step M, J, u and J̇v are frozen; the contacts then obey a linear equation, which is integrated without a bound on
// the step (linear_contact.h). Its average λ̄ over the step moves the velocities, its double average λ̿ the positions:
//   v⁺ = v + h (v̇̄ + M⁻¹Jᵀ proj λ̄),     q⁺ = q ⊕ h [v + (h/2)(v̇̄ + M⁻¹Jᵀ proj λ̿)],     v̇̄ = M⁻¹u                  (1)
// `position = "single"` uses λ̄ for both [Hammoud22, eq. 24]. Without contacts (1) is the explicit Euler step.
//
// Midpoint: (1) over h/2 gives (q_m, v_m); M, u, J, Υ, β are taken there, with the same active points and their Δp, ṗ at the
// start, and make the step from (q, v). Second order. |v⁺ − v⁺ of (1) over h| is an error estimate of first order, for one
// more contact solve; with error_tolerance > 0 the step is made in parts that each keep it.
//
// Switch refinement: if other contacts are active at the end than at the start, the step is made again as two halves, each of
// them likewise, down to smallest_step. Parts are dyadic pieces of dt, so the times of the step are met exactly. It is the default:
// the published step, switch_refinement = false, holds a spring past the instant at which it opens, and gains energy there.
//
// `substeps` makes a step in 2^k equal parts under the same torques. With `refresh` = k, Υ is computed for every k-th of them and
// when the set of points changes; forces, displacements and velocities are always fresh [consim, "update A every k sub-steps"].
// Kept matrices do not outlive the step: nothing but the state carries over.
//
// The force pass of the law stands at the start of each part: anchors of the end of a step move when the next one begins.
// [Hammoud22, section 4]; approximants and midpoint go past it. Failure: first order (1); contacts that open or close inside a
// step are seen at its end only; cones are respected by averages, not at every instant; other contacts do not feel that a
// force was cut back to its cone.
#pragma once

#include <stiction/step/core/time_stepper.h>
#include <stiction/step/exponential/contact_averages.h>
#include <stiction/step/exponential/exponential_derivatives.h>

#include <string>
#include <tuple>

namespace stiction {

struct ExponentialOptions {
  std::string approximant = "1/2";
  double tolerance = 1e-3;
  std::string position = "double";
  bool slip_continues = false;
  bool diagonal = false;
  int products = -1;
  bool balance = true;
  bool switch_refinement = true;
  double smallest_step = 1e-3 / 32.0;
  int substeps = 1;
  int refresh = 1;

  static constexpr auto fields() {
    using O = ExponentialOptions;
    return std::tuple{
        Field{"approximant", &O::approximant, "of the exponential: 1/1 2/2 3/3 1/2 2/3, exact, auto, dense [-]"},
        Field{"tolerance", &O::tolerance, "auto: largest error of a velocity before the exact one is used [m/s, rad/s]",
              "> 0"},
        Field{"position", &O::position, "force that moves the positions: double or single average [-]"},
        Field{"slip_continues", &O::slip_continues, "slipping points are not damped within the step"},
        Field{"diagonal", &O::diagonal, "contacts do not feel each other within the step"},
        Field{"products", &O::products, "dense: cap of matrix products, -1 for none [-]", ">= -1"},
        Field{"balance", &O::balance, "dense: balance the matrix before its order is chosen"},
        Field{"switch_refinement", &O::switch_refinement, "halve steps in which contacts open or close"},
        Field{"smallest_step", &O::smallest_step, "of refinement and error control [s]", "> 0"},
        Field{"substeps", &O::substeps, "equal parts that a step is made in, a power of two [-]"},
        Field{"refresh", &O::refresh, "parts that share one contact-space inertia, unless contacts change [-]",
              ">= 1"}};
  }
};

struct MidpointOptions : ExponentialOptions {
  double error_tolerance = 0.0;
  bool estimate = false;

  static constexpr auto fields() {
    return std::tuple_cat(
        ExponentialOptions::fields(),
        std::tuple{Field{"error_tolerance", &MidpointOptions::error_tolerance,
                         "largest error estimate of a part, 0 for fixed steps [m/s, rad/s]", ">= 0"},
                   Field{"estimate", &MidpointOptions::estimate, "report the error estimate of fixed steps"}});
  }
};

class ExponentialStepper final : public TimeStepper {
 public:
  ExponentialStepper(const MidpointOptions& options, bool midpoint, const World& world, const Layout& layout);
  StepReport step(const StepContext& context, const StepInput& input, State& state) override;
  const SoftWork* soft() const override { return &work_; }
  bool derivatives(const StepContext& context, const StepInput& input, const State& state,
                   StepDerivatives& out) override;

 private:
  void begin(const State& state);
  void start(const SoftContext& c);
  void advance_euler_like(const SoftContext& c, double h, StepReport& report);
  void advance_midpoint(const SoftContext& c, double h, StepReport& report);
  void averages(const SoftContext& c, double h, StepReport& report);
  void move(const SoftContext& c, double h);
  bool turn_free_bodies(const SoftContext& c, double h);
  void accelerations(const SoftContext& c);
  bool contacts_change(const SoftContext& c);

  MidpointOptions options_;
  AverageOptions average_options_;
  bool midpoint_;
  SoftWork work_;
  AverageWork average_work_;
  std::vector<double> pairs_;    // both accelerations, side by side
  std::vector<double> plain_v_;  // accelerations of the plain exponential step
  bool turned_ = false;          // free bodies by their moment-free motion, in the last part
  double part_error_ = 0.0;
  ExponentialTangentWork tangent_;
  StepDerivatives part_;  // of one part of a step
  DerivativeChain chain_;
};

void check_exponential(const std::string& owner, const MidpointOptions& options);

}  // namespace stiction
