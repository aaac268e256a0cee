// SPDX-License-Identifier: BSD-2-Clause
// The state of a Simulator: q, v, time, joints by name, back to the start, saving.
#include <algorithm>
#include <cmath>

#include "simulator.h"

namespace stiction::python {
namespace {

double joint_position(const Body& body, const Vec& q) {
  return body.joint == JointKind::continuous ? std::atan2(q[body.q + 1], q[body.q]) : q[body.q];
}

nb::typed<nb::dict, std::string, double> joints(PySimulator& s, const RobotLike& robot) {
  const World& world = s.minimal_world();
  const int id = read_robot(world, robot, "joints.robot");
  const Vec q = s.run([](Simulator& e) { return e.minimal_state().first; });
  nb::dict out;
  for (const JointName& joint : list_joints(world, id)) {
    const Body& body = world.bodies[static_cast<std::size_t>(joint.body)];
    if (sizes(body.joint).nv == 1) out[joint.name.c_str()] = joint_position(body, q);
  }
  return nb::borrow<nb::typed<nb::dict, std::string, double>>(out);
}

struct JointValue {
  const Body* body;
  double position;
};

JointValue read_joint_value(const World& world, nb::handle key, nb::handle value, int robot) {
  std::string name;
  if (!nb::try_cast(key, name, false)) throw InvalidInput("set_joints has a key that is not the name of a joint");
  const Body& body = world.bodies[static_cast<std::size_t>(read_joint(world, name, robot, "set_joints"))];
  double position = 0.0;
  if (sizes(body.joint).nv != 1)
    throw InvalidInput("set_joints: joint '" + name + "' has " + std::to_string(sizes(body.joint).nq) +
                       " coordinates and takes no single number; write to sim.q from robot.index('" + name + "') on");
  if (!nb::try_cast(value, position) || !std::isfinite(position))
    throw InvalidInput("set_joints['" + name + "'] is " + nb::cast<std::string>(nb::repr(value)).substr(0, 80) +
                       ", expected a finite number [rad, m]");
  return {&body, position};
}

// All names and numbers are read before anything is written.
void set_joints(PySimulator& s, const nb::typed<nb::mapping, std::string, double>& positions, const RobotLike& robot) {
  if (!nb::hasattr(positions, "items"))  // strings and lists are mappings to Python's C interface
    throw InvalidInput("set_joints is given " + nb::cast<std::string>(nb::repr(positions)).substr(0, 80) +
                       ", expected a dict of names and positions");
  const World& world = s.minimal_world();
  const int id = read_robot(world, robot, "set_joints.robot");
  std::vector<JointValue> values;
  for (nb::handle item : positions.items())
    values.push_back(read_joint_value(world, nb::object(item[0]), nb::object(item[1]), id));
  const auto write = [&](Vec& q) {
    for (const auto& [body, position] : values) {
      if (body->joint == JointKind::continuous)
        q.segment<2>(body->q) << std::cos(position), std::sin(position);
      else
        q[body->q] = position;
    }
  };
  s.run([&](Simulator& e) {
    if (e.world().cuts.empty()) return write(e.state().q);
    auto [q, v] = e.minimal_state();
    write(q);
    e.set_minimal_state(q, v);
  });
}

// Robots that have a keyframe of this name, with it.
std::vector<std::pair<const Robot*, const Keyframe*>> find_keyframes(const World& world, const std::string& name,
                                                                     int robot, const std::string& field) {
  std::vector<std::pair<const Robot*, const Keyframe*>> found;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < world.robots.size(); ++i) {
    if (robot >= 0 && static_cast<int>(i) != robot) continue;
    for (const Keyframe& key : world.robots[i].keyframes) {
      if (key.name == name) found.emplace_back(&world.robots[i], &key);
      names.push_back(key.name);
    }
  }
  if (found.empty()) throw InvalidInput(field + ": " + unknown_name("keyframe", name, names));
  return found;
}

// ctrl and act of a keyframe; zero where it gives none.
void set_drives(const World& world, const Robot& owner, const Keyframe& key, State& state) {
  const auto id = static_cast<int>(&owner - world.robots.data());
  int ctrl = 0, act = 0;
  for (std::size_t i = 0; i < world.actuators.size(); ++i) {
    const Actuator& a = world.actuators[i];
    if (a.robot != id) continue;
    state.ctrl[static_cast<int>(i)] = ctrl < key.ctrl.size() ? key.ctrl[ctrl] : 0.0, ++ctrl;
    if (a.activation < 0) continue;
    state.act[a.activation] = act < key.act.size() ? key.act[act] : 0.0, ++act;
  }
}

void set_keyframe(PySimulator& s, const std::string& name, const RobotLike& robot) {
  const World& world = s.minimal_world();
  const auto found = find_keyframes(world, name, read_robot(world, robot, "set_keyframe.robot"), "set_keyframe");
  s.run([&](Simulator& e) {
    auto [q, v] = e.minimal_state();
    for (const auto& [owner, key] : found) {
      q.segment(owner->q, owner->nq) = key->q;
      v.segment(owner->v, owner->nv) = key->v;
    }
    e.set_minimal_state(q, v);
    for (const auto& [owner, key] : found) set_drives(world, *owner, *key, e.state());
  });
}

void reset(PySimulator& s, const std::optional<std::string>& keyframe) {
  if (keyframe)
    find_keyframes(s.minimal_world(), *keyframe, -1, "reset.keyframe");  // complains before anything changes
  s.run([&](Simulator& e) {
    e.reset();
    s.wrenches.clear();
  });
  if (keyframe) set_keyframe(s, *keyframe, nb::borrow<RobotLike>(nb::none()));
}

}  // namespace

void write_view(Vec& to, const ArrayLike& value, const char* field) {
  const Vec x = read_vector(value, field, to.size());
  std::copy(x.data(), x.data() + x.size(), to.data());
}

void bind_simulator_state(SimulatorClass& c) {
  c.def_prop_rw(
       "q", [](PySimulator& s) { return view(s.q); },
       [](PySimulator& s, const ArrayLike& x) { write_view(s.q, x, "Simulator.q"); },
       nb::for_getter(nb::rv_policy::reference_internal),
       "Configuration, a writable view. Free bodies and bases: (x y z, qx qy qz qw). Checked by the next step().")
      .def_prop_rw(
          "v", [](PySimulator& s) { return view(s.v); },
          [](PySimulator& s, const ArrayLike& x) { write_view(s.v, x, "Simulator.v"); },
          nb::for_getter(nb::rv_policy::reference_internal),
          "Velocity, a writable view. Free bodies and bases: (linear, angular) in the body's own frame.")
      .def_prop_rw(
          "time", [](PySimulator& s) { return s.run([](Simulator& e) { return e.state().time; }); },
          [](PySimulator& s, double t) {
            if (!std::isfinite(t)) throw InvalidInput("Simulator.time is not finite, expected seconds");
            s.run([t](Simulator& e) { e.state().time = t; });
          },
          "simulated time [s]")
      .def(
          "joints", &joints, nb::kw_only(), "robot"_a = nb::none(),
          "Angles [rad] and displacements [m] of the joints by name.\n\n"
          "Parameters\n----------\n"
          "robot : a Robot or its name; None takes all robots\n\n"
          "Returns\n-------\n"
          "dict : name -> position, in the order of tau. Where several robots have a joint of one name, the names are\n"
          "       'robot/joint'. Angles of continuous joints are in (-pi, pi]. Joints with several degrees of freedom\n"
          "       (ball, planar) have no single position and are left out")
      .def("set_joints", &set_joints, "positions"_a, nb::kw_only(), "robot"_a = nb::none(),
           "Set angles [rad] and displacements [m] of some joints by name; the others stay, and so do all velocities,\n"
           "contact memory and PD targets.\n\n"
           "Parameters\n----------\n"
           "positions : name -> position; 'robot/joint' where several robots have a joint of one name\n"
           "robot : a Robot or its name, to which the names belong; None takes all robots\n\n"
           "Raises\n------\n"
           "InvalidInput : for a name that is not known (close ones are named); nothing has changed then")
      .def("reset", &reset, nb::kw_only(), "keyframe"_a = nb::none(),
           "Back to the start: q, v, ctrl, act, time, contact memory and PD as they were when this simulator was made. "
           "A run from\n"
           "there repeats the first one bit for bit. Wrenches that wait for the next step are dropped.\n\n"
           "Parameters\n----------\n"
           "keyframe : name of a state of the robot's file (Robot.keyframes), taken afterwards as by set_keyframe")
      .def("set_keyframe", &set_keyframe, "name"_a, nb::kw_only(), "robot"_a = nb::none(),
           "Put robots into a state that their file names: q, v, ctrl and act of an MJCF <key>.\n\n"
           "Parameters\n----------\n"
           "name : one of Robot.keyframes; every robot that has one of this name takes it\n"
           "robot : a Robot or its name; None takes all robots")
      .def(
          "save",
          [](PySimulator& s) {
            const auto blob = s.run([](Simulator& e) { return e.save(); });
            return nb::bytes(blob.data(), blob.size());
          },
          "All that the future depends on, as bytes.")
      .def(
          "restore",
          [](PySimulator& s, const nb::bytes& blob, bool other_stepper) {
            const auto* first = static_cast<const std::byte*>(blob.data());
            const std::vector<std::byte> copy(first, first + blob.size());
            s.run([&](Simulator& e) {
              e.restore(copy, other_stepper);
              s.wrenches.clear();
            });
          },
          "blob"_a, "other_stepper"_a = false,
          "Go back to the state in blob, what save() returned, bit for bit. Blobs of another world, law, stepper or dt "
          "are refused;\n"
          "with other_stepper=True the stepper and dt may differ, and contact memory comes along.")
      .def(
          "hash", [](PySimulator& s) { return s.run([](Simulator& e) { return e.hash(); }); },
          "A 64-bit number of the state's bits: equal states, equal numbers.")
      .def(
          "profile", [](PySimulator& s, bool on) { s.run([&](Simulator& e) { e.profile(on); }); }, "on"_a = true,
          "Measure where the time of a step goes, from now on; stage_times() tells. Off again with on=False.")
      .def(
          "stage_times",
          [](PySimulator& s) {
            const auto times = s.run([](Simulator& e) { return e.stage_times(); });
            nb::dict out;
            for (const auto& [name, seconds] : times) out[name.c_str()] = seconds;
            return nb::borrow<nb::typed<nb::dict, std::string, double>>(out);
          },
          "Time per stage of all steps since profile() [s]: kinematics, detect, factor, assemble, solve, integrate "
          "and\n"
          "the rest. Steppers other than semi_implicit tell their whole time as rest.")
      .def("clone", &PySimulator::clone, "An independent simulator with the same world, settings and state.");
}

}  // namespace stiction::python
