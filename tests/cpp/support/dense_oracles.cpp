// SPDX-License-Identifier: BSD-2-Clause
#include "support/dense_oracles.h"

#include <Eigen/Dense>

namespace stiction::test {

Mat solve_general(const Mat& A, const Mat& B) { return A.partialPivLu().solve(B); }

Mat solve_full_pivot(const Mat& A, const Mat& B) { return A.fullPivLu().solve(B); }

Mat solve_symmetric(const Mat& A, const Mat& B) { return A.ldlt().solve(B); }

Mat inverse(const Mat& A) { return A.inverse(); }

Vec null_vector(const Mat& A, double threshold) {
  Eigen::FullPivLU<Mat> lu(A);
  return lu.setThreshold(threshold).kernel().col(0).normalized();
}

Vec eigenvalues(const Mat& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Mat>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

Mat orthogonal_factor(const Mat& A) { return Eigen::HouseholderQR<Mat>(A).householderQ(); }

Vec minimum_norm_solution(const Mat& A, const Vec& b, double threshold) {
  Eigen::JacobiSVD<Mat> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  svd.setThreshold(threshold);
  return svd.solve(b);
}

Mat cholesky_factor(const Mat& A) { return A.llt().matrixL(); }

Mat solve_lower(const Mat& L, const Mat& B) { return L.triangularView<Eigen::Lower>().solve(B); }

}  // namespace stiction::test
