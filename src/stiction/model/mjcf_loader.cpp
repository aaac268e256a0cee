// SPDX-License-Identifier: BSD-2-Clause
// MJCF: Pinocchio reads defaults, bodies, joints and geoms, one body of the worldbody at a time (it would leave out all but
// the first); equality constraints (connect, weld) become loops (mjcf_parts.cpp). The file says itself what is free: bodies
// without joints are static. Its trees and static parts may collide with one another
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
std::string part_name(const Graph& graph, const std::string& joint, const std::string& body, std::size_t k) {
  const auto found = graph.mapOfBodies.find(body);
  const bool known = found != graph.mapOfBodies.end() && k < found->second.jointChildren.size();
  return known && !found->second.jointChildren[k].jointName.empty() ? found->second.jointChildren[k].jointName
                                                                    : joint + "_" + std::to_string(k);
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
  if (type == "box") return make_box({size(0), size(1), size(2)});  // full edges here, half lengths above
  if (type == "plane") return make_half_space();
  if (type == "mesh") return mesh_shape(graph, geom, place);
  throw InvalidInput(place + " is a " + type + ", expected plane, sphere, capsule, cylinder, box or mesh");
}

class GeomReader {
 public:
  GeomReader(const Graph& graph, const std::string& file, MjcfPart& part) : graph_(graph), file_(file), part_(part) {
    const auto& frames = part.robot.frames;
    for (int i = 0; i < static_cast<int>(frames.size()); ++i)
      link_.emplace(frames[static_cast<std::size_t>(i)].name, i);
  }

  void run(bool with_world) {
    if (with_world)
      for (const MjcfGeom& geom : graph_.worldBody.geomChildren)
        add(geom, "world", {"", kWorldBody, {}}, {-1, -1, true});
    for (const std::string& name : graph_.bodiesList) {
      const auto link = link_.find(name);
      if (link == link_.end()) continue;
      const Frame& frame = part_.robot.frames[static_cast<std::size_t>(link->second)];
      for (const MjcfGeom& geom : graph_.mapOfBodies.at(name).geomChildren)
        add(geom, name, frame, {-1, link->second, false});
    }
  }

 private:
  void add(const MjcfGeom& geom, const std::string& body, const Frame& frame, const GeomOrigin& origin) {
    if (geom.geomKind == MjcfGeom::VISUAL) return;
    const std::string place = file_ + ": body '" + body + "' geom '" + geom.geomName + "'";
    if (geom.geomType == "plane" && frame.body != kWorldBody)
      throw InvalidInput(place + " is a plane on a moving body; planes must be static");
    const Geom like{geom.geomName, frame.body, {}, frame.placement * to_pose(geom.geomPlacement), 0};
    add_collision_shape(to_shape(graph_, geom, place), like, origin, place, part_.robot);
    part_.masks.resize(part_.robot.geoms.size(), {geom.contype, geom.conaffinity});
  }

  const Graph& graph_;
  const std::string& file_;
  MjcfPart& part_;
  std::map<std::string, int> link_;
};

// The numbers of ball joints, which Pinocchio 4.1 drops. Bodies come in the order of the file.
void set_ball_values(const Graph& graph, RobotModel& robot) {
  std::size_t i = 0;
  for (const std::string& name : graph.bodiesList)
    for (const auto& joint : graph.mapOfBodies.at(name).jointChildren) {
      if (i >= robot.bodies.size()) return;
      const Body& b = robot.bodies[i++];
      if (b.joint != JointKind::spherical || joint.jointType != "ball") continue;
      robot.joint_damping.segment<3>(b.v).setConstant(joint.range.damping[0]);
      robot.armature.segment<3>(b.v).setConstant(joint.range.armature[0]);
      robot.dry_friction.segment<3>(b.v).setConstant(joint.range.maxDryFriction[0]);
    }
}

// What Pinocchio 4.1 gets wrong beside: it leaves out the placement of a top body without joints, and turns the range of
// slides from degrees into radians.
void repair(const Graph& graph, RobotModel& robot) {
  for (const Body& b : robot.bodies)
    if (b.joint == JointKind::prismatic) {
      robot.lower[b.v] /= graph.compilerInfo.angle_converter;
      robot.upper[b.v] /= graph.compilerInfo.angle_converter;
    }
  const auto& top = graph.mapOfBodies.at(graph.bodiesList.front());
  if (!top.jointChildren.empty()) return;
  const Pose pose = to_pose(top.bodyPlacement);
  for (Body& b : robot.bodies)
    if (b.parent == kWorldBody) b.placement = pose * b.placement;
  for (Frame& f : robot.frames)
    if (f.body == kWorldBody) f.placement = pose * f.placement;
}

MjcfPart load_part(const Xml& document, const std::string& path, const std::string& file, bool with_world) {
  pinocchio::parsers::Model start;
  pinocchio::mjcf::details::MjcfVisitor visitor(start);
  Graph graph(visitor, path);
  graph.pt = document;
  try {
    graph.parseGraph();
    graph.parseRootTree();
  } catch (const std::exception& e) {
    throw InvalidInput(file + " was refused by the MJCF parser: " + e.what());
  }
  ConvertOptions how;
  how.part_name = [&graph](const std::string& joint, const std::string& body, std::size_t k) {
    return part_name(graph, joint, body, k);
  };
  MjcfPart part{convert(visitor.model, file, how), {}};
  set_ball_values(graph, part.robot);
  repair(graph, part.robot);
  set_start(graph.qpos0, part.robot);
  GeomReader(graph, file, part).run(with_world);
  return part;
}

}  // namespace

RobotModel load_mjcf(const std::string& path, const RobotOptions& options) {
  const std::string file = std::filesystem::path(path).filename().string();
  const Xml document = parse_xml(read_text_file(path, "MJCF"), file);
  const Xml& mujoco = xml_root(document, "mujoco", file);
  const std::vector<std::string> warnings = check_mjcf(mujoco, file);
  MjcfPart whole;
  const std::vector<Xml> parts = split_mjcf(document, file);
  for (std::size_t i = 0; i < parts.size(); ++i) join(load_part(parts[i], path, file, i == 0), whole);
  RobotModel& robot = whole.robot;
  robot.scene = true;
  robot.name = attribute(mujoco, "model").value_or(std::filesystem::path(path).stem().string());
  if (options.fixed)
    for (const Body& b : robot.bodies)
      if (b.joint == JointKind::free)
        throw InvalidInput(file + ": body '" + b.name +
                           "' has a free joint, but fixed=True was asked for; take the free joint out of the file");
  robot.warnings.insert(robot.warnings.begin(), warnings.begin(), warnings.end());
  add_mjcf_filters(mujoco, file, whole);
  add_mjcf_loops(mujoco, file, robot);
  return std::move(whole.robot);
}

}  // namespace stiction
