// SPDX-License-Identifier: BSD-2-Clause
// Eigenvalues and eigenvectors of a symmetric 3 x 3 matrix, such as the moments and axes of an inertia. Eigen's solver, compiled once:
// every file that calls it directly takes seconds longer to compile.
#pragma once

#include <stiction/base/types.h>

namespace stiction {

struct PrincipalAxes {
  Vec3 moments;  // ascending
  Mat3 axes;     // columns, of length one; their determinant may be -1
};

PrincipalAxes principal_axes(const Mat3& symmetric);
Vec3 principal_moments(const Mat3& symmetric);  // ascending

}  // namespace stiction
