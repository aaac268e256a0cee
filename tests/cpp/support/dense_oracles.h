// SPDX-License-Identifier: BSD-2-Clause
// Eigen's factorisations as oracles of our own. They are compiled once: each takes three to ten seconds wherever it is called directly.
#pragma once

#include <stiction/base/types.h>

namespace stiction::test {

Mat solve_general(const Mat& A, const Mat& B);     // LU with partial pivoting
Mat solve_full_pivot(const Mat& A, const Mat& B);  // LU with full pivoting
Mat solve_symmetric(const Mat& A, const Mat& B);   // LDLᵀ
Mat inverse(const Mat& A);
Vec null_vector(const Mat& A, double threshold);                          // of unit length, with A x = 0
Vec eigenvalues(const Mat& symmetric);                                    // ascending
Mat orthogonal_factor(const Mat& A);                                      // Q of A = Q R
Vec minimum_norm_solution(const Mat& A, const Vec& b, double threshold);  // by singular values
Mat cholesky_factor(const Mat& A);                                        // L of A = L Lᵀ
Mat solve_lower(const Mat& L, const Mat& B);

}  // namespace stiction::test
