// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/step/core/open_contacts.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr double kApproach = 1e-10;  // slower approaches are round-off [m/s]

bool sleeps(const BlockSpec& spec) {
  const BlockKind kind = spec.block.kind;
  if (kind != BlockKind::coulomb && kind != BlockKind::unilateral) return false;
  const int n = spec.block.size;
  return spec.g[n - 1] >= 0.0 && std::all_of(spec.guess, spec.guess + n, [](double x) { return x == 0.0; });
}

}  // namespace

int put_awake_first(int island, Assembly& assembly) {
  Islands& islands = assembly.islands;
  const auto first = islands.block.begin() + islands.start[island];
  const auto last = islands.block.begin() + islands.start[island + 1];
  const auto awake = [&](int block) { return !sleeps(assembly.specs[block]); };
  if (std::all_of(first, last, awake)) return static_cast<int>(last - first);
  // stable, without the memory that std::stable_partition asks for: the order among each kind is that of the blocks
  std::partition(first, last, awake);
  const auto middle = std::find_if_not(first, last, awake);
  std::sort(first, middle), std::sort(middle, last);
  return static_cast<int>(middle - first);
}

int wake(const Layout& layout, int island, int awake, Workspace& work) {
  Assembly& a = work.assembly;
  const int first = a.islands.start[island], last = a.islands.start[island + 1];
  if (first + awake == last) return 0;
  work.product.assign(static_cast<int>(work.v.size()), 0.0);
  int row = 0, more = 0;
  for (int k = first; k < first + awake; ++k) {
    const int i = a.islands.block[k];
    add_impulse(layout, a.rows, a.rows.blocks[i], work.lambda.data() + row, work.product.data());
    std::copy_n(work.lambda.data() + row, a.rows.blocks[i].rows, a.specs[i].guess);
    row += a.rows.blocks[i].rows;
  }
  for (int k = first + awake; k < last; ++k) {
    const int i = a.islands.block[k], n = a.rows.blocks[i].rows;
    double u[3];
    apply_rows(layout, a.rows, a.rows.blocks[i], work.product.data(), u);
    for (int r = 0; r < n; ++r) work.lambda.push_back(0.0);
    if (a.specs[i].g[n - 1] + u[n - 1] < -kApproach)
      std::swap(a.islands.block[k], a.islands.block[first + awake + more]), ++more;
  }
  return more;
}

}  // namespace stiction
