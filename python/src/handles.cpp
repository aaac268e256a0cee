// SPDX-License-Identifier: BSD-2-Clause
#include "handles.h"

#include <algorithm>
#include <map>

namespace stiction::python {
namespace {

nb::slice slice(int first, int size) { return nb::slice(first, first + size); }

}  // namespace

BodyHandle body_handle(const World& world, BodyId id) {
  const Body& b = world.bodies[static_cast<std::size_t>(id)];
  const JointSizes s = sizes(b.joint);
  return {id, b.name, b.q, s.nq, b.v, s.nv, b.parent};
}

RobotHandle robot_handle(const World& world, int id) {
  const Robot& r = world.robots[static_cast<std::size_t>(id)];
  RobotHandle h{id, r.name, r.first_body, r.q, r.nq, r.v, r.nv, r.tau, r.ntau, false,
                {}, {},     {},           {},  {},   0,   {},   {},    {}};
  for (const Keyframe& key : r.keyframes) h.keyframes.push_back(key.name);
  int tau = 0;
  for (int i = 0; i < r.bodies; ++i) {
    const Body& b = world.bodies[static_cast<std::size_t>(r.first_body + i)];
    h.body_names.push_back(b.name);
    if (b.joint == JointKind::free) {
      h.floating = true;
      continue;
    }
    h.joint_names.push_back(r.joint_names[static_cast<std::size_t>(i)]);
    h.places.push_back({b.q - r.q, b.v - r.v, tau});
    tau += sizes(b.joint).nv;
  }
  for (int i = 0; i < r.frames; ++i) h.frames.push_back(world.frames[static_cast<std::size_t>(r.first_frame + i)].name);
  for (std::size_t i = 0; i < world.actuators.size(); ++i) {
    if (world.actuators[i].robot != id) continue;
    if (h.actuator_names.empty()) h.ctrl = static_cast<int>(i);
    h.actuator_names.push_back(world.actuators[i].name);
  }
  for (const Site& site : world.sites)
    if (site.robot == id) h.sites.push_back(site.name);
  const std::vector<std::string> sensors = sensor_names(world);
  for (std::size_t i = 0; i < sensors.size(); ++i)
    if (world.sensors[i].robot == id) h.sensors.push_back(sensors[i]);
  return h;
}

BodyId read_body(const World& world, nb::handle value, const std::string& field, bool world_allowed) {
  const int count = static_cast<int>(world.bodies.size());
  BodyId id = count;
  if (value.is_none())
    id = kWorldBody;
  else if (nb::isinstance<BodyHandle>(value))
    id = nb::cast<BodyHandle&>(value).id;
  else if (nb::isinstance<RobotHandle>(value))
    id = nb::cast<RobotHandle&>(value).base;
  else if (nb::isinstance<nb::str>(value)) {
    const std::string wanted = read_words(value, field);
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) {
      names.push_back(world.bodies[static_cast<std::size_t>(i)].name);
      if (names.back() == wanted) return i;
    }
    throw InvalidInput(field + ": " + unknown_name("body", wanted, names));
  } else if (!nb::try_cast(value, id, false)) {
    throw InvalidInput(field + " is " + nb::cast<std::string>(nb::repr(value)).substr(0, 80) +
                       ", expected a Body, a Robot, a body's name or its id");
  }
  if (id >= 0 && id < count) return id;
  if (id == kWorldBody && world_allowed) return id;
  throw InvalidInput(field + " is body " + std::to_string(id) + ", expected one of the " + std::to_string(count) +
                     " moving bodies (0 … " + std::to_string(count - 1) + ")");
}

int read_frame(const World& world, nb::handle value, const std::string& field) {
  const int count = static_cast<int>(world.frames.size());
  int index = -1;
  if (nb::isinstance<nb::str>(value)) {
    const std::string wanted = read_words(value, field);
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) {
      names.push_back(world.frames[static_cast<std::size_t>(i)].name);
      if (names.back() == wanted) return i;
    }
    for (const Robot& r : world.robots)
      for (int i = 0; i < r.frames; ++i)
        if (r.name + "/" + names[static_cast<std::size_t>(r.first_frame + i)] == wanted) return r.first_frame + i;
    throw InvalidInput(field + ": " + unknown_name("frame", wanted, names));
  }
  if (nb::try_cast(value, index, false) && index >= 0 && index < count) return index;
  throw InvalidInput(field + " is " + nb::cast<std::string>(nb::repr(value)).substr(0, 80) +
                     ", expected a frame's name or its index below " + std::to_string(count));
}

int read_robot(const World& world, nb::handle value, const std::string& field) {
  if (value.is_none()) return -1;
  if (nb::isinstance<RobotHandle>(value)) {
    const RobotHandle& robot = nb::cast<RobotHandle&>(value);
    if (robot.id < static_cast<int>(world.robots.size())) return robot.id;
    throw InvalidInput(field + ": robot '" + robot.name + "' is of another world");
  }
  std::string wanted;
  if (!nb::try_cast(value, wanted, false))
    throw InvalidInput(field + " is " + nb::cast<std::string>(nb::repr(value)).substr(0, 80) +
                       ", expected a Robot or its name");
  std::vector<std::string> names;
  for (const Robot& r : world.robots) {
    names.push_back(r.name);
    if (r.name == wanted) return static_cast<int>(names.size()) - 1;
  }
  throw InvalidInput(field + ": " + unknown_name("robot", wanted, names));
}

int read_site(const World& world, nb::handle value, const std::string& field) {
  std::string wanted;
  if (!nb::try_cast(value, wanted, false))
    throw InvalidInput(field + " is " + nb::cast<std::string>(nb::repr(value)).substr(0, 80) +
                       ", expected a site's name");
  std::vector<std::string> names;
  for (const Site& s : world.sites) {
    names.push_back(s.name);
    if (s.name == wanted) return static_cast<int>(names.size()) - 1;
  }
  for (std::size_t i = 0; i < world.sites.size(); ++i) {
    const int robot = world.sites[i].robot;
    if (robot >= 0 && world.robots[static_cast<std::size_t>(robot)].name + "/" + names[i] == wanted)
      return static_cast<int>(i);
  }
  throw InvalidInput(field + ": " + unknown_name("site", wanted, names));
}

std::vector<std::string> sensor_names(const World& world) {
  std::map<std::string, int> count;
  for (const Sensor& s : world.sensors) ++count[s.name];
  std::vector<std::string> out;
  for (const Sensor& s : world.sensors)
    out.push_back(count[s.name] > 1 && s.robot >= 0
                      ? world.robots[static_cast<std::size_t>(s.robot)].name + "/" + s.name
                      : s.name);
  return out;
}

std::vector<JointName> list_joints(const World& world, int robot) {
  std::map<std::string, int> count;
  std::vector<std::pair<const Robot*, JointName>> found;
  for (std::size_t id = 0; id < world.robots.size(); ++id) {
    if (robot >= 0 && static_cast<int>(id) != robot) continue;
    const Robot& r = world.robots[id];
    for (int i = 0; i < r.bodies; ++i) {
      if (world.bodies[static_cast<std::size_t>(r.first_body + i)].joint == JointKind::free) continue;
      const std::string& name = r.joint_names[static_cast<std::size_t>(i)];
      found.push_back({&r, {name, r.first_body + i}});
      ++count[name];
    }
  }
  std::vector<JointName> out;
  for (const auto& [owner, joint] : found)
    out.push_back({count[joint.name] > 1 ? owner->name + "/" + joint.name : joint.name, joint.body});
  return out;
}

BodyId read_joint(const World& world, const std::string& wanted, int robot, const std::string& field) {
  const std::vector<JointName> joints = list_joints(world, robot);
  std::vector<std::string> names;
  for (const JointName& joint : joints) {
    if (joint.name == wanted) return joint.body;
    names.push_back(joint.name);
  }
  std::string several;  // robots that have a joint of this name
  for (std::size_t id = 0; id < world.robots.size(); ++id) {
    if (robot >= 0 && static_cast<int>(id) != robot) continue;
    const Robot& r = world.robots[id];
    for (const JointName& joint : list_joints(world, static_cast<int>(id))) {
      if (r.name + "/" + joint.name == wanted) return joint.body;
      if (joint.name == wanted) several += (several.empty() ? "'" : ", '") + r.name + "/" + wanted + "'";
    }
  }
  if (!several.empty())
    throw InvalidInput(field + ": several robots have a joint '" + wanted + "'; say one of " + several +
                       ", or give robot=");
  throw InvalidInput(field + ": " + unknown_name("joint", wanted, names));
}

namespace {

int joint_index(const RobotHandle& r, const std::string& joint, const std::string& of) {
  const auto found = std::find(r.joint_names.begin(), r.joint_names.end(), joint);
  if (found == r.joint_names.end())
    throw InvalidInput("robot '" + r.name + "': " + unknown_name("joint", joint, r.joint_names));
  const RobotHandle::Place& place = r.places[static_cast<std::size_t>(found - r.joint_names.begin())];
  if (of == "tau") return place.tau;
  if (of != "q" && of != "v") throw InvalidInput("index.of is '" + of + "', expected 'q', 'v' or 'tau'");
  if (place.q < 0)
    throw InvalidInput("joint '" + joint + "' is cut and has no entry of its own in sim." + of +
                       "; sim.joints() measures it, of='tau' is its place in tau");
  return of == "q" ? place.q : place.v;
}

}  // namespace

void bind_handles(nb::module_& m) {
  nb::class_<BodyHandle>(m, "Body", "A moving body of a world; use it wherever a `body` is asked for.")
      .def_ro("id", &BodyHandle::id, "number of the body, as in contacts()[\"body_a\"]")
      .def_ro("name", &BodyHandle::name)
      .def_ro("parent", &BodyHandle::parent, "id of the body that its joint hangs on, -1 is the world")
      .def_prop_ro(
          "q_slice", [](const BodyHandle& b) { return slice(b.q, b.nq); }, "its part of sim.q")
      .def_prop_ro(
          "v_slice", [](const BodyHandle& b) { return slice(b.v, b.nv); }, "its part of sim.v")
      .def("__repr__",
           [](const BodyHandle& b) { return "Body(id=" + std::to_string(b.id) + ", name='" + b.name + "')"; });
  nb::class_<RobotHandle>(m, "Robot", "An articulation of a world. As a `body` it stands for its base link.")
      .def_ro("id", &RobotHandle::id, "number of the robot")
      .def_ro("name", &RobotHandle::name)
      .def_ro("base", &RobotHandle::base, "body id of the root link")
      .def_ro("floating", &RobotHandle::floating, "whether the base is free")
      .def_ro("joint_names", &RobotHandle::joint_names, "joints in the order of tau, without the free base")
      .def_ro("actuator_names", &RobotHandle::actuator_names, "actuators in the order of sim.ctrl[robot.ctrl_slice]")
      .def_prop_ro(
          "ctrl_slice", [](const RobotHandle& r) { return slice(r.ctrl, static_cast<int>(r.actuator_names.size())); },
          "its part of sim.ctrl")
      .def_ro("body_names", &RobotHandle::body_names, "moving links in order; body id = base + position")
      .def_ro("frames", &RobotHandle::frames, "names of links and fixed frames, for frame_pose and jacobian")
      .def_ro("sites", &RobotHandle::sites, "names of the sites of its file, for site_pose and add_sensor")
      .def_ro("sensors", &RobotHandle::sensors, "names of the sensors of its file: keys of sensors()")
      .def_ro("keyframes", &RobotHandle::keyframes,
              "names of the states that its file describes, for set_keyframe and reset")
      .def_prop_ro(
          "q_slice", [](const RobotHandle& r) { return slice(r.q, r.nq); }, "its part of sim.q")
      .def_prop_ro(
          "v_slice", [](const RobotHandle& r) { return slice(r.v, r.nv); }, "its part of sim.v")
      .def_prop_ro(
          "tau_slice", [](const RobotHandle& r) { return slice(r.tau, r.ntau); }, "its part of tau and target")
      .def("index", &joint_index, "joint"_a, "of"_a = "q",
           "Where a joint is in the arrays of this robot.\n\n"
           "Parameters\n----------\n"
           "joint : one of joint_names\n"
           "of : 'q' counts in sim.q[robot.q_slice], 'v' in sim.v[robot.v_slice], 'tau' in tau[robot.tau_slice]\n\n"
           "Returns\n-------\n"
           "int : its first entry, counted from the start of the slice. A continuous joint has two entries of q,\n"
           "      (cos, sin) of its angle; Simulator.joints() gives the angle itself\n\n"
           "Examples\n--------\n"
           "    sim.q[robot.q_slice][robot.index(\"LF_HAA\")] = 0.03\n"
           "    sim.v[robot.v_slice][robot.index(\"LF_HAA\", of=\"v\")] = 0.0")
      .def("__repr__", [](const RobotHandle& r) {
        return "Robot(name='" + r.name + "', joints=" + std::to_string(r.joint_names.size()) + ")";
      });
}

}  // namespace stiction::python
