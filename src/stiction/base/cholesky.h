// SPDX-License-Identifier: BSD-2-Clause
// A = L Lᵀ of a dense matrix, in place. Eigen's factorisation, compiled once: every file that calls it directly takes seconds longer to
// compile. For setting up and for files; the inner loops of solvers have their own (solver/linalg/dense_factor.h).
#pragma once

#include <stiction/base/types.h>

namespace stiction {

using MatInPlace = Eigen::Ref<Mat>;
using VecInPlace = Eigen::Ref<Vec>;

bool factor_in_place(MatInPlace A);  // reads and writes the lower triangle; false: A is not positive definite

void solve_lower(const Mat& L, Mat& B);  // B <- L⁻¹ B
void solve_lower(const Mat& L, Vec& b);

void solve_factored(const Eigen::Ref<const Mat>& L, VecInPlace b);  // b <- A⁻¹ b
Mat inverse_of_positive(const Mat& A);

}  // namespace stiction
