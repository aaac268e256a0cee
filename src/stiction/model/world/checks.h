// SPDX-License-Identifier: BSD-2-Clause
// Checks at the public edge. Each throws InvalidInput naming the field, the value found and the value wanted.
#pragma once

#include <stiction/model/world/world.h>

#include <string>

namespace stiction {

std::string text(double x);       // shortest form that reads back as the same number
std::string text(const Vec3& x);  // "(x, y, z)"

void check_finite(const std::string& field, double x);
void check_finite(const std::string& field, const Vec3& x);
void check_positive(const std::string& field, double x);      // finite and > 0
void check_not_negative(const std::string& field, double x);  // finite and ≥ 0
// > 0, infinity allowed (rigid).
void check_stiffness(const std::string& field, double x);
// Finite and of unit length within 1e-3; returned normalised.
Quat checked_rotation(const std::string& field, const Quat& q);
// Finite and orthonormal within 1e-6, right-handed.
void check_pose(const std::string& field, const Pose& pose);
// Symmetric and positive definite. Returns a warning if no mass distribution has this inertia (a principal moment larger
// than the sum of the two others by more than 1 %), else "".
std::string check_inertia(const std::string& field, const Mat3& inertia);
void check_index(const std::string& field, int i, int size);  // 0 ≤ i < size

}  // namespace stiction
