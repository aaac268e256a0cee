// SPDX-License-Identifier: BSD-2-Clause
// Quantities of a compiled world that may vary without compiling it again: one list of names, shapes and bounds. Nothing here changes what the
// structure of a world depends on: links without mass keep none, free bodies their frame, bases without damping stay so.
#pragma once

#include <stiction/model/world/world.h>

#include <string>
#include <vector>

namespace stiction {

// rows × across × down numbers: read from a world, checked beside the world as it was compiled (InvalidInput), and written into a copy.
struct ParameterKind {
  const char *name, *meaning;
  int (*rows)(const World&);
  int across, down;  // numbers per row: across × down
  double (*get)(const World&, int row, int k);
  void (*check)(const World&, const std::string& field, const double* x, int row);
  void (*set)(World&, const World& from, const double* x, int row);
  bool inertial = false;     // masses and inertias: layout and constant factors follow
  bool of_contacts = false;  // read by laws alone: kinematics, forces of joints and M do not know it
};

const std::vector<ParameterKind>& parameter_kinds();
std::vector<int> value_shape(const World& world, const ParameterKind& kind);  // of the values of one world
// What the first axis counts: bodies, the bodies that velocities belong to, pairs of materials, actuators; empty for gravity.
std::vector<std::string> column_names(const World& world, const ParameterKind& kind);

}  // namespace stiction
