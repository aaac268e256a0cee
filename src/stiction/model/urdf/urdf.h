// SPDX-License-Identifier: BSD-2-Clause
// The parts of a URDF that are read here and not by Pinocchio: its parser accepts negative masses and unknown numbers, and
// gives no name with a missing mesh.
#pragma once

#include <stiction/model/files/xml.h>
#include <stiction/model/world/draft.h>

#include <set>

namespace stiction {

// Names, numbers, masses, inertias, joint types, one tree. Returns warnings; throws InvalidInput.
std::vector<std::string> check_urdf(const Xml& robot, const std::string& file);
// The same robot without <visual>, <collision>, <transmission>, <gazebo>, <sensor>: what dynamics needs. Spherical joints,
// which the parser does not know, are written as floating ones; the converter takes their rotation alone.
std::set<std::string> spherical_joints(const Xml& robot);
std::string dynamics_only(const Xml& document);
// Adds the collision shapes of all links. Links are found in robot.frames by name.
void add_collision_geometry(const Xml& xml, const std::string& file, const std::string& directory,
                            const std::vector<std::string>& package_dirs, RobotModel& robot);
// Joints that follow others become couplings, and start where these put them.
void add_mimic_joints(const Xml& xml, const std::string& file, RobotModel& robot);
// A whole robot from a parsed document <robot>…</robot>.
RobotModel load_urdf_tree(const Xml& document, const std::string& file, const std::string& directory,
                          const RobotOptions& options);
// Adds one shape; moving triangles become hulls, with a warning.
void add_collision_shape(const Shape& shape, const Geom& like, const GeomOrigin& origin, const std::string& place,
                         RobotModel& robot);

}  // namespace stiction
