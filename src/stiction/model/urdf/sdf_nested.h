// SPDX-License-Identifier: BSD-2-Clause
// Poses of SDF, and models within models.
#pragma once

#include <stiction/model/files/xml.h>

namespace stiction {

std::string sdf_numbers(const Vec3& x);
Vec3 to_roll_pitch_yaw(const Mat3& r);
Pose read_sdf_pose(const Xml& element, const std::string& place);  // its <pose>, relative to what is around it

// The model with the links and joints of those in it as its own. Their names become inner::name, their poses those in the model.
Xml flat_sdf_model(const Xml& model, const std::string& file);

}  // namespace stiction
