// SPDX-License-Identifier: BSD-2-Clause
// What the kernels need to know of a world, computed once. Velocities of a tree are numbered parent before child, so the
// velocities that move a body form a *chain* (root to body), and the chain of an ancestor is a prefix of it. Row k of the
// factor of M is stored packed: one entry per velocity of the chain of k, the diagonal last. All inner loops then run over
// contiguous numbers, and two bodies of a tree share exactly a common prefix of their chains.
#pragma once

#include <stiction/base/trigonometry.h>
#include <stiction/dynamics/kernels/triple.h>
#include <stiction/model/world/world.h>

#include <vector>

namespace stiction {

// How the kinematic pass treats the joint: axis-aligned joints save most of the arithmetic.
enum class JointCode : std::uint8_t {
  root_free,
  free,
  revolute_x,
  revolute_y,
  revolute_z,
  revolute,
  prismatic,
  spherical,
  translation,
  planar
};

struct BodyPlan {
  int parent;  // kWorldBody for roots
  int tree;
  JointCode code;
  bool continuous;  // q = (cos, sin)
  bool aligned;     // placement.rotation is the identity
  bool massless;
  bool floating;   // the tree's root joint is free: the first six velocities of the chain are the base's
  bool free_body;  // Tree::free_body: M couples neither positions with rotations nor positions with each other
  int q, v, nv;
  int tau;            // first entry of tau, −1 for free roots
  int chain, length;  // first entry in Layout::chain and number of velocities that move the body
  Pose placement;
  Vec3 axis;
  double mass;
  Vec3 com;
  double inertia[6];  // about the centre of mass, body axes: xx, xy, xz, yy, yz, zz
};

// Angle or displacement of a joint of one velocity; within half a turn for continuous ones.
inline double joint_position(const BodyPlan& plan, const double* q) {
  return plan.continuous ? polar_angle(q[plan.q + 1], q[plan.q]) : q[plan.q];
}

// A joint of one velocity and its actuators: Layout::drives[first … first + count).
struct DrivenJoint {
  int body, first, count;
};

// Chains of a tendon or of an equality of tendons; none: more than a block of rows has.
struct TendonSides {
  int count = 0;
  int body[2] = {kWorldBody, kWorldBody};
};

// L = Σ coefficient · position over joints of one velocity; of a spatial tendon ∂L/∂v, which Kinematics::tendon_terms has.
struct TendonTerm {
  int body, velocity;
  double coefficient;
};
struct TendonPlan {
  std::vector<TendonTerm> terms;
  TendonSides sides;
  std::vector<int> drives;  // its actuators
  bool angular = false;     // its first joint turns
  bool spatial = false;     // of which:
  std::vector<int> slots;   // per velocity: its entry of `terms`, −1: none
};

// Two bodies that are built alike, one per lane: revolute joints of the same kind, on bodies of the same kind.
struct TwinBody {
  int body[2], q[2], v[2];
  int above;  // place in TwinBranches::bodies of those they are joined to; −1: TwinBranches::parent
  int depth;  // of their velocities
  JointCode code;
  bool continuous, aligned, massless;
  Triple<Pair> translation, axis, com;
  Triple<Pair> rotation[3];  // columns of the placement's
  Pair mass, inertia[6];
};
// Two branches of a tree with the same joints: legs, arms, fingers. Whole subtrees; what they are joined to comes before them.
struct TwinBranches {
  int parent;
  std::vector<TwinBody> bodies;
};

struct Layout {
  explicit Layout(const World& world);

  std::vector<BodyPlan> bodies;
  std::vector<int> chain;     // velocities that move each body, root first
  std::vector<int> depth;     // per velocity: number of velocities before it in its chain
  std::vector<int> row;       // per velocity: first entry of its packed row in the factor
  std::vector<int> chain_of;  // per velocity: first entry of its chain in `chain`
  int packed = 0;             // total number of packed entries
  std::vector<TwinBranches> twins;
  std::vector<int> twins_of;  // per tree: the first of its twins, then the end
  std::vector<char> is_twin;  // per body: 1 where a twin branch begins, 2 farther out, 0 elsewhere
  std::vector<int>
      outside;  // per velocity of a twin: number of velocities of its chain before the branch; 0 for others
  std::vector<int> bounded;  // bodies whose joint has limits or dry friction
  std::vector<int> sprung;   // bodies whose joint has a spring, and free bases with damping
  std::vector<DrivenJoint> driven;
  std::vector<int> drives;       // actuators of joints of one velocity, joint by joint
  std::vector<int> wide_drives;  // actuators of sites and of joints of several velocities
  std::vector<TendonPlan> tendons;
  std::vector<TendonSides> coupling_sides;  // per coupling, of tendons

  // Number of leading chain entries that two bodies of the same tree share.
  int common(int tree, int body_a, int body_b) const {
    const int first = tree_first_body_[tree];
    const int count = tree_bodies_[tree];
    return common_[tree_table_[tree] + (body_a - first) * count + (body_b - first)];
  }
  int common(int body_a, int body_b) const { return common(bodies[body_a].tree, body_a, body_b); }

 private:
  void find_twins(const World& world);
  void add_twins(int first_a, int first_b, int count);
  void find_drives(const World& world);
  void find_tendons(const World& world);
  void find_path_terms(const Tendon& tendon, TendonPlan& plan) const;
  std::vector<int> tree_first_body_, tree_bodies_, tree_table_, common_;
};

}  // namespace stiction
