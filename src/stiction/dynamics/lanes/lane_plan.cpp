// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/lanes/lane_plan.h>

#include <algorithm>
#include <cstddef>
#include <new>

namespace stiction {
namespace {

constexpr std::size_t kLine = 64;  // [bytes], the widest register

static_assert(sizeof(BodyData) == lane_place::body * sizeof(double));
static_assert(sizeof(Column) == lane_place::column * sizeof(double));

bool one_velocity(JointCode code) {
  return code == JointCode::revolute_x || code == JointCode::revolute_y || code == JointCode::revolute_z ||
         code == JointCode::revolute || code == JointCode::prismatic;
}

bool fits_lanes(const Tree& tree, const Layout& layout) {
  if (tree.free_body || tree.bodies < 2) return false;
  if (!tree.floating && !one_velocity(layout.bodies[tree.first_body].code)) return false;
  for (int i = tree.first_body + 1; i < tree.first_body + tree.bodies; ++i)
    if (!one_velocity(layout.bodies[i].code)) return false;
  return true;
}

LaneJoint lane_joint(JointCode code) {
  switch (code) {
    case JointCode::revolute_x:
      return LaneJoint::x;
    case JointCode::revolute_y:
      return LaneJoint::y;
    case JointCode::revolute_z:
      return LaneJoint::z;
    case JointCode::prismatic:
      return LaneJoint::slide;
    default:
      return LaneJoint::any;
  }
}

LaneBody lane_body(const World& world, const Tree& tree, const Layout& layout, int index) {
  const BodyPlan& plan = layout.bodies[index];
  LaneBody out{};
  out.twin_q = -1;
  out.parent = std::max(0, plan.parent - tree.first_body);
  out.q = plan.q, out.v = plan.v, out.velocity = plan.v - tree.v;
  out.row = layout.row[plan.v] - layout.row[tree.v], out.depth = layout.depth[plan.v];
  out.joint = index == tree.first_body ? LaneJoint::root : lane_joint(plan.code);
  out.continuous = plan.continuous, out.aligned = plan.aligned, out.massless = plan.massless;
  std::copy_n(plan.placement.translation.data(), 3, out.translation);
  std::copy_n(plan.placement.rotation.data(), 9, out.rotation);
  std::copy_n(plan.axis.data(), 3, out.axis);
  out.mass = plan.mass, out.armature = world.armature[plan.v];
  std::copy_n(plan.com.data(), 3, out.com);
  std::copy_n(plan.inertia, 6, out.inertia);
  out.tau = plan.tau, out.damping = world.joint_damping[plan.v], out.effort_limit = world.effort_limit[plan.v];
  return out;
}

}  // namespace

LanePlan::LanePlan(const World& world, const Layout& layout) {
  for (std::size_t t = 0; t < world.trees.size(); ++t) {
    const Tree& tree = world.trees[t];
    known_.push_back(fits_lanes(tree, layout));
    others_.push_back(known_.back() == 0);
    if (!known_.back()) continue;
    Known& out = trees_.emplace_back();
    out.first_body = tree.first_body;
    for (int i = 0; i < tree.bodies; ++i) out.bodies.push_back(lane_body(world, tree, layout, tree.first_body + i));
    for (int s = layout.twins_of[t]; s < layout.twins_of[t + 1]; ++s)
      for (const TwinBody& twin : layout.twins[s].bodies)
        for (const int lane : {0, 1}) {
          LaneBody& b = out.bodies[twin.body[lane] - tree.first_body];
          b.twin_q = twin.q[1 - lane], b.aligned = twin.aligned;
        }
    const int first_row = layout.row[tree.v];
    for (int j = tree.v; j < tree.v + tree.nv; ++j) {
      out.rows.push_back(layout.row[j] - first_row);
      out.chain_of.push_back(static_cast<int>(out.chain.size()));
      for (int d = 0; d <= layout.depth[j]; ++d) out.chain.push_back(layout.chain[layout.chain_of[j] + d] - tree.v);
      out.armature.push_back(world.armature[j]);
    }
    const int last = tree.v + tree.nv - 1;
    out.tree = {.bodies = nullptr,
                .count = tree.bodies,
                .floating = tree.floating,
                .velocities = tree.nv,
                .v = tree.v,
                .row = first_row,
                .packed = layout.row[last] + layout.depth[last] + 1 - first_row,
                .chain = nullptr,
                .chain_of = nullptr,
                .rows = nullptr,
                .armature = nullptr};
  }
  for (Known& known : trees_) {
    known.tree.bodies = known.bodies.data(), known.tree.chain = known.chain.data();
    known.tree.chain_of = known.chain_of.data(), known.tree.rows = known.rows.data();
    known.tree.armature = known.armature.data();
  }
}

void LaneWork::Free::operator()(double* x) const { ::operator delete[](x, std::align_val_t(kLine)); }

LaneWork::LaneWork(const LanePlan& plan, const LaneKernels& kernels) : plan_(plan), kernels_(kernels) {
  std::size_t total = 0;
  for (const LanePlan::Known& known : plan.trees_) {
    start_.push_back(total);
    constexpr std::size_t line = kLine / sizeof(double);
    total += (kernels.room(known.tree) + line - 1) / line * line;
  }
  scratch_.reset(static_cast<double*>(
      ::operator new[](std::max<std::size_t>(1, total) * sizeof(double), std::align_val_t(kLine))));
}

void LaneWork::point_to(std::span<const LaneEnvironment> group, int first_body) {
  for (int l = 0; l < kernels_.width; ++l) {
    const LaneEnvironment& e = group[static_cast<std::size_t>(l) < group.size() ? static_cast<std::size_t>(l) : 0];
    Kinematics& k = *e.kinematics;
    memory_.q[l] = e.q, memory_.v[l] = e.v, memory_.z[l] = e.z;
    memory_.bodies[l] = reinterpret_cast<double*>(k.bodies.data() + first_body);
    memory_.columns[l] = reinterpret_cast<double*>(k.columns.data());
    memory_.bias[l] = k.bias.data(), memory_.factor[l] = k.factor.data();
    memory_.inverse_diagonal[l] = k.inverse_diagonal.data();
    memory_.tau[l] = e.tau, memory_.kp[l] = e.kp, memory_.kd[l] = e.kd, memory_.target[l] = e.target;
  }
}

void LaneWork::pass(std::span<const LaneEnvironment> group) {
  for (std::size_t t = 0; t < plan_.trees_.size(); ++t) {
    point_to(group, plan_.trees_[t].first_body);
    kernels_.pass(plan_.trees_[t].tree, memory_, scratch_.get() + start_[t]);
  }
}

void LaneWork::drive(const LaneDrive& terms, std::span<const LaneEnvironment> group) {
  for (std::size_t t = 0; t < plan_.trees_.size(); ++t) {
    point_to(group, plan_.trees_[t].first_body);
    kernels_.drive(plan_.trees_[t].tree, terms, memory_, scratch_.get() + start_[t]);
  }
}

void LaneWork::whiten(std::span<const LaneEnvironment> group) {
  for (std::size_t t = 0; t < plan_.trees_.size(); ++t) {
    point_to(group, plan_.trees_[t].first_body);
    kernels_.whiten(plan_.trees_[t].tree, memory_, scratch_.get() + start_[t]);
  }
}

}  // namespace stiction
