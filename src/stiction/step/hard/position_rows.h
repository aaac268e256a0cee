// SPDX-License-Identifier: BSD-2-Clause
// Contact rows of Stewart and Trinkle's scheme: the gap at the end of the step, linearised at q̄, may not be negative.
//   0 ≤ g(q̄) + n·(q⁺ − q̄)   ⇔   n·v⁺ + s ≥ 0,    s = g(q̄)/dt − n·w,    w = (q̄ − q)/dt                                    (1)
// so that the reference velocity of the normal row is c* = −s. At an active contact −s dt is the overlap at q; what it asks
// for is capped by the law's correction_speed, as nothing else keeps a world that starts in overlap from exploding.
//   Anitescu-Potra, g(q̄) ≤ 0:   s = −min(Kb·overlap/dt, cap), Kb the law's `baumgarte` (zero for the published rule)      (2)
//                       elsewhere s ≥ 0: with every s ≥ 0 and Kb = 0 the problem has a solution
//   Newton's impact, g(q ⊕ dt v) ≤ 0 and n·v < −threshold:   s = e n·v                                                     (3)
//   Poisson's impact, same condition:   s = 0 in compression                                                              (4)
// Whether a contact is hit is decided once per step, where v leads: at the q̄ of a rebound the gap is open again.
// Each body is touched at its own witness point, not at the midpoint between them as elsewhere: at q̄ the gap is large, and the lever
// of friction would be wrong by half of it.
// The friction directions start at T1 = x made tangential on floors (|n_z| > 1/√2) and z made tangential on walls, in every
// step anew: a set of K directions must not turn with the bodies.
// Reference: Stewart, Trinkle 2000, sections 3.2 and 3.3; Anitescu, Potra 1997.
#pragma once

#include <stiction/law/assemble.h>

#include <vector>

namespace stiction {

enum class GapRule : std::uint8_t { linear, anitescu_potra };
enum class Rebound : std::uint8_t { none, newton, poisson };

struct PositionRule {
  GapRule gap = GapRule::linear;
  Rebound rebound = Rebound::newton;
  double friction_scale = 1.0;  // of μ: cos(π/K) makes the law's circumscribed polygon the inscribed one
  bool torsion = false;         // three angular rows (T1, T2, N) follow the rows of every contact with friction
};

// T1, T2, N as said above; the force of the last step is carried over.
void fix_frame(Contact& contact);

// A point q̄ of linearisation that is not q ⊕ dt v: kinematics at q̄ with the velocity w, and the contacts (sorted) with
// g(q ⊕ dt v) ≤ 0.
struct Linearisation {
  const Kinematics& kinematics;
  const std::vector<ContactKey>& closed;
};

// Rows of in.contacts, at the kinematics of q̄; `at` is nullptr if w = v. Blocks are marked `armed` where (3) or (4) holds.
// Call assemble_joints() next.
void assemble_position_rows(const AssembleInput& in, const PositionRule& rule, const Linearisation* at, Assembly& out);

}  // namespace stiction
