// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/step/core/bounded_correction.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kYield = 0.01;  // compliance of overlaps that yield, times the island's mass
constexpr double kLever = 3.0;   // of (2): how much faster than its contacts a body may become

bool gives_back(const BlockSpec& spec) { return is_motor(spec.source) || (spec.compliance > 0.0 && !spec.redundant); }

double& account(const BlockSpec& spec, IslandEnergy& e) {
  if (is_motor(spec.source)) return e.motors;
  return spec.compliance > 0.0 && !spec.redundant ? e.springs : e.work;
}

// A rigid contact or limit that is corrected.
bool overlaps(const BlockSpec& spec) {
  return (spec.source == RowSource::contact || spec.source == RowSource::limit ||
          spec.source == RowSource::tendon_limit) &&
         spec.correction[spec.block.size - 1] > 0.0 && (spec.compliance == 0.0 || spec.redundant);
}

double fastest_correction(const StepContext& c, int island) {
  const Assembly& a = c.work.assembly;
  double speed = 0.0;
  for (int k = a.islands.start[island]; k < a.islands.start[island + 1]; ++k)
    for (const double x : a.specs[a.islands.block[k]].correction) speed = std::max(speed, std::abs(x));
  return speed;
}

// Of the island's trees. Those that several blocks touch count once: they are marked by the first block that names them.
double island_mass(const StepContext& c, int island) {
  const Workspace& work = c.work;
  std::vector<char>& counted = c.own().counted;
  const Islands& islands = work.assembly.islands;
  double mass = 0.0;
  for (int k = islands.start[island]; k < islands.start[island + 1]; ++k) {
    const RowBlock& rows = work.assembly.rows.blocks[islands.block[k]];
    for (int s = 0; s < rows.sides; ++s) {
      const int tree = c.model.layout.bodies[rows.side[s].body].tree;
      if (counted[tree] != 0) continue;
      counted[tree] = 1, mass += work.tree_mass[tree];
    }
  }
  for (int k = islands.start[island]; k < islands.start[island + 1]; ++k) {
    const RowBlock& rows = work.assembly.rows.blocks[islands.block[k]];
    for (int s = 0; s < rows.sides; ++s) counted[c.model.layout.bodies[rows.side[s].body].tree] = 0;
  }
  return mass;
}

}  // namespace

IslandEnergy island_energy(const StepContext& c, int island) {
  const Workspace& work = c.work;
  IslandScratch& own = c.own();
  const Islands& islands = work.assembly.islands;
  own.product.assign(own.lambda.size(), 0.0);  // blocks that sleep are behind those of the problem
  own.problem.G.multiply(own.lambda.data(), own.product.data(), own.scratch);
  IslandEnergy out;
  int row = 0;
  for (int k = islands.start[island]; k < islands.start[island + 1]; ++k) {
    const RowBlock& rows = work.assembly.rows.blocks[islands.block[k]];
    const BlockSpec& spec = work.assembly.specs[islands.block[k]];
    double done = 0.0, lifted = 0.0;
    for (int r = 0; r < rows.rows; ++r, ++row) {
      const double lambda = own.lambda[row], change = own.product[row];
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
  const double speed = fastest_correction(c, island);
  return speed == 0.0 ? 0.0 : 0.5 * island_mass(c, island) * kLever * kLever * speed * speed;
}

double moving_impulse(const StepContext& c, int island) {
  const Assembly& a = c.work.assembly;
  double speed = 0.0;
  for (int k = a.islands.start[island]; k < a.islands.start[island + 1]; ++k) {
    const RowBlock& rows = a.rows.blocks[a.islands.block[k]];
    if (a.specs[a.islands.block[k]].source != RowSource::contact) continue;
    for (int r = 0; r < rows.rows; ++r) speed = std::max(speed, std::abs(rows.free[r]));
  }
  return island_mass(c, island) * (fastest_correction(c, island) + speed);
}

double largest_impulse(const StepContext& c, int island) {
  const Assembly& a = c.work.assembly;
  double largest = 0.0;
  int row = 0;
  for (int k = a.islands.start[island]; k < a.islands.start[island + 1]; ++k) {
    const int block = a.islands.block[k], rows = a.rows.blocks[block].rows;
    row += rows;
    if (a.specs[block].source == RowSource::contact) largest = std::max(largest, c.own().lambda[row - 1]);
  }
  return largest;
}

void set_yield(const StepContext& c, int island, bool yields) {
  Assembly& a = c.work.assembly;
  const double compliance = yields ? kYield / island_mass(c, island) : 0.0;
  for (int k = a.islands.start[island]; k < a.islands.start[island + 1]; ++k) {
    BlockSpec& spec = a.specs[a.islands.block[k]];
    if (overlaps(spec)) spec.compliance = compliance, spec.redundant = yields;
  }
}

void keep_impulses(const StepContext& c, int island) {
  IslandScratch& own = c.own();
  const Assembly& a = c.work.assembly;
  own.kept.resize(kMostRows * static_cast<int>(a.specs.size()));
  int row = 0;
  for (int k = a.islands.start[island]; k < a.islands.start[island + 1]; ++k) {
    const int block = a.islands.block[k];
    for (int r = 0; r < a.rows.blocks[block].rows; ++r) own.kept[kMostRows * block + r] = own.lambda[row++];
  }
}

void put_impulses_back(const StepContext& c, int island) {
  IslandScratch& own = c.own();
  const Assembly& a = c.work.assembly;
  int row = 0;
  for (int k = a.islands.start[island]; k < a.islands.start[island + 1]; ++k) {
    const int block = a.islands.block[k];
    for (int r = 0; r < a.rows.blocks[block].rows; ++r) own.lambda[row++] = own.kept[kMostRows * block + r];
  }
}

double stored_energy(const StepContext& c, int island) {
  const Assembly& a = c.work.assembly;
  const auto first = a.islands.block.begin() + a.islands.start[island];
  const auto last = a.islands.block.begin() + a.islands.start[island + 1];
  const bool any = std::any_of(first, last, [&](int block) { return gives_back(a.specs[block]); });
  if (!any) return 0.0;
  const IslandEnergy energy = island_energy(c, island);
  return std::abs(energy.motors) + std::abs(energy.springs);
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

void pause_longer(const StepContext& c, int island) {
  const Assembly& a = c.work.assembly;
  const auto flags = [&](int k) -> std::uint32_t* {
    const BlockSpec& spec = a.specs[a.islands.block[k]];
    return spec.source == RowSource::contact ? &c.work.contacts[spec.index].flags : nullptr;
  };
  std::uint32_t fails = 0;
  for (int k = a.islands.start[island]; k < a.islands.start[island + 1]; ++k)
    if (const std::uint32_t* f = flags(k)) fails = std::max(fails, (*f & kFailBits) >> kFailShift);
  const std::uint32_t next = std::min(fails + 1, kFailBits >> kFailShift);
  for (int k = a.islands.start[island]; k < a.islands.start[island + 1]; ++k)
    if (std::uint32_t* f = flags(k)) *f = (*f & ~kFailBits) | (next << kFailShift);
  set_pause(c, island, std::min(kPause << fails, kLongestPause));
}

void forget_pauses(const StepContext& c, int island) {
  const Assembly& a = c.work.assembly;
  for (int k = a.islands.start[island]; k < a.islands.start[island + 1]; ++k) {
    const BlockSpec& spec = a.specs[a.islands.block[k]];
    if (spec.source == RowSource::contact) c.work.contacts[spec.index].flags &= ~kFailBits;
  }
}

void share_corrections(int island, double was, double share, Assembly& assembly) {
  for (int k = assembly.islands.start[island]; k < assembly.islands.start[island + 1]; ++k) {
    BlockSpec& spec = assembly.specs[assembly.islands.block[k]];
    for (int r = 0; r < spec.block.size; ++r) spec.g[r] += (was - share) * spec.correction[r];
  }
}

}  // namespace stiction
