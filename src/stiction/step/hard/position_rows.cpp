// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/step/hard/position_rows.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

const PairMaterial& material_of(const AssembleInput& in, const Contact& c) {
  return in.world.material(static_cast<int>(c.key.geom_a), static_cast<int>(c.key.geom_b));
}

const RowBlock& add_rows(const RowContext& context, const Contact& c, bool frictionless, RowSet& rows) {
  if (frictionless) return add_normal_row(context, c.a, c.b, c.point, c.normal, rows);
  const Vec3 half = 0.5 * c.gap * c.normal;  // from the midpoint to the witness points
  return add_loop_rows(context, c.a, c.point - half, c.b, c.point + half, c.frame, rows);
}

double normal_velocity(const Layout& layout, const Kinematics& k, const Contact& c) {
  const auto along = [&](BodyId body) {
    return body == kWorldBody ? 0.0 : c.normal.dot(point_velocity(layout, k, body, c.point));
  };
  return along(c.b) - along(c.a);
}

// −s of (1) to (4). `before` = n·v, `led` = n·w; `closed`: g(q ⊕ dt v) ≤ 0.
double reference(const AssembleInput& in, const PositionRule& rule, const Contact& c, double before, double led,
                 bool closed, bool& impact) {
  const LawOptions& o = in.law.options;
  const double restitution = material_of(in, c).restitution;
  impact = rule.rebound != Rebound::none && restitution > 0.0 && closed && before < -o.restitution_threshold;
  if (impact) return rule.rebound == Rebound::newton ? -restitution * before : 0.0;
  const double wanted = led - c.gap / in.dt;  // positive: overlap at q
  if (rule.gap == GapRule::anitescu_potra && c.gap <= 0.0)
    return std::min(o.baumgarte * std::max(wanted, 0.0), o.correction_speed);
  return std::min(wanted, o.correction_speed);
}

// Angular rows are in the problem only to give its matrix; the friction directions say what they may carry.
void add_torsion(const RowContext& context, const Contact& c, int index, Assembly& out) {
  const RowBlock& rows = add_angular_rows(context, c.a, c.b, c.frame, out.rows);
  BlockSpec& spec = out.specs.emplace_back();
  spec = {};
  spec.block = Block::bilateral(0, 3, true);
  spec.source = RowSource::torsion;
  spec.index = index;
  for (int r = 0; r < 3; ++r) spec.g[r] = rows.free[r];
}

void add_contact(const AssembleInput& in, const PositionRule& rule, const LedElsewhere* led, int index, Assembly& out) {
  const Contact& c = in.contacts[index];
  const PairMaterial& material = material_of(in, c);
  const double mu = (c.flags & kStuck) != 0 ? material.mu_static : material.mu;
  const bool frictionless = material.mu == 0.0 && material.mu_static == 0.0;
  const RowContext context{in.layout, in.kinematics, in.v, in.z};
  const RowBlock& rows = add_rows(context, c, frictionless, out.rows);
  const int n = rows.rows - 1;
  const double closing = led == nullptr ? rows.before[n] : normal_velocity(in.layout, led->kinematics, c);
  const bool closed = led == nullptr ? c.gap <= 0.0 : std::binary_search(led->closed.begin(), led->closed.end(), c.key);
  BlockSpec& spec = out.specs.emplace_back();
  spec.block = frictionless ? Block::unilateral(0) : Block::coulomb(0, rule.friction_scale * mu);
  spec.source = RowSource::contact;
  spec.index = index;
  spec.compliance = 0.0;
  spec.reference = reference(in, rule, c, rows.before[n], closing, closed, spec.armed);
  for (int r = 0; r <= n; ++r) spec.g[r] = rows.free[r], spec.guess[r] = in.dt * c.force[frictionless ? 2 : r];
  spec.g[n] -= spec.reference;
  if (rule.torsion && !frictionless) add_torsion(context, c, index, out);
}

}  // namespace

void fix_frame(Contact& c) {
  const Vec3 force = c.frame.transpose() * Eigen::Map<const Vec3>(c.force);
  const Vec3 axis = std::abs(c.normal.z()) > std::numbers::sqrt2 / 2.0 ? Vec3::UnitX() : Vec3::UnitZ();
  const Vec3 t1 = (axis - c.normal * c.normal.dot(axis)).normalized();
  c.frame.row(0) = t1, c.frame.row(1) = c.normal.cross(t1), c.frame.row(2) = c.normal;
  Eigen::Map<Vec3>(c.force) = c.frame * force;
}

void assemble_position_rows(const AssembleInput& in, const PositionRule& rule, const LedElsewhere* led, Assembly& out) {
  out.rows.clear();
  out.specs.clear();
  for (int i = 0; i < static_cast<int>(in.contacts.size()); ++i) add_contact(in, rule, led, i, out);
}

}  // namespace stiction
