// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/cone/round_cone.h>
#include <stiction/step/core/open_contacts.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kApproach = 1e-10;  // slower approaches are round-off [m/s]

// Whether a block with velocity u needs no impulse.
bool stays_open(FrictionLaw::Kind law, const Block& block, const double* u, double allowed) {
  if (block.kind == BlockKind::unilateral) return u[0] >= -allowed;
  if (block.kind == BlockKind::patch) {
    const RoundCone cone{block.mu, block.size};
    return u[block.size - 1] >= (law == FrictionLaw::convex ? cone.shift(u) : 0.0) - allowed;
  }
  return u[2] >= (law == FrictionLaw::convex ? block.mu * std::hypot(u[0], u[1]) : 0.0) - allowed;
}

bool sleeps(FrictionLaw::Kind law, const BlockSpec& spec) {
  const BlockKind kind = spec.block.kind;
  if (kind == BlockKind::bilateral || kind == BlockKind::box) return false;
  const bool new_one = std::all_of(spec.guess, spec.guess + spec.block.size, [](double x) { return x == 0.0; });
  return new_one && stays_open(law, spec.block, spec.g, 0.0);
}

// Of the bodies that a block touches.
void clear_chain(const Layout& layout, const RowBlock& rows, double* velocities) {
  for (int s = 0; s < rows.sides; ++s) {
    const int* chain = layout.chain.data() + layout.bodies[rows.side[s].body].chain;
    for (int d = 0; d < rows.side[s].length; ++d) velocities[chain[d]] = 0.0;
  }
}

}  // namespace

int put_awake_first(FrictionLaw::Kind law, int island, Assembly& assembly) {
  Islands& islands = assembly.islands;
  const auto first = islands.block.begin() + islands.start[island];
  const auto last = islands.block.begin() + islands.start[island + 1];
  const auto awake = [&](int block) { return !sleeps(law, assembly.specs[block]); };
  if (std::all_of(first, last, awake)) return static_cast<int>(last - first);
  // stable, without the memory that std::stable_partition asks for: the order among each kind is that of the blocks
  std::partition(first, last, awake);
  const auto middle = std::find_if_not(first, last, awake);
  std::sort(first, middle), std::sort(middle, last);
  return static_cast<int>(middle - first);
}

int wake(const AssembleInput& in, int island, int awake, Assembly& a, IslandScratch& own) {
  const int first = a.islands.start[island], last = a.islands.start[island + 1];
  if (first + awake == last) return 0;
  for (int k = first; k < last; ++k) clear_chain(in.layout, a.rows.blocks[a.islands.block[k]], own.pushed.data());
  int row = 0, more = 0;
  for (int k = first; k < first + awake; ++k) {
    const int i = a.islands.block[k];
    add_impulse(in.layout, a.rows, a.rows.blocks[i], own.lambda.data() + row, own.pushed.data());
    std::copy_n(own.lambda.data() + row, a.rows.blocks[i].rows, a.specs[i].guess);
    row += a.rows.blocks[i].rows;
  }
  for (int k = first + awake; k < last; ++k) {
    const int i = a.islands.block[k], n = a.rows.blocks[i].rows;
    double u[kMostRows];
    apply_rows(in.layout, a.rows, a.rows.blocks[i], own.pushed.data(), u);
    for (int r = 0; r < n; ++r) own.lambda.push_back(0.0);
    for (int r = 0; r < n; ++r) u[r] += a.specs[i].g[r];
    if (!stays_open(in.law.friction.kind, a.specs[i].block, u, kApproach))
      std::swap(a.islands.block[k], a.islands.block[first + awake + more]), ++more;
  }
  return more;
}

}  // namespace stiction
