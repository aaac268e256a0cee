// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/symmetric_eigen.h>

#include <Eigen/Eigenvalues>

namespace stiction {

SymmetricEigen symmetric_eigen(const Mat& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Mat> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SymmetricEigen tridiagonal_eigen(const Vec& diagonal, const Vec& below) {
  Eigen::SelfAdjointEigenSolver<Mat> solver;
  solver.computeFromTridiagonal(diagonal, below);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace stiction
