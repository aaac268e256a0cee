// SPDX-License-Identifier: BSD-2-Clause
// An MJCF model at its reference position (MuJoCo's qpos0), and small questions to the file.
#pragma once

#include <stiction/model/mjcf/mjcf.h>

namespace stiction {

// M⁻¹ at the reference position, with armature. Trees that no tendon couples do not see one another, so that there is a matrix
// per part: a file of a thousand boxes would need one of 6000 rows.
struct MjcfInverseMass {
  struct Part {
    std::vector<int> velocities;  // ascending
    Mat inverse;
  };
  std::vector<Part> parts;
  std::vector<int> part_of, row_of;  // of a velocity

  bool finite() const;
  Vec diagonal() const;
  double product(const Vec& x) const;  // xᵀ M⁻¹ x
};

Pose mjcf_pose(const MjcfModel& model, BodyId body, const Vec& q);  // in the world; also of kWorldBody
Pose mjcf_reference_pose(const MjcfModel& model, BodyId body,
                         const Pose& placement);  // of a frame on a body, in the world
MjcfInverseMass mjcf_inverse_mass(const MjcfModel& model);
Mat mjcf_point_jacobian(const MjcfModel& model, BodyId body, const Vec3& point);  // 6 × nv: linear, angular; world axes
// The same for the velocities of a part alone, to which those that move the body belong.
Mat mjcf_point_jacobian(const MjcfModel& model, BodyId body, const Vec3& point, const MjcfInverseMass& inverse);
BodyId find_mjcf_joint(const MjcfModel& model, const std::string& name,
                       const std::string& place);  // body that it carries
const Frame& find_mjcf_site(const MjcfModel& model, const std::string& name, const std::string& place);
const Frame& find_mjcf_link(const MjcfModel& model, const std::string& name, const std::string& place);

}  // namespace stiction
