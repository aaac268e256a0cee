// SPDX-License-Identifier: BSD-2-Clause
// Robots from files. Parsing is Pinocchio's; nothing of it shows here. Nothing is changed when a file is refused.
#pragma once

#include <stiction/model/world/draft.h>

namespace stiction {

RobotModel load_urdf(const std::string& path, const RobotOptions& options);
RobotModel load_urdf_text(const std::string& xml, const RobotOptions& options);
RobotModel load_sdf(const std::string& path, const RobotOptions& options);
RobotModel load_mjcf(const std::string& path, const RobotOptions& options);
// Throws InvalidInput naming the link or joint; adds warnings where something is odd but can be simulated.
void check_masses(RobotModel& robot, const std::string& file);

}  // namespace stiction
