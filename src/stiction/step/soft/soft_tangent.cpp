// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/motion.h>
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/law/anchor_memory.h>
#include <stiction/step/core/smooth_forces.h>
#include <stiction/step/soft/soft_tangent.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// (1) with the force's tangential length before the map.
ConeTangent slip_tangent(double mu, double normal, double tangent, const Vec2& direction) {
  ConeTangent out;
  out.mode = ConeMode::slip;
  const double s = mu * normal / tangent;
  out.map.topLeftCorner<2, 2>() = s * (Mat2::Identity() - direction * direction.transpose());
  out.map.topRightCorner<2, 1>() = mu * direction;
  return out;
}

ConeTangent clipped_tangent() {
  ConeTangent out;
  out.mode = ConeMode::clipped;
  out.map.setZero();
  return out;
}

// Rows of dΔp before the anchor moves.
void stretch_rows(const SoftPoint& p, bool surface_anchoring, int nv, const double* J, double* dq, double* dv) {
  const int size = p.rows * nv;
  std::fill(dq, dq + size, 0.0);
  std::fill(dv, dv + size, 0.0);
  if (p.known)
    std::copy(J, J + size, dq);
  else if (surface_anchoring)  // only the normal coordinate of a new point is measured from a fixed place
    std::copy(J + 2 * nv, J + 3 * nv, dq + 2 * nv);
}

// (2): the anchor of a slipping point moves.
void slip_rows(const SoftPoint& p, const ConeTangent& pass, int nv, const double* J, const double* velocity_dq,
               double* dq, double* dv) {
  double spring[2][3], damper[2][3];  // −K_T⁻¹ Λ applied to −K and −B
  for (int r = 0; r < 2; ++r)
    for (int k = 0; k < 3; ++k) {
      spring[r][k] = pass.map(r, k) * p.stiffness[k] / p.stiffness[r];
      damper[r][k] = pass.map(r, k) * p.damping[k] / p.stiffness[r];
    }
  const auto sum = [&](const double* c, double x, double y, double z) { return c[0] * x + c[1] * y + c[2] * z; };
  for (int j = 0; j < nv; ++j) {
    const double x = dq[j], y = dq[nv + j], z = dq[2 * nv + j];
    for (int r = 0; r < 2; ++r) {
      dq[r * nv + j] =
          sum(spring[r], x, y, z) + sum(damper[r], velocity_dq[j], velocity_dq[nv + j], velocity_dq[2 * nv + j]);
      dv[r * nv + j] = sum(damper[r], J[j], J[nv + j], J[2 * nv + j]);
    }
  }
}

// (3), and where the anchor stands in the memory.
void anchor_columns(const SoftContext& c, const std::vector<AnchorRecord>& records, const SoftPoint& p,
                    const ConeTangent& pass, Mat3& slope, int& before) {
  slope = -Mat3::Identity();
  before = -1;
  if (p.kind != SoftKind::contact || !p.known) return;
  const AnchorRecord* known = find_record(c.work.memory, records[p.record].key);
  if (known == nullptr) return;
  before = static_cast<int>(known - c.work.memory.data());
  if (pass.mode != ConeMode::slip) return;
  for (int r = 0; r < 2; ++r)
    for (int k = 0; k < 3; ++k) slope(r, k) = -pass.map(r, k) * p.stiffness[k] / p.stiffness[r];
}

// A wrench in world axes whose point moves with the body, or (moving = false) stays in the world.
void add_wrench_tangent(const SoftContext& c, const Wrench& w, int stride, double* dq) {
  const Layout& layout = c.model.layout;
  const Kinematics& k = c.work.kinematics;
  const BodyPlan& plan = layout.bodies[w.body];
  const Pose& base = k.base[plan.tree];
  const Vec3 point = w.at_centre ? body_centre(layout, k, w.body) : w.point;
  const Vec3 p = base.rotation.transpose() * (point - base.translation);
  const Vec3 f = base.rotation.transpose() * w.force, n = base.rotation.transpose() * w.torque;
  const int* chain = layout.chain.data() + plan.chain;
  for (int d = 0; d < plan.length; ++d) {
    const Column& si = k.columns[chain[d]];
    for (int e = 0; e < plan.length; ++e) {
      const Column& sj = k.columns[chain[e]];
      // j at or above i: the force does not turn with S_i; j below i: only the point moves
      const bool above = e <= d || layout.chain_of[chain[d]] == layout.chain_of[chain[e]];
      const Vec3 turned = sj.ang.cross(f);
      double change = above ? si.lin.dot(turned) + si.ang.dot(p.cross(turned) + sj.ang.cross(n))
                            : -si.ang.dot(value_at(sj, p).cross(f));
      if (!w.at_centre) change += si.ang.dot(value_at(sj, p).cross(f));
      dq[chain[d] * stride + chain[e]] += change;
    }
  }
}

}  // namespace

ConeTangent cone_tangent(const SoftPoint& p, const double* f) {
  if (p.kind == SoftKind::dry && std::abs(f[0]) > p.mu) return clipped_tangent();
  if (!p.unilateral()) return {};
  const double normal = f[p.rows - 1];
  if (normal < 0.0) return clipped_tangent();
  if (p.rows == 1) return {};
  const Vec2 t(f[0], f[1]);
  const double tangent = t.norm();
  if (!(tangent > p.mu * normal)) return {};
  return slip_tangent(p.mu_slip, normal, tangent, t / tangent);
}

ConeTangent pass_tangent(const SoftPoint& p) {
  if (p.kind == SoftKind::dry && p.slipping) return clipped_tangent();
  if (!p.unilateral()) return {};
  if (p.clipped) return clipped_tangent();
  if (!p.slipping) return {};
  const Vec2 t(p.force[0], p.force[1]);
  const double length = t.norm();
  if (!(length > 0.0) || !(p.slip_scale > 0.0)) {  // without friction there is no tangential force at all
    ConeTangent out;
    out.mode = ConeMode::slip;
    out.map.topRows<2>().setZero();
    return out;
  }
  return slip_tangent(p.mu_slip, p.force[2], length / p.slip_scale, t / length);
}

void SoftTangent::resize(int points, int row_count, int nv) {
  rows = row_count;
  first.resize(points);
  pass.resize(points);
  motion.resize(points);
  stretch_da.resize(points), before.resize(points);
  const std::size_t size = row_count * nv;
  for (std::vector<double>* x : {&J, &velocity_dq, &drift_dv, &stretch_dq, &stretch_dv, &motion_dq})
    if (x->size() < size) x->resize(size);
}

void point_tangents(const SoftContext& c, const DerivativeData& data, const std::vector<SoftPoint>& points,
                    const std::vector<AnchorRecord>& records, SoftTangent& out) {
  const Layout& layout = c.model.layout;
  const Kinematics& k = c.work.kinematics;
  const int nv = c.world.nv;
  int rows = 0;
  for (const SoftPoint& p : points) rows += p.rows;
  out.resize(static_cast<int>(points.size()), rows, nv);
  out.surface_anchoring = c.model.anchored()->surface_anchoring;
  for (std::vector<double>* x : {&out.J, &out.velocity_dq, &out.drift_dv})
    std::fill(x->begin(), x->begin() + static_cast<std::ptrdiff_t>(rows) * nv, 0.0);
  int row = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SoftPoint& p = points[i];
    const std::size_t start = row * nv;
    double *J = out.J.data() + start, *velocity = out.velocity_dq.data() + start;
    if (p.of_joint()) {
      J[p.index] = p.sign;
    } else {
      double* drift = out.drift_dv.data() + start;
      add_point_motion(layout, k, data, {p.b, p.point_b, p.frame, 1.0}, nv, J, velocity, drift);
      add_point_motion(layout, k, data, {p.a, p.point_a, p.frame, -1.0}, nv, J, velocity, drift);
    }
    out.first[i] = row;
    out.pass[i] = pass_tangent(p);
    double *stretch_dq = out.stretch_dq.data() + start, *stretch_dv = out.stretch_dv.data() + start;
    stretch_rows(p, out.surface_anchoring, nv, J, stretch_dq, stretch_dv);
    out.motion[i] = motion_of(c, p, records);
    if (out.motion[i] == PointMotion::moves) {
      motion_rows(c, p, records, J, out.motion_dq.data() + start);
      add_motion_velocity(c, p, out.motion_dq.data() + start, velocity, stretch_dq);
    }
    anchor_columns(c, records, p, out.pass[i], out.stretch_da[i], out.before[i]);
    if (out.pass[i].mode == ConeMode::slip) slip_rows(p, out.pass[i], nv, J, velocity, stretch_dq, stretch_dv);
    row += p.rows;
  }
}

void body_forces(const std::vector<SoftPoint>& points, const double* rows, int stride, int lanes,
                 std::vector<PointForce>& out) {
  out.clear();
  for (const SoftPoint& p : points) {
    if (!p.of_joint()) {
      const auto world_axes = [&](const double* x) {
        return Vec3(p.frame.transpose() * Vec3(x[0], x[stride], x[2 * stride]));
      };
      const Vec3 f = world_axes(rows), g = lanes == 2 ? world_axes(rows + 1) : Vec3(Vec3::Zero());
      if (p.b != kWorldBody) out.push_back({p.b, p.point_b, f, g});
      if (p.a != kWorldBody) out.push_back({p.a, p.point_a, -f, -g});
    }
    rows += p.rows * stride;
  }
}

void add_smooth_tangents(const SoftContext& c, const double* q, const double* v, int stride, double* dq, double* dv,
                         double* gain) {
  if (gain != nullptr) std::fill(gain, gain + c.world.nv, 0.0);
  int index = 0;
  for (const BodyPlan& plan : c.model.layout.bodies) {
    if (plan.code == JointCode::root_free) continue;
    for (int i = plan.v; i < plan.v + plan.nv; ++i, ++index) {
      const double torque = motor_torque(plan, c.pd, c.input.tau, index, i, q, v);
      const bool free = std::abs(torque) < c.world.effort_limit[i];
      if (gain != nullptr) gain[i] = free ? 1.0 : 0.0;
      if (dv != nullptr) dv[i * stride + i] += c.world.joint_damping[i];
      if (!c.pd.active || !free) continue;
      if (dv != nullptr) dv[i * stride + i] += c.pd.kd[index];
      if (plan.nv == 1) dq[i * stride + i] += c.pd.kp[index];
    }
  }
  for (int i = 0; i < c.input.wrench_count; ++i) add_wrench_tangent(c, c.input.wrenches[i], stride, dq);
}

}  // namespace stiction
