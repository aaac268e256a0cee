// SPDX-License-Identifier: BSD-2-Clause
// Soft rows as an MJCF file asks for them, with the law's `softness="file"`. MuJoCo gives a row with error r, velocity u and force f
//   R f + du/dt = −b u − k d r,    R = w (1 − d)/d                                                                        (1)
// d(r) in ]0, 1[ is its impedance: d₀ at r = 0, d_w from |r| = width on, in between two powers that meet at `midpoint`. w is the
// inverse inertia of the row at the reference position (model/mjcf/mjcf_softness.cpp). solref gives k and b:
//   (T, ζ) > 0   k = 1/(d_w T ζ)²,  b = 2/(d_w T);  T is at least 2 dt           otherwise   k = −solref₀/d_w²,  b = −solref₁/d_w
// Over one step, λ = dt f, this is a row of the contact problem with compliance R and a reference velocity:
//   u⁺ + R λ = c*,    c* = (1 − b dt) u⁻ − dt k d r                                                                       (2)
// A contact at rest bears f = k d² (−r)/(w (1 − d)). MuJoCo's pyramidal cone shares the normal force among 2 (condim − 1) edges; the sum
// of their rows is (1) with R times μ² (1 + μ²)/(impratio (condim − 1)). Friction of contacts stays rigid: it does not creep.
// [MuJoCo documentation, "Computation", solver parameters]
#pragma once

#include <stiction/law/contact_rows.h>

namespace stiction {

// R and c* of (2) for one row.
struct SoftRow {
  double compliance = 0.0, keep = 0.0, push = 0.0;  // R, 1 − b dt, dt k d
  double reference(double velocity, double error) const { return keep * velocity - push * error; }
};

// `size`: |r|, or the length of the error of all rows that belong together.
SoftRow soft_row(const Softness& softness, double weight, double size, double dt);

// Whether the row is soft in this step's law.
bool is_soft(const AssembleInput& in, const Softness& softness, double weight);

// What the file says of a contact; null if it is rigid. And its weight.
const Softness* contact_softness(const AssembleInput& in, const Contact& contact);
double contact_weight(const AssembleInput& in, const Contact& contact, const Softness& softness,
                      const PairMaterial& material);

// Fills the terms of a contact by (2) and says whether it is soft. Such a contact is present once it touches.
bool soften_contact(const AssembleInput& in, const Contact& contact, const PairMaterial& material, const RowBlock& rows,
                    ContactTerms& terms);

}  // namespace stiction
