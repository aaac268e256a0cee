// SPDX-License-Identifier: BSD-2-Clause
// Derivative of the velocity that a step of contact problems ends with, by the position and velocity at which it takes its forces and
// by joint torques. The step solves, at one q,
//   M̂ Δ = dt (τ − h) + Jᵀλ,   Δ = v⁺ − v,      u = J v⁺ + ε J v − c*  obeys the law with λ                              (1)
// Differentiated at the solution, r being (1) divided by dt (force_tangents.h), with the factor M̂ = L̂ᵀL̂ and Y = J L̂⁻¹ of the step:
//   L̂ dv⁺ = L̂ dv + W + Yᵀdλ,      W = dt L̂⁻ᵀ(S dτ − ∂r/∂q dq − ∂r/∂v dv)                                             (2)
//   du = (G + R) dλ + dg,         dg = Y W + (1 + ε) J dv + ∂u/∂q dq                                                     (3)
// and dλ by the modes of the blocks (solver/derivative/derivatives.h): the shortest where impulses are not unique. ∂r/∂q at fixed
// contact impulses is dynamics/derivatives/derivatives.h plus row_tangents.h (3).
// Cost: 2 nv + ntau columns through the factor and through the islands' S; no factor is made anew but S.
// References: Le Lidec et al., End-to-End and Highly-Efficient Differentiable Simulation for Robotics, arXiv 2409.07107, for the implicit
// differentiation and the moving contact points; modes and shortest impulses as in solver/derivative.
#pragma once

#include <stiction/solver/derivative/derivatives.h>
#include <stiction/solver/derivative/relaxed.h>
#include <stiction/step/core/time_stepper.h>
#include <stiction/step/derivative/force_tangents.h>
#include <stiction/step/derivative/row_tangents.h>
#include <stiction/step/report/step_derivatives.h>

#include <vector>

namespace stiction {

struct VelocityTangentWork {
  State scratch;  // the step is made on it
  DerivativeData data;
  AccelerationData acceleration, after, before;
  ContactMotions motions;
  ForceTangents forces;
  RowTangents rows;
  ContactDerivatives solve;
  RelaxedContacts relaxed;
  std::vector<BlockMode> modes;     // of one island
  std::vector<double> settled;      // impulses of all islands
  bool factored = false;            // `solve` is that of the only island, c.work.problem
  std::vector<double> rate;         // Δ/dt
  std::vector<double> block;        // W of (2), then dv⁺: nv rows of `stride` numbers: q, v, one force per entry of tau
  std::vector<double> mean;         // what positions move with, likewise
  std::vector<double> dg, dlambda;  // (3), one row per row of the contact problem
  std::vector<double> column, answer;
  std::vector<double> next;         // v⁺ that contacts were solved for, internal
  std::vector<double> dx;           // 2nv rows of `stride` numbers (end_tangents.h)
  std::vector<double> start, unit;  // of precede_columns()
  struct Entry {
    int row, column;
    double value;
  };
  std::vector<Entry> entries;
  int stride = 0;
  bool accepted = true;  // the step's impulses solve its problems
};

// What the stepper did: kinematics, contacts, rows and impulses of the last step are in c.work.
struct VelocityStep {
  const StepContext& c;
  const StepInput& input;
  const AssembleInput& in;  // of its rows; in.v is v, internal
  ForcePoint where;
  const double* next;  // v⁺ that contacts were solved for, internal
  double before;       // time from the start of the step to q [s]
  Touch touch;
  const ContactRule& rule;
  double threshold;
};

// v⁺ from the impulses that c.work holds: work.next.
void find_end_velocity(const StepContext& c, VelocityTangentWork& work);
// work.block = dv⁺; modes, exact and velocity_unique of `out`. False if something is not finite.
bool velocity_tangents(const VelocityStep& step, VelocityTangentWork& work, StepDerivatives& out);

// work.dx into `out`: columns of motor torques, actuators and targets from one per joint force.
void hand_out_columns(const VelocityStep& step, const VelocityTangentWork& work, StepDerivatives& out);

// Throws InvalidInput with a sentence that says which combination has a derivative.
void refuse_step(const StepContext& c, const StepInput& input);

}  // namespace stiction
