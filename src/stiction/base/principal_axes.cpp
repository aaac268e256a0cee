// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/principal_axes.h>

#include <Eigen/Eigenvalues>

namespace stiction {

PrincipalAxes principal_axes(const Mat3& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vec3 principal_moments(const Mat3& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace stiction
