// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of the rows of a step's contact problem. Block by block u = J v⁺ + ε J v − c*, at fixed v⁺ and v
//   ∂u/∂q_j = ∂(J v⁺)/∂q_j + ε ∂(J v)/∂q_j − ∂c*/∂q_j                                                                (1)
// With points fixed to their bodies and axes fixed in the world the first two are those of dynamics/derivatives/derivatives.h. What else
// moves comes on top. S_b and S_a are how far the point that is touched moves against the material of b and of a, Θ how the frame F
// turns, y = V_b(p) − V_a(p) and ω the velocities of the bodies; Θ = n × δn, since friction does not tell T1 from T2:
//   ∂u += F (ω_b × S_b − ω_a × S_a − Θ × y)                                                                            (2)
//   −∂(Jᵀf)_i −= V_b,i(p)·(Θ × f) + ω_b,i·(S_b × f) − V_a,i(p)·(Θ × f) − ω_a,i·(S_a × f)                                (3)
// i: the twist of velocity i. S and Θ follow from contact_motion.h; of a slider or hinge from the axis on body a.
// References: c* of contacts and limits by the slope of their rule times ∂gap = J_N, of loops by that of their error.
#pragma once

#include <stiction/dynamics/derivatives/derivatives.h>
#include <stiction/law/contact_rows.h>
#include <stiction/step/core/simulation_model.h>
#include <stiction/step/derivative/contact_motion.h>
#include <stiction/step/report/step_derivatives.h>

#include <vector>

namespace stiction {

// What the stepper's rule asks of one contact: c* = by_gap · gap + …, ε of its rows.
struct ContactSlope {
  double by_gap = 0.0, restitution = 0.0, restitution_tangential = 0.0;
  bool border = false;  // the rule is about to change
  bool exact = true;    // false: the correction was scaled by how much energy it may give
  bool scaled = false;  // likewise, or left out for the same reason
};
class ContactRule {
 public:
  virtual ~ContactRule() = default;
  virtual ContactSlope slope(const Contact& contact, const PairMaterial& material, const RowBlock& rows,
                             const BlockSpec& spec, double near) const = 0;
};
// By how much of the law's correction the last solve was given: 1, 0, or between them where it would give too much energy.
double correction_share(const RowBlock& rows, const BlockSpec& spec, double restitution);
// Whether the state told the step to leave this contact's correction out: no border, it stays so whatever moves a little.
bool correction_pauses(const AssembleInput& in, const Contact& contact);

// One velocity of two chains: twists of both bodies' points, world axes.
struct PairColumn {
  int velocity;
  Vec3 shift_a, turn_a, shift_b, turn_b;
};

struct RowTangents {
  int rows = 0;
  std::vector<int> first;          // row of each block
  std::vector<int> place;          // of each block in StepDerivatives::rows
  std::vector<double> J, u_dq;     // rows × nv; (1) and (2)
  std::vector<double> keep;        // ε per row: ∂u/∂v = ε J
  std::vector<BorderKind> border;  // per block
  bool exact = true;
  std::vector<PairColumn> columns;                      // scratch, of one block
  std::vector<double> axes_J, axes_after, axes_before;  // scratch, 3 × nv
};

struct RowInstant {
  const AssembleInput& in;
  const Workspace& work;
  const DerivativeData& data;
  const AccelerationData &after, &before;  // of v⁺ and v as if they were accelerations, without bias
  const double* next;                      // v⁺
  Touch touch;
  const ContactRule& rule;
  const ContactMotions& motions;
  double threshold;  // of borders, relative
};

// Forces λ/dt of contacts and of the positions that loops hold, on points fixed to bodies.
void collect_row_forces(const RowInstant& at, std::vector<PointForce>& forces);
// Fills `out` and adds (3), divided by dt, to dq: nv rows, `stride` apart.
void row_tangents(const RowInstant& at, int stride, double* dq, RowTangents& out);

// −∂/∂q of what a torque that is fixed in the world does to a body. dq as above.
void add_couple_tangent(const Layout& layout, const Kinematics& k, int body, const Vec3& torque, int stride,
                        double* dq);
// Likewise of a force at a point that is fixed in the world, beside that at a point fixed to the body.
void add_fixed_point_tangent(const Layout& layout, const Kinematics& k, int body, const Vec3& point, const Vec3& force,
                             int stride, double* dq);

}  // namespace stiction
