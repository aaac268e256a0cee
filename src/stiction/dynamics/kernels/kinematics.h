// SPDX-License-Identifier: BSD-2-Clause
// One fused pass over the bodies of a world: placements, velocities, bias forces and the mass matrix.
//
// Every tree works in its *base frame*: the frame of the floating base, or the placement of the root joint of a fixed one.
// Motion subspaces, velocities and composite inertias of a tree are all expressed there, at its origin, so that nothing is
// transformed between links and the base columns of M come free:
//   V_i = V_p + S_i v_i              A_i = A_p + V_i × S_i v_i           F_i = m a_c,  N_i = I α + ω × Iω
//   I^c_p += I^c_i                   M_ij = S_iᵀ I^c_j S_j               h_i = S_iᵀ ΣF
// The internal velocity of a floating base is (ṗ, ω) in base axes with the *classical* acceleration p̈ as its derivative:
// with A_0 = (−ω × v − gravity, 0) the bias h makes M (p̈, ω̇, q̈) + h = τ hold, so that Euler's rule updates the world
// velocity of the origin. (Pinocchio's derivative is the spatial one, p̈ − ω × v; Euler on it makes a spinning ball in free
// flight gain speed.)                                                                    docs/decisions/003-world-velocity.md
// [Featherstone08, ch. 5-6]. Cost: about 250 flops per revolute joint.
#pragma once

#include <stiction/base/types.h>
#include <stiction/dynamics/kernels/layout.h>
#include <stiction/model/world/world.h>

#include <vector>

namespace stiction {

struct BodyData {
  Mat3 R;         // body axes in base axes
  Vec3 p;         // body origin in the base frame [m]
  Vec3 v, w;      // spatial velocity at the base origin, base axes
  Vec3 a, alpha;  // bias acceleration, likewise
  Vec3 f, n;      // force on the subtree, moment about the base origin
  double mass;    // composite inertia of the subtree about the base origin
  Vec3 moment;    // mass × centre
  double inertia[6];
};

struct Column {
  Vec3 lin, ang;  // motion subspace of one velocity, base axes, at the base origin
};

// Of two bodies side by side (twin_branches.h), base frame as above; (x, y, z) are the columns of R.
struct TwinData {
  Triple<Pair> x, y, z, p;
  Triple<Pair> v, w, a, alpha;
  Triple<Pair> lin, ang;  // motion subspace
  Triple<Pair> f, n, moment;
  Pair mass, inertia[6];
};

struct Kinematics {
  std::vector<Pose> base;  // per tree: base frame in the world
  std::vector<BodyData> bodies;
  std::vector<Column> columns;  // per velocity
  std::vector<double> bias;     // h, per velocity
  std::vector<double> factor;   // packed M, then its factor L̂ (M = L̂ᵀL̂)
  std::vector<double> inverse_diagonal;
  std::vector<TwinData> twins;  // of the branches that are looked at
  std::vector<Pair> twin_rows;  // and their packed rows, twin_stride apart
  int twin_stride = 0;
  std::vector<double> tendon_inertia;  // per tendon: what is implicit along it in this step (law/tendon_blocks.h)
  std::vector<double> tendon_length;   // per tendon, of spatial ones [m]
  std::vector<std::vector<TendonTerm>> tendon_terms;  // likewise: ∂L/∂v

  void resize(const World& world, const Layout& layout);
  Pose pose(const Layout& layout, int body) const {
    const BodyData& b = bodies[body];
    const Pose& base_pose = base[layout.bodies[body].tree];
    return {base_pose.rotation * b.R, base_pose.rotation * b.p + base_pose.translation};
  }
  Pose pose_of(const Layout& layout, int body) const {  // also of kWorldBody
    return body == kWorldBody ? Pose{} : pose(layout, body);
  }
};

// Placements and velocities only (queries).
void forward_kinematics(const World& world, const Layout& layout, const double* q, const double* v, Kinematics& k);
// step: classical bias, and free bodies keep the constant factor that Kinematics::resize made for them.
// query: Pinocchio's spatial bias, and every row of M is written.
// articulated: as step, in O(bodies): no M. Inertias are those of the bodies themselves, and of the packed rows only the diagonal is
// written, with the armature (articulated_body.h).
enum class Purpose { step, query, articulated };
// The whole pass: also bias h and the packed mass matrix (armature included).
void fused_pass(const World& world, const Layout& layout, const double* q, const double* v, Purpose purpose,
                Kinematics& k);
// Of one tree, without tendons.
void fused_pass(const World& world, const Layout& layout, const Tree& tree, const double* q, const double* v,
                Purpose purpose, Kinematics& k);
// How the pass of a tree begins in the step: its base frame and the motion of its root (dynamics/lanes does the rest).
void place_root(const World& world, const Layout& layout, const Tree& tree, const double* q, const double* v,
                Kinematics& k);

}  // namespace stiction
