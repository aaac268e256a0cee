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
  std::vector<std::string> joint_names, body_names, frames;
};

BodyHandle body_handle(const World& world, BodyId id);
RobotHandle robot_handle(const World& world, int id);

// A body given as handle, robot (its base), name or id; None is the world where `world_allowed`.
BodyId read_body(const World& world, nb::handle value, const std::string& field, bool world_allowed = false);
// A frame given as name, "robot/name" or index.
int read_frame(const World& world, nb::handle value, const std::string& field);

}  // namespace stiction::python
