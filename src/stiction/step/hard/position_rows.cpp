// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/law/contact_rows.h>
#include <stiction/step/hard/position_rows.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

// c* = −s of (1) to (4). `before` = n·v, `leading` = n·w; `closed`: g(q ⊕ dt v) ≤ 0.
ContactTerms contact_terms(const AssembleInput& in, const PositionRule& rule, const Contact& c,
                           const PairMaterial& material, double before, double leading, bool closed) {
  const LawOptions& o = in.law.options;
  ContactTerms terms;
  terms.friction_scale = rule.friction_scale;
  terms.rebounds =
      rule.rebound != Rebound::none && material.restitution > 0.0 && closed && before < -o.restitution_threshold;
  const double wanted = leading - c.gap / in.dt;  // positive: overlap at q
  if (terms.rebounds)
    terms.reference = rule.rebound == Rebound::newton ? -material.restitution * before : 0.0;
  else if (rule.gap == GapRule::anitescu_potra && c.gap <= 0.0)
    terms.reference = std::min(o.baumgarte * std::max(wanted, 0.0), o.correction_speed);
  else
    terms.reference = std::min(wanted, rule.gap == GapRule::anitescu_potra ? 0.0 : o.correction_speed);
  return terms;
}

// Angular rows are in the problem only to give its matrix; the friction directions say what they may carry.
void add_torsion(const AssembleInput& in, int index, Assembly& out) {
  const Contact& c = in.contacts[index];
  const RowBlock& rows = add_angular_rows({in.layout, in.kinematics, in.v, in.z}, c.a, c.b, c.frame, out.rows);
  BlockSpec& spec = out.specs.emplace_back();
  spec = {};
  spec.block = Block::bilateral(0, 3, true);
  spec.source = RowSource::torsion;
  spec.index = index;
  for (int r = 0; r < 3; ++r) spec.g[r] = rows.free[r];
}

}  // namespace

void fix_frame(Contact& c) {
  const Vec3 force = c.frame.transpose() * Eigen::Map<const Vec3>(c.force);
  const Vec3 axis = std::abs(c.normal.z()) > std::numbers::sqrt2 / 2.0 ? Vec3::UnitX() : Vec3::UnitZ();
  const Vec3 t1 = (axis - c.normal * c.normal.dot(axis)).normalized();
  c.frame.row(0) = t1, c.frame.row(1) = c.normal.cross(t1), c.frame.row(2) = c.normal;
  Eigen::Map<Vec3>(c.force) = c.frame * force;
}

void assemble_position_rows(const AssembleInput& in, const PositionRule& rule, const Linearisation* at, Assembly& out) {
  const auto along = [&](const Contact& c, BodyId body) {
    return body == kWorldBody ? 0.0 : c.normal.dot(point_velocity(in.layout, at->kinematics, body, c.point));
  };
  const auto terms = [&](const Contact& c, const PairMaterial& material, const RowBlock& rows) {
    const double before = rows.before[rows.rows - 1];
    if (at == nullptr) return contact_terms(in, rule, c, material, before, before, c.gap <= 0.0);
    const bool closed = std::binary_search(at->closed.begin(), at->closed.end(), c.key);
    return contact_terms(in, rule, c, material, before, along(c, c.b) - along(c, c.a), closed);
  };
  out.clear();
  for (int i = 0; i < static_cast<int>(in.contacts.size()); ++i) {
    add_contact(in, i, Touch::both_surfaces, terms, out);
    if (rule.torsion && out.specs.back().block.kind == BlockKind::coulomb) add_torsion(in, i, out);
  }
}

}  // namespace stiction
