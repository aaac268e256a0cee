// SPDX-License-Identifier: BSD-2-Clause
// What all steppers on soft contacts share: forces, rows and the linear contact problem at one (q, v).
//   M a = u + Jᵀλ,   u = τ − h(q, v),   M = L̂ᵀL̂,   z = L̂⁻ᵀu,   Y = J L̂⁻¹                                          (1)
//   Υ = YYᵀ,   β = J M⁻¹u + J̇v = Y z + J̇v                                                                         (2)
// J̇v is the classical acceleration of the point at zero joint acceleration; it falls out of the bias pass of the kinematics.
// Velocities are internal: a floating base has (ṗ, ω) in base axes and the classical p̈ as derivative. Accelerations of other
// instants than the start of the step are turned to the axes at the start by to_start_axes().
// Joint damping and PD act explicitly, in every stepper and every stage; implicit PD (set_pd) enters M, for the whole step.
#pragma once

#include <stiction/base/finite.h>
#include <stiction/law/anchored.h>
#include <stiction/step/core/simulation_model.h>

#include <vector>

namespace stiction {

struct SoftWork {
  AnchoredWork law, ahead;
  Kinematics kinematics, kinematics_ahead;
  std::vector<SoftPoint> points, stage_points;
  std::vector<AnchorRecord> memory, records, stage_records;
  RowSet rows;
  Islands islands;
  std::vector<double> beta;          // three per point
  std::vector<Mat3> start_rotation;  // of every tree's base
  std::vector<double> q, v;          // where the (sub-)step starts
  std::vector<double> next_q, next_v, mean;
  std::vector<double> force, z, whitened, acceleration, double_acceleration;
  double averaged_over =
      0.0;  // length of the part whose averages the points hold; 0: they hold forces of an instant [s]

  void resize(const World& world, const Layout& layout);
};

// One step in progress.
struct SoftContext {
  const World& world;
  const SimulationModel& model;
  const StepInput& input;
  const PdGains& pd;
  SoftWork& work;
};

// Kinematics, bias and mass matrix at (q, v); work.force = u.
void evaluate_smooth(const SoftContext& c, const double* q, const double* v);
// Contact points at the configuration that evaluate_smooth() was given.
void find_points(const SoftContext& c, const double* q, const double* v, const std::vector<AnchorRecord>& memory,
                 std::vector<SoftPoint>& points, std::vector<AnchorRecord>& records);
// force += Jᵀ (force of the pass).
void add_point_forces(const SoftContext& c, const std::vector<SoftPoint>& points, double* force);
// force += Jᵀ f for a force on one body at a point, world axes.
void add_point_force(const SoftContext& c, BodyId body, const Vec3& point, const Vec3& f, double* force);
// J̇v: classical acceleration of a point at zero joint acceleration, world axes.
Vec3 point_drift(const SoftContext& c, BodyId body, const Vec3& point);
void factorise_mass(const SoftContext& c);
// x ← M⁻¹ x with the factor; out may be x.
void solve_mass(const SoftContext& c, double* x);
// Rows Y and β of the points; z must hold L̂⁻ᵀu.
void make_rows(const SoftContext& c, const double* v, const std::vector<SoftPoint>& points);
// The points carried along to the configuration that evaluate_smooth() was given; frames, stretches and velocities stay.
void move_points(const SoftContext& c, std::vector<SoftPoint>& points, const std::vector<AnchorRecord>& records);

void keep_start_axes(const SoftContext& c);
// Linear accelerations of floating bases from the axes of the present configuration to those at the start of the step.
void to_start_axes(const SoftContext& c, double* acceleration);

// z ← L̂⁻ᵀ u, after factorise_mass().
void whiten_forces(const SoftContext& c);
// Steppers that evaluate forces at instants: averages of the points are the forces of the pass.
void use_pass_forces(std::vector<SoftPoint>& points);
// Contacts of the last pass, for queries: they tell where the step began. Their overlap goes into the report.
void keep_contacts(const SoftContext& c, Workspace& shared, StepReport& report);
// Ends a step: state ← (next_q, next_v, records), mean forces of the points for queries. If something is not finite the status is
// numerical_failure, if its energy came from nowhere it is unphysical (core/energy_guard.h), and the state is not changed.
// `rate`: share of the points' displacements that the stepper itself takes back [1/s].
StepReport commit(const SoftContext& c, Workspace& shared, State& state, StepReport report, double rate = 0.0);

}  // namespace stiction
