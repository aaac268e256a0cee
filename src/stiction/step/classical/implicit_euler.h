// SPDX-License-Identifier: BSD-2-Clause
// Implicit Euler on soft contacts:  everything at the end of the step,
//   q⁺ = q ⊕ h w,   w = v + h E a(q⁺, v⁺),   M a = u + Jᵀλ(q⁺, v⁺)                                                        (1)
// w is the end velocity in the axes at the start, v⁺ the same in those at the end (E turns linear velocities of floating bases
// from end to start). λ comes from a force pass at the end from the anchors that the pass at the start left; its own changes of
// anchors are dropped, so that the next step begins from one pass, like all other steppers.
//
// q⁺ is a function of w, so Newton's method has nv unknowns, not 2nv:  r(w) = w − v − h E a,
//   Eᵀ r′ = Eᵀ − h [δθ × a] − h (F_q T + F_v U),     T = ∂q⁺/∂w,   U = ∂v⁺/∂w,   δθ = T_angular                           (2)
//   F_q = −M⁻¹[ ∂(M a + h_bias − Jᵀλ)/∂q |λ + Jᵀ Λ (K ∂Δp/∂q + B ∂ṗ/∂q) ],   F_v likewise                                (3)
// with the exact derivatives of the dynamics and of the cone map Λ (soft_tangent.h): slip and tensile points count as what
// they are. Damped:  (r′ + ρ) dw = −r, halving until ‖r‖ decreases; full step accepted: ρ/10; no decrease: 10ρ; ρ > 1e-3 ends it.
// [Hammoud22, appendix] has 2nv unknowns and leaves λ, slip and clipping out of the derivative.
// Failure: contacts that open or close between the iterates make r discontinuous; Newton then stalls, and begins again from
// the other guesses (`restart`). The best iterate is kept, the status says stalled or max_iterations and the step counts as not accepted.
#pragma once

#include <stiction/step/core/time_stepper.h>
#include <stiction/step/exponential/contact_averages.h>
#include <stiction/step/soft/soft_dynamics.h>
#include <stiction/step/soft/soft_tangent.h>

#include <Eigen/LU>
#include <string>
#include <tuple>

namespace stiction {

struct ImplicitEulerOptions {
  double tolerance = 1e-8;
  int max_iterations = 30;
  int max_halvings = 20;
  double regularisation = 1e-10;
  std::string guess = "exponential";
  bool restart = true;

  static constexpr auto fields() {
    using O = ImplicitEulerOptions;
    return std::tuple{
        Field{"tolerance", &O::tolerance, "largest ‖w − v − h a‖ of a converged step [m/s, rad/s]", "> 0"},
        Field{"max_iterations", &O::max_iterations, "Newton iterations allowed [-]", ">= 1"},
        Field{"max_halvings", &O::max_halvings, "of a Newton step before it counts as failed [-]", ">= 0"},
        Field{"regularisation", &O::regularisation, "smallest ρ added to the Newton matrix [-]", "[0, 1e-3]"},
        Field{"guess", &O::guess,
              "where Newton begins: at the end of the exponential or the euler step, or with the current velocity [-]"},
        Field{"restart", &O::restart, "begin again from the other guesses where Newton fails"}};
  }
};

class ImplicitEulerStepper final : public TimeStepper {
 public:
  ImplicitEulerStepper(const ImplicitEulerOptions& options, const World& world, const Layout& layout);
  StepReport step(const StepContext& context, const StepInput& input, State& state) override;
  const SoftWork* soft() const override { return &work_; }

 private:
  using RowMat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  void start(const SoftContext& c, const State& state);
  Status solve(const SoftContext& c, const State& state, StepReport& report);
  double evaluate(const SoftContext& c, const State& state, const Vec& w);
  void linearise(const SoftContext& c, double h);
  void add_contact_stiffness(int nv);
  bool search(const SoftContext& c, const State& state, double& norm, bool& full);
  Status iterate(const SoftContext& c, const State& state, double& norm, StepReport& report);

  ImplicitEulerOptions options_;
  SoftWork work_;
  DerivativeData data_;
  AccelerationData acceleration_data_;
  SoftTangent tangent_;
  std::vector<double> end_;  // acceleration in the axes at the end
  std::vector<double> row_forces_;
  std::vector<PointForce> forces_;
  AverageWork averages_;
  Vec exponential_, euler_;  // guesses
  Vec w_, first_, trial_, r_, best_r_, step_;
  RowMat dq_, dv_, T_, U_, newton_, scaled_;
  Eigen::PartialPivLU<Mat> lu_;
};

void check_implicit_euler(const ImplicitEulerOptions& options);

}  // namespace stiction
