// SPDX-License-Identifier: BSD-2-Clause
// How soft an MJCF file makes contacts, limits, dry friction and equalities (solref, solimp). What a step makes of it, if the law is
// asked to (`softness="file"`), is law/file_softness.h.
#pragma once

#include <stiction/base/types.h>

#include <array>
#include <vector>

namespace stiction {

struct Softness {
  Vec2 reference{0.02, 1.0};  // solref: time constant [s] and damping ratio, or −stiffness [1/s²] and −damping [1/s]
  std::array<double, 5> impedance{0.9, 0.95, 0.001, 0.5, 2.0};  // solimp: d₀, d_w, width [m, rad], midpoint, power
  double weight = 0.0;          // inverse inertia of the row at the reference position [1/kg, 1/(kg m²)]; 0: rigid
  double angular_weight = 0.0;  // of the rotations of a weld
  double pyramid = 0.0;         // contacts: 1/(impratio (condim − 1)) of MuJoCo's pyramidal cone, 0 of its elliptic one
  bool given = false;           // a file says it; otherwise the row is rigid
};

// All lists are empty in a world without MJCF files.
struct WorldSoftness {
  std::vector<Softness> contacts;          // materials², row-major; their weight is that of the geoms
  std::vector<double> geoms;               // per geom: inverse mass of its body [1/kg]
  std::vector<Softness> limits, friction;  // per velocity
  std::vector<Softness> loops, couplings;  // per loop, per coupling
  bool empty() const { return contacts.empty(); }
};

}  // namespace stiction
