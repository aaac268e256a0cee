// SPDX-License-Identifier: BSD-2-Clause
// Functions of a symmetric matrix applied to a few vectors, by its modes but without its eigenvectors:
//   A = H T Hᵀ,  T tridiagonal, H of n − 2 reflections;   T = R Θ Rᵀ,  R of rotations;   Q = HR                     (1)
// Reflections and rotations are applied to the vectors as they arise (into the modes) and backwards later (out).
// T by Householder's reduction, Θ by implicit QR steps with Wilkinson's shift. Eigenvalues are right to round-off of
// the largest one; they come in no order.
// Nothing is allocated once a size has been seen (Eigen's solver takes heap above 48 rows even if kept per size): the
// list of rotations has room for 2n² + 8n, about twice what is needed, and would grow beyond that.
// Fails: a matrix that is not finite gives NaN. After 30n steps (not seen) the eigenvalues are left as they are.
// Reference: Golub, Van Loan, Matrix Computations, sections 8.3.1 to 8.3.5.
#pragma once

#include <vector>

namespace stiction {

class SymmetricModes {
 public:
  // The modes of a (n × n, both triangles given, destroyed); y ← Qᵀy for four vectors, y_{4i + c} entry i of vector c.
  void enter(int n, double* a, double* y);
  const double* eigenvalues() const { return diagonal_.data(); }
  // y ← Qy for two vectors, y_{2i + c} entry i of vector c.
  void leave(double* y) const;

 private:
  struct Rotation {
    int row;  // turns rows `row` and `row` + 1
    double c, s;
  };
  void resize(int n);
  void reduce(double* a, double* y);
  void isolate(double* y);
  void step(int first, int last, double* y);

  int n_ = 0;
  std::vector<double> diagonal_, side_;      // of T, then of Θ
  std::vector<double> reflections_, scale_;  // v in column k below the diagonal, 2/‖v‖²
  std::vector<double> work_;
  std::vector<Rotation> rotations_;
};

}  // namespace stiction
