// SPDX-License-Identifier: BSD-2-Clause
// Friction of spin and roll (mu_torsion, mu_rolling) adds rows between T2 and N, scaled by the arms mu_torsion/μ and mu_rolling/μ
// with the μ that holds: one round cone for all of them (problem/block.h). Contacts whose materials name neither keep three rows.
// Rows of a hard contact. They are the same for all steppers but for where the bodies are touched and for which velocity the
// rows ask: the stepper's rule says both.
//   g = J v_free + ε J v − c*,   ε = diag(ε_T, ε_T, ε_N),  c* in the normal row only                                    (1)
#pragma once

#include <stiction/law/assemble.h>
#include <stiction/law/contact_query.h>

namespace stiction {

enum class Touch : std::uint8_t {
  midpoint,       // one point for both bodies, half way between their surfaces
  own_surface,    // on static ground the surface of the moving body, between two bodies the midpoint
  both_surfaces,  // each body at its own surface
};

// Which of (T1, T2, N) a row of spin or roll turns about.
inline int turned_axis(const Block& patch, int row) {
  return row == 2 && patch.size != 5 ? 2 : row - (patch.size == 5 ? 2 : 3);
}

// What a rule says about one contact.
struct ContactTerms {
  double reference = 0.0;                                  // c* [m/s]
  double compliance = 0.0;                                 // R of the normal row [1/kg]
  double restitution = 0.0, restitution_tangential = 0.0;  // ε_N and ε_T [-]
  double friction_scale = 1.0;                             // of μ [-]
  bool rebounds = false;                                   // c* holds a rebound
  bool present = true;                                     // false: the contact has no rows in this step
};

// Steps of add_contact().
const RowBlock& touch_rows(const AssembleInput& in, const Contact& contact, const PairMaterial& material, Touch touch,
                           RowSet& rows);
void finish_contact(const AssembleInput& in, int index, const PairMaterial& material, const ContactTerms& terms,
                    Assembly& out);
void drop_last(RowSet& rows);

// Rows and block of in.contacts[index] with the terms of rule(contact, material, rows). False if it is not present.
template <class Rule>
bool add_contact(const AssembleInput& in, int index, Touch touch, const Rule& rule, Assembly& out) {
  const Contact& c = in.contacts[index];
  const PairMaterial& material = material_of(in.world, c);
  const RowBlock& rows = touch_rows(in, c, material, touch, out.rows);
  const ContactTerms terms = rule(c, material, rows);
  if (terms.present)
    finish_contact(in, index, material, terms, out);
  else
    drop_last(out.rows);
  return terms.present;
}

// As above for all contacts; `out` holds their rows alone. Call assemble_joints() next.
template <class Rule>
void assemble_contacts(const AssembleInput& in, Touch touch, const Rule& rule, Assembly& out) {
  out.clear();
  for (int i = 0; i < static_cast<int>(in.contacts.size()); ++i) add_contact(in, i, touch, rule, out);
}

}  // namespace stiction
