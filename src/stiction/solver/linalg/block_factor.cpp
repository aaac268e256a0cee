// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/linalg/block_factor.h>
#include <stiction/solver/linalg/block_kernels.h>

#include <algorithm>
#include <bit>

namespace stiction {

void BlockFactor::begin_pattern(const std::vector<int>& group_start) {
  group_start_.assign(group_start.begin(), group_start.end());
  words_ = (groups() + 63) / 64;
  graph_.assign(groups() * words_, 0);
}

void BlockFactor::connect(int a, int b) {
  if (a == b) return;
  graph_[a * words_ + (b / 64)] |= std::uint64_t{1} << (b % 64);
  graph_[b * words_ + (a / 64)] |= std::uint64_t{1} << (a % 64);
}

void BlockFactor::finish_pattern() {
  if (group_start_ == pattern_start_ && graph_ == pattern_graph_) return;
  pattern_start_.assign(group_start_.begin(), group_start_.end());
  pattern_graph_.assign(graph_.begin(), graph_.end());
  order_groups();
  lay_out();
}

// Among the groups of the given degree, the one whose elimination adds fewest edges.
int BlockFactor::least_fill(int degree) const {
  int best = -1, best_fill = 0;
  for (int k = 0; k < groups(); ++k) {
    if (degree_[k] != degree) continue;
    const std::uint64_t* adj = work_graph_.data() + k * words_;
    int common = 0;  // twice the edges that exist among the neighbours
    for (int w = 0; w < words_; ++w)
      for (std::uint64_t bits = adj[w]; bits != 0; bits &= bits - 1) {
        const int i = w * 64 + std::countr_zero(bits);
        const std::uint64_t* other = work_graph_.data() + i * words_;
        for (int v = 0; v < words_; ++v) common += std::popcount(adj[v] & other[v]);
      }
    const int fill = degree * (degree - 1) - common;
    if (best < 0 || fill < best_fill) best = k, best_fill = fill;
    if (best_fill == 0) break;
  }
  return best;
}

void BlockFactor::order_groups() {
  const int n = groups();
  constexpr int kTieLimit = 600;  // beyond it ties go to the lowest number: the search would cost more than it saves
  order_.resize(n), position_.resize(n), degree_.resize(n), column_start_.assign(n + 1, 0);
  row_.clear();
  work_graph_.assign(graph_.begin(), graph_.end());
  for (int k = 0; k < n; ++k) {
    degree_[k] = 0;
    for (int w = 0; w < words_; ++w) degree_[k] += std::popcount(work_graph_[k * words_ + w]);
  }
  for (int step = 0; step < n; ++step) {
    int k = -1;
    for (int i = 0; i < n; ++i)
      if (degree_[i] >= 0 && (k < 0 || degree_[i] < degree_[k])) k = i;
    if (n <= kTieLimit) k = least_fill(degree_[k]);
    order_[step] = k, position_[k] = step, degree_[k] = -1;
    // Its neighbours become a clique; they are the rows of its column in the factor.
    std::uint64_t* adj = work_graph_.data() + k * words_;
    for (int w = 0; w < words_; ++w)
      for (std::uint64_t bits = adj[w]; bits != 0; bits &= bits - 1) {
        const int i = w * 64 + std::countr_zero(bits);
        row_.push_back(i);
        std::uint64_t* other = work_graph_.data() + i * words_;
        for (int v = 0; v < words_; ++v) other[v] |= adj[v];
        other[i / 64] &= ~(std::uint64_t{1} << (i % 64));
        other[k / 64] &= ~(std::uint64_t{1} << (k % 64));
        degree_[i] = 0;
        for (int v = 0; v < words_; ++v) degree_[i] += std::popcount(other[v]);
      }
    column_start_[step + 1] = static_cast<int>(row_.size());
  }
}

void BlockFactor::lay_out() {
  const int n = groups();
  for (int& r : row_) r = position_[r];
  diagonal_start_.resize(n + 1), value_start_.resize(row_.size() + 1);
  int diagonal = 0, value = 0;
  work_ = 0.0;
  for (int k = 0; k < n; ++k) {
    std::sort(row_.begin() + column_start_[k], row_.begin() + column_start_[k + 1]);
    const int size = size_at(k);
    const int first = value;
    diagonal_start_[k] = diagonal;
    diagonal += size * size;
    for (int b = column_start_[k]; b < column_start_[k + 1]; ++b) {
      value_start_[b] = value;
      value += size_at(row_[b]) * size;
    }
    if (size == 0) continue;  // a tree without velocities
    const double rows = size + (value - first) / size;
    work_ += 0.5 * size * rows * rows;
  }
  diagonal_start_[n] = diagonal, value_start_[row_.size()] = value;
  diagonal_.resize(diagonal), lower_.resize(value), upper_.resize(value);
  pivot_.resize(group_start_.back());
}

int BlockFactor::find_block(int later_group, int earlier_group) const {
  const int column = position(earlier_group);
  const auto begin = row_.begin() + column_start_[column], end = row_.begin() + column_start_[column + 1];
  return static_cast<int>(std::lower_bound(begin, end, position(later_group)) - row_.begin());
}

void BlockFactor::set_identity(bool with_upper) {
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  std::fill(lower_.begin(), lower_.end(), 0.0);
  if (with_upper) std::fill(upper_.begin(), upper_.end(), 0.0);
  for (int k = 0; k < groups(); ++k) {
    double* d = diagonal_.data() + diagonal_start_[k];
    const int n = size_at(k);
    for (int i = 0; i < n; ++i) d[i * n + i] = 1.0;
  }
}

// A_ij −= L_ik U_kj for all pairs of rows of column k; the rows of column j contain those of column k beyond j.
void BlockFactor::update_column(int k, bool with_upper) {
  const int nk = size_at(k), end = column_start_[k + 1];
  for (int bj = column_start_[k]; bj < end; ++bj) {
    const int j = row_[bj], nj = size_at(j);
    const double* right_lower = lower_.data() + value_start_[bj];
    const double* right = with_upper ? upper_.data() + value_start_[bj] : right_lower;
    kernels::subtract_product(diagonal_.data() + diagonal_start_[j], right_lower, right, nj, nj, nk);
    int target = column_start_[j];
    for (int bi = bj + 1; bi < end; ++bi) {
      const int i = row_[bi], ni = size_at(i);
      while (row_[target] != i) ++target;
      const double* left = lower_.data() + value_start_[bi];
      kernels::subtract_product(lower_.data() + value_start_[target], left, right, ni, nj, nk);
      if (with_upper)
        kernels::subtract_product(upper_.data() + value_start_[target], upper_.data() + value_start_[bi], right_lower,
                                  ni, nj, nk);
    }
  }
}

bool BlockFactor::factor_cholesky() {
  unsymmetric_ = false;
  for (int k = 0; k < groups(); ++k) {
    double* d = diagonal_.data() + diagonal_start_[k];
    const int nk = size_at(k);
    if (!kernels::cholesky(d, nk)) return false;
    for (int b = column_start_[k]; b < column_start_[k + 1]; ++b)
      kernels::solve_right_lower_transposed(lower_.data() + value_start_[b], d, size_at(row_[b]), nk, false);
    update_column(k, false);
  }
  return true;
}

bool BlockFactor::factor_lu() {
  unsymmetric_ = true;
  for (int k = 0; k < groups(); ++k) {
    double* d = diagonal_.data() + diagonal_start_[k];
    int* pivot = pivot_.data() + group_start_[order_[k]];
    const int nk = size_at(k);
    if (!kernels::lu(d, nk, pivot)) return false;
    for (int b = column_start_[k]; b < column_start_[k + 1]; ++b) {
      const int m = size_at(row_[b]);
      kernels::solve_right_upper(lower_.data() + value_start_[b], d, m, nk);
      double* up = upper_.data() + value_start_[b];
      for (int c = 0; c < nk; ++c)
        if (pivot[c] != c) std::swap_ranges(up + c * m, up + (c + 1) * m, up + pivot[c] * m);
      kernels::solve_right_lower_transposed(up, d, m, nk, true);
    }
    update_column(k, true);
  }
  return true;
}

void BlockFactor::solve(double* x) {
  for (int k = 0; k < groups(); ++k) {
    const int first = group_start_[order_[k]], nk = size_at(k);
    const double* d = diagonal_.data() + diagonal_start_[k];
    double* xk = x + first;
    if (unsymmetric_)
      for (int c = 0; c < nk; ++c) std::swap(xk[c], xk[pivot_[first + c]]);
    kernels::solve_lower(xk, d, nk, unsymmetric_);
    for (int b = column_start_[k]; b < column_start_[k + 1]; ++b) {
      const int i = row_[b];
      kernels::subtract_times(x + group_start_[order_[i]], lower_.data() + value_start_[b], xk, size_at(i), nk);
    }
  }
  const std::vector<double>& back = unsymmetric_ ? upper_ : lower_;
  for (int k = groups() - 1; k >= 0; --k) {
    const int nk = size_at(k);
    const double* d = diagonal_.data() + diagonal_start_[k];
    double* xk = x + group_start_[order_[k]];
    for (int b = column_start_[k]; b < column_start_[k + 1]; ++b) {
      const int i = row_[b];
      kernels::subtract_transposed_times(xk, back.data() + value_start_[b], x + group_start_[order_[i]], size_at(i),
                                         nk);
    }
    if (unsymmetric_)
      kernels::solve_upper(xk, d, nk);
    else
      kernels::solve_lower_transposed(xk, d, nk);
  }
}

}  // namespace stiction
