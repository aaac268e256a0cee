// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/law/redundant_loops.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kSingular = 1e-10;   // pivot over the largest diagonal of its block
constexpr double kCompliance = 1e-9;  // over the bound of the largest eigenvalue
constexpr int kMostLoopRows = 120;    // above, the factor would cost more than the solve

bool rigid_loop(const BlockSpec& spec) { return spec.source == RowSource::loop && spec.compliance == 0.0; }

// Factorises the n × n matrix in place; true if a pivot vanishes beside the diagonal of its block. Beside its own it need not: across a
// planar linkage nothing moves but by the round-off in the file's axes, and where that direction is one of the rows, G has a
// diagonal of next to nothing.
bool singular(int n, const double* largest, double* G) {
  for (int k = 0; k < n; ++k) {
    double pivot = G[k * n + k];
    for (int i = 0; i < k; ++i) pivot -= G[k * n + i] * G[k * n + i];
    if (!(pivot > kSingular * largest[k])) return true;
    const double scale = 1.0 / std::sqrt(pivot);
    G[k * n + k] = 1.0 / scale;
    for (int j = k + 1; j < n; ++j) {
      double sum = G[j * n + k];
      for (int i = 0; i < k; ++i) sum -= G[j * n + i] * G[k * n + i];
      G[j * n + k] = sum * scale;
    }
  }
  return false;
}

// G of the rigid loops among the blocks, the largest diagonal of each row's block behind it, and a bound of its largest eigenvalue:
// the largest sum of a row.
double fill_loops(const AssembleInput& in, const Assembly& assembly, const int* first, const int* last, int n,
                  std::vector<double>& G) {
  G.assign(n * n + n, 0.0);
  int row = 0;
  for (const int* i = first; i != last; ++i) {
    if (!rigid_loop(assembly.specs[*i])) continue;
    int column = 0;
    for (const int* j = first; j != last; ++j) {
      if (!rigid_loop(assembly.specs[*j])) continue;
      const RowBlock &a = assembly.rows.blocks[*i], &b = assembly.rows.blocks[*j];
      delassus_block(in.layout, assembly.rows, a, b, G.data() + row * n + column, n);
      column += b.rows;
    }
    const int rows = assembly.rows.blocks[*i].rows;
    double largest = 0.0;
    for (int r = row; r < row + rows; ++r) largest = std::max(largest, G[r * n + r]);
    std::fill_n(G.begin() + n * n + row, rows, largest);
    row += rows;
  }
  double bound = 0.0;
  for (int r = 0; r < n; ++r) {
    double sum = 0.0;
    for (int c = 0; c < n; ++c) sum += std::abs(G[r * n + c]);
    bound = std::max(bound, sum);
  }
  return bound;
}

}  // namespace

void soften_redundant_loops(const AssembleInput& in, Assembly& out) {
  if (in.world.loops.empty() || !in.world.cuts.empty()) return;  // joints that were cut form trees: independent
  for (int island = 0; island < out.islands.count(); ++island) {
    const int* first = out.islands.block.data() + out.islands.start[island];
    const int* last = out.islands.block.data() + out.islands.start[island + 1];
    int rows = 0;
    for (const int* b = first; b != last; ++b)
      if (rigid_loop(out.specs[*b])) rows += out.rows.blocks[*b].rows;
    if (rows < 2 || rows > kMostLoopRows) continue;
    const double bound = fill_loops(in, out, first, last, rows, out.loop_matrix);
    if (!singular(rows, out.loop_matrix.data() + rows * rows, out.loop_matrix.data())) continue;
    for (const int* b = first; b != last; ++b)
      if (rigid_loop(out.specs[*b])) out.specs[*b].compliance = kCompliance * bound, out.specs[*b].redundant = true;
  }
}

}  // namespace stiction
