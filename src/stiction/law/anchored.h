// SPDX-License-Identifier: BSD-2-Clause
// Soft contact with anchor points: law `anchored`.
//   λ = K (p₀ − p) − B ṗ    per point, K and B diagonal in the contact frame (T1, T2, N)                          (1)
// p is the contact point, p₀ its anchor on the other body. A point is active while its gap is ≤ 0; deactivation is purely
// geometric: a point inside with a tensile force stays active, carries no force and keeps its anchor.
//
// Activation      p₀ := p, all three coordinates: the spring is unloaded at the depth at which the point was found, only damping
//                 acts at first (`surface_anchoring`: the normal anchor lies on the surface instead).
// Force pass      the only place where anchors move. With f from (1), f_N = f·n:
//   f_N < 0              f := 0, sticking, anchor kept
//   ‖f_T‖ > μ f_N        f_T := μ f_N f_T/‖f_T‖, slipping, p₀ᵗ := pᵗ + K_T⁻¹ f_T (normal anchor unchanged)                  (2)
// Cone map        proj(f): the same clamping without change of state. It is not the Euclidean projection on the cone.
//
// Contacts of spheres, boxes and meshes have no fixed material point: the tangential stretch is carried along instead,
//   (p₀ − p)ᵗ ← (p₀ − p)ᵗ − [x_b − x_a]ᵗ,
// where x_b and x_a are the present places of the two material points that met at the last pass, and the normal stretch is
// rest_gap − gap. For points fixed to a link both are p₀ − p exactly. Rolling has an error of second order in the step.
// Held points (finite stiffness) are bilateral; joint limits are one-row unilateral springs.
// Dry joint friction F is (1) and (2) in one row between ±F: the joint has an anchor, sticks to it with K = F/presliding and
// B = K · presliding_time, and drags it along where the torque would exceed F. [Dahl 1968, the elasto-plastic limit of it]
//
// [Hammoud22, section 3]. Failure: contacts whose features come and go (a box sliding over an edge) lose their stretch with their
// name: use surface_anchoring there. Restitution comes from damping alone; `restitution` of materials is not used.
#pragma once

#include <stiction/base/field.h>
#include <stiction/dynamics/contact/detect.h>

#include <tuple>
#include <vector>

namespace stiction {

struct AnchoredOptions {
  double stiffness = 1e5;           // K where the materials name none [N/m]
  double damping = 300.0;           // B likewise [N s/m]
  double stiffness_ratio_t1 = 1.0;  // K along T1 over K along N [-]
  double stiffness_ratio_t2 = 1.0;
  double damping_ratio_t1 = 1.0;
  double damping_ratio_t2 = 1.0;
  bool surface_anchoring = false;
  double limit_stiffness = 1e3;   // of joint limits [N m/rad, N/m]
  double limit_damping = 3.0;     // [N m s/rad, N s/m]
  double presliding = 1e-3;       // way of a joint with dry friction before it slides [rad, m]
  double presliding_time = 2e-2;  // damping over stiffness of that way [s]
  bool judge = false;             // fill the report's `ncp`: residual of the forces as rigid Coulomb contact

  static constexpr auto fields() {
    using O = AnchoredOptions;
    return std::tuple{
        Field{"stiffness", &O::stiffness, "K of a contact point whose materials name none [N/m]", "> 0"},
        Field{"damping", &O::damping, "B of a contact point whose materials name none [N s/m]", ">= 0"},
        Field{"stiffness_ratio_t1", &O::stiffness_ratio_t1, "K along T1 over K along the normal [-]", "> 0"},
        Field{"stiffness_ratio_t2", &O::stiffness_ratio_t2, "K along T2 over K along the normal [-]", "> 0"},
        Field{"damping_ratio_t1", &O::damping_ratio_t1, "B along T1 over B along the normal [-]", ">= 0"},
        Field{"damping_ratio_t2", &O::damping_ratio_t2, "B along T2 over B along the normal [-]", ">= 0"},
        Field{"surface_anchoring", &O::surface_anchoring,
              "normal anchor on the surface, not where the point was found"},
        Field{"limit_stiffness", &O::limit_stiffness, "spring of joint limits [N m/rad, N/m]", "> 0"},
        Field{"limit_damping", &O::limit_damping, "damper of joint limits [N m s/rad, N s/m]", ">= 0"},
        Field{"presliding", &O::presliding, "way of a joint before its dry friction slides [rad, m]", "> 0"},
        Field{"presliding_time", &O::presliding_time, "damping over stiffness of that way [s]", ">= 0"},
        Field{"judge", &O::judge, "fill the report's ncp: residual of the forces as rigid Coulomb contact"}};
  }
};

enum class SoftKind : std::uint8_t { contact, held, limit, dry };

// One active point (three rows), joint limit or joint with dry friction (one row). Numbers of rows are in the point's own axes.
struct SoftPoint {
  SoftKind kind = SoftKind::contact;
  int index = 0;    // contact, loop or velocity
  int rows = 3;     // a limit has one
  int record = -1;  // of the contact, in the records of the pass
  bool slipping = false;
  bool clipped = false;  // tensile: no force
  BodyId a = kWorldBody, b = kWorldBody;
  Vec3 point_a, point_b;           // where the force acts on a and b: the same place for contacts, world [m]
  Mat3 frame;                      // rows T1, T2, N in world axes; identity for held points
  double mu = 0.0, mu_slip = 0.0;  // friction to be overcome, and while slipping [-]; dry: F [N m, N]
  double stiffness[3] = {}, damping[3] = {};
  double displacement[3] = {};                         // Δp = p − p₀ after the anchor update [m]
  double velocity[3] = {};                             // ṗ [m/s]
  double force[3] = {};                                // λ(q, v) of the pass, clamped [N]
  double average[3] = {}, double_average[3] = {};      // of the exponential step, before the cone map [N]
  double projected[3] = {}, double_projected[3] = {};  // after it [N]
  double predicted[3] = {};                            // λ at the end of the step by the linear model [N]
  double sign = 1.0;                                   // limit: +1 lower, −1 upper
  bool known = true;                                   // had its anchor before the pass; a new one starts unloaded
  double slip_scale = 1.0;                             // by which the pass cut the tangential force back [-]
  Vec3 met_b = Vec3::Zero();  // contact: where the point of b is now that met a at the last pass, world [m]

  bool unilateral() const { return kind == SoftKind::contact || kind == SoftKind::limit; }
  bool of_joint() const { return kind == SoftKind::limit || kind == SoftKind::dry; }  // one row, of velocity `index`
};

struct AnchoredInput {
  const World& world;
  const Layout& layout;
  const DetectionPlan& detection;
  const AnchoredOptions& options;
  const Kinematics& kinematics;  // placements and velocities at (q, v)
  const double* q;
  const double* v;  // internal
};

struct AnchoredWork {
  DetectionWork detection;
  std::vector<Contact> contacts;  // with gap ≤ 0
};

// Checked options. Throws InvalidInput: options out of range; parts of the world that have no soft form (rigid or welded loops).
AnchoredOptions make_anchored(const World& world, const OptionMap& options);

// Detection and forces at (q, v) from the memory of the last pass; `records` becomes the memory of the next one.
void anchored_pass(const AnchoredInput& in, const std::vector<AnchorRecord>& memory, AnchoredWork& work,
                   std::vector<SoftPoint>& points, std::vector<AnchorRecord>& records);

// out = proj(f) with the friction of the point; f itself, bit for bit, inside the cone and for held points.
void cone_map(const SoftPoint& point, const double* f, double* out);

// Whether the set of penetrating contacts and limits at this configuration is the one of `points`.
bool same_contacts(const AnchoredInput& in, const std::vector<SoftPoint>& points,
                   const std::vector<AnchorRecord>& records, AnchoredWork& work);

}  // namespace stiction
