// SPDX-License-Identifier: BSD-2-Clause
// URDF: Pinocchio builds the tree, we read the geometry (urdf_geometry.cpp) and check what its parser lets pass
// (urdf_check.cpp). Effort limits that are absent or 0 mean unlimited.
#include <stiction/base/invalid_input.h>
#include <stiction/model/urdf/pinocchio_convert.h>
#include <stiction/model/urdf/urdf.h>
#include <stiction/model/world/robot_loader.h>

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

}  // namespace

RobotModel load_urdf_tree(const Xml& document, const std::string& file, const std::string& directory,
                          const RobotOptions& options) {
  const Xml& robot_xml = xml_root(document, "robot", file);
  std::vector<std::string> warnings = check_urdf(robot_xml, file);
  const pinocchio::Model model = parse(dynamics_only(document), file, options.fixed);
  ConvertOptions how;
  how.spherical = spherical_joints(robot_xml);
  how.part_name = [](const std::string& joint, const std::string&, std::size_t k) {
    return joint + "_" + std::to_string(k);
  };
  RobotModel robot = convert(model, file, how);
  robot.warnings.insert(robot.warnings.begin(), warnings.begin(), warnings.end());
  add_mimic_joints(robot_xml, file, robot);
  add_collision_geometry(robot_xml, file, directory, options.package_dirs, robot);
  return robot;
}

RobotModel load_urdf(const std::string& path, const RobotOptions& options) {
  const std::string file = std::filesystem::path(path).filename().string();
  const Xml document = parse_xml(read_text_file(path, "URDF"), file);
  return load_urdf_tree(document, file, std::filesystem::path(path).parent_path().string(), options);
}

RobotModel load_urdf_text(const std::string& xml, const RobotOptions& options) {
  return load_urdf_tree(parse_xml(xml, "URDF text"), "URDF text", "", options);
}

}  // namespace stiction
