// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/law/contact_rows.h>

#include <algorithm>

namespace stiction {
namespace {

// The μ that holds: mu_static while the contact sticks.
double friction_of(const Contact& c, const PairMaterial& m) { return (c.flags & kStuck) != 0 ? m.mu_static : m.mu; }

// None: three rows, or one.
PatchArms arms_of(const AssembleInput& in, const Contact& c, const PairMaterial& m) {
  const FrictionLaw::Kind law = in.law.friction.kind;
  const double mu = friction_of(c, m);
  if ((m.mu_torsion == 0.0 && m.mu_rolling == 0.0) || !(mu > 0.0)) return {};
  if (law != FrictionLaw::coulomb && law != FrictionLaw::convex) return {};
  return {m.mu_torsion / mu, m.mu_rolling / mu};
}

void recall_torque(const AssembleInput& in, const Contact& c, BlockSpec& spec) {
  const std::vector<TorqueRecord>& memory = in.state.torques;
  const auto before = [](const TorqueRecord& r, const ContactKey& key) { return r.key < key; };
  const auto found = std::lower_bound(memory.begin(), memory.end(), c.key, before);
  const bool known = found != memory.end() && found->key == c.key;
  for (int r = 2; r + 1 < spec.block.size; ++r)
    spec.guess[r] = known ? in.dt * found->torque[turned_axis(spec.block, r)] / spec.block.arm(r) : 0.0;
}

}  // namespace

const RowBlock& touch_rows(const AssembleInput& in, const Contact& c, const PairMaterial& material, Touch touch,
                           RowSet& rows) {
  const RowContext context{in.layout, in.kinematics, in.v, in.z};
  const Vec3 half = 0.5 * c.gap * c.normal;  // from the midpoint to the surface of b
  const bool own = touch == Touch::own_surface && c.a == kWorldBody;
  const Vec3 point = own ? Vec3(c.point + half) : c.point;
  if (material.mu == 0.0 && material.mu_static == 0.0) return add_normal_row(context, c.a, c.b, point, c.normal, rows);
  if (const PatchArms arms = arms_of(in, c, material); arms.spin > 0.0 || arms.roll > 0.0) {
    const Vec3 apart = touch == Touch::both_surfaces ? half : Vec3(Vec3::Zero());
    return add_patch_rows(context, c.a, point - apart, c.b, point + apart, c.frame, arms, rows);
  }
  if (touch == Touch::both_surfaces)
    return add_loop_rows(context, c.a, c.point - half, c.b, c.point + half, c.frame, rows);
  return add_point_rows(context, c.a, c.b, point, c.frame, rows);
}

void finish_contact(const AssembleInput& in, int index, const PairMaterial& material, const ContactTerms& terms,
                    Assembly& out) {
  const Contact& c = in.contacts[index];
  const RowBlock& rows = out.rows.blocks.back();
  const int n = rows.rows - 1;  // the normal row
  const double mu = friction_of(c, material);
  BlockSpec& spec = out.specs.emplace_back();
  spec.block = n == 0 ? Block::unilateral(0) : Block::coulomb(0, terms.friction_scale * mu);
  if (n > 2)
    spec.block = Block::patch(0, n + 1, terms.friction_scale * mu, material.mu_torsion / mu, material.mu_rolling / mu);
  spec.source = RowSource::contact;
  spec.index = index;
  spec.reference = terms.reference, spec.compliance = terms.compliance, spec.armed = terms.rebounds;
  for (int r = 0; r <= n; ++r) {
    const double e = r == n ? terms.restitution : terms.restitution_tangential;
    spec.g[r] = e != 0.0 ? rows.free[r] + e * rows.before[r] : rows.free[r];
    spec.guess[r] = in.dt * c.force[r == n ? 2 : std::min(r, 1)];  // of spin and roll: below
  }
  if (n > 2) recall_torque(in, c, spec);
  spec.g[n] -= spec.reference;
  if (!terms.rebounds && terms.compliance == 0.0) spec.correction[n] = std::max(0.0, spec.reference);
}

void drop_last(RowSet& rows) {
  const RowBlock& last = rows.blocks.back();
  if (last.sides > 0) rows.values.resize(last.side[0].offset);
  rows.blocks.pop_back();
}

}  // namespace stiction
