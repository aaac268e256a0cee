// SPDX-License-Identifier: BSD-2-Clause
// Reading XML for the loaders. Every complaint names the file, the element and what was wanted.
#pragma once

#include <stiction/base/types.h>

#include <boost/property_tree/ptree.hpp>
#include <optional>
#include <string>
#include <vector>

namespace stiction {

using Xml = boost::property_tree::ptree;

std::string read_text_file(const std::string& path, const std::string& what);  // InvalidInput if it cannot be read
Xml parse_xml(const std::string& text, const std::string& file);               // InvalidInput with the line
std::string write_xml(const Xml& tree);
const Xml& xml_root(const Xml& document, const char* tag, const std::string& file);  // InvalidInput if another root

std::vector<const Xml*> children(const Xml& element, const char* tag);
const Xml* child(const Xml& element, const char* tag);
std::optional<std::string> attribute(const Xml& element, const char* name);
// `place` says where, for the message: "anymal.urdf: link 'base'".
std::string required(const Xml& element, const char* name, const std::string& place);
double to_number(const std::string& text, const std::string& field);
Vec to_vector(const std::string& text, int size, const std::string& field);
Vec3 vec3_attribute(const Xml& element, const char* name, const Vec3& otherwise, const std::string& place);
Mat3 roll_pitch_yaw(const Vec3& rpy);                            // Rz(yaw) Ry(pitch) Rx(roll)
Pose urdf_origin(const Xml& element, const std::string& place);  // <origin xyz rpy>, identity if absent

}  // namespace stiction
