// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/contact/coupling.h>
#include <stiction/dynamics/contact/cut_joint.h>
#include <stiction/law/file_softness.h>
#include <stiction/law/joint_blocks.h>
#include <stiction/law/tendon_blocks.h>
#include <stiction/model/world/tendon.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// Rows that an MJCF file makes soft (law/file_softness.h, 2).
void soften_rows(const RowBlock& rows, const SoftRow& soft, const double* error, BlockSpec& spec) {
  spec.compliance = soft.compliance;
  for (int r = 0; r < rows.rows; ++r) {
    spec.correction[r] = 0.0;
    spec.g[r] = rows.free[r] - soft.reference(rows.before[r], error[r]);
  }
}

// What the file says of a loop, and the length of its whole error.
struct LoopSoftness {
  const Softness* softness = nullptr;  // null: rigid
  double size = 0.0;
};

LoopSoftness loop_softness(const AssembleInput& in, const Loop& loop, const LoopError& e) {
  if (!in.law.from_file) return {};
  const Softness& s = in.world.softness.loops[&loop - in.world.loops.data()];
  const double angular = loop.kind == Loop::weld ? 0.25 * e.angular.squaredNorm() : 0.0;  // MuJoCo's: half the angle
  return {s.given ? &s : nullptr, std::sqrt(e.linear.squaredNorm() + angular)};
}

// The rows just added, in the directions `axes` of the error: R λ + u = −(share of the error).
template <int rows>
void finish_loop(const AssembleInput& in, const Loop& loop, const LoopSoftness& soft,
                 const Eigen::Matrix<double, rows, 3>& axes, const Vec3& error, bool angular, int& row, Assembly& out) {
  const RowBlock& block = out.rows.blocks.back();
  BlockSpec& spec = add_spec(out, Block::bilateral(0, rows, angular), RowSource::loop, row);
  Vec3 wanted = -(in.positions.correct ? in.law.options.baumgarte : 0.0) / in.dt * error;
  const double fastest = angular ? in.law.options.correction_speed : fastest_correction(in, error.norm());
  if (const double speed = wanted.norm(); speed > fastest) wanted *= fastest / speed;
  if (std::isfinite(loop.stiffness)) {
    const Spring s = spring(in, 1.0, loop.stiffness, loop.damping);
    wanted = s.reference * error, spec.compliance = s.compliance;
  }
  const Eigen::Matrix<double, rows, 1> along = axes * wanted;
  for (int r = 0; r < rows; ++r) {
    spec.g[r] = block.free[r] - along[r];
    spec.correction[r] = std::isfinite(loop.stiffness) ? 0.0 : along[r];
    spec.guess[r] = in.dt * in.state.loop_force[row + r];
  }
  if (soft.softness != nullptr) {
    const double weight = angular ? soft.softness->angular_weight : soft.softness->weight;
    const Eigen::Matrix<double, rows, 1> off = axes * error;
    if (weight > 0.0) soften_rows(block, soft_row(*soft.softness, weight, soft.size, in.dt), off.data(), spec);
  }
  row += rows;
}

const Softness* of_velocity(const AssembleInput& in, const std::vector<Softness>& list, int velocity) {
  return in.law.from_file && is_soft(in, list[velocity], list[velocity].weight) ? &list[velocity] : nullptr;
}
const Softness* soft_limit(const AssembleInput& in, int velocity) {
  return of_velocity(in, in.world.softness.limits, velocity);
}

// 0 ≤ λ ⟂ u − c* ≥ 0 with the row just added; `gap` closes with −u.
void finish_limit(const AssembleInput& in, double gap, double sign, bool angular, int velocity, Assembly& out) {
  BlockSpec& spec = add_spec(out, Block::unilateral(0, angular), RowSource::limit, velocity);
  spec.reference = drift_reference(in, gap);
  spec.sign = sign;
  spec.correction[0] = std::max(0.0, spec.reference);
  set_g(out.rows.blocks.back(), spec);
  spec.guess[0] = in.dt * std::max(0.0, sign * in.state.limit_force[velocity]);
  if (const Softness* soft = soft_limit(in, velocity))
    soften_rows(out.rows.blocks.back(), soft_row(*soft, soft->weight, std::abs(gap), in.dt), &gap, spec);
}

void finish_friction(const AssembleInput& in, double friction, bool angular, int velocity, Assembly& out) {
  BlockSpec& spec = add_spec(out, Block::box(0, -friction, friction, angular), RowSource::joint_friction, velocity);
  set_g(out.rows.blocks.back(), spec);
  spec.guess[0] = in.dt * in.state.friction_force[velocity];
  constexpr double none = 0.0;
  if (const Softness* soft = of_velocity(in, in.world.softness.friction, velocity))
    soften_rows(out.rows.blocks.back(), soft_row(*soft, soft->weight, none, in.dt), &none, spec);
}

void add_tree_limit(const AssembleInput& in, const RowContext& context, int body, int velocity, double sign, double gap,
                    bool angular, Assembly& out) {
  const double speed = std::max(std::abs(in.v[velocity]), in.limit_speeds != nullptr ? in.limit_speeds[velocity] : 0.0);
  if (!near(in, gap, speed) || (gap > 0.0 && soft_limit(in, velocity) != nullptr)) return;
  add_joint_row(context, body, velocity, sign, out.rows);
  finish_limit(in, gap, sign, angular, velocity, out);
}

void add_cut_row(const RowContext& context, const CutMotion& m, int i, double sign, bool angular, RowSet& rows) {
  const Vec3 axis = sign * m.axes.row(i);
  if (angular)
    add_angular_row(context, m.a, m.b, axis, rows);
  else
    add_normal_row(context, m.a, m.b, m.frame_b.translation, axis, rows);
}

void add_cut_limits(const AssembleInput& in, const RowContext& context, const CutJoint& joint, const CutMotion& m,
                    bool angular, Assembly& out) {
  for (const double sign : {1.0, -1.0}) {
    const double bound = sign > 0.0 ? joint.lower : joint.upper, gap = sign * (m.position - bound);
    if (!std::isfinite(bound) || !near(in, gap, m.rate[0])) continue;
    add_cut_row(context, m, 0, sign, angular, out.rows);
    finish_limit(in, gap, sign, angular, joint.slot, out);
  }
}

// D of equation (1).
double joint_inertia(const AssembleInput& in, const CutJoint& joint, int i) {
  const double reach = in.positions.reach > 0.0 ? in.positions.reach : in.dt;
  double D = joint.armature[i] + in.dt * joint.damping[i];
  if (const PdGains& pd = in.state.pd; pd.active && pd.implicit)
    D += in.dt * pd.kd[joint.tau + i] + in.dt * reach * pd.kp[joint.tau + i];
  return D;
}

}  // namespace

bool near(const AssembleInput& in, double gap, double rate) {
  return gap <= (in.positions.closed_only ? 0.0 : std::max(in.law.options.margin, in.dt * std::abs(rate)));
}

void add_loop_blocks(const AssembleInput& in, const RowContext& context, Assembly& out) {
  int row = 0;
  for (const Loop& loop : in.world.loops) {
    const LoopError e = loop_error(in.layout, in.kinematics, loop);
    const LoopSoftness soft = loop_softness(in, loop, e);
    const Axes2 t = across(e.a.rotation * loop.axis);
    if (loop.kind == Loop::slider) {
      add_point_pair(context, loop.a, loop.b, e.b.translation, t, out.rows);
      finish_loop<2>(in, loop, soft, t, e.linear, false, row, out);
    } else {
      add_loop_rows(context, loop.a, e.a.translation, loop.b, e.b.translation, Mat3::Identity(), out.rows);
      finish_loop<3>(in, loop, soft, Mat3::Identity(), e.linear, false, row, out);
    }
    if (loop.kind == Loop::hinge) {
      add_angular_pair(context, loop.a, loop.b, t, out.rows);
      finish_loop<2>(in, loop, soft, t, e.angular, true, row, out);
    } else if (loop.kind != Loop::point) {
      add_angular_rows(context, loop.a, loop.b, Mat3::Identity(), out.rows);
      finish_loop<3>(in, loop, soft, Mat3::Identity(), e.angular, true, row, out);
    }
  }
}

// Behind the rows of all loops, as in State::loop_force.
void add_coupling_blocks(const AssembleInput& in, const RowContext& context, Assembly& out) {
  if (in.world.couplings.empty()) return;
  const double* q = in.positions.q != nullptr ? in.positions.q : in.state.q.data();
  int row = static_cast<int>(in.state.loop_force.size()) - static_cast<int>(in.world.couplings.size()) -
            kTendonRows * static_cast<int>(in.world.tendons.size());
  const double share = in.positions.correct ? in.law.options.baumgarte : 0.0, fastest = in.law.options.correction_speed;
  for (const Coupling& coupling : in.world.couplings) {
    const CouplingError e = coupling_error(in.layout, in.kinematics, coupling, q);
    const RowBlock& block = coupling.tendon_a >= 0
                                ? add_tendon_equality_row(in, context, coupling, e.slope, out.rows)
                                : add_coupled_row(context, coupling.a, coupling.b, e.slope, out.rows);
    BlockSpec& spec = add_spec(out, Block::bilateral(0, 1, e.angular), RowSource::loop, row);
    spec.correction[0] = std::clamp(-share / in.dt * e.position, -fastest, fastest);
    spec.g[0] = block.free[0] - spec.correction[0];
    spec.guess[0] = in.dt * in.state.loop_force[row];
    if (in.law.from_file) {
      const Softness& soft = in.world.softness.couplings[&coupling - in.world.couplings.data()];
      if (is_soft(in, soft, soft.weight))
        soften_rows(block, soft_row(soft, soft.weight, std::abs(e.position), in.dt), &e.position, spec);
    }
    ++row;
  }
}

void add_tree_joint_blocks(const AssembleInput& in, const RowContext& context, Assembly& out) {
  const double* positions = in.positions.q != nullptr ? in.positions.q : in.state.q.data();
  for (const int body : in.layout.bounded) {
    const BodyPlan& plan = in.layout.bodies[body];
    const bool angular = plan.code != JointCode::prismatic;
    for (int velocity = plan.v; velocity < plan.v + plan.nv; ++velocity) {
      const RowNeed need = in.row_needs != nullptr ? in.row_needs[velocity] : RowNeed::any;
      if (need == RowNeed::none) continue;
      if (plan.nv == 1 && !plan.continuous) {
        const double q = positions[plan.q];
        if (std::isfinite(in.world.lower[velocity]))
          add_tree_limit(in, context, body, velocity, 1.0, q - in.world.lower[velocity], angular, out);
        if (std::isfinite(in.world.upper[velocity]))
          add_tree_limit(in, context, body, velocity, -1.0, in.world.upper[velocity] - q, angular, out);
      }
      if (need == RowNeed::limits) continue;
      if (const double friction = in.dt * in.world.dry_friction[velocity]; friction > 0.0) {
        add_joint_row(context, body, velocity, 1.0, out.rows);
        finish_friction(in, friction, angular, velocity, out);
      }
    }
  }
}

void add_cut_joint_blocks(const AssembleInput& in, const RowContext& context, Assembly& out) {
  for (const CutJoint& joint : in.world.cuts) {
    const CutMotion m = cut_motion(in.world, in.layout, in.kinematics, joint);
    const bool angular = joint.kind != JointKind::prismatic;
    if (joint.kind == JointKind::revolute || joint.kind == JointKind::prismatic)
      add_cut_limits(in, context, joint, m, angular, out);
    for (int i = 0; i < m.velocities; ++i) {
      if (const double friction = in.dt * joint.dry_friction[i]; friction > 0.0) {
        add_cut_row(context, m, i, 1.0, angular, out.rows);
        finish_friction(in, friction, angular, joint.slot + i, out);
      }
      const double D = joint_inertia(in, joint, i);
      if (!(D > 0.0)) continue;
      add_cut_row(context, m, i, 1.0, angular, out.rows);
      const RowBlock& rows = out.rows.blocks.back();
      BlockSpec& spec = add_spec(out, Block::bilateral(0, 1, angular), RowSource::motor, joint.slot + 3 + i);
      spec.reference = rows.before[0], spec.compliance = 1.0 / D;
      set_g(rows, spec);
      spec.guess[0] = in.dt * in.state.friction_force[joint.slot + 3 + i];
    }
  }
}

}  // namespace stiction
