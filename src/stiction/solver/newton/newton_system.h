// SPDX-License-Identifier: BSD-2-Clause
// The linear systems of Alart–Curnier Newton in contact space: W = G + R, and
//   [ D diag(ρ) (W + αI) + I − D ] d = −F                                      D: the slopes of the blocks
// solved densely over the rows that are not open (Cholesky while nothing slips and G is symmetric, else LU), or, for a
// large sparse G, by block LU on the contact graph. Rows are divided by ρ, so that pivots compare like with like.
// A singular or overflowing system is solved again with more damping in the matrix (a modified Newton step).
#pragma once

#include <stiction/solver/linalg/graph_factor.h>
#include <stiction/solver/local/alart_curnier.h>

#include <vector>

namespace stiction {

class NewtonSystem {
 public:
  // Copies W. Dense storage, or few rows: a dense copy; large block-sparse G: the block graph.
  void load(const ContactProblem& problem);
  void multiply(const double* x, double* y) const;                                   // y = W x
  void multiply_block(const Block& block, int i, const double* x, double* y) const;  // its rows of W x
  // d from the slopes, ρ, α and F; false if no finite solution was found.
  bool solve(const ContactProblem& problem, const std::vector<ContactSlope>& slopes, const double* rho, double alpha,
             const double* F, double* d);
  double scale() const { return scale_; }  // mean diagonal of W
  int factorisations() const { return factorisations_; }
  bool sparse() const { return sparse_; }

 private:
  bool solve_dense(const ContactProblem& problem, const std::vector<ContactSlope>& slopes, const double* rho,
                   double alpha, const double* F, double* d);
  bool solve_sparse(const ContactProblem& problem, const std::vector<ContactSlope>& slopes, const double* rho,
                    double alpha, const double* F, double* d);
  void write_row_block(const Block& block, const ContactSlope& slope, const double* rho, double alpha);
  void write_sparse_block(const ContactProblem& problem, int i, int entry, const ContactSlope& slope, const double* rho,
                          double alpha);

  const ContactProblem* problem_ = nullptr;  // of the last load(); sparse products read it
  std::vector<double> W_, J_;                // row-major
  std::vector<int> pivot_;
  std::vector<int> active_;  // rows that are not decided by their own block
  GraphFactor graph_;
  GrowingVec rhs_, pull_, image_, scratch_;
  double scale_ = 1.0;
  int rows_ = 0, factorisations_ = 0;
  bool sparse_ = false;
};

}  // namespace stiction
