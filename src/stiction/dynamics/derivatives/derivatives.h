// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of the equations of motion of every tree, on internal velocities (kinematics.h: the derivative of a floating
// base's velocity is the classical acceleration). The tangent of q is Pinocchio's: for a base and for spherical and planar
// joints a small motion in the body's own axes.
//
// All columns S_j are fixed to their bodies, so a change δ of q_j moves everything that hangs on joint j by the twist S_j δ,
// as a rigid whole, while its parent λ stays: seen from the moved part the parent's twist has changed by ψ̇_j = V_λ × S_j
// and its acceleration by A_λ × S_j. With x(p) = x_lin + x_ang × p the value of a twist at a point p:
//   ψ̇ = V_λ × S        ψ̈ = A_λ × S + V_λ × ψ̇        Φ = ψ̇ + V × S
//   ∂τ_i/∂q_j = S_i·(2B ψ̇_j + I ψ̈_j)                    ∂τ_i/∂v_j = S_i·(2B S_j + I Φ_j)           j at or above i     (1)
//   ∂τ_j/∂q_i = S_j·(2B ψ̇_i + I ψ̈_i + S_i ×* f)         ∂τ_j/∂v_i = S_j·(2B S_i + I Φ_i)           j above i           (2)
//   u = V(p):        ∂u/∂q_j = ω_j × u + ψ̇_j(p)           ∂u/∂v_j = S_j(p)                                               (3)
//   π = p̈:           ∂π/∂q_j = ω_j × π + ψ̈_j(p) + 2 ψ̇_j,ang × u     ∂π/∂v_j = Φ_j(p) + 2 ω_j × u                         (4)
// I, B and f belong to the subtree of i; ω_j is the angular part of S_j. In the base frame 2B x = (2 x_ang × P, N x_ang) with
// momentum P and N = −2 ω̂ (½ tr(Ī) 1 − Ī) − 2 m ĉ v̂: six times six numbers are twelve. Gravity is an acceleration of the root's
// parent. Equations of motion do not depend on the velocity of a floating base's origin, which is taken as zero here.
// Point forces F in fixed world axes (sum F, X = Σ (p·F) 1 − F pᵀ) add t = F × s_i + Xᵀω_i:  −∂(JᵀF)_i/∂q_j = t·ω_j,  and t to
// the moment in (2).
// [SinghRussoWensing22, eq. 18-31] for (1, 2) in a world frame; (3, 4) and the base frame are our own. Cost: for each pair of related
// velocities about 20 products, once for v and once per acceleration. Failure: none; a contact point that moves over
// its body (a rolling sphere) is treated as fixed to it.
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>
#include <stiction/dynamics/kernels/lanes.h>

#include <vector>

namespace stiction {

// Force on a point fixed to a body, world axes.
struct PointForce {
  int body;
  Vec3 point, force;
  Vec3 second = Vec3::Zero();  // of the second lane, where there are two
};

struct BodyTangent {
  Column velocity;  // the base origin at rest
  double mass;      // own, about the base origin
  Vec3 moment;
  double inertia[6];
  Column bias;  // own V ×* I V: force, moment
  double subtree_mass;
  Vec3 subtree_moment;
  double subtree_inertia[6];
  Vec3 momentum;  // P of the subtree
  Mat3 spin;      // N of the subtree
};

struct VelocityTangent {
  Column psi_dot, psi_bias, phi;  // ψ̇, V_λ × ψ̇, Φ
  Column inertial;                // I S
  Column turning;                 // 2B ψ̇
  Vec3 gyration;                  // (2B)ᵀS: only its angular part is not zero
};

// What depends on (q, v) alone.
struct DerivativeData {
  std::vector<BodyTangent> bodies;
  std::vector<VelocityTangent> velocities;
  std::vector<Vec3> spin;  // per tree: angular velocity of a floating base

  void resize(const World& world);
};

// What depends on an acceleration as well; T = Pair: on two of them, side by side.
template <class T>
struct Accelerations {
  bool with_bias = true;  // velocities and gravity included in the first lane; the second has what is linear in a
  std::vector<Twist<T>> bodies;  // A
  std::vector<Twist<T>> psi;     // ψ̈ per velocity
  std::vector<Twist<T>> force;   // I A (+ V ×* I V) of the subtree
  struct Load {
    Triple<T> force;        // F, base axes
    Triple<T> leverage[3];  // rows of Xᵀ
  };
  std::vector<Load> load;  // of the subtree

  void resize(const World& world);
};
using AccelerationData = Accelerations<double>;
using AccelerationPair = Accelerations<Pair>;

// k: placements and velocities at (q, v), as forward_kinematics or fused_pass leave them.
void prepare_derivatives(const World& world, const Layout& layout, const Kinematics& k, DerivativeData& data);
// a: internal accelerations, `stride` numbers apart; of a pair both numbers side by side. A complex acceleration has its
// real part in the first lane, with bias.
template <class T>
void prepare_acceleration(const World& world, const Layout& layout, const Kinematics& k, const DerivativeData& data,
                          const double* a, int stride, bool with_bias, Accelerations<T>& out);

// ∂/∂q of M a + h − Jᵀf (h = 0 without bias) and ∂/∂v of h; nv rows of nv numbers, `stride`
// apart; of a pair one matrix for each. Entries of related velocities are written; all others belong to the caller (zero).
template <class T>
void inverse_dynamics_dq(const World& world, const Layout& layout, const Kinematics& k, const DerivativeData& data,
                         Accelerations<T>& a, const PointForce* forces, int count, int stride, double* dq,
                         double* second_dq = nullptr);
void inverse_dynamics_dv(const Layout& layout, const Kinematics& k, const DerivativeData& data, int stride, double* dv);

// A point fixed to a body and the axes (rows, world) along which its motion is measured, times a sign.
struct PointRows {
  int body;
  Vec3 point;
  Mat3 axes;
  double sign;
};
// Three rows each, row-major with `stride` numbers per row; added to what is there.
//   J, ∂(J v)/∂q, ∂(J̇ v)/∂v
void add_point_motion(const Layout& layout, const Kinematics& k, const DerivativeData& data, const PointRows& rows,
                      int stride, double* J, double* u_dq, double* pi_dv);
//   ∂(J a + J̇ v)/∂q; without bias ∂(J a)/∂q
template <class T>
void add_point_acceleration(const Layout& layout, const Kinematics& k, const DerivativeData& data,
                            const Accelerations<T>& a, const PointRows& rows, int stride, double* pi_dq,
                            double* second_dq = nullptr);

}  // namespace stiction
