// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/step/core/bounded_correction.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr double kLever = 3.0;  // of (2): how much faster than its contacts a body may become

double& account(const BlockSpec& spec, IslandEnergy& e) {
  if (spec.source == RowSource::motor) return e.motors;
  return spec.compliance > 0.0 && !spec.redundant ? e.springs : e.work;
}

}  // namespace

IslandEnergy island_energy(const StepContext& c, int island) {
  Workspace& work = c.work;
  const Islands& islands = work.assembly.islands;
  work.product.assign(work.lambda.size(), 0.0);  // blocks that sleep are behind those of the problem
  work.problem.G.multiply(work.lambda.data(), work.product.data(), work.scratch);
  IslandEnergy out;
  int row = 0;
  for (int k = islands.start[island]; k < islands.start[island + 1]; ++k) {
    const RowBlock& rows = work.assembly.rows.blocks[islands.block[k]];
    const BlockSpec& spec = work.assembly.specs[islands.block[k]];
    double done = 0.0, lifted = 0.0;
    for (int r = 0; r < rows.rows; ++r, ++row) {
      const double lambda = work.lambda[row], change = work.product[row];
      done += lambda * (rows.free[r] + 0.5 * change);
      lifted += 0.5 * lambda * (rows.before[r] + rows.free[r] + change);
      out.exchanged += std::abs(lambda * rows.free[r]) + 0.5 * std::abs(lambda * change);
      out.slope += lambda * rows.free[r], out.curvature += lambda * change;
      const double wanted = rows.free[r] - spec.g[r];
      if (spec.compliance > 0.0 && !spec.redundant) out.held += 0.5 * wanted * wanted / spec.compliance;
    }
    account(spec, out) += done;
    if (spec.source != RowSource::torsion) out.given += std::max(0.0, lifted);
  }
  return out;
}

double correction_energy(const StepContext& c, int island) {
  Workspace& work = c.work;
  const Islands& islands = work.assembly.islands;
  double speed = 0.0, mass = 0.0;
  for (int k = islands.start[island]; k < islands.start[island + 1]; ++k)
    for (const double x : work.assembly.specs[islands.block[k]].correction) speed = std::max(speed, std::abs(x));
  if (speed == 0.0) return 0.0;
  // trees that several blocks touch count once: the trees of an island are marked by its first block that names them
  for (int k = islands.start[island]; k < islands.start[island + 1]; ++k) {
    const RowBlock& rows = work.assembly.rows.blocks[islands.block[k]];
    for (int s = 0; s < rows.sides; ++s) {
      const int tree = c.model.layout.bodies[rows.side[s].body].tree;
      if (work.counted[tree] != 0) continue;
      work.counted[tree] = 1, mass += work.tree_mass[tree];
    }
  }
  for (int k = islands.start[island]; k < islands.start[island + 1]; ++k) {
    const RowBlock& rows = work.assembly.rows.blocks[islands.block[k]];
    for (int s = 0; s < rows.sides; ++s) work.counted[c.model.layout.bodies[rows.side[s].body].tree] = 0;
  }
  return 0.5 * mass * kLever * kLever * speed * speed;
}

std::uint32_t pause_of(const StepContext& c, int island) {
  const Assembly& a = c.work.assembly;
  std::uint32_t longest = 0;
  for (int k = a.islands.start[island]; k < a.islands.start[island + 1]; ++k) {
    const BlockSpec& spec = a.specs[a.islands.block[k]];
    if (spec.source == RowSource::contact)
      longest = std::max(longest, (c.work.contacts[spec.index].flags & kPauseBits) >> kPauseShift);
  }
  return longest;
}

void set_pause(const StepContext& c, int island, std::uint32_t steps) {
  const Assembly& a = c.work.assembly;
  for (int k = a.islands.start[island]; k < a.islands.start[island + 1]; ++k) {
    const BlockSpec& spec = a.specs[a.islands.block[k]];
    if (spec.source != RowSource::contact) continue;
    std::uint32_t& flags = c.work.contacts[spec.index].flags;
    flags = (flags & ~kPauseBits) | (steps << kPauseShift);
  }
}

void share_corrections(int island, double was, double share, Assembly& assembly) {
  for (int k = assembly.islands.start[island]; k < assembly.islands.start[island + 1]; ++k) {
    BlockSpec& spec = assembly.specs[assembly.islands.block[k]];
    for (int r = 0; r < spec.block.size; ++r) spec.g[r] += (was - share) * spec.correction[r];
  }
}

}  // namespace stiction
