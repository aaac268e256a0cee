// SPDX-License-Identifier: BSD-2-Clause
// How laws with a memory of points carry it along: frames are fixed to body a, and material points that met stay known in the
// frames of both bodies (State::anchors).
#pragma once

#include <stiction/dynamics/contact/match.h>
#include <stiction/model/world/state.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace stiction {

using RowMat3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

// Of a joint with dry friction, by its velocity: behind those of all contacts.
inline ContactKey dry_joint_key(int velocity) {
  return {std::numeric_limits<std::uint32_t>::max(), static_cast<std::uint32_t>(velocity), 0};
}

// The record of a contact, or none. `memory` is sorted by key.
inline const AnchorRecord* find_record(const std::vector<AnchorRecord>& memory, const ContactKey& key) {
  const auto it = std::lower_bound(memory.begin(), memory.end(), key,
                                   [](const AnchorRecord& r, const ContactKey& k) { return r.key < k; });
  return it != memory.end() && it->key == key ? &*it : nullptr;
}

// The frame of the last pass, which is fixed to body a, turned to the present normal.
inline Mat3 carried_frame(const AnchorRecord& record, const Pose& a, const Vec3& normal) {
  return transported_frame(Eigen::Map<const RowMat3>(record.frame) * a.rotation.transpose(), normal);
}

// How far the material points that met at the last pass have moved apart since: that of b against that of a.
inline Vec3 moved_apart(const AnchorRecord& record, const Pose& a, const Pose& b) {
  return b * Vec3(Eigen::Map<const Vec3>(record.point_b)) - a * Vec3(Eigen::Map<const Vec3>(record.point_a));
}

// Remembers a contact frame and the place where the bodies meet, world axes.
inline void remember_place(const Pose& a, const Pose& b, const Mat3& frame, const Vec3& point, AnchorRecord& record) {
  Eigen::Map<RowMat3>{record.frame} = frame * a.rotation;
  Eigen::Map<Vec3>{record.point_a} = a.rotation.transpose() * (point - a.translation);
  Eigen::Map<Vec3>{record.point_b} = b.rotation.transpose() * (point - b.translation);
}

}  // namespace stiction
