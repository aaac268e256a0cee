// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/base/principal_axes.h>
#include <stiction/model/world/checks.h>

#include <charconv>
#include <cmath>

namespace stiction {

std::string text(double x) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return {buffer, end};
}

std::string text(const Vec3& x) {
  std::string out(1, '(');
  out.append(text(x.x())).append(", ").append(text(x.y())).append(", ").append(text(x.z())).append(1, ')');
  return out;
}

void check_finite(const std::string& field, double x) {
  if (!std::isfinite(x)) throw InvalidInput(field + " is " + text(x) + ", expected a finite number");
}

void check_finite(const std::string& field, const Vec3& x) {
  if (!x.allFinite()) throw InvalidInput(field + " is " + text(x) + ", expected finite numbers");
}

void check_positive(const std::string& field, double x) {
  if (!(std::isfinite(x) && x > 0.0)) throw InvalidInput(field + " is " + text(x) + ", expected a number > 0");
}

void check_not_negative(const std::string& field, double x) {
  if (!(std::isfinite(x) && x >= 0.0)) throw InvalidInput(field + " is " + text(x) + ", expected a number >= 0");
}

void check_stiffness(const std::string& field, double x) {
  if (!(x > 0.0)) throw InvalidInput(field + " is " + text(x) + ", expected a number > 0 (infinity is rigid)");
}

Quat checked_rotation(const std::string& field, const Quat& q) {
  const double n = q.norm();
  if (!(std::abs(n - 1.0) <= 1e-3))
    throw InvalidInput(field + " (x, y, z, w) = (" + text(q.x()) + ", " + text(q.y()) + ", " + text(q.z()) + ", " +
                       text(q.w()) + ") has length " + text(n) + ", expected a unit quaternion");
  return std::abs(q.squaredNorm() - 1.0) <= 1e-15 ? q : q.normalized();
}

void check_pose(const std::string& field, const Pose& pose) {
  check_finite(field + ".translation", pose.translation);
  const double error = (pose.rotation.transpose() * pose.rotation - Mat3::Identity()).cwiseAbs().maxCoeff();
  if (!(error <= 1e-6 && pose.rotation.determinant() > 0.0))
    throw InvalidInput(field + ".rotation is not a rotation matrix: |RᵀR − I| = " + text(error) + ", determinant " +
                       text(pose.rotation.determinant()));
}

std::string check_inertia(const std::string& field, const Mat3& inertia) {
  if (!inertia.allFinite()) throw InvalidInput(field + " has an entry that is not finite");
  const double scale = inertia.cwiseAbs().maxCoeff();
  if (!((inertia - inertia.transpose()).cwiseAbs().maxCoeff() <= 1e-9 * scale))
    throw InvalidInput(field + " is not symmetric, expected a symmetric positive definite matrix");
  const Vec3 moments = principal_moments(inertia);
  if (!(moments.x() > 1e-12 * scale))
    throw InvalidInput(field + " has principal moments " + text(moments) +
                       " kg m^2, expected all of them > 0 (positive definite)");
  if (moments.z() <= 1.01 * (moments.x() + moments.y())) return "";
  return field + " has principal moments " + text(moments) +
         " kg m^2: no solid body has them (the largest exceeds the sum of the two others); used as they are";
}

void check_index(const std::string& field, int i, int size) {
  if (i < 0 || i >= size)
    throw InvalidInput(field + " is " + std::to_string(i) + ", expected an index from 0 to " +
                       std::to_string(size - 1));
}

}  // namespace stiction
