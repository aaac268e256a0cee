// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/law/contact_rows.h>
#include <stiction/law/file_softness.h>
#include <stiction/law/joint_blocks.h>
#include <stiction/law/redundant_loops.h>
#include <stiction/law/tendon_blocks.h>

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr double kLeastGravity = 0.1;  // of the cap on drift corrections where there is less or none [m/s²]

}  // namespace

double fastest_correction(const AssembleInput& in, double depth) {
  return std::min(in.law.options.correction_speed, std::sqrt(std::max(in.world.gravity.norm(), kLeastGravity) * depth));
}

double drift_reference(const AssembleInput& in, double gap) {
  const LawOptions& o = in.law.options;
  if (!in.positions.correct) return 0.0;
  if (gap > o.dead_band) return -(gap - o.dead_band) / in.dt;
  if (gap >= -o.dead_band) return 0.0;
  const double depth = -(gap + o.dead_band);
  return std::min(o.baumgarte * depth / in.dt, fastest_correction(in, depth));
}

double fastest_slope(const AssembleInput& in, double depth) {
  const double gravity = std::max(in.world.gravity.norm(), kLeastGravity);
  return std::sqrt(gravity * depth) < in.law.options.correction_speed ? 0.5 * std::sqrt(gravity / depth) : 0.0;
}

ReferenceSlope drift_slope(const AssembleInput& in, double gap, double near) {
  const LawOptions& o = in.law.options;
  if (!in.positions.correct) return {};
  ReferenceSlope out;
  out.border = std::abs(std::abs(gap) - o.dead_band) <= near;
  if (gap > o.dead_band) {
    out.by_gap = -1.0 / in.dt;
  } else if (gap < -o.dead_band) {
    const double depth = -(gap + o.dead_band), share = o.baumgarte / in.dt;
    const double fastest = fastest_correction(in, depth);
    out.border = out.border || std::abs(share * depth - fastest) <= share * near;
    out.by_gap = share * depth < fastest ? -share : -fastest_slope(in, depth);
  }
  return out;
}

Spring spring(const AssembleInput& in, double gap, double stiffness, double damping) {
  const double time = (in.positions.reach > 0.0 ? in.positions.reach : in.dt) + damping / stiffness;
  return {-gap / time, 1.0 / (in.dt * stiffness * time)};
}

namespace {

bool approaches_fast(const AssembleInput& in, const RowBlock& rows) {
  return -rows.before[rows.rows - 1] > in.law.options.restitution_threshold;
}

// Newton's rule: whether a pair rebounds once it closes, and the reference velocity that it then has.
bool may_rebound(const AssembleInput& in, const Contact& c, const PairMaterial& material, const RowBlock& rows) {
  return material.restitution > 0.0 && (c.flags & kOpen) != 0 && approaches_fast(in, rows);
}
double rebound(const PairMaterial& material, const RowBlock& rows, double reference) {
  return std::max(reference, -material.restitution * rows.before[rows.rows - 1]);
}

}  // namespace

void assemble(const AssembleInput& in, Assembly& out) {
  const auto rule = [&](const Contact& c, const PairMaterial& material, const RowBlock& rows) {
    ContactTerms terms;
    const bool closes = c.gap + in.dt * rows.free[rows.rows - 1] < 0.0;
    if (soften_contact(in, c, material, rows, terms)) return terms;
    if (std::isfinite(material.stiffness)) {
      const Spring s = spring(in, c.gap, material.stiffness, material.damping);
      terms.reference = s.reference, terms.compliance = s.compliance;
      terms.present = closes || !(c.gap > 0.0);
    } else {
      terms.reference = drift_reference(in, c.gap);
    }
    terms.rebounds = closes && may_rebound(in, c, material, rows);
    if (terms.rebounds) terms.reference = rebound(material, rows, terms.reference);
    return terms;
  };
  assemble_contacts(in, Touch::midpoint, rule, out);
  assemble_joints(in, out);
}

void assemble_joints(const AssembleInput& in, Assembly& out) {
  const RowContext context{in.layout, in.kinematics, in.v, in.z};
  add_loop_blocks(in, context, out);
  add_coupling_blocks(in, context, out);
  add_tree_joint_blocks(in, context, out);
  add_cut_joint_blocks(in, context, out);
  add_tendon_blocks(in, context, out);
  out.islands.find(in.layout, static_cast<int>(in.world.trees.size()), out.rows);
  soften_redundant_loops(in, out);
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
    const PairMaterial& material = material_of(in.world, c);
    if (!(may_rebound(in, c, material, rows) && lambda_normal > 0.0)) continue;
    const double reference = rebound(material, rows, spec.reference);
    spec.g[n] += spec.reference - reference;
    spec.reference = reference;
    spec.armed = any = true;
  }
  return any;
}

}  // namespace stiction
