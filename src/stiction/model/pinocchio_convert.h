// SPDX-License-Identifier: BSD-2-Clause
// From Pinocchio's model to ours. Included only by the files that see Pinocchio.
#pragma once

#include <stiction/model/draft.h>

#include <pinocchio/multibody.hpp>

namespace stiction {

struct ConvertedModel {
  RobotModel robot;
  std::vector<BodyId> body_of_joint;  // joint of Pinocchio → body; the universe → kWorldBody
};

Pose to_pose(const pinocchio::SE3& m);

// Bodies, joints, limits, frames; the start is the neutral configuration, clamped into the limits. `joint_names(body, k)`
// names the k-th part of the composite joint that carries link `body`. Joint kinds that the kernels do not cover are
// refused by name.
using PartName = std::string (*)(const void* context, const std::string& joint, const std::string& body, std::size_t k);
ConvertedModel convert(const pinocchio::Model& model, const std::string& file, PartName part_name, const void* context);

}  // namespace stiction
