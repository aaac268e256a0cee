// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of what happens at the soft points and joints at one (q, v): shared by implicit Euler and by the derivatives of
// the exponential step. Valid inside one mode: no contact opens, closes, begins or ends to slip.
//   ṗ = J v:       dṗ = J dv + ∂(Jv)/∂q dq
//   Δp = p − p₀:   dΔp = J dq while the anchor rests; 0 for the coordinates that a new point was given as its anchor
//   f = −KΔp − Bṗ,   λ = proj f:   dλ = Λ df, with the derivative of the cone map (d = f_T/‖f_T‖, s = μ f_N/‖f_T‖)
//     inside the cone Λ = 1;   tensile Λ = 0;   outside Λ = [ s(1 − d dᵀ)  μd ; 0  1 ]                                     (1)
//   slip at the pass moves the anchor, Δp_T = −K_T⁻¹ λ_T:   dΔp_T = −K_T⁻¹ (Λ df)_T                                        (2)
//   by the anchor itself, with the bodies at rest:   dΔp = −dp₀, in slip dΔp_T = −K_T⁻¹ (Λ K)_T dp₀                        (3)
// Contact frames are taken as fixed in the world and points as fixed to body b, but for the known cases of point_motion.h.
#pragma once

#include <stiction/dynamics/derivatives/derivatives.h>
#include <stiction/step/report/step_derivatives.h>
#include <stiction/step/soft/point_motion.h>
#include <stiction/step/soft/soft_dynamics.h>

#include <vector>

namespace stiction {

// Λ of (1) for a force before the map, and where the force lies.
struct ConeTangent {
  ConeMode mode = ConeMode::stick;
  Mat3 map = Mat3::Identity();  // of one row: map(0, 0)
};
ConeTangent cone_tangent(const SoftPoint& point, const double* force);
// The same for the force of the pass.
ConeTangent pass_tangent(const SoftPoint& point);

// Rows of all points one below the other, row-major, nv numbers each.
struct SoftTangent {
  int rows = 0;
  bool surface_anchoring = false;              // new points are loaded along the normal
  std::vector<int> first;                      // row of each point
  std::vector<ConeTangent> pass;               // of each point
  std::vector<PointMotion> motion;             // of each point
  std::vector<double> motion_dq;               // how far it moves against its body, three rows per point that does
  std::vector<double> J, velocity_dq;          // ∂ṗ/∂v and ∂ṗ/∂q
  std::vector<double> drift_dv;                // ∂(J̇v)/∂v
  std::vector<double> stretch_dq, stretch_dv;  // ∂Δp after the anchor's update
  std::vector<Mat3> stretch_da;                // likewise by the point's own anchor before it
  std::vector<int> before;                     // its place in the memory that the pass began with; −1: none
  std::vector<PointForce> forces;              // scratch: two per point

  void resize(int points, int row_count, int nv);
};

// Everything above; data: of the kinematics at (q, v).
// records: of the pass that found the points.
void point_tangents(const SoftContext& c, const DerivativeData& data, const std::vector<SoftPoint>& points,
                    const std::vector<AnchorRecord>& records, SoftTangent& out);
// Forces of the points, rows one below the other, as forces on bodies in world axes. Limits act on joints and are left out.
// `stride` numbers apart; lanes = 2: the next number is the force of a second lane.
void body_forces(const std::vector<SoftPoint>& points, const double* rows, int stride, int lanes,
                 std::vector<PointForce>& out);

// Joint torques, damping and wrenches: adds −∂/∂q and −∂/∂v of them to blocks of nv rows, `stride` apart, and gives
// ∂force/∂τ per velocity: 1, or 0 where an effort limit holds. dv and gain may be null.
void add_smooth_tangents(const SoftContext& c, const double* q, const double* v, int stride, double* dq, double* dv,
                         double* gain);

}  // namespace stiction
