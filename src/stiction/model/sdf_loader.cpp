// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/model/robot_loader.h>

namespace stiction {

RobotModel load_sdf(const std::string&, const RobotOptions&) { throw InvalidInput("SDF is not read yet"); }

}  // namespace stiction
