// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/body_inertia.h>
#include <stiction/dynamics/kernels/joint_placement.h>
#include <stiction/dynamics/kernels/motion.h>
#include <stiction/dynamics/kernels/tendons.h>
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/dynamics/kernels/twin_branches.h>

#include <algorithm>

namespace stiction {
namespace {

// Base frame and state of the root's parent, as seen from the base frame.
void start_tree(const Tree& tree, const BodyPlan& root, const double* q, Pose& base) {
  if (tree.floating) {
    base.translation = root.placement * Eigen::Map<const Vec3>(q + root.q);
    base.rotation = root.placement.rotation * rotation_from_quaternion(q + root.q + 3);
  } else {
    base = root.placement;
  }
}

constexpr Eigen::Index xx = 0, xy = 1, xz = 2, yy = 3, yz = 4, zz = 5;  // places in packed matrices

// Bias and packed rows of M of the velocities of one body, from its composite inertia and subtree force.
void body_rows(const World& world, const Layout& layout, const Tree& tree, const BodyPlan& plan, const BodyData& b,
               Kinematics& k) {
  const int base_width = tree.floating ? 6 : 0;
  for (int i = 0; i < plan.nv; ++i) {
    const auto velocity = plan.v + i;
    const Column& s = k.columns[velocity];
    k.bias[velocity] = s.lin.dot(b.f) + s.ang.dot(b.n);
    const auto [f, n] = inertia_times(b.mass, b.moment, b.inertia, s);
    double* row = k.factor.data() + layout.row[velocity];
    const int depth = layout.depth[velocity];
    const int* chain = layout.chain.data() + layout.chain_of[velocity];
    if (base_width != 0) Eigen::Map<Vec3>{row} = f, Eigen::Map<Vec3>{row + 3} = n;
    for (int d = base_width; d <= depth; ++d) {
      const Column& t = k.columns[chain[d]];
      row[d] = t.lin.dot(f) + t.ang.dot(n);
    }
    row[depth] += world.armature[plan.v + i];
  }
}

// The floating base: S is the identity, so M is the composite inertia itself.
void base_rows(const World& world, const Layout& layout, const BodyPlan& plan, const BodyData& b, Kinematics& k) {
  const auto v = plan.v;
  double* h = k.bias.data() + v;
  Eigen::Map<Vec3>{h} = b.f;
  Eigen::Map<Vec3>{h + 3} = b.n;
  const double m = b.mass, x = b.moment.x(), y = b.moment.y(), z = b.moment.z();
  const double* I = b.inertia;
  double* r = k.factor.data() + layout.row[v];  // rows of length 1, 2, …, 6
  const double rows[21] = {m, 0, m, 0, 0, m, 0, -z, y, I[xx], z, 0, -x, I[xy], I[yy], -y, x, 0, I[xz], I[yz], I[zz]};
  std::copy(rows, rows + 21, r);
  for (int i = 0, at = 0; i < 6; ++i) at += i + 1, r[at - 1] += world.armature[plan.v + i];
}

// V = V_p + S v and, if asked, A = A_p + V × (S v) (S is fixed to the body; V × and V_p × agree on S v).
template <bool with_acceleration>
void move(const BodyPlan& plan, const Column* s, const double* v, const BodyData& parent, BodyData& b) {
  Vec3 lin = s[0].lin * v[plan.v], ang = s[0].ang * v[plan.v];
  for (int i = 1; i < plan.nv; ++i) lin += s[i].lin * v[plan.v + i], ang += s[i].ang * v[plan.v + i];
  if constexpr (with_acceleration) {
    b.a = parent.a + parent.w.cross(lin) + parent.v.cross(ang);
    b.alpha = parent.alpha + parent.w.cross(ang);
  }
  b.v = parent.v + lin;
  b.w = parent.w + ang;
}

void start_root(const World& world, const Tree& tree, const Pose& base, const double* v, bool classical,
                BodyData& root) {
  root.R.setIdentity();
  root.p.setZero();
  root.v.setZero(), root.w.setZero(), root.alpha.setZero();
  root.a = -(base.rotation.transpose() * world.gravity);
  if (tree.floating) {
    root.v = Eigen::Map<const Vec3>(v + tree.v);
    root.w = Eigen::Map<const Vec3>(v + tree.v + 3);
    if (classical) root.a -= root.w.cross(root.v);
  }
}

// A free body turns about its centre of mass: M is constant in its own axes, and so is the factor.
void constant_rows(const World& world, const Layout& layout, const Tree& tree, Kinematics& k) {
  const BodyPlan& plan = layout.bodies[tree.first_body];
  BodyData b{};
  b.mass = plan.mass;
  b.moment.setZero(), b.f.setZero(), b.n.setZero();
  std::copy(plan.inertia, plan.inertia + 6, b.inertia);
  base_rows(world, layout, plan, b, k);
}

// Forces on a free body in the step: weight, and the gyroscopic moment.
void free_body_bias(const World& world, const BodyPlan& plan, const Pose& base, const BodyData& b, double* h) {
  Eigen::Map<Vec3>{h + plan.v} = -plan.mass * (base.rotation.transpose() * world.gravity);
  Eigen::Map<Vec3>{h + plan.v + 3} = b.w.cross(packed_times(plan.inertia, b.w));
}

}  // namespace

void Kinematics::resize(const World& world, const Layout& layout) {
  base.resize(world.trees.size());
  bodies.resize(world.bodies.size());
  columns.resize(world.nv);
  bias.resize(world.nv);
  factor.resize(layout.packed);
  inverse_diagonal.resize(world.nv);
  tendon_inertia.assign(world.tendons.size(), 0.0);
  std::size_t most = 0;
  for (const TwinBranches& pair : layout.twins) {
    most = std::max(most, pair.bodies.size());
    for (const TwinBody& b : pair.bodies) twin_stride = std::max(twin_stride, b.depth + 1);
  }
  twins.resize(most), twin_rows.resize(most * twin_stride);
  tendon_length.assign(world.tendons.size(), 0.0);
  tendon_terms.resize(world.tendons.size());
  for (std::size_t i = 0; i < world.tendons.size(); ++i)
    if (layout.tendons[i].spatial) tendon_terms[i] = layout.tendons[i].terms;
  for (const Tree& tree : world.trees) {  // columns of floating bases never change
    if (!tree.floating) continue;
    for (int i = 0; i < 6; ++i) {
      Column& c = columns[tree.v + i];
      c.lin = i < 3 ? Vec3(Vec3::Unit(i)) : Vec3(Vec3::Zero());
      c.ang = i < 3 ? Vec3(Vec3::Zero()) : Vec3(Vec3::Unit(i - 3));
    }
    if (tree.free_body) constant_rows(world, layout, tree, *this), factorise(layout, tree, *this);
  }
}

namespace {

// Bias of the velocities of one body; of their packed rows only the diagonal, which holds what joints add to it.
void bias_rows(const World& world, const Layout& layout, const BodyPlan& plan, const BodyData& b, Kinematics& k) {
  for (int i = 0; i < plan.nv; ++i) {
    const auto velocity = plan.v + i;
    const Column& s = k.columns[velocity];
    k.bias[velocity] = s.lin.dot(b.f) + s.ang.dot(b.n);
    k.factor[layout.row[velocity] + layout.depth[velocity]] = world.armature[plan.v + i];
  }
}

// Base frame of a tree, and the motion of its root.
template <bool with_acceleration>
void start_sweep(const World& world, const Layout& layout, const Tree& tree, const double* q, const double* v,
                 bool classical, Kinematics& k) {
  const auto first = tree.first_body;
  const BodyPlan& root_plan = layout.bodies[first];
  Pose& base = k.base[root_plan.tree];
  start_tree(tree, root_plan, q, base);
  BodyData& root = k.bodies[first];
  start_root(world, tree, base, v, classical, root);
  if (tree.floating) return;
  // the base frame is the joint's placement: only the joint itself moves the body
  BodyPlan local = root_plan;
  local.aligned = true;
  local.placement.translation.setZero();
  place_joint(local, q, root, &k.columns[root_plan.v]);
  const BodyData still = root;
  move<with_acceleration>(root_plan, &k.columns[root_plan.v], v, still, root);
}

// Down the tree: placements, velocities and (if asked) accelerations of every body.
// `skip`, per body: those that are left to others.
template <bool with_acceleration>
void sweep_down(const World& world, const Layout& layout, const Tree& tree, const double* q, const double* v,
                bool classical, Kinematics& k, const char* skip = nullptr) {
  const auto first = tree.first_body;
  start_sweep<with_acceleration>(world, layout, tree, q, v, classical, k);
  for (int i = first + 1; i < first + tree.bodies; ++i) {
    if (skip != nullptr && skip[i] != 0) continue;
    const BodyPlan& plan = layout.bodies[i];
    const BodyData& parent = k.bodies[plan.parent];
    BodyData& b = k.bodies[i];
    Column* s = &k.columns[plan.v];
    b.R = parent.R, b.p = parent.p;
    place_joint(plan, q, b, s);
    move<with_acceleration>(plan, s, v, parent, b);
  }
}

}  // namespace

void forward_kinematics(const World& world, const Layout& layout, const double* q, const double* v, Kinematics& k) {
  for (const Tree& tree : world.trees) sweep_down<false>(world, layout, tree, q, v, true, k);
  place_tendons(world, layout, k);
}

void place_root(const World& world, const Layout& layout, const Tree& tree, const double* q, const double* v,
                Kinematics& k) {
  start_sweep<true>(world, layout, tree, q, v, true, k);
}

void fused_pass(const World& world, const Layout& layout, const Tree& tree, const double* q, const double* v,
                Purpose purpose, Kinematics& k) {
  if (tree.free_body && purpose != Purpose::query) {
    sweep_down<false>(world, layout, tree, q, v, true, k);
    const auto b = tree.first_body;
    free_body_bias(world, layout.bodies[b], k.base[layout.bodies[b].tree], k.bodies[b], k.bias.data());
    return;
  }
  const bool lanes = purpose != Purpose::articulated;
  sweep_down<true>(world, layout, tree, q, v, purpose != Purpose::query, k, lanes ? layout.is_twin.data() : nullptr);
  const int last = tree.first_body + tree.bodies - 1;
  forces_and_inertias(layout.bodies.data() + tree.first_body, lanes ? layout.is_twin.data() + tree.first_body : nullptr,
                      tree.bodies, k.bodies.data() + tree.first_body);
  const int index = layout.bodies[tree.first_body].tree;
  for (int t = layout.twins_of[index]; lanes && t < layout.twins_of[index + 1]; ++t)
    twin_pass(world, layout, layout.twins[t], q, v, k);
  for (int i = last; i >= tree.first_body; --i) {
    const BodyPlan& plan = layout.bodies[i];
    const BodyData& b = k.bodies[i];
    const char twin = lanes ? layout.is_twin[i] : 0;
    if (twin == 2) continue;
    if (twin == 1) {
      // its rows are made
    } else if (purpose == Purpose::articulated) {
      bias_rows(world, layout, plan, b, k);
    } else if (plan.code == JointCode::root_free) {
      base_rows(world, layout, plan, b, k);
    } else {
      body_rows(world, layout, tree, plan, b, k);
    }
    if (plan.parent == kWorldBody) continue;
    BodyData& parent = k.bodies[plan.parent];
    parent.f += b.f, parent.n += b.n;
    if (purpose == Purpose::articulated) continue;
    parent.mass += b.mass, parent.moment += b.moment;
    for (int c = 0; c < 6; ++c) parent.inertia[c] += b.inertia[c];
  }
}

void fused_pass(const World& world, const Layout& layout, const double* q, const double* v, Purpose purpose,
                Kinematics& k) {
  for (const Tree& tree : world.trees) fused_pass(world, layout, tree, q, v, purpose, k);
  place_tendons(world, layout, k);
}

}  // namespace stiction
