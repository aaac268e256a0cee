// SPDX-License-Identifier: BSD-2-Clause
// World.add_urdf, add_sdf, add_mjcf and the joints of what they load.
#include <nanobind/stl/filesystem.h>

#include "world.h"

namespace stiction::python {
namespace {

std::string robot_keywords() {
  return std::string(
             "position : of the base, world axes [m]\n"
             "rotation : of the base, quaternion (x, y, z, w)\n"
             "fixed : weld the base to the world; otherwise it floats\n"
             "self_collision : let links of this robot touch each other; None: as the file means it, which is "
             "yes in MJCF\n    (with its filters) and no in URDF and SDF\n"
             "package_dirs : folders in which package:// is looked up, beside the file's own parents\n"
             "material : name of a material, or describe all surfaces by what follows\n") +
         kSurfaceText + "name : of the robot; that of the file unless given\n\nReturns\n-------\nRobot";
}

// `More` are arguments of this method alone, by keyword.
template <class Source, class... More, class Add, class... Names>
void def_robot(WorldClass& world, const char* method, const char* argument, const std::string& doc, Add add,
               Names... names) {
  const std::string who = method;
  world.def(
      method,
      [add, who](WorldBuilder& w, const Source& source, const More&... more, const ArrayLike& position,
                 const ArrayLike& rotation, bool fixed, std::optional<bool> self_collision,
                 const std::vector<std::filesystem::path>& package_dirs, const std::string& material, Number mu,
                 Number restitution, Number mu_static, Number stiffness, Number damping, Number restitution_tangential,
                 Number mu_torsion, Number mu_rolling, const std::string& name) {
        RobotOptions o;
        o.name = name;
        o.position = read_vec3(position, who + ".position");
        o.rotation = read_rotation(rotation, who + ".rotation");
        o.fixed = fixed;
        o.self_collision = self_collision;
        for (const auto& d : package_dirs) o.package_dirs.push_back(d.string());
        o.material = material;
        o.values =
            surface(mu, restitution, mu_static, stiffness, damping, restitution_tangential, mu_torsion, mu_rolling);
        const int id = add(w, source, more..., o);
        return robot_handle(w.draft(), id);
      },
      nb::arg(argument), nb::kw_only(), names..., "position"_a = nb::make_tuple(0.0, 0.0, 0.0),
      "rotation"_a = nb::make_tuple(0.0, 0.0, 0.0, 1.0), "fixed"_a = false, "self_collision"_a = nb::none(),
      "package_dirs"_a = nb::list(), "material"_a = "", "mu"_a = nb::none(), "restitution"_a = nb::none(),
      "mu_static"_a = nb::none(), "stiffness"_a = nb::none(), "damping"_a = nb::none(),
      "restitution_tangential"_a = nb::none(), "mu_torsion"_a = nb::none(), "mu_rolling"_a = nb::none(), "name"_a = "",
      (doc + robot_keywords()).c_str());
}

using Path = std::filesystem::path;

int add_mjcf(WorldBuilder& w, const Path& path, const std::string& compile, const RobotOptions& o) {
  if (compile == "own") return w.add_mjcf(path.string(), o);
  if (compile != "mujoco") throw InvalidInput("add_mjcf.compile is '" + compile + "', expected own or mujoco");
  const nb::object compiled =
      nb::module_::import_("stiction.mujoco_file").attr("Compiled")(path);  // a folder that goes with it
  return w.add_mjcf(nb::cast<std::string>(compiled.attr("path")), o);
}

}  // namespace

void bind_robots(WorldClass& world) {
  def_robot<Path>(world, "add_urdf", "path",
                  "A robot from a URDF file.\n\nParameters\n----------\npath : of the file\n",
                  [](WorldBuilder& w, const Path& p, const RobotOptions& o) { return w.add_urdf(p.string(), o); });
  def_robot<std::string>(
      world, "add_urdf_text", "xml", "A robot from the text of a URDF.\n\nParameters\n----------\nxml : the text\n",
      [](WorldBuilder& w, const std::string& x, const RobotOptions& o) { return w.add_urdf_text(x, o); });
  def_robot<Path>(world, "add_sdf", "path", "A robot from an SDF file.\n\nParameters\n----------\npath : of the file\n",
                  [](WorldBuilder& w, const Path& p, const RobotOptions& o) { return w.add_sdf(p.string(), o); });
  def_robot<Path, std::string>(
      world, "add_mjcf", "path",
      "A robot from an MJCF file.\n\nParameters\n----------\n"
      "path : of the file\n"
      "compile : \"own\" reads the file here; \"mujoco\" takes it as MuJoCo compiles it, if that is installed\n"
      "    (composite bodies, its own masses of meshes); World.warnings says so\n",
      &add_mjcf, "compile"_a = "own");
  world
      .def(
          "set_joint_position",
          [](WorldBuilder& w, const RobotHandle& robot, const std::string& joint, double position) {
            w.set_joint_position(robot.id, joint, position);
          },
          "robot"_a, "joint"_a, "position"_a,
          "Start position of a joint with one degree of freedom.\n\nParameters\n----------\n"
          "robot : Robot, what add_urdf and the others return\njoint : its name\nposition : [rad, m]")
      .def(
          "set_joint",
          [](WorldBuilder& w, const RobotHandle& robot, const std::string& joint, Number lower, Number upper,
             Number damping, Number dry_friction, Number armature, Number effort_limit) {
            w.set_joint_values(robot.id, joint, {lower, upper, damping, dry_friction, armature, effort_limit});
          },
          "robot"_a, "joint"_a, nb::kw_only(), "lower"_a = nb::none(), "upper"_a = nb::none(), "damping"_a = nb::none(),
          "dry_friction"_a = nb::none(), "armature"_a = nb::none(), "effort_limit"_a = nb::none(),
          "Change parameters of a joint; those left out are kept.\n\nParameters\n----------\n"
          "robot : Robot, what add_urdf and the others return\n"
          "joint : its name\n"
          "lower, upper : limits of the position [rad, m]\n"
          "damping : viscous [N m s/rad, N s/m]\n"
          "dry_friction : [N m, N]\n"
          "armature : inertia of the rotor, seen at the joint [kg m^2, kg]\n"
          "effort_limit : largest torque of its motor [N m, N]");
}

}  // namespace stiction::python
