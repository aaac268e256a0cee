// SPDX-License-Identifier: BSD-2-Clause
// URDF: Pinocchio builds the tree, we read the geometry (urdf_geometry.cpp) and check what its parser lets pass
// (urdf_check.cpp). Effort limits that are absent or 0 mean unlimited.
#include <stiction/base/invalid_input.h>
#include <stiction/model/pinocchio_convert.h>
#include <stiction/model/robot_loader.h>
#include <stiction/model/urdf.h>

#include <filesystem>
#include <pinocchio/parsers/urdf.hpp>

namespace stiction {
namespace {

pinocchio::Model parse(const std::string& xml, const std::string& file, bool fixed) {
  pinocchio::Model model;
  try {
    if (fixed)
      pinocchio::urdf::buildModelFromXML(xml, model);
    else
      pinocchio::urdf::buildModelFromXML(xml, pinocchio::JointModelFreeFlyer(), model);
  } catch (const std::exception& e) {
    throw InvalidInput(file + " was refused by the URDF parser: " + e.what());
  }
  return model;
}

std::string part_name(const void*, const std::string& joint, const std::string&, std::size_t k) {
  return joint + "_" + std::to_string(k);
}

RobotModel load(const std::string& xml, const std::string& file, const std::string& directory,
                const RobotOptions& options) {
  const Xml document = parse_xml(xml, file);
  const Xml& robot_xml = xml_root(document, "robot", file);
  std::vector<std::string> warnings = check_urdf(robot_xml, file);
  const pinocchio::Model model = parse(dynamics_only(document), file, options.fixed);
  RobotModel robot = convert(model, file, part_name, nullptr).robot;
  robot.warnings.insert(robot.warnings.begin(), warnings.begin(), warnings.end());
  add_collision_geometry(robot_xml, file, directory, options.package_dirs, robot);
  return robot;
}

}  // namespace

RobotModel load_urdf(const std::string& path, const RobotOptions& options) {
  const std::string xml = read_text_file(path, "URDF");
  return load(xml, std::filesystem::path(path).filename().string(), std::filesystem::path(path).parent_path().string(),
              options);
}

RobotModel load_urdf_text(const std::string& xml, const RobotOptions& options) {
  return load(xml, "URDF text", "", options);
}

}  // namespace stiction
