// SPDX-License-Identifier: BSD-2-Clause
// What `World.add_*` hands back: small copies of what was added, valid for every simulator made from that world.
#pragma once

#include <stiction/model/world/world.h>

#include "bind.h"

namespace stiction::python {

// What names a body, a frame or a mesh, as help() and the stubs show it; read_body, read_frame and read_mesh check it.
class BodyLike : public nb::object {
  static bool accept(nb::handle) { return true; }

 public:
  NB_OBJECT_DEFAULT(BodyLike, nb::object, "Body | Robot | str | int", accept)
};
// One body or several.
class BodiesLike : public nb::object {
  static bool accept(nb::handle) { return true; }

 public:
  NB_OBJECT_DEFAULT(BodiesLike, nb::object,
                    "Body | Robot | str | int | collections.abc.Iterable[Body | Robot | str | int]", accept)
};
class RobotLike : public nb::object {
  static bool accept(nb::handle) { return true; }

 public:
  NB_OBJECT_DEFAULT(RobotLike, nb::object, "Robot | str", accept)
};
class FrameLike : public nb::object {
  static bool accept(nb::handle) { return true; }

 public:
  NB_OBJECT_DEFAULT(FrameLike, nb::object, "str | int", accept)
};

struct BodyHandle {
  BodyId id = kWorldBody;
  std::string name;
  int q = 0, nq = 0, v = 0, nv = 0;
  BodyId parent = kWorldBody;
};

struct RobotHandle {
  int id = 0;
  std::string name;
  int base = 0;  // body id of the root link
  int q = 0, nq = 0, v = 0, nv = 0, tau = 0, ntau = 0;
  bool floating = false;
  std::vector<std::string> joint_names, body_names, frames, keyframes;
  struct Place {
    int q = 0, v = 0, tau = 0;  // from the robot's first entry; q and v are -1 where the joint is cut
  };
  std::vector<Place> places;  // one per joint name
  int ctrl = 0;               // its first entry of sim.ctrl
  std::vector<std::string> actuator_names, sites, sensors;
};

BodyHandle body_handle(const World& world, BodyId id);
RobotHandle robot_handle(const World& world, int id);

// A body given as handle, robot (its base), name or id; None is the world where `world_allowed`.
BodyId read_body(const World& world, nb::handle value, const std::string& field, bool world_allowed = false);
// A frame given as name, "robot/name" or index.
int read_frame(const World& world, nb::handle value, const std::string& field);
// A robot given as handle or name; None is -1, which stands for all of them.
int read_robot(const World& world, nb::handle value, const std::string& field);

// A site given as name or "robot/name".
int read_site(const World& world, nb::handle value, const std::string& field);
// Names of sensors, "robot/name" where several have the same.
std::vector<std::string> sensor_names(const World& world);

struct JointName {
  std::string name;  // plain, or "robot/joint" where several of the robots have a joint of this name
  BodyId body;
};
// Joints of one robot (or of all, robot < 0), without free bases, in the order of tau.
std::vector<JointName> list_joints(const World& world, int robot);
// A joint given as name or "robot/joint".
BodyId read_joint(const World& world, const std::string& wanted, int robot, const std::string& field);

}  // namespace stiction::python
