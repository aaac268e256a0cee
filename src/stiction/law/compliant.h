// SPDX-License-Identifier: BSD-2-Clause
// Compliant contact with stick and slip: law `compliant`. A closed contact (gap g_N ≤ 0) has a spring and a damper along its
// normal, and tangentially, while it sticks, to the point P₀ where it first touched or stuck again:
//   l_N = max(−c_N g_N − d_N γ_N, 0)                                                                                (1)
//   stick   l_T = −c_T g_T − d_T γ_T,  g_T the tangential part of P − P₀;   ‖l_T‖ ≥ μ l_N: slip, l_T by (3)             (2)
//   slip    l_T = −μ l_N γ_T/‖γ_T‖  (0 if γ_T = 0)                                                                    (3)
//           if ‖γ_T‖ < v_ε or ‖l_T of the last step‖ < μ l_N:  P₀ ← P, and the stick branch holds from the next step on   (4)
// On opening P₀ is forgotten. γ is the contact velocity. There is no impact law: impacts are what spring and damper make of them.
// With materials that name mu_static it is the bound in (2); μ is the one in (3) and (4).
//
// Deviations from the printed algorithm: l_T is renewed while slipping (as printed it would keep the value of the first slip
// step), the second test of (4) is strict (with ≤ the renewed value would stick at once). v_ε is printed as "about 0".
// Contacts of spheres, boxes and meshes have no fixed material point: the stretch g_T is carried along by the material
// points that met at the last pass, as in law `anchored`; for points fixed to a link it is P − P₀ exactly.
//
// An explicit force: one mode with inverse inertia G is stable with stepper `moreau` iff  c G dt² + 2 d G dt < 4.         (5)
// Failure modes: unstable beyond (5); bodies rest at a depth of weight/c; contacts whose features change lose their stretch.
// Reference: Gehring, Diethelm, Siegwart, Nützi, Leine 2014, Algorithm 1.
#pragma once

#include <stiction/base/field.h>
#include <stiction/dynamics/contact/detect.h>

#include <tuple>
#include <vector>

namespace stiction {

struct CompliantOptions {
  double stiffness = 30000.0;    // c_N where the materials name none [N/m]
  double damping = 50.0;         // d_N likewise [N s/m]
  double stiffness_ratio = 1.0;  // c_T/c_N [-]
  double damping_ratio = 1.0;    // d_T/d_N [-]
  double stick_speed = 1e-4;     // v_ε [m/s]

  static constexpr auto fields() {
    using O = CompliantOptions;
    return std::tuple{Field{"stiffness", &O::stiffness, "c_N of a contact whose materials name none [N/m]", "> 0"},
                      Field{"damping", &O::damping, "d_N of a contact whose materials name none [N s/m]", ">= 0"},
                      Field{"stiffness_ratio", &O::stiffness_ratio, "c_T over c_N [-]", ">= 0"},
                      Field{"damping_ratio", &O::damping_ratio, "d_T over d_N [-]", ">= 0"},
                      Field{"stick_speed", &O::stick_speed, "slower slipping contacts stick again [m/s]", ">= 0"}};
  }
};

struct CompliantInput {
  const World& world;
  const Layout& layout;
  const DetectionPlan& detection;
  const CompliantOptions& options;
  const Kinematics& kinematics;  // placements and velocities where forces are evaluated
};

// A closed contact and its force; `frame` of the contact holds its axes.
struct CompliantPoint {
  Vec3 point;             // where the force acts, world [m]
  double force[3] = {};   // (l_T1, l_T2, l_N) on body b [N]
  bool slipping = false;  // state after the pass
};

// Checked options. Throws InvalidInput naming the option that is out of range.
CompliantOptions make_compliant(const OptionMap& options);

// Closed contacts and their forces from the memory of the last step; `records` becomes the memory of the next one.
void compliant_pass(const CompliantInput& in, const std::vector<AnchorRecord>& memory, DetectionWork& detection,
                    std::vector<Contact>& contacts, std::vector<CompliantPoint>& points,
                    std::vector<AnchorRecord>& records);

}  // namespace stiction
