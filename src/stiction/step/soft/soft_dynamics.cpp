// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/law/contact_query.h>
#include <stiction/step/core/energy_guard.h>
#include <stiction/step/core/smooth_forces.h>
#include <stiction/step/core/spring_energy.h>
#include <stiction/step/soft/soft_dynamics.h>

#include <algorithm>

namespace stiction {
namespace {

Pose pose_of(const SoftContext& c, BodyId body) { return body_pose(c.model.layout, c.work.kinematics, body); }

// The energy guard with what loads, motors and springs can give, as they are at the start of the step.
bool guarded(const SoftContext& c, Workspace& shared, const State& state, double rate, StepReport& report) {
  const double *q = state.q.data(), *v = state.v.data();
  const GuardedStep s{c.world, c.model, shared, q, v, c.work.next_q.data(), c.work.next_v.data()};
  if (!energy_is_in_doubt(s, report)) return true;
  Kinematics& k = shared.guard.kinematics;
  fused_pass(c.world, c.model.layout, q, v, Purpose::step, k);
  smooth_forces(c.world, c.model.layout, c.pd, c.input, {q, v, c.model.dt, 0.0}, k, shared.applied.data());
  for (int i = 0; i < c.world.nv; ++i) shared.applied[i] += k.bias[i];
  if (c.world.ntau > 0)  // dampers give nothing
    for (int i = 0; i < c.world.nv; ++i) shared.applied[i] += c.world.joint_damping[i] * v[i];
  shared.granted = spring_energy(c.world, c.model, state, k, rate, shared);
  return energy_is_explained(s, v, s.next_v, report);
}

}  // namespace

Vec3 point_drift(const SoftContext& c, BodyId body, const Vec3& point) {
  if (body == kWorldBody) return Vec3::Zero();
  const BodyPlan& plan = c.model.layout.bodies[body];
  const Pose& base = c.work.kinematics.base[plan.tree];
  const BodyData& d = c.work.kinematics.bodies[body];
  const Vec3 p = base.rotation.transpose() * (point - base.translation);
  if (plan.free_body) return base.rotation * d.w.cross(d.w.cross(p));  // the pass keeps no accelerations of free bodies
  const Vec3 a = d.a + d.alpha.cross(p) + d.w.cross(d.v + d.w.cross(p));
  return base.rotation * a + c.world.gravity;  // the pass starts with −gravity
}

void add_point_force(const SoftContext& c, BodyId body, const Vec3& point, const Vec3& f, double* force) {
  add_point_force(c.model.layout, c.work.kinematics, body, point, f, force);
}

void SoftWork::resize(const World& world, const Layout& layout) {
  kinematics.resize(world, layout);
  kinematics_ahead.resize(world, layout);
  start_rotation.resize(world.trees.size());
  for (std::vector<double>* x : {&v, &next_v, &mean, &force, &z, &whitened, &acceleration, &double_acceleration})
    x->resize(world.nv);
  q.resize(world.nq);
  next_q.resize(world.nq);
}

void evaluate_smooth(const SoftContext& c, const double* q, const double* v) {
  fused_pass(c.world, c.model.layout, q, v, Purpose::step, c.work.kinematics);
  smooth_forces(c.world, c.model.layout, c.pd, c.input, {q, v, c.model.dt, 0.0}, c.work.kinematics,
                c.work.force.data());
}

void find_points(const SoftContext& c, const double* q, const double* v, const std::vector<AnchorRecord>& memory,
                 std::vector<SoftPoint>& points, std::vector<AnchorRecord>& records) {
  const AnchoredInput in{c.world, c.model.layout, c.model.detection, *c.model.anchored(), c.work.kinematics, q, v};
  anchored_pass(in, memory, c.work.law, points, records);
}

void add_point_forces(const SoftContext& c, const std::vector<SoftPoint>& points, double* force) {
  for (const SoftPoint& p : points) {
    if (p.of_joint()) {
      force[p.index] += p.sign * p.force[0];
      continue;
    }
    const Vec3 f = p.frame.transpose() * Eigen::Map<const Vec3>(p.force);
    add_point_force(c, p.a, p.point_a, -f, force);
    add_point_force(c, p.b, p.point_b, f, force);
  }
}

void factorise_mass(const SoftContext& c) {
  for (const Tree& tree : c.world.trees)
    if (!tree.free_body) factorise(c.model.layout, tree, c.work.kinematics);
}

void solve_mass(const SoftContext& c, double* x) {
  for (const Tree& tree : c.world.trees) {
    solve_transposed(c.model.layout, tree, c.work.kinematics, x);
    solve_lower(c.model.layout, tree, c.work.kinematics, x);
  }
}

void make_rows(const SoftContext& c, const double* v, const std::vector<SoftPoint>& points) {
  SoftWork& w = c.work;
  w.rows.clear();
  w.beta.resize(3 * points.size());
  const RowContext context{c.model.layout, w.kinematics, v, w.z.data()};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SoftPoint& p = points[i];
    double* beta = w.beta.data() + 3 * i;
    if (p.of_joint()) {
      const RowBlock& row = add_joint_row(context, p.b, p.index, p.sign, w.rows);
      beta[0] = row.free[0] - row.before[0];
      continue;
    }
    const RowBlock& rows = add_loop_rows(context, p.a, p.point_a, p.b, p.point_b, p.frame, w.rows);
    const Vec3 drift = p.frame * (point_drift(c, p.b, p.point_b) - point_drift(c, p.a, p.point_a));
    for (int r = 0; r < 3; ++r) beta[r] = rows.free[r] - rows.before[r] + drift[r];
  }
  w.islands.find(c.model.layout, static_cast<int>(c.world.trees.size()), w.rows);
}

void move_points(const SoftContext& c, std::vector<SoftPoint>& points, const std::vector<AnchorRecord>& records) {
  for (SoftPoint& p : points) {
    if (p.kind == SoftKind::contact) {
      p.point_b = pose_of(c, p.b) * Vec3(Eigen::Map<const Vec3>(records[p.record].point_b));
      p.point_a = p.point_b;  // both sides feel the force at the same place
    } else if (p.kind == SoftKind::held) {
      const Loop& loop = c.world.loops[p.index];
      p.point_a = pose_of(c, p.a) * loop.frame_a.translation;
      p.point_b = pose_of(c, p.b) * loop.frame_b.translation;
    }
  }
}

void keep_start_axes(const SoftContext& c) {
  for (std::size_t i = 0; i < c.world.trees.size(); ++i) c.work.start_rotation[i] = c.work.kinematics.base[i].rotation;
}

void to_start_axes(const SoftContext& c, double* acceleration) {
  for (std::size_t i = 0; i < c.world.trees.size(); ++i) {
    if (!c.world.trees[i].floating) continue;
    Eigen::Map<Vec3> linear(acceleration + c.world.trees[i].v);
    linear = (c.work.start_rotation[i].transpose() * (c.work.kinematics.base[i].rotation * linear)).eval();
  }
}

void whiten_forces(const SoftContext& c) {
  std::copy(c.work.force.begin(), c.work.force.end(), c.work.z.begin());
  for (const Tree& tree : c.world.trees) solve_transposed(c.model.layout, tree, c.work.kinematics, c.work.z.data());
}

void use_pass_forces(std::vector<SoftPoint>& points) {
  for (SoftPoint& p : points)
    for (double* to : {p.average, p.double_average, p.projected, p.double_projected, p.predicted})
      std::copy(p.force, p.force + p.rows, to);
}

void keep_contacts(const SoftContext& c, Workspace& shared, StepReport& report) {
  shared.contacts.assign(c.work.law.contacts.begin(), c.work.law.contacts.end());
  note_overlap(shared.contacts, report);
}

StepReport commit(const SoftContext& c, Workspace& shared, State& state, StepReport report, double rate) {
  SoftWork& w = c.work;
  if (!all_finite(w.next_q) || !all_finite(w.next_v)) return report.failed();
  if (!guarded(c, shared, state, rate, report)) return report;
  std::copy(w.next_q.begin(), w.next_q.end(), state.q.data());
  std::copy(w.next_v.begin(), w.next_v.end(), state.v.data());
  state.anchors.assign(w.records.begin(), w.records.end());
  state.time += c.model.dt;
  shared.impulses.assign(3 * shared.contacts.size(), 0.0);
  for (const SoftPoint& p : w.points)
    if (p.kind == SoftKind::contact)
      for (std::size_t r = 0; r < 3; ++r) shared.impulses[3 * p.index + r] = c.model.dt * p.projected[r];
  return report;
}

}  // namespace stiction
