// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/kinematics.h>
#include <stiction/dynamics/kernels/tree_factor.h>

#include <cmath>

namespace stiction {
namespace {

struct Angle {
  double c, s;
};

Angle angle_of(const BodyPlan& plan, const double* q) {
  if (plan.continuous) return {q[plan.q], q[plan.q + 1]};
  Angle a;
  __builtin_sincos(q[plan.q], &a.s, &a.c);
  return a;
}

Mat3 rotation_from_quaternion(const double* q) {
  return Eigen::Map<const Quat>(q).toRotationMatrix();  // (x, y, z, w) in memory
}

// R·Rot(axis): two columns turn in their plane, the axis column stays.
void turn(Mat3& R, int first, int second, const Angle& a) {
  const Vec3 x = R.col(first), y = R.col(second);
  R.col(first) = a.c * x + a.s * y;
  R.col(second) = a.c * y - a.s * x;
}

Mat3 rotation_about(const Vec3& axis, const Angle& a) {
  const Vec3 k = axis * (1.0 - a.c);
  Mat3 R = k * axis.transpose();
  R(0, 0) += a.c, R(1, 1) += a.c, R(2, 2) += a.c;
  const Vec3 s = axis * a.s;
  R(0, 1) -= s.z(), R(0, 2) += s.y(), R(1, 0) += s.z();
  R(1, 2) -= s.x(), R(2, 0) -= s.y(), R(2, 1) += s.x();
  return R;
}

// Placement of the body and its motion subspace; b.R and b.p hold the parent's on entry.
void place(const BodyPlan& plan, const double* q, BodyData& b, Column* s) {
  b.p += b.R * plan.placement.translation;
  if (!plan.aligned) b.R = (b.R * plan.placement.rotation).eval();
  const auto rotating = [&](Column& column, const Vec3& axis) {
    column.ang = axis;
    column.lin = b.p.cross(axis);
  };
  switch (plan.code) {
    case JointCode::revolute_x:
      turn(b.R, 1, 2, angle_of(plan, q)), rotating(s[0], b.R.col(0));
      break;
    case JointCode::revolute_y:
      turn(b.R, 2, 0, angle_of(plan, q)), rotating(s[0], b.R.col(1));
      break;
    case JointCode::revolute_z:
      turn(b.R, 0, 1, angle_of(plan, q)), rotating(s[0], b.R.col(2));
      break;
    case JointCode::revolute: {
      const Vec3 axis = b.R * plan.axis;
      b.R = (b.R * rotation_about(plan.axis, angle_of(plan, q))).eval();
      rotating(s[0], axis);
      break;
    }
    case JointCode::prismatic: {
      const Vec3 axis = b.R * plan.axis;
      b.p += axis * q[plan.q];
      s[0] = {axis, Vec3::Zero()};
      break;
    }
    case JointCode::spherical:
      b.R = (b.R * rotation_from_quaternion(q + plan.q)).eval();
      for (int i = 0; i < 3; ++i) rotating(s[i], b.R.col(i));
      break;
    case JointCode::translation:
      b.p += b.R * Eigen::Map<const Vec3>(q + plan.q);
      for (int i = 0; i < 3; ++i) s[i] = {b.R.col(i), Vec3::Zero()};
      break;
    case JointCode::planar:
      b.p += b.R.col(0) * q[plan.q] + b.R.col(1) * q[plan.q + 1];
      turn(b.R, 0, 1, {q[plan.q + 2], q[plan.q + 3]});
      s[0] = {b.R.col(0), Vec3::Zero()}, s[1] = {b.R.col(1), Vec3::Zero()};
      rotating(s[2], b.R.col(2));
      break;
    case JointCode::free:
      b.p += b.R * Eigen::Map<const Vec3>(q + plan.q);
      b.R = (b.R * rotation_from_quaternion(q + plan.q + 3)).eval();
      for (int i = 0; i < 3; ++i) s[i] = {b.R.col(i), Vec3::Zero()}, rotating(s[3 + i], b.R.col(i));
      break;
    case JointCode::root_free:
      break;  // the base frame is the body frame
  }
}

// Base frame and state of the root's parent, as seen from the base frame.
void start_tree(const Tree& tree, const BodyPlan& root, const double* q, Pose& base) {
  if (tree.floating) {
    base.translation = root.placement * Eigen::Map<const Vec3>(q + root.q);
    base.rotation = root.placement.rotation * rotation_from_quaternion(q + root.q + 3);
  } else {
    base = root.placement;
  }
}

constexpr Eigen::Index xx = 0, xy = 1, xz = 2, yy = 3, yz = 4, zz = 5;

Vec3 times(const double* I, const Vec3& x) {
  return {I[xx] * x.x() + I[xy] * x.y() + I[xz] * x.z(), I[xy] * x.x() + I[yy] * x.y() + I[yz] * x.z(),
          I[xz] * x.x() + I[yz] * x.y() + I[zz] * x.z()};
}

// R I Rᵀ for a packed symmetric I.
void rotate_inertia(const Mat3& R, const double* I, double* out) {
  Mat3 T;  // R I
  for (int r = 0; r < 3; ++r) {
    T(r, 0) = R(r, 0) * I[xx] + R(r, 1) * I[xy] + R(r, 2) * I[xz];
    T(r, 1) = R(r, 0) * I[xy] + R(r, 1) * I[yy] + R(r, 2) * I[yz];
    T(r, 2) = R(r, 0) * I[xz] + R(r, 1) * I[yz] + R(r, 2) * I[zz];
  }
  const auto entry = [&](int r, int c) { return T(r, 0) * R(c, 0) + T(r, 1) * R(c, 1) + T(r, 2) * R(c, 2); };
  out[xx] = entry(0, 0), out[xy] = entry(0, 1), out[xz] = entry(0, 2);
  out[yy] = entry(1, 1), out[yz] = entry(1, 2), out[zz] = entry(2, 2);
}

// Own force and own inertia of a body, about the base origin.
void body_force_and_inertia(const BodyPlan& plan, BodyData& b) {
  if (plan.massless) {
    b.f.setZero(), b.n.setZero(), b.moment.setZero();
    b.mass = 0.0;
    std::fill(b.inertia, b.inertia + 6, 0.0);
    return;
  }
  const Vec3 c = b.R * plan.com + b.p;
  double I[6];
  rotate_inertia(b.R, plan.inertia, I);
  const Vec3 velocity = b.v + b.w.cross(c);
  const Vec3 acceleration = b.a + b.alpha.cross(c) + b.w.cross(velocity);
  b.f = plan.mass * acceleration;
  b.n = times(I, b.alpha) + b.w.cross(times(I, b.w)) + c.cross(b.f);
  b.mass = plan.mass;
  b.moment = plan.mass * c;
  const Vec3 mc = b.moment;
  b.inertia[xx] = I[xx] + mc.y() * c.y() + mc.z() * c.z();
  b.inertia[yy] = I[yy] + mc.x() * c.x() + mc.z() * c.z();
  b.inertia[zz] = I[zz] + mc.x() * c.x() + mc.y() * c.y();
  b.inertia[xy] = I[xy] - mc.x() * c.y();
  b.inertia[xz] = I[xz] - mc.x() * c.z();
  b.inertia[yz] = I[yz] - mc.y() * c.z();
}

// Bias and packed rows of M of the velocities of one body, from its composite inertia and subtree force.
void body_rows(const World& world, const Layout& layout, const Tree& tree, const BodyPlan& plan, const BodyData& b,
               Kinematics& k) {
  const int base_width = tree.floating ? 6 : 0;
  for (int i = 0; i < plan.nv; ++i) {
    const auto velocity = plan.v + i;
    const Column& s = k.columns[velocity];
    k.bias[velocity] = s.lin.dot(b.f) + s.ang.dot(b.n);
    const Vec3 f = b.mass * s.lin + s.ang.cross(b.moment);
    const Vec3 n = b.moment.cross(s.lin) + times(b.inertia, s.ang);
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

}  // namespace

namespace {

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
  Eigen::Map<Vec3>{h + plan.v + 3} = b.w.cross(times(plan.inertia, b.w));
}

}  // namespace

void Kinematics::resize(const World& world, const Layout& layout) {
  base.resize(world.trees.size());
  bodies.resize(world.bodies.size());
  columns.resize(world.nv);
  bias.resize(world.nv);
  factor.resize(layout.packed);
  inverse_diagonal.resize(world.nv);
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

// Down the tree: placements, velocities and (if asked) accelerations of every body.
template <bool with_acceleration>
void sweep_down(const World& world, const Layout& layout, const Tree& tree, const double* q, const double* v,
                bool classical, Kinematics& k) {
  const auto first = tree.first_body;
  const BodyPlan& root_plan = layout.bodies[first];
  Pose& base = k.base[root_plan.tree];
  start_tree(tree, root_plan, q, base);
  BodyData& root = k.bodies[first];
  start_root(world, tree, base, v, classical, root);
  if (!tree.floating) {  // the base frame is the joint's placement: only the joint itself moves the body
    BodyPlan local = root_plan;
    local.aligned = true;
    local.placement.translation.setZero();
    place(local, q, root, &k.columns[root_plan.v]);
    const BodyData still = root;
    move<with_acceleration>(root_plan, &k.columns[root_plan.v], v, still, root);
  }
  for (int i = first + 1; i < first + tree.bodies; ++i) {
    const BodyPlan& plan = layout.bodies[i];
    const BodyData& parent = k.bodies[plan.parent];
    BodyData& b = k.bodies[i];
    Column* s = &k.columns[plan.v];
    b.R = parent.R, b.p = parent.p;
    place(plan, q, b, s);
    move<with_acceleration>(plan, s, v, parent, b);
  }
}

}  // namespace

void forward_kinematics(const World& world, const Layout& layout, const double* q, const double* v, Kinematics& k) {
  for (const Tree& tree : world.trees) sweep_down<false>(world, layout, tree, q, v, true, k);
}

void fused_pass(const World& world, const Layout& layout, const double* q, const double* v, Purpose purpose,
                Kinematics& k) {
  for (const Tree& tree : world.trees) {
    if (tree.free_body && purpose != Purpose::query) {
      sweep_down<false>(world, layout, tree, q, v, true, k);
      const auto b = tree.first_body;
      free_body_bias(world, layout.bodies[b], k.base[layout.bodies[b].tree], k.bodies[b], k.bias.data());
      continue;
    }
    sweep_down<true>(world, layout, tree, q, v, purpose != Purpose::query, k);
    const int last = tree.first_body + tree.bodies - 1;
    for (int i = tree.first_body; i <= last; ++i) body_force_and_inertia(layout.bodies[i], k.bodies[i]);
    for (int i = last; i >= tree.first_body; --i) {
      const BodyPlan& plan = layout.bodies[i];
      const BodyData& b = k.bodies[i];
      if (purpose == Purpose::articulated) {
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
}

}  // namespace stiction
