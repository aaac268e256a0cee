// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/contact/match.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// Rows T1, T2, N, where T1 is t1 made tangential.
Mat3 frame_along(const Vec3& t1, const Vec3& normal) {
  const Vec3 t2 = normal.cross(t1).normalized();
  Mat3 frame;
  frame.row(0) = t2.cross(normal), frame.row(1) = t2, frame.row(2) = normal;
  return frame;
}

void recall(const ContactRecord& record, Contact& c) {
  c.known = true;
  c.flags = record.flags;
  std::copy(record.force, record.force + 3, c.force);
  c.frame = transported_frame(Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(record.frame), c.normal);
}

}  // namespace

Mat3 fresh_frame(const Vec3& normal, const Mat3& axes) {
  Vec3 t1 = axes.col(0);
  if (std::abs(t1.dot(normal)) > 0.99) t1 = axes.col(1);
  return frame_along(t1, normal);
}

Mat3 transported_frame(const Mat3& old, const Vec3& normal) {
  const Vec3 n = old.row(2);
  if (n == normal) return old;
  const double c = n.dot(normal);
  Vec3 t1 = old.row(0);
  if (c > -0.999) {
    const Vec3 axis = n.cross(normal);
    t1 += axis.cross(t1) + axis.cross(axis.cross(t1)) / (1.0 + c);
  }
  return frame_along(t1, normal);
}

void match(const Layout& layout, const Kinematics& k, const std::vector<ContactRecord>& memory,
           std::vector<Contact>& contacts) {
  auto record = memory.begin();
  for (Contact& c : contacts) {
    while (record != memory.end() && record->key < c.key) ++record;  // purged: not seen in this step
    if (record != memory.end() && record->key == c.key) {
      recall(*record, c);
      continue;
    }
    c.known = false;
    c.flags = kOpen | kStuck;
    std::fill(c.force, c.force + 3, 0.0);
    const Mat3 axes = c.a == kWorldBody ? Mat3(Mat3::Identity()) : k.pose(layout, c.a).rotation;
    c.frame = fresh_frame(c.normal, axes);
  }
}

}  // namespace stiction
