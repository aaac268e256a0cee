// SPDX-License-Identifier: BSD-2-Clause
// The bodies behind a matrix: G = F Fᵀ with as many columns as G has rank, sparse like the H of the bodies it came from. A file
// that holds only G (FCLIB's local form) can then be solved in body space, whose Newton matrices are smaller by the ratio of
// rank to rows and have hardly any fill.
//
// Block Cholesky that stops a pivot at its rank:  S = G;  pick the contact with fewest neighbours,  S_ii = L Lᵀ (pivoted, k columns),
//   F_j = S_ji L⁺ᵀ,   S_jl ← S_jl − F_j F_lᵀ   for all neighbours j, l;   entries of S at round-off are dropped.
// Two contacts with the ground exhaust the six columns of a body: what it shares with others vanishes from S, so contacts between it and a
// second body touch only that one from then on, and so forth: the pivots find the bodies. Consecutive pivots with nested neighbours
// make one group of velocities. Failure modes: too much fill, F Fᵀ ≠ G (G unsymmetric or indefinite): run() says false.
// Reference: Higham 1990 (Cholesky of semidefinite matrices); George, Liu 1981 (minimum degree).
#pragma once

#include <stiction/problem/contact_problem.h>

#include <vector>

namespace stiction {

class BodyRecovery {
 public:
  // True if problem() is the same problem with G in body space. Dense and block-sparse G.
  bool run(const ContactProblem& problem);
  ContactProblem& problem() { return out_; }

 private:
  struct Edge {
    int other, block;  // S(min, max) row-major at block_[block]
  };
  struct Piece {
    int pivot, first;  // values of F for one block and one pivot start at pieces_values_[first]
  };
  int size(int i) const { return start_[i + 1] - start_[i]; }
  void load(const ContactProblem& problem);
  void add_edge(int i, int j, const double* values, int row_stride, int column_stride);
  int least_connected() const;
  bool eliminate(int i);
  int factor_panel(int i);
  void update_pairs(int columns);
  int find(int i, int j) const;
  void drop_edge(int i, int j);
  bool negligible(int i, int j, const double* values) const;
  void group_pivots();
  void write(const ContactProblem& problem);
  bool reproduces(const ContactProblem& problem);

  std::vector<int> start_;
  std::vector<std::vector<Edge>> edges_;
  std::vector<double> block_, diagonal_, scale_;  // S off and on the diagonal; diagonal of G
  std::vector<int> free_blocks_, diagonal_start_;
  std::vector<char> active_;
  int largest_ = 0;
  // The panel of the pivot: its neighbours, itself last, and their columns of S, then of F.
  std::vector<int> members_, panel_start_;
  std::vector<double> panel_;
  // F, by pivots.
  std::vector<std::vector<Piece>> pieces_;
  std::vector<double> values_;
  std::vector<int> width_, group_, offset_;  // of each pivot: columns, group, first column inside the group
  std::vector<int> member_start_, member_list_, mark_;
  double fill_limit_ = 0.0;
  ContactProblem out_;
  GrowingVec x_, y_, z_, scratch_;
};

}  // namespace stiction
