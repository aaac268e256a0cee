// SPDX-License-Identifier: BSD-2-Clause
// A sparse matrix of dense blocks over groups of unknowns, symmetric in its pattern, factorised in place.
//
//   A = L Lᵀ   (symmetric values)      or      A = L U   (any values; rows are exchanged inside diagonal blocks only)
//
// Groups are eliminated in minimum-degree order (ties: least fill, then lowest number), found on bit rows of the
// elimination graph. The order depends on the pattern alone, so that keeping it between calls changes no bit.
// The lower blocks are stored column by column; U is stored transposed on the same pattern, so that one kernel,
// C −= A Bᵀ, serves both factorisations.
// Reference: George, Liu 1981. Failure mode: a singular diagonal block (never for I + PSD): factor() says false.
#pragma once

#include <stiction/base/growing.h>

#include <cstdint>
#include <vector>

namespace stiction {

class BlockFactor {
 public:
  // Pattern: begin, then connect every coupled pair, then finish. finish() reuses the last analysis if nothing changed.
  void begin_pattern(const std::vector<int>& group_start);
  void connect(int a, int b);
  void finish_pattern();

  // Values. Groups a ≠ b: `lower_block(a, b)` is the place of A_ab if a is eliminated after b.
  int position(int group) const { return position_[group]; }
  int group_size(int group) const { return group_start_[group + 1] - group_start_[group]; }
  int find_block(int later_group, int earlier_group) const;  // number of the off-diagonal block
  double* diagonal(int group) { return diagonal_.data() + diagonal_start_[position(group)]; }  // column-major
  double* lower(int block) { return lower_.data() + value_start_[block]; }  // A(later, earlier), column-major
  double* upper(int block) { return upper_.data() + value_start_[block]; }  // A(earlier, later)ᵀ, column-major
  void set_identity(bool with_upper);

  bool factor_cholesky();
  bool factor_lu();
  void solve(double* x);  // x ← A⁻¹ x with the last factorisation

  int blocks() const { return static_cast<int>(row_.size()); }  // off-diagonal blocks of the factor
  double work() const { return work_; }                         // multiply-adds of a symmetric factorisation

 private:
  int groups() const { return static_cast<int>(group_start_.size()) - 1; }
  int size_at(int pos) const { return group_size(order_[pos]); }
  void order_groups();
  void lay_out();
  void update_column(int k, bool with_upper);
  int least_fill(int degree) const;

  std::vector<int> group_start_, pattern_start_;      // current pattern and the one analysed last
  std::vector<std::uint64_t> graph_, pattern_graph_;  // bit rows: adjacency
  std::vector<std::uint64_t> work_graph_;
  int words_ = 0;
  std::vector<int> order_, position_, degree_;
  std::vector<int> column_start_, row_, value_start_, diagonal_start_;  // rows are positions, ascending
  std::vector<double> diagonal_, lower_, upper_;
  std::vector<int> pivot_;  // rows exchanged inside diagonal blocks
  double work_ = 0.0;
  bool unsymmetric_ = false;
};

}  // namespace stiction
