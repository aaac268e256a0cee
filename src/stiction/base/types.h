// SPDX-License-Identifier: BSD-2-Clause
// Vector types that every module shares. SI units, radians, z up.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>

namespace stiction {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat2 = Eigen::Matrix2d;
using Mat3 = Eigen::Matrix3d;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using Quat = Eigen::Quaterniond;  // (x, y, z, w) in memory, as in Pinocchio
using Vec = Eigen::VectorXd;
using Mat = Eigen::MatrixXd;           // column-major
using VecRef = Eigen::Ref<const Vec>;  // read-only vector argument
using VecOut = Eigen::Ref<Vec>;        // vector that is written to

// The wheels of Pinocchio and Coal are built for baseline x86-64; wider flags in any file that sees their types crash
// at run time (docs/decisions/002-baseline-flags.md).
static_assert(EIGEN_DEFAULT_ALIGN_BYTES == 16,
              "compile stiction with baseline x86-64 flags (no -march=native, no -mavx)");

// Rigid placement: x_parent = rotation * x_child + translation.
struct Pose {
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();  // [m]

  Vec3 operator*(const Vec3& x) const { return rotation * x + translation; }
  Pose operator*(const Pose& b) const { return {rotation * b.rotation, rotation * b.translation + translation}; }
  Pose inverse() const { return {rotation.transpose(), -(rotation.transpose() * translation)}; }
};

}  // namespace stiction
