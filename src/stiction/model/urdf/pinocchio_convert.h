// SPDX-License-Identifier: BSD-2-Clause
// From Pinocchio's model to ours. Included only by the files that see Pinocchio.
#pragma once

#include <stiction/model/world/draft.h>

#include <functional>
#include <pinocchio/multibody.hpp>
#include <set>

namespace stiction {

Pose to_pose(const pinocchio::SE3& m);

struct ConvertOptions {
  std::set<std::string> spherical;  // free joints that are to be balls
  // Name of the k-th part of the composite `joint` that carries link `body`.
  std::function<std::string(const std::string& joint, const std::string& body, std::size_t k)> part_name;
};

// Bodies, joints, limits, frames; the start is the neutral configuration, clamped into the limits. Joint kinds that the
// kernels do not cover are refused by name.
RobotModel convert(const pinocchio::Model& model, const std::string& file, const ConvertOptions& options);

}  // namespace stiction
