// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/law/joint_blocks.h>

#include <algorithm>
#include <cmath>

namespace stiction {

double drift_reference(const AssembleInput& in, double gap) {
  const LawOptions& o = in.law.options;
  if (!in.positions.correct) return 0.0;
  if (gap > o.dead_band) return -(gap - o.dead_band) / in.dt;
  if (gap >= -o.dead_band) return 0.0;
  const double depth = -(gap + o.dead_band);
  return std::min({o.baumgarte * depth / in.dt, o.correction_speed, std::sqrt(in.world.gravity.norm() * depth)});
}

Spring spring(const AssembleInput& in, double gap, double stiffness, double damping) {
  const double time = (in.positions.reach > 0.0 ? in.positions.reach : in.dt) + damping / stiffness;
  return {-gap / time, 1.0 / (in.dt * stiffness * time)};
}

namespace {

void drop_last(RowSet& rows) {
  const RowBlock& last = rows.blocks.back();
  if (last.sides > 0) rows.values.resize(last.side[0].offset);
  rows.blocks.pop_back();
}

void add_contact(const AssembleInput& in, const RowContext& context, int index, Assembly& out) {
  const Contact& c = in.contacts[index];
  const PairMaterial& material = in.world.material(static_cast<int>(c.key.geom_a), static_cast<int>(c.key.geom_b));
  const double mu = (c.flags & kStuck) != 0 ? material.mu_static : material.mu;
  const bool frictionless = material.mu == 0.0 && material.mu_static == 0.0;
  const RowBlock& rows = frictionless ? add_normal_row(context, c.a, c.b, c.point, c.normal, out.rows)
                                      : add_point_rows(context, c.a, c.b, c.point, c.frame, out.rows);
  const int n = rows.rows - 1;  // the normal row
  const bool closes = c.gap + in.dt * rows.free[n] < 0.0;
  const bool compliant = std::isfinite(material.stiffness);
  if (compliant && c.gap > 0.0 && !closes) {
    drop_last(out.rows);
    return;
  }
  BlockSpec& spec = out.specs.emplace_back();
  spec.block = frictionless ? Block::unilateral(0) : Block::coulomb(0, mu);
  spec.source = RowSource::contact;
  spec.index = index;
  spec.compliance = 0.0;
  if (compliant) {
    const Spring s = spring(in, c.gap, material.stiffness, material.damping);
    spec.reference = s.reference, spec.compliance = s.compliance;
  } else {
    spec.reference = drift_reference(in, c.gap);
  }
  const bool fast = -rows.before[n] > in.law.options.restitution_threshold;
  if (material.restitution > 0.0 && (c.flags & kOpen) != 0 && closes && fast) {
    spec.reference = std::max(spec.reference, -material.restitution * rows.before[n]);
    spec.armed = true;
  }
  set_g(rows, spec);
  for (int r = 0; r < rows.rows; ++r) spec.guess[r] = in.dt * c.force[frictionless ? 2 : r];
}

}  // namespace

void assemble(const AssembleInput& in, Assembly& out) {
  out.rows.clear();
  out.specs.clear();
  const RowContext context{in.layout, in.kinematics, in.v, in.z};
  for (int i = 0; i < static_cast<int>(in.contacts.size()); ++i) add_contact(in, context, i, out);
  assemble_joints(in, out);
}

void assemble_joints(const AssembleInput& in, Assembly& out) {
  const RowContext context{in.layout, in.kinematics, in.v, in.z};
  add_loop_blocks(in, context, out);
  add_tree_joint_blocks(in, context, out);
  add_cut_joint_blocks(in, context, out);
  out.islands.find(in.layout, static_cast<int>(in.world.trees.size()), out.rows);
}

bool arm_closed_contacts(const AssembleInput& in, int island, const double* lambda, Assembly& assembly) {
  bool any = false;
  int row = 0;
  for (int k = assembly.islands.start[island]; k < assembly.islands.start[island + 1]; ++k) {
    const auto i = assembly.islands.block[k];
    BlockSpec& spec = assembly.specs[i];
    const RowBlock& rows = assembly.rows.blocks[i];
    const int n = rows.rows - 1;
    const double lambda_normal = lambda[row + n];
    row += rows.rows;
    if (spec.source != RowSource::contact || spec.armed) continue;
    const Contact& c = in.contacts[spec.index];
    const PairMaterial& material = in.world.material(static_cast<int>(c.key.geom_a), static_cast<int>(c.key.geom_b));
    const bool fast = -rows.before[n] > in.law.options.restitution_threshold;
    if (!(material.restitution > 0.0 && (c.flags & kOpen) != 0 && fast && lambda_normal > 0.0)) continue;
    const double rebound = std::max(spec.reference, -material.restitution * rows.before[n]);
    spec.g[n] += spec.reference - rebound;
    spec.reference = rebound;
    spec.armed = any = true;
  }
  return any;
}

}  // namespace stiction
