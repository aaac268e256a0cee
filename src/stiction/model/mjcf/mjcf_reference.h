// SPDX-License-Identifier: BSD-2-Clause
// An MJCF model at its reference position (MuJoCo's qpos0), and small questions to the file.
#pragma once

#include <stiction/model/mjcf/mjcf.h>

namespace stiction {

Pose mjcf_pose(const MjcfModel& model, BodyId body, const Vec& q);  // in the world; also of kWorldBody
Pose mjcf_reference_pose(const MjcfModel& model, BodyId body,
                         const Pose& placement);                                  // of a frame on a body, in the world
Mat mjcf_inverse_mass(const MjcfModel& model);                                    // of the mass matrix with armature
Mat mjcf_point_jacobian(const MjcfModel& model, BodyId body, const Vec3& point);  // 6 × nv: linear, angular; world axes
BodyId find_mjcf_joint(const MjcfModel& model, const std::string& name,
                       const std::string& place);  // body that it carries
const Frame& find_mjcf_site(const MjcfModel& model, const std::string& name, const std::string& place);
const Frame& find_mjcf_link(const MjcfModel& model, const std::string& name, const std::string& place);

}  // namespace stiction
