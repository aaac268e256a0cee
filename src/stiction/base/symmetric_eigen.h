// SPDX-License-Identifier: BSD-2-Clause
// Eigenvalues and eigenvectors of symmetric matrices of any size. Eigen's solver, compiled once: every file that calls it directly takes
// ten seconds longer to compile. 3 x 3 matrices: principal_axes.h.
#pragma once

#include <stiction/base/types.h>

namespace stiction {

struct SymmetricEigen {
  Vec values;   // ascending
  Mat vectors;  // columns, of length one
};

SymmetricEigen symmetric_eigen(const Mat& symmetric);  // reads the lower triangle
SymmetricEigen tridiagonal_eigen(const Vec& diagonal, const Vec& below);

}  // namespace stiction
