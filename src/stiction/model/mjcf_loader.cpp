// SPDX-License-Identifier: BSD-2-Clause
// MJCF: Pinocchio reads defaults, bodies, joints and geoms; equality constraints (connect, weld) become loops. The file
// says itself what is free: bodies without joints are static. Its trees and static parts may collide with one another
// (RobotModel::scene). Friction, actuators, tendons and joint springs are left out, with a warning.
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf.h>
#include <stiction/model/pinocchio_convert.h>
#include <stiction/model/robot_loader.h>
#include <stiction/model/urdf.h>

#include <filesystem>
#include <map>
#include <pinocchio/parsers/mjcf.hpp>

namespace stiction {
namespace {

using Graph = pinocchio::mjcf::details::MjcfGraph;
using MjcfGeom = pinocchio::mjcf::details::MjcfGeom;

// Composite joints are named after their parts.
std::string part_name(const void* context, const std::string& joint, const std::string& body, std::size_t k) {
  const auto& bodies = static_cast<const Graph*>(context)->mapOfBodies;
  const auto found = bodies.find(body);
  if (found != bodies.end() && k < found->second.jointChildren.size() &&
      !found->second.jointChildren[k].jointName.empty())
    return found->second.jointChildren[k].jointName;
  return joint + "_" + std::to_string(k);
}

// qpos0 has quaternions as (w, x, y, z).
void set_start(const Vec& qpos0, RobotModel& robot) {
  if (qpos0.size() != robot.nq) return;
  for (const Body& b : robot.bodies) {
    const int nq = sizes(b.joint).nq;
    auto q = robot.q0.segment(b.q, nq);
    const auto from = qpos0.segment(b.q, nq);
    if (b.joint == JointKind::free)
      q << from.head<3>(), from.segment<3>(4), from[3];
    else if (b.joint == JointKind::spherical)
      q << from.segment<3>(1), from[0];
    else if (nq == 1)
      q[0] = std::clamp(from[0], robot.lower[b.v], robot.upper[b.v]);
  }
}

Shape mesh_shape(const Graph& graph, const MjcfGeom& geom, const std::string& place) {
  const auto found = graph.mapOfMeshes.find(geom.meshName);
  if (found == graph.mapOfMeshes.end())
    throw InvalidInput(place + " names the mesh '" + geom.meshName + "', which <asset> does not have");
  const auto& mesh = found->second;
  if (mesh.vertices.rows() > 0) {
    std::vector<Vec3> points;
    for (Eigen::Index i = 0; i < mesh.vertices.rows(); ++i)
      points.push_back(mesh.scale.cwiseProduct(Vec3(mesh.vertices.row(i).transpose())));
    return make_convex(points);
  }
  if (!std::filesystem::is_regular_file(mesh.filePath))
    throw InvalidInput(place + " names the mesh '" + geom.meshName + "', which was not found; looked for " +
                       mesh.filePath);
  return load_mesh(mesh.filePath, mesh.scale);
}

Shape to_shape(const Graph& graph, const MjcfGeom& geom, const std::string& place) {
  const std::string& type = geom.geomType;
  const auto size = [&](Eigen::Index i) {
    if (i >= geom.size.size()) throw InvalidInput(place + " is a " + type + " without its sizes");
    return geom.size[i];
  };
  if (type == "sphere") return make_sphere(size(0));
  if (type == "capsule") return make_capsule(size(0), 2.0 * size(1));
  if (type == "cylinder") return make_cylinder(size(0), 2.0 * size(1));
  if (type == "box") return make_box(2.0 * Vec3(size(0), size(1), size(2)));
  if (type == "plane") return make_half_space();
  if (type == "mesh") return mesh_shape(graph, geom, place);
  throw InvalidInput(place + " is a " + type + ", expected plane, sphere, capsule, cylinder, box or mesh");
}

class GeomReader {
 public:
  GeomReader(const Graph& graph, const std::string& file, RobotModel& robot)
      : graph_(graph), file_(file), robot_(robot) {
    for (int i = 0; i < static_cast<int>(robot.frames.size()); ++i)
      link_.emplace(robot.frames[static_cast<std::size_t>(i)].name, i);
  }

  void run() {
    for (const MjcfGeom& geom : graph_.worldBody.geomChildren) add(geom, "world", {"", kWorldBody, {}}, {-1, -1, true});
    for (const std::string& name : graph_.bodiesList) {
      const auto link = link_.find(name);
      if (link == link_.end()) continue;
      const Frame& frame = robot_.frames[static_cast<std::size_t>(link->second)];
      for (const MjcfGeom& geom : graph_.mapOfBodies.at(name).geomChildren)
        add(geom, name, frame, {-1, link->second, false});
    }
    filter();
  }

 private:
  void add(const MjcfGeom& geom, const std::string& body, const Frame& frame, const GeomOrigin& origin) {
    if (geom.geomKind == MjcfGeom::VISUAL) return;
    const std::string place = file_ + ": body '" + body + "' geom '" + geom.geomName + "'";
    if (geom.geomType == "plane" && frame.body != kWorldBody)
      throw InvalidInput(place + " is a plane on a moving body; planes must be static");
    const Geom like{geom.geomName, frame.body, {}, frame.placement * to_pose(geom.geomPlacement), 0};
    add_collision_shape(to_shape(graph_, geom, place), like, origin, place, robot_);
    masks_.resize(robot_.geoms.size(), {geom.contype, geom.conaffinity});
  }

  // Two geoms of a file collide if the contype of one meets the conaffinity of the other.
  void filter() {
    for (std::size_t i = 0; i < masks_.size(); ++i)
      for (std::size_t j = i + 1; j < masks_.size(); ++j)
        if ((masks_[i].first & masks_[j].second) == 0 && (masks_[j].first & masks_[i].second) == 0)
          robot_.excluded_geoms.emplace_back(static_cast<int>(i), static_cast<int>(j));
  }

  const Graph& graph_;
  const std::string& file_;
  RobotModel& robot_;
  std::map<std::string, int> link_;
  std::vector<std::pair<int, int>> masks_;
};

template <class Anchor>
Loop to_loop(const Anchor& anchor, Loop::Kind kind, const std::vector<BodyId>& body_of_joint) {
  Loop loop;
  loop.name = kind == Loop::weld ? "weld" : "connect";
  loop.kind = kind;
  loop.a = body_of_joint[anchor.joint1_id], loop.b = body_of_joint[anchor.joint2_id];
  loop.frame_a = to_pose(anchor.joint1_placement), loop.frame_b = to_pose(anchor.joint2_placement);
  return loop;
}

}  // namespace

RobotModel load_mjcf(const std::string& path, const RobotOptions& options) {
  const std::string file = std::filesystem::path(path).filename().string();
  const Xml document = parse_xml(read_text_file(path, "MJCF"), file);
  const Xml& mujoco = xml_root(document, "mujoco", file);
  std::vector<std::string> warnings = check_mjcf(mujoco, file);

  pinocchio::parsers::Model start;
  pinocchio::mjcf::details::MjcfVisitor visitor(start);
  Graph graph(visitor, path);
  std::vector<pinocchio::PointAnchorConstraintModel> points;
  std::vector<pinocchio::FrameAnchorConstraintModel> welds;
  try {
    graph.parseGraphFromXML(path);
    graph.parseRootTree();
    graph.parseContactInformation(visitor.model, points, welds);
  } catch (const std::exception& e) {
    throw InvalidInput(file + " was refused by the MJCF parser: " + e.what());
  }
  ConvertedModel converted = convert(visitor.model, file, part_name, &graph);
  RobotModel& robot = converted.robot;
  robot.scene = true;
  robot.name = graph.modelName.empty() ? std::filesystem::path(path).stem().string() : graph.modelName;
  if (options.fixed)
    for (const Body& b : robot.bodies)
      if (b.joint == JointKind::free)
        throw InvalidInput(file + ": body '" + b.name +
                           "' has a free joint, but fixed=True was asked for; take the free joint out of the file");
  set_start(graph.qpos0, robot);
  robot.warnings.insert(robot.warnings.begin(), warnings.begin(), warnings.end());
  GeomReader(graph, file, robot).run();
  add_mjcf_excludes(mujoco, file, robot);
  for (const auto& p : points) robot.loops.push_back(to_loop(p, Loop::point, converted.body_of_joint));
  for (const auto& w : welds) robot.loops.push_back(to_loop(w, Loop::weld, converted.body_of_joint));
  return std::move(converted.robot);
}

}  // namespace stiction
