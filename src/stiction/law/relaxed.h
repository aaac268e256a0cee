// SPDX-License-Identifier: BSD-2-Clause
// Relaxed macroscopic contact: law `relaxed`. Contact points that touch are asked to move back to their referential points:
//   v⁺ = A Δf + b,   b = a₀ dt + v⁻,   f = Δf/dt                        A = J M⁻¹ Jᵀ, a₀: accelerations without contact   (1)
//   min ½‖A Δf + b + k_c d‖² + ½ λ_r ‖Δf‖²    s.t.  n · Δf ≥ 0 per contact                                               (2)
// d = p − p_R is the displacement of the point from its referential point, k_c = `compensation`, λ_r = `regularisation`. All three
// components are unknown: (2) predicts sticking. The friction law comes afterwards, with two states per contact:
//   rest      ‖f_T‖ ≤ μ_s f_N: kept.   Else sliding.
//   sliding   ‖f_T‖ ≤ μ_d f_N: kept, and at rest again.   Else f_T = −μ_d f_N w(‖v_T‖) v_T/‖v_T‖,  p_R ← projection of p    (3)
//   w(x) = 1 − exp(−k_w x),   k_w = `slip_weight`;   μ_d = mu and μ_s = mu_static of the materials
// Referential point of a new contact: where the path of the point since the last step met the surface (its projection on the surface
// if the path is not known). It stays while the contact rests and is forgotten with it. So d_N is always the gap, and what is kept is
// the tangential part: law/anchored.h tells how it is carried along for points that are not fixed to a body.
//
// Models (`model`): what else the same contacts may be given, to compare with.
//   proposed   (2) and (3)
//   macro      A Δf + b = 0 by the pseudo-inverse, contacts with n · Δf < 0 left out; a stand-in for macroscopic methods, of our own
//              making, not the method of Fujimoto et al. `normal_bias` asks for v⁺_N = −normal_bias · gap
//   micro      f_N = max(0, −K gap − D gap'),  f_T = −μ_d f_N w(‖v_T‖) v_T/‖v_T‖: no static friction
//   hybrid     (2) with k_c = 0, and a soft spring-damper to the referential point added to its forces
// `unilateral`: (2) is solved exactly, or by the published rule "omit a contact with n · f < 0 and recalculate", which lets points sink.
// `release_weight`: whether w also scales the step in which a contact begins to slide; equation (19) of the paper has none.
//
// [Wakisaka, Sugihara 2014; hybrid: Sugihara et al. as told there]. Failure: held forces chatter above k_c dt = 0.343 and are unstable
// above 2; points rest at a depth of λ_r Δf_N/(k_c A_NN); k_c d may add energy at impacts; plastic: no restitution. Joint limits are
// springs; rigid loops and dry joint friction are refused.
#pragma once

#include <stiction/base/field.h>
#include <stiction/dynamics/contact/detect.h>
#include <stiction/dynamics/kernels/articulated_body.h>

#include <string>
#include <tuple>
#include <vector>

namespace stiction {

enum class RelaxedModel : std::uint8_t { proposed, macro, micro, hybrid };

struct RelaxedOptions {
  std::string model = "proposed";
  double compensation = 300.0;
  double regularisation = 1.0;
  std::string unilateral = "exact";
  std::string friction = "after";
  std::string norm = "velocity";
  double slip_weight = 100.0;
  bool release_weight = true;
  double normal_bias = 0.0;
  double stiffness = 2e4, damping = 20.0;
  double soft_stiffness = 1e3, soft_damping = 5.0;
  double limit_stiffness = 1e3, limit_damping = 3.0;

  static constexpr auto fields() {
    using O = RelaxedOptions;
    return std::tuple{
        Field{"model", &O::model, "proposed, macro (a stand-in), micro or hybrid"},
        Field{"compensation", &O::compensation, "proposed: gain k_c that takes points back [1/s]", ">= 0"},
        Field{"regularisation", &O::regularisation, "proposed, hybrid: weight of the impulses [1/kg^2]", "> 0"},
        Field{"unilateral", &O::unilateral, "proposed, hybrid: exact, or omit: the published rule"},
        Field{"friction", &O::friction, "proposed: after the problem, as published, or inside it"},
        Field{"norm", &O::norm, "proposed, friction inside: of the velocity, as published, or its energy"},
        Field{"slip_weight", &O::slip_weight, "k_w by which kinetic friction fades at low speed [s/m]", "> 0"},
        Field{"release_weight", &O::release_weight, "all but micro: fade friction also when sliding begins"},
        Field{"normal_bias", &O::normal_bias, "macro: share of the gap taken back per second [1/s]", ">= 0"},
        Field{"stiffness", &O::stiffness, "micro: spring of a contact point [N/m]", "> 0"},
        Field{"damping", &O::damping, "micro: damper of a contact point [N s/m]", ">= 0"},
        Field{"soft_stiffness", &O::soft_stiffness, "hybrid: added spring of a contact point [N/m]", "> 0"},
        Field{"soft_damping", &O::soft_damping, "hybrid: added damper of a contact point [N s/m]", ">= 0"},
        Field{"limit_stiffness", &O::limit_stiffness, "spring of joint limits [N m/rad, N/m]", "> 0"},
        Field{"limit_damping", &O::limit_damping, "damper of joint limits [N m s/rad, N s/m]", ">= 0"}};
  }
};

// The checked form that a step works with.
struct RelaxedLaw {
  RelaxedModel model = RelaxedModel::proposed;
  bool omit = false;
  bool inside = false;  // friction is part of (2)
  bool energy = false;
  RelaxedOptions options;
};

// One point that touches or may do so within the step; rows (T1, T2, N).
struct RelaxedPoint {
  int contact = 0;  // its index in the contacts of the step
  ContactPlace place;
  double mu_kinetic = 0.0, mu_static = 0.0;
  bool touching = false;
  bool sliding = false;  // state at the start of the step
  double displacement[3] = {};
  double velocity[3] = {};
  double force[3] = {};  // [N]
};

struct RelaxedInput {
  const World& world;
  const Layout& layout;
  const DetectionPlan& detection;
  const RelaxedLaw& law;
  const Kinematics& kinematics;  // placements and velocities at (q, v)
  double dt;
};

// Throws InvalidInput: options out of range, options that the model does not have, parts of the world that the law has no form for.
RelaxedLaw make_relaxed(const World& world, const OptionMap& options);

// Points at (q, v) with displacements and velocities; contacts get their frames.
void find_relaxed_points(const RelaxedInput& in, const std::vector<AnchorRecord>& memory, DetectionWork& detection,
                         std::vector<Contact>& contacts, std::vector<RelaxedPoint>& points);
// The same points, carried along to the configuration of `in`. `records` are those of the start.
void move_relaxed_points(const RelaxedInput& in, const std::vector<Contact>& contacts,
                         const std::vector<AnchorRecord>& records, const std::vector<RelaxedPoint>& start,
                         std::vector<RelaxedPoint>& points);
// Spring-dampers of `micro` and `hybrid`, added to the forces; without friction law.
void add_spring_forces(const RelaxedLaw& law, RelaxedPoint& point);
// (3), or friction of `micro`. The result is whether the contact slides now.
bool apply_friction(const RelaxedLaw& law, RelaxedPoint& point);
// What the next step remembers: referential point, friction state, and where the point is now.
void remember_points(const RelaxedInput& in, const std::vector<Contact>& contacts,
                     const std::vector<RelaxedPoint>& points, const std::vector<char>& sliding,
                     std::vector<AnchorRecord>& records);
// Springs of joint limits that are passed: force += …
void add_limit_forces(const RelaxedInput& in, const double* q, const double* v, double* force);

}  // namespace stiction
