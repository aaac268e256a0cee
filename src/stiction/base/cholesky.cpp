// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/cholesky.h>

#include <Eigen/Cholesky>

namespace stiction {

bool factor_in_place(MatInPlace A) { return Eigen::LLT<MatInPlace>(A).info() == Eigen::Success; }

void solve_lower(const Mat& L, Mat& B) { L.triangularView<Eigen::Lower>().solveInPlace(B); }
void solve_lower(const Mat& L, Vec& b) { L.triangularView<Eigen::Lower>().solveInPlace(b); }

void solve_factored(const Eigen::Ref<const Mat>& L, VecInPlace b) {
  L.triangularView<Eigen::Lower>().solveInPlace(b);
  L.transpose().triangularView<Eigen::Upper>().solveInPlace(b);
}

Mat inverse_of_positive(const Mat& A) {
  Mat L = A, inverse = Mat::Identity(A.rows(), A.cols());
  factor_in_place(L);
  L.triangularView<Eigen::Lower>().solveInPlace(inverse);
  L.transpose().triangularView<Eigen::Upper>().solveInPlace(inverse);
  return inverse;
}

}  // namespace stiction
