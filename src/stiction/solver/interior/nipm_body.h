// SPDX-License-Identifier: BSD-2-Clause
// A = I + HᵀPH over the whitened velocities of body space, P block-diagonal and unsymmetric, in the layout of
// Delassus::diagonal. Sparse by velocity groups (block_factor.h); the symbolic factor is kept while the graph is the same.
// Failure mode: a singular diagonal block: factor() says false.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/contact_problem.h>
#include <stiction/solver/linalg/block_factor.h>

#include <vector>

namespace stiction {

class NipmBody {
 public:
  void prepare(const ContactProblem& problem);
  bool factor(const ContactProblem& problem, const double* P);
  void solve(double* w) { factor_.solve(w); }

 private:
  void scale_rows(const BodySpace::Term& term, const double* h, const double* weight, int size);
  void add_pair(const BodySpace& body, int s, int t, int size, double* target, bool plain);

  BlockFactor factor_;
  std::vector<int> pair_;   // block of the factor for every ordered pair of terms of a block, −1 on the diagonal
  std::vector<char> full_;  // per term: it covers its whole group, 6 wide
  GrowingVec scaled_;       // P H_t
};

}  // namespace stiction
