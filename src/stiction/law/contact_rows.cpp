// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/law/contact_rows.h>

namespace stiction {

const RowBlock& touch_rows(const AssembleInput& in, const Contact& c, const PairMaterial& material, Touch touch,
                           RowSet& rows) {
  const RowContext context{in.layout, in.kinematics, in.v, in.z};
  const Vec3 half = 0.5 * c.gap * c.normal;  // from the midpoint to the surface of b
  const bool own = touch == Touch::own_surface && c.a == kWorldBody;
  const Vec3 point = own ? Vec3(c.point + half) : c.point;
  if (material.mu == 0.0 && material.mu_static == 0.0) return add_normal_row(context, c.a, c.b, point, c.normal, rows);
  if (touch == Touch::both_surfaces)
    return add_loop_rows(context, c.a, c.point - half, c.b, c.point + half, c.frame, rows);
  return add_point_rows(context, c.a, c.b, point, c.frame, rows);
}

void finish_contact(const AssembleInput& in, int index, const PairMaterial& material, const ContactTerms& terms,
                    Assembly& out) {
  const Contact& c = in.contacts[index];
  const RowBlock& rows = out.rows.blocks.back();
  const int n = rows.rows - 1;  // the normal row
  const double mu = (c.flags & kStuck) != 0 ? material.mu_static : material.mu;
  BlockSpec& spec = out.specs.emplace_back();
  spec.block = n == 0 ? Block::unilateral(0) : Block::coulomb(0, terms.friction_scale * mu);
  spec.source = RowSource::contact;
  spec.index = index;
  spec.reference = terms.reference, spec.compliance = terms.compliance, spec.armed = terms.rebounds;
  for (int r = 0; r <= n; ++r) {
    const double e = r == n ? terms.restitution : terms.restitution_tangential;
    spec.g[r] = e != 0.0 ? rows.free[r] + e * rows.before[r] : rows.free[r];
    spec.guess[r] = in.dt * c.force[n == 0 ? 2 : r];
  }
  spec.g[n] -= spec.reference;
}

void drop_last(RowSet& rows) {
  const RowBlock& last = rows.blocks.back();
  if (last.sides > 0) rows.values.resize(last.side[0].offset);
  rows.blocks.pop_back();
}

}  // namespace stiction
