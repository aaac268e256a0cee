// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/step/core/impulses.h>
#include <stiction/step/core/smooth_forces.h>
#include <stiction/step/core/time_stepper.h>
#include <stiction/step/hard/energy_balance.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

constexpr double kSmall = 0.01;      // of T_I
constexpr double kRoundOff = 1e-10;  // of the energy that a group exchanges in a step

// |x|² I − x xᵀ: inertia of a unit mass at x.
Mat3 point_inertia(const Vec3& x) { return x.squaredNorm() * Mat3::Identity() - x * x.transpose(); }

// Entry of the packed M on the diagonal of a velocity.
std::size_t diagonal(const Layout& layout, int velocity) { return layout.row[velocity] + layout.depth[velocity]; }

bool stores_energy(const BlockSpec& spec) { return is_motor(spec.source) || spec.compliance > 0.0; }
bool touches_world(const BlockSpec& spec, const RowBlock& rows) { return rows.sides == 1 && !within_tree(spec.source); }

}  // namespace

void EnergyBalance::resize(const World& world, const Layout& layout) {
  k_.resize(world, layout);
  groups_.resize(world.trees.size()), group_of_.resize(world.trees.size());
  start_.resize(world.trees.size());
  for (std::vector<double>* x : {&applied_, &implicit_, &mean_}) x->assign(world.nv, 0.0);
  cut_start_.resize(world.cuts.size()), cut_torque_.resize(world.cuts.size()), cut_rate_.resize(world.cuts.size());
}

void EnergyBalance::start(const StepContext& c, const State& state) {
  const Layout& layout = c.model.layout;
  forward_kinematics(c.world, layout, state.q.data(), state.v.data(), k_);
  for (std::size_t i = 0; i < c.world.trees.size(); ++i)
    start_[i] = tree_energy(c.world, layout, k_, c.world.trees[i], state.v.data());
  for (std::size_t i = 0; i < c.world.cuts.size(); ++i)
    cut_start_[i] = cut_motion(c.world, layout, k_, c.world.cuts[i]).position;
}

void EnergyBalance::before_forces(const StepContext& c) {
  const Layout& layout = c.model.layout;
  for (const BodyPlan& plan : layout.bodies)
    for (int j = plan.v; j < plan.v + plan.nv && plan.tau >= 0; ++j)
      implicit_[j] = c.work.kinematics.factor[diagonal(layout, j)];
}

void EnergyBalance::after_forces(const StepContext& c, const StepInput& input, const PdGains& pd, double reach) {
  const Layout& layout = c.model.layout;
  const Kinematics& k = c.work.kinematics;
  for (const BodyPlan& plan : layout.bodies)
    for (int j = plan.v; j < plan.v + plan.nv && plan.tau >= 0; ++j)
      implicit_[j] = k.factor[diagonal(layout, j)] - implicit_[j];
  for (std::size_t j = 0; j < applied_.size(); ++j) applied_[j] = c.work.z[j] + k.bias[j];
  for (std::size_t i = 0; i < c.world.cuts.size(); ++i) {
    const CutJoint& joint = c.world.cuts[i];
    cut_torque_[i] = cut_torque(joint, cut_motion(c.world, layout, k, joint), pd, input.tau, reach);
  }
}

void EnergyBalance::find_groups(const StepContext& c) {
  const Assembly& assembly = c.work.assembly;
  const auto tree_of = [&](const RowSide& side) { return c.model.layout.bodies[side.body].tree; };
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    group_of_[i] = static_cast<int>(i);
    groups_[i] = {0.0, 0.0, 0.0, 0.0, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Mat3::Zero(), false};
  }
  for (int island = 0; island < assembly.islands.count(); ++island) {
    const int *first = assembly.islands.block.data() + assembly.islands.start[island],
              *last = assembly.islands.block.data() + assembly.islands.start[island + 1];
    const int group = tree_of(assembly.rows.blocks[*first].side[0]);
    for (const int* b = first; b != last; ++b) {
      const RowBlock& rows = assembly.rows.blocks[*b];
      for (int s = 0; s < rows.sides; ++s) group_of_[tree_of(rows.side[s])] = group;
      if (touches_world(assembly.specs[*b], rows)) groups_[group].grounded = true;
    }
  }
  for (std::size_t i = 0; i < groups_.size(); ++i)
    if (!c.world.trees[i].floating) groups_[group_of_[i]].grounded = true;
}

// error −= W_f. `mean_` and the rates of cut joints at the midpoint are made here.
void EnergyBalance::add_applied_work(const StepContext& c, const double* moved) {
  const Workspace& w = c.work;
  const double dt = c.model.dt;
  for (std::size_t j = 0; j < mean_.size(); ++j)
    mean_[j] = 0.5 * (w.v[j] + w.next[j]) + (moved != nullptr ? moved[j] / dt : 0.0);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const Tree& tree = c.world.trees[i];
    double work = 0.0;
    for (int j = tree.v; j < (tree.v + tree.nv); ++j)
      work += (dt * applied_[j] - implicit_[j] * (w.next[j] - w.v[j])) * mean_[j];
    Group& group = groups_[group_of_[i]];
    group.error -= work;
    group.exchanged += start_[i].kinetic + std::abs(work);
  }
  if (c.world.cuts.empty()) return;
  forward_kinematics(c.world, c.model.layout, w.q.data(), mean_.data(), k_);
  for (std::size_t i = 0; i < c.world.cuts.size(); ++i)
    cut_rate_[i] = cut_motion(c.world, c.model.layout, k_, c.world.cuts[i]).rate;
}

// error −= W_s + Σ min(0, λ·γ̄).
void EnergyBalance::add_row_work(const StepContext& c) {
  const Assembly& assembly = c.work.assembly;
  for (std::size_t b = 0; b < assembly.specs.size(); ++b) {
    const BlockSpec& spec = assembly.specs[b];
    const RowBlock& rows = assembly.rows.blocks[b];
    if (spec.source == RowSource::loop && !stores_energy(spec)) continue;
    double u[kMostRows], lambda[kMostRows];
    apply_rows(c.model.layout, assembly.rows, rows, c.work.whitened.data(), u);
    block_impulse(spec, rows, c.work, lambda);
    double work = 0.0;
    for (int r = 0; r < rows.rows; ++r) work += lambda[r] * (rows.before[r] + 0.5 * u[r]);
    const int tree = c.model.layout.bodies[rows.side[0].body].tree;
    Group& group = groups_[group_of_[tree]];
    group.error -= stores_energy(spec) ? work : std::min(0.0, work);
    group.exchanged += std::abs(work);
  }
}

// error += ΔE, and the momentum and inertia of the groups at the end. Motors of cut joints: from dt·rate to the way they went.
void EnergyBalance::add_motion(const StepContext& c, const double* q, const double* v) {
  const Layout& layout = c.model.layout;
  forward_kinematics(c.world, layout, q, v, k_);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const Tree& tree = c.world.trees[i];
    Group& group = groups_[group_of_[i]];
    const TreeEnergy end = tree_energy(c.world, layout, k_, tree, v);
    group.error += end.kinetic + end.potential - (start_[i].kinetic + start_[i].potential);
    group.kinetic += end.kinetic;
    for (int b = tree.first_body; b < tree.first_body + tree.bodies && !group.grounded; ++b) {
      const BodyMotion m = body_motion(layout, k_, b);
      group.mass += m.mass, group.moment += m.mass * m.centre, group.linear += m.mass * m.linear;
      group.angular += m.spin_momentum + m.mass * m.centre.cross(m.linear);
      group.inertia += body_inertia(layout, k_, b) + m.mass * point_inertia(m.centre);
    }
  }
  for (std::size_t i = 0; i < c.world.cuts.size(); ++i) {
    const CutJoint& joint = c.world.cuts[i];
    const CutMotion m = cut_motion(c.world, layout, k_, joint);
    if (m.velocities != 1) continue;
    double way = m.position - cut_start_[i];
    if (joint.kind != JointKind::prismatic) way = std::remainder(way, 2.0 * std::numbers::pi);
    const int tree = layout.bodies[m.b].tree;
    groups_[group_of_[tree]].error -= cut_torque_[i][0] * (way - c.model.dt * cut_rate_[i][0]);
  }
}

// s and v_R of (2). False: there is nothing to do.
bool EnergyBalance::scale(const Group& group, double& s, Rigid& rigid) const {
  rigid = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  double inner = group.kinetic;
  if (!group.grounded && group.mass > 0.0) {
    rigid.centre = group.moment / group.mass, rigid.linear = group.linear / group.mass;
    const Vec3 spin = group.angular - rigid.centre.cross(group.linear);
    rigid.angular = (group.inertia - group.mass * point_inertia(rigid.centre)).ldlt().solve(spin);
    const double turning = 0.5 * spin.dot(rigid.angular);
    inner -= 0.5 * group.linear.dot(rigid.linear) + turning;
    if (!(std::abs(group.error) <= kSmall * inner)) inner += turning, rigid.angular.setZero();
  }
  if (!(inner > 0.0) || !std::isfinite(group.error) || group.error < -kSmall * inner) return false;
  s = std::sqrt(std::max(0.0, 1.0 - group.error / inner));
  return std::isfinite(s) && rigid.angular.allFinite();
}

double EnergyBalance::close(const StepContext& c, const double* moved, const State& start, double* q, double* v) {
  find_groups(c);
  add_applied_work(c, moved);
  add_row_work(c);
  add_motion(c, q, v);
  double largest = 0.0;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const Tree& tree = c.world.trees[i];
    const Group& group = groups_[group_of_[i]];
    largest = std::max(largest, std::abs(group.error));
    Eigen::Map<Vec> velocity(v + tree.v, tree.nv);
    if (group.grounded && group.error > group.kinetic + kRoundOff * group.exchanged) {
      velocity.setZero();
      std::copy_n(start.q.data() + tree.q, tree.nq, q + tree.q);
      continue;
    }
    double s = 1.0;
    Rigid rigid;
    if (!scale(group, s, rigid)) continue;
    Vec6 base = Vec6::Zero();
    if (tree.floating) {
      const Pose& pose = k_.base[i];
      base.head<3>() =
          pose.rotation.transpose() * (rigid.linear + rigid.angular.cross(pose.translation - rigid.centre));
      base.tail<3>() = pose.rotation.transpose() * rigid.angular;
      velocity.head<6>() -= base;
    }
    velocity *= s;
    if (tree.floating) velocity.head<6>() += base;
  }
  return largest;
}

}  // namespace stiction
