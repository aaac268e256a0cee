// SPDX-License-Identifier: BSD-2-Clause
// Scratch memory of the energy guard (energy_guard.h).
#pragma once

#include <stiction/dynamics/contact/detect.h>

#include <vector>

namespace stiction {

// What the guard sums over trees that touch or are joined [J, kg].
struct GroupEnergy {
  double before = 0.0, kinetic_before = 0.0, after = 0.0, kinetic_after = 0.0;
  double given = 0.0, mass = 0.0, round_off = 0.0;
};

struct GuardWork {
  Kinematics kinematics;
  std::vector<double> kick;  // of velocity_forces.h
  DetectionWork detection;
  std::vector<Contact> contacts;    // soft contacts at the start of the step
  std::vector<int> group;           // per tree: the first tree of its group
  std::vector<GroupEnergy> energy;  // per tree; valid at the first tree of a group
};

}  // namespace stiction
