// SPDX-License-Identifier: BSD-2-Clause
// World: materials, gravity, contact points, loops and filters. Bodies, static geometry and robots have their own files.
#include "world.h"

#include <nanobind/stl/filesystem.h>
#include <stiction/model/mjcf_writer/save_mjcf.h>

namespace stiction::python {
namespace {

void bind_materials(WorldClass& world) {
  world
      .def(
          "add_material",
          [](WorldBuilder& w, const std::string& name, Number mu, Number restitution, Number mu_static,
             Number stiffness, Number damping, Number restitution_tangential, Number mu_torsion, Number mu_rolling) {
            w.add_material(name, surface(mu, restitution, mu_static, stiffness, damping, restitution_tangential,
                                         mu_torsion, mu_rolling));
          },
          "name"_a, nb::kw_only(), "mu"_a = nb::none(), "restitution"_a = nb::none(), "mu_static"_a = nb::none(),
          "stiffness"_a = nb::none(), "damping"_a = nb::none(), "restitution_tangential"_a = nb::none(),
          "mu_torsion"_a = nb::none(), "mu_rolling"_a = nb::none(),
          (std::string("Name a surface; values left out come from the other side of a contact.\n\n"
                       "Parameters\n----------\nname : by which `material` refers to it\n") +
           kSurfaceText)
              .c_str())
      .def(
          "set_material_pair",
          [](WorldBuilder& w, const std::string& a, const std::string& b, Number mu, Number mu_static,
             Number restitution, Number stiffness, Number damping, Number restitution_tangential, Number mu_torsion,
             Number mu_rolling) {
            w.set_material_pair(a, b,
                                surface(mu, restitution, mu_static, stiffness, damping, restitution_tangential,
                                        mu_torsion, mu_rolling));
          },
          "a"_a, "b"_a, nb::kw_only(), "mu"_a = nb::none(), "mu_static"_a = nb::none(), "restitution"_a = nb::none(),
          "stiffness"_a = nb::none(), "damping"_a = nb::none(), "restitution_tangential"_a = nb::none(),
          "mu_torsion"_a = nb::none(), "mu_rolling"_a = nb::none(),
          (std::string("What happens where two materials meet; wins over what each says itself.\n\n"
                       "Parameters\n----------\na, b : names of the materials\n") +
           kSurfaceText)
              .c_str());
}

void bind_contact_points(WorldClass& world) {
  world.def(
      "add_contact_point",
      [](WorldBuilder& w, const BodyLike& body, const ArrayLike& offset, bool bilateral, Number stiffness,
         Number damping, Number mu, Number restitution, Number mu_static, Number restitution_tangential,
         Number mu_torsion, Number mu_rolling) {
        return w.add_contact_point(
            read_body(w.draft(), body, "add_contact_point.body"), read_vec3(offset, "add_contact_point.offset"),
            bilateral, stiffness, damping,
            surface(mu, restitution, mu_static, {}, {}, restitution_tangential, mu_torsion, mu_rolling));
      },
      "body"_a, "offset"_a = nb::make_tuple(0.0, 0.0, 0.0), nb::kw_only(), "bilateral"_a = false,
      "stiffness"_a = nb::none(), "damping"_a = nb::none(), "mu"_a = nb::none(), "restitution"_a = nb::none(),
      "mu_static"_a = nb::none(), "restitution_tangential"_a = nb::none(), "mu_torsion"_a = nb::none(),
      "mu_rolling"_a = nb::none(),
      (std::string("A point of a body that is tested against static geometry or, bilateral, held where it is now.\n\n"
                   "Parameters\n----------\n"
                   "body : Body, its number or name\n"
                   "offset : of the point in the body's frame [m]\n"
                   "bilateral : hold the point in all three directions\n") +
       kSurfaceText + "\nReturns\n-------\nint : the number of the point")
          .c_str());
}

Pose read_pose(nb::handle point, nb::handle rotation, const std::string& side) {
  return {read_rotation(rotation, "add_loop.rotation_" + side).toRotationMatrix(),
          read_vec3(point, "add_loop.point_" + side)};
}

Loop::Kind read_loop_kind(const std::string& kind) {
  if (kind == "point") return Loop::point;
  if (kind == "weld") return Loop::weld;
  if (kind == "hinge") return Loop::hinge;
  if (kind == "slider") return Loop::slider;
  throw InvalidInput("add_loop.kind is '" + kind + "', expected 'point', 'weld', 'hinge' or 'slider'");
}

void bind_loops(WorldClass& world) {
  world.def(
      "add_loop",
      [](WorldBuilder& w, const BodyLike& a, const BodyLike& b, const ArrayLike& point_a, const ArrayLike& point_b,
         const ArrayLike& rotation_a, const ArrayLike& rotation_b, const std::string& kind, const ArrayLike& axis,
         Number stiffness, double damping, const std::string& name) {
        Loop loop;
        loop.name = name;
        loop.kind = read_loop_kind(kind);
        loop.axis = read_vec3(axis, "add_loop.axis");
        loop.a = read_body(w.draft(), a, "add_loop.a", true);
        loop.b = read_body(w.draft(), b, "add_loop.b", true);
        loop.frame_a = read_pose(point_a, rotation_a, "a");
        loop.frame_b = read_pose(point_b, rotation_b, "b");
        if (stiffness) loop.stiffness = *stiffness;
        loop.damping = damping;
        w.add_loop(loop);
      },
      "a"_a = nb::none(), "b"_a = nb::none(), nb::kw_only(), "point_a"_a = nb::make_tuple(0.0, 0.0, 0.0),
      "point_b"_a = nb::make_tuple(0.0, 0.0, 0.0), "rotation_a"_a = nb::make_tuple(0.0, 0.0, 0.0, 1.0),
      "rotation_b"_a = nb::make_tuple(0.0, 0.0, 0.0, 1.0), "kind"_a = "point", "axis"_a = nb::make_tuple(0.0, 0.0, 1.0),
      "stiffness"_a = nb::none(), "damping"_a = 0.0, "name"_a = "",
      "Hold two frames together.\n\nParameters\n----------\n"
      "a, b : the bodies that carry them; None is the world\n"
      "point_a, point_b : origins of the frames, each in its body's axes [m]\n"
      "rotation_a, rotation_b : of the frames in their bodies, quaternions (x, y, z, w)\n"
      "kind : \"point\" holds positions, \"weld\" also orientations, \"hinge\" all but turns about axis, \"slider\" "
      "all "
      "but\n    shifts along it\n"
      "axis : unit vector in both frames\n"
      "stiffness : of a spring per row [N/m, N m/rad]; None is rigid\n"
      "damping : beside a stiffness [N s/m, N m s/rad]\n"
      "name : for lookups and messages");
}

void bind_frames(WorldClass& world) {
  world.def(
      "frame",
      [](const WorldBuilder& w, const FrameLike& frame) {
        const Frame& f = w.draft().frames[static_cast<std::size_t>(read_frame(w.draft(), frame, "frame.frame"))];
        return nb::make_tuple(f.body == kWorldBody ? nb::none() : nb::cast(body_handle(w.draft(), f.body)),
                              new_pose(f.placement));
      },
      "frame"_a,
      "Where a frame (by name, or \"robot/name\") is fixed: the Body that carries it (None is the world) and its\n"
      "(position, quaternion xyzw) in that body's frame.");
}

// Sentences as warnings of Python, and handed on.
std::vector<std::string> tell(std::vector<std::string> sentences) {
  for (const std::string& s : sentences)
    if (PyErr_WarnEx(PyExc_UserWarning, ("save_mjcf: " + s).c_str(), 1) < 0) throw nb::python_error();
  return sentences;
}

void bind_filters(WorldClass& world) {
  world
      .def(
          "exclude",
          [](WorldBuilder& w, const BodyLike& a, const BodyLike& b) {
            w.exclude_bodies(read_body(w.draft(), a, "exclude.a", true), read_body(w.draft(), b, "exclude.b", true));
          },
          "a"_a.none(), "b"_a.none(), "Bodies a and b never collide; None is everything static.")
      .def("exclude_geoms", &WorldBuilder::exclude_pair, "a"_a, "b"_a,
           "Shapes a and b, given by the numbers that add_static_* and add_geom return, never collide.");
}

}  // namespace

void bind_world(nb::module_& m) {
  WorldClass world(
      m, "World",
      "A builder of worlds: ground, robots, bodies, materials. Edit it freely, then hand it to Simulator,\n"
      "which compiles its own frozen copy; later edits do not reach it.");
  world.def(nb::init<>(), "An empty world with gravity (0, 0, -9.81).")
      .def_prop_rw(
          "gravity", [](WorldBuilder& w) { return nb::ndarray<nb::numpy, double, nb::ndim<1>>(w.gravity.data(), {3}); },
          [](WorldBuilder& w, const ArrayLike& value) { w.gravity = read_vec3(value, "World.gravity"); },
          nb::for_getter(nb::rv_policy::reference_internal), "acceleration of gravity [m/s^2], a writable view")
      .def_prop_ro(
          "warnings", [](const WorldBuilder& w) { return w.warnings(); },
          "sentences about what was changed or left out while loading")
      .def_prop_ro(
          "bodies",
          [](const WorldBuilder& w) {
            std::vector<BodyHandle> out;
            for (std::size_t i = 0; i < w.draft().bodies.size(); ++i)
              out.push_back(body_handle(w.draft(), static_cast<int>(i)));
            return out;
          },
          "all moving bodies, links of robots included")
      .def_prop_ro(
          "robots",
          [](const WorldBuilder& w) {
            std::vector<RobotHandle> out;
            for (std::size_t i = 0; i < w.draft().robots.size(); ++i)
              out.push_back(robot_handle(w.draft(), static_cast<int>(i)));
            return out;
          },
          "all robots, in the order they were added")
      .def(
          "copy", [](const WorldBuilder& w) { return WorldBuilder(w); }, "An independent copy.")
      .def(
          "save_mjcf",
          [](const WorldBuilder& w, const std::filesystem::path& path) {
            return tell(save_mjcf(*w.compile(), path.string()));
          },
          "path"_a,
          "Writes the world as an MJCF file (.xml), and beside it the folder <name>_meshes if it has hulls or meshes. "
          "Reading it\n"
          "back with add_mjcf gives the same motion, and MuJoCo the same masses and forces.\n\n"
          "Parameters\n----------\npath : of the file to write, .xml\n\n"
          "Returns\n-------\nlist[str]\n    what MJCF cannot say, with the names that it concerns; the same sentences "
          "are warnings")
      .def("__repr__", [](const WorldBuilder& w) {
        return "World(robots=" + std::to_string(w.draft().robots.size()) +
               ", bodies=" + std::to_string(w.draft().bodies.size()) +
               ", shapes=" + std::to_string(w.draft().geoms.size()) + ")";
      });
  bind_materials(world);
  bind_free_bodies(world);
  bind_static_geometry(world);
  bind_robots(world);
  bind_contact_points(world);
  bind_loops(world);
  bind_frames(world);
  bind_filters(world);
  bind_world_geometry(world);
  bind_description(world);
  bind_world_sensors(world);
}

}  // namespace stiction::python
