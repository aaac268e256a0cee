// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/step/hard/midpoint_rows.h>

#include <cmath>

namespace stiction {
namespace {

// On static ground the body's own surface, or the overlap at the midpoint would shorten the lever of friction. Between two
// bodies one point for both, or their angular momentum would not be kept.
Vec3 touched(const Contact& c) { return c.a == kWorldBody ? Vec3(c.point + 0.5 * c.gap * c.normal) : c.point; }

void add_contact(const AssembleInput& in, int index, Assembly& out) {
  const Contact& c = in.contacts[index];
  const PairMaterial& material = in.world.material(static_cast<int>(c.key.geom_a), static_cast<int>(c.key.geom_b));
  const double mu = (c.flags & kStuck) != 0 ? material.mu_static : material.mu;
  const bool frictionless = material.mu == 0.0 && material.mu_static == 0.0;
  const RowContext context{in.layout, in.kinematics, in.v, in.z};
  const Vec3 point = touched(c);
  const RowBlock& rows = frictionless ? add_normal_row(context, c.a, c.b, point, c.normal, out.rows)
                                      : add_point_rows(context, c.a, c.b, point, c.frame, out.rows);
  const int n = rows.rows - 1;  // the normal row
  BlockSpec& spec = out.specs.emplace_back();
  spec.block = frictionless ? Block::unilateral(0) : Block::coulomb(0, mu);
  spec.source = RowSource::contact;
  spec.index = index;
  spec.compliance = 0.0;
  spec.reference = drift_reference(in, c.gap);
  double rebound = -rows.before[n] > in.law.options.restitution_threshold ? material.restitution : 0.0;
  if (std::isfinite(material.stiffness)) {
    const Spring s = spring(in, c.gap, material.stiffness, material.damping);
    spec.reference = s.reference, spec.compliance = s.compliance;
    rebound = 0.0;
  }
  for (int r = 0; r < n; ++r) spec.g[r] = rows.free[r] + material.restitution_tangential * rows.before[r];
  spec.g[n] = rows.free[n] + rebound * rows.before[n] - spec.reference;
  for (int r = 0; r <= n; ++r) spec.guess[r] = in.dt * c.force[frictionless ? 2 : r];
}

}  // namespace

void assemble_midpoint_rows(const AssembleInput& in, Assembly& out) {
  out.rows.clear();
  out.specs.clear();
  for (int i = 0; i < static_cast<int>(in.contacts.size()); ++i) add_contact(in, i, out);
}

}  // namespace stiction
