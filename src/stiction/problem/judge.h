// SPDX-License-Identifier: BSD-2-Clause
// The judge: recomputes u = (G + R)λ + g from scratch on the λ that is handed back and measures how far it is from a
// solution. No solver contributes a number to it. Definitions: docs/notation.md, section "The judge".
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/contact_problem.h>

namespace stiction {

// Accept iff every error e ≤ absolute part + relative · scale. Without dt (problems from files): B3 ≤ relative and
// B4 ≤ 30 relative.
struct Tolerance {
  double relative = 1e-8;  // ε_rel, the one number users set [-]
  double force = 1e-6;     // [N]; torque in N m for angular rows
  double velocity = 1e-9;  // [m/s]; rad/s for angular rows
  double power = 1e-9;     // [W]
};

struct Residual {
  double primal = 0.0;              // distance of λ from its set / dt [N]
  double dual = 0.0;                // distance of u (with De Saxcé's shift for coulomb) from the dual set [m/s]
  double complementarity = 0.0;     // |⟨λ_i, u_i⟩| / dt [W]
  double signorini_power = 0.0;     // |λ_N u_N| / dt [W]
  double signorini_velocity = 0.0;  // (−u_N)₊ [m/s]
  double natural = 0.0;             // ‖λ − P(λ − ρu)‖ / dt [N]
  double mdp_angle = 0.0;           // angle between −λ_T and u_T while sliding [rad]
  double mdp_defect = 0.0;          // μ λ_N ‖u_T‖ + λ_Tᵀu_T, per dt [W]
  double b3 = 0.0;                  // scaled natural map, relative [-]
  double b4 = 0.0;                  // largest of De Saxcé's triple, relative [-]
  double force_scale = 0.0;         // S_p [N]
  double velocity_scale = 0.0;      // S_d [m/s]
  double floor = 0.0;               // round-off floor of the velocity errors [m/s]; detail only
  double ratio = 0.0;               // largest error divided by what the tolerance allows: ≤ 1 is accepted; NaN is not

  bool accepted() const { return ratio <= 1.0; }
};

// Scratch of the judge; holds no meaning between calls.
struct JudgeWork {
  GrowingVec u, scratch;
};

enum class Detail { acceptance, full };  // `acceptance` leaves out angles, defect and floor

// The law's own residual, with R:       evaluate(p, λ, p.law, true)
// The exact-Coulomb rigid residual:     evaluate(p, λ, {FrictionLaw::coulomb}, false)
Residual evaluate(const ContactProblem& problem, const VecRef& lambda, const FrictionLaw& law, bool with_compliance,
                  const Tolerance& tolerance, JudgeWork& work, Detail detail = Detail::full);
Residual evaluate(const ContactProblem& problem, const VecRef& lambda, const Tolerance& tolerance = {});

}  // namespace stiction
