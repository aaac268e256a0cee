// SPDX-License-Identifier: BSD-2-Clause
// Passes over one tree of several environments side by side: lane l of every number belongs to environment l. The operations are those of
// dynamics/kernels (kinematics, twin_branches, tree_factor) in their order, and lanes never mix, so the bits of each environment are those it
// has alone. Compiled once per instruction set, lanes_sse2.cpp, lanes_avx2.cpp and lanes_avx512.cpp. Those files see this header
// and no type of Eigen: an inline function that they shared with others might be the copy that the linker keeps, and it would stop older
// machines.
#pragma once

#include <cstddef>

namespace stiction {

constexpr int kMostLanes = 8;

enum class LaneJoint : unsigned char { root, x, y, z, any, slide };

// A body of one tree; the root is the first and is placed by others.
struct LaneBody {
  int parent;       // place in the list
  int q, v;         // in the world
  int twin_q = -1;  // of the joint that dynamics/kernels/twin_branches puts beside it; −1: none
  int velocity;     // in the tree
  int row, depth;   // its packed row of M, from the first of the tree; number of velocities before it in its chain
  LaneJoint joint;
  bool continuous, aligned, massless;
  double translation[3], rotation[9], axis[3];  // of the placement; matrices by columns
  double mass, com[3], inertia[6], armature;
  int tau;  // −1: no motor
  double damping, effort_limit;
};

struct LaneTree {
  const LaneBody* bodies;
  int count;               // bodies
  bool floating;           // the root has six velocities
  int velocities, v;       // number, and the first one in the world
  int row, packed;         // first packed row of the tree in the world, numbers in its rows
  const int* chain;        // of each velocity: those before it and itself, in the tree
  const int* chain_of;     // per velocity: its first entry in `chain`
  const int* rows;         // per velocity: its first packed entry in the tree
  const double* armature;  // per velocity
};

// Places in BodyData and Column (kinematics.h), in numbers.
namespace lane_place {
constexpr std::ptrdiff_t R = 0, p = 9, v = 12, w = 15, a = 18, alpha = 21, f = 24, n = 27, mass = 30, moment = 31,
                         inertia = 34, body = 40;
constexpr std::ptrdiff_t lin = 0, ang = 3, column = 6;
}  // namespace lane_place

// Where the numbers of each environment are. Lanes that are not used point where another one points.
struct LaneMemory {
  const double* q[kMostLanes];
  const double* v[kMostLanes];  // internal velocities
  double* bodies[kMostLanes];   // of the tree: BodyData of its root, then of the others
  double* columns[kMostLanes];  // of the world
  double* bias[kMostLanes];
  double* factor[kMostLanes];
  double* inverse_diagonal[kMostLanes];
  double* z[kMostLanes];
  const double *tau[kMostLanes], *kp[kMostLanes], *kd[kMostLanes], *target[kMostLanes];  // per motor
};

// Terms of motors that all environments of a group share (step/core/smooth_forces.h).
struct LaneDrive {
  bool has_tau, has_pd, implicit_pd;
  double dt, damping_dt, reach;
};

struct LaneKernels {
  const char* name;
  int width;
  // Numbers of scratch memory that a tree needs, at a multiple of 64 bytes.
  std::size_t (*room)(const LaneTree& tree);
  // The root has its motion: motions of all others, composite inertia and force of the root, bias, packed rows of M.
  // M also stays in `scratch`.
  void (*pass)(const LaneTree& tree, const LaneMemory& memory, double* scratch);
  // After pass(): z ← τ − h of motors, PD and damping; what is implicit goes onto the diagonal of M.
  void (*drive)(const LaneTree& tree, const LaneDrive& drive, const LaneMemory& memory, double* scratch);
  // After pass(), with the packed diagonal as it is now: the factor of M, and z ← L̂⁻ᵀ z.
  void (*whiten)(const LaneTree& tree, const LaneMemory& memory, double* scratch);
};

// Null where the compiler was not asked for this instruction set.
const LaneKernels* sse2_lanes();
const LaneKernels* avx2_lanes();
const LaneKernels* avx512_lanes();

}  // namespace stiction
