// SPDX-License-Identifier: BSD-2-Clause
// The parts of an MJCF file that are read here and not by Pinocchio.
#pragma once

#include <stiction/model/draft.h>
#include <stiction/model/xml.h>

namespace stiction {

// Names, masses and inertias. Returns what is left out of the file as warnings; throws InvalidInput.
std::vector<std::string> check_mjcf(const Xml& mujoco, const std::string& file);
// <contact><exclude body1 body2>: the bodies must be known.
void add_mjcf_excludes(const Xml& mujoco, const std::string& file, RobotModel& robot);

}  // namespace stiction
