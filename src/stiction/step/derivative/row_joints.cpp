// SPDX-License-Identifier: BSD-2-Clause
// Rows of limits, dry friction, loops and couplings. Which block of a loop it is follows from the row it begins with, in the order in
// which law/joint_blocks.cpp makes them.
#include <stiction/dynamics/contact/coupling.h>
#include <stiction/dynamics/contact/cut_joint.h>
#include <stiction/step/core/impulses.h>
#include <stiction/step/derivative/pair_columns.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// A block of a loop: positions or orientations.
struct LoopPart {
  const Loop* loop = nullptr;  // null: a coupling
  int number = 0;              // of the coupling
  bool angular = false;
};

LoopPart loop_part(const World& world, int row) {
  int at = 0;
  for (const Loop& loop : world.loops) {
    const int linear = loop.kind == Loop::slider ? 2 : 3;
    const int angular = loop.kind == Loop::point ? 0 : loop.kind == Loop::hinge ? 2 : 3;
    if (row == at) return {&loop, 0, false};
    if (row == at + linear) return {&loop, 0, true};
    at += linear + angular;
  }
  return {nullptr, row - at, false};
}

// Axes along which a block measures, whether they turn with body a, and where it acts.
struct LoopAxes {
  Eigen::Matrix<double, 3, 3> rows;
  Vec3 axis = Vec3::Zero();  // about which they are free to turn
  bool turns = false;
  Vec3 point_a, point_b;
};

LoopAxes axes_of(const Loop& loop, const LoopError& e, bool angular) {
  LoopAxes out;
  out.rows.setIdentity();
  out.axis = e.a.rotation * loop.axis;
  out.turns = angular ? loop.kind == Loop::hinge : loop.kind == Loop::slider;
  if (out.turns) out.rows.topRows<2>() = across(out.axis);
  out.point_b = e.b.translation;
  out.point_a = loop.kind == Loop::slider ? e.b.translation : e.a.translation;
  return out;
}

Vec3 loop_force(const RowInstant& at, std::size_t block, const LoopAxes& axes) {
  const RowBlock& rows = at.work.assembly.rows.blocks[block];
  double lambda[3] = {0.0, 0.0, 0.0};
  block_impulse(at.work.assembly.specs[block], rows, at.work, lambda);
  Vec3 force = Vec3::Zero();
  for (int r = 0; r < rows.rows; ++r) force += lambda[r] / at.in.dt * axes.rows.row(r).transpose();
  return force;
}

// φ(R) = R's rotation vector moves by J_l⁻¹(φ) r when R turns by r in the world.
Mat3 inverse_left_jacobian(const Vec3& x) {
  const double square = x.squaredNorm(), angle = std::sqrt(square);
  const double c = angle < 1e-3 ? 1.0 / 12.0 + square / 720.0 : (1.0 - 0.5 * angle / std::tan(0.5 * angle)) / square;
  return Mat3::Identity() - 0.5 * skew(x) + c * (skew(x) * skew(x));
}

// The change of what the block measures with the motion of its bodies, seen from axes that turn by `turn`.
Vec3 error_change(const Loop& loop, const LoopError& e, bool angular, const PairColumn& x, const Vec3& turn) {
  if (!angular && loop.kind == Loop::slider) {  // against a's material at b's point, in axes that turn less than a
    const Vec3 axis = e.a.rotation * loop.axis;
    return x.shift_b - x.shift_a + axis.dot(x.turn_a) * axis.cross(e.linear);
  }
  if (!angular) return x.shift_b - x.shift_a;
  if (loop.kind == Loop::hinge) {  // (θ/sin θ) z_a × z_b
    const Vec3 za = e.a.rotation * loop.axis, zb = e.b.rotation * loop.axis;
    const Vec3 da = x.turn_a.cross(za), db = x.turn_b.cross(zb), c = za.cross(zb);
    const Vec3 dc = da.cross(zb) + za.cross(db);
    const double s = c.norm(), cosine = za.dot(zb);
    if (s < 1e-9) return dc - turn.cross(e.angular);
    const double angle = std::atan2(s, cosine), ds = c.dot(dc) / s, d_cosine = da.dot(zb) + za.dot(db);
    const double d_angle = (cosine * ds - s * d_cosine) / (s * s + cosine * cosine);
    return angle / s * dc + (d_angle / s - angle * ds / (s * s)) * c - turn.cross(e.angular);
  }
  const Mat3 relative = e.b.rotation * e.a.rotation.transpose();
  return inverse_left_jacobian(e.angular) * (x.turn_b - relative * x.turn_a);
}

// By how much of a loop's or coupling's correction the last solve was given (bounded_correction.h).
double given_share(const RowBlock& rows, const BlockSpec& spec, RowTangents& out) {
  int row = 0;
  for (int r = 1; r < rows.rows; ++r)
    if (std::abs(spec.correction[r]) > std::abs(spec.correction[row])) row = r;
  if (spec.correction[row] == 0.0) return 1.0;
  constexpr double kWhole = 1e-6;
  const double share = (rows.free[row] - spec.g[row]) / spec.correction[row];
  if (std::abs(share) < kWhole) return 0.0;
  if (std::abs(share - 1.0) < kWhole) return 1.0;
  out.exact = false;
  return share;
}

// ∂c* of a loop: −share · error, no longer than `fastest`, or a spring's. `given`: of all of it.
class LoopReference {
 public:
  LoopReference(const RowInstant& at, const Loop& loop, const Vec3& error, bool angular, double given, bool& border)
      : error_(error), length_(error.norm()) {
    const AssembleInput& in = at.in;
    given_ = given;
    share_ = (in.positions.correct ? in.law.options.baumgarte : 0.0) / in.dt;
    if (std::isfinite(loop.stiffness)) {
      given_ = 1.0;
      share_ = -spring(in, 1.0, loop.stiffness, loop.damping).reference;
      return;
    }
    const double fastest = angular ? in.law.options.correction_speed : fastest_correction(in, length_);
    const double asked = share_ * length_;
    border = asked > 0.0 && std::abs(asked - fastest) <= at.threshold * fastest;
    if (!(asked > fastest)) return;
    fastest_ = fastest, slope_ = angular ? 0.0 : fastest_slope(in, length_), capped_ = true;
  }
  Vec3 change(const Vec3& moved) const {
    if (!capped_) return -given_ * share_ * moved;
    const Vec3 along = error_ / length_;
    const double growth = along.dot(moved);
    return -given_ * (slope_ * growth * along + fastest_ / length_ * (moved - growth * along));
  }

 private:
  Vec3 error_;
  double length_, share_ = 0.0, given_ = 1.0, fastest_ = 0.0, slope_ = 0.0;
  bool capped_ = false;
};

// ∂(ω_b − ω_a)/∂q_j of velocities x as `motion` has them: joint j turns the axes of all that comes after it.
Vec3 turning_change(const RowInstant& at, int body, int velocity, const PairMotion& motion, bool of_b) {
  const Kinematics& k = at.in.kinematics;
  const Mat3& base = k.base[at.in.layout.bodies[body].tree].rotation;
  const Vec3 axis = base * k.columns[velocity].ang;
  const auto& psi = at.after.psi[velocity].ang;  // ω_parent × axis
  return axis.cross(of_b ? motion.turn_b : motion.turn_a) + base * Vec3(psi.x, psi.y, psi.z);
}

void loop_tangents(const RowInstant& at, std::size_t block, const LoopPart& part, int stride, double* dq,
                   RowTangents& out) {
  const AssembleInput& in = at.in;
  const Loop& loop = *part.loop;
  const int nv = in.world.nv, first = out.first[block], rows = at.work.assembly.rows.blocks[block].rows;
  const LoopError e = loop_error(in.layout, in.kinematics, loop);
  const LoopAxes axes = axes_of(loop, e, part.angular);
  const Vec3& error = part.angular ? e.angular : e.linear;
  bool border = false;
  const double given = given_share(at.work.assembly.rows.blocks[block], at.work.assembly.specs[block], out);
  const LoopReference reference(at, loop, error, part.angular, given, border);
  find_pair_columns(in.layout, in.kinematics, loop.a, axes.point_a, loop.b, axes.point_b, out.columns);
  const PairMotion after(out.columns, at.next);
  const Vec3 force = loop_force(at, block, axes);
  std::fill(out.axes_after.begin(), out.axes_after.end(), 0.0);
  if (!part.angular)
    for (const PointRows& side :
         {PointRows{loop.b, axes.point_b, axes.rows, 1.0}, PointRows{loop.a, axes.point_a, axes.rows, -1.0}})
      add_point_acceleration(in.layout, in.kinematics, at.data, at.after, side, nv, out.axes_after.data());
  for (const PairColumn& x : out.columns) {
    const int j = x.velocity;
    PairSlip slip;
    if (axes.turns) slip.turn = axes.axis.cross(x.turn_a.cross(axes.axis));
    if (!part.angular && loop.kind == Loop::slider) slip.slip_a = x.shift_b - x.shift_a;
    Vec3 u, J;
    if (part.angular) {
      Vec3 change = -slip.turn.cross(after.turn_b - after.turn_a);
      if (x.turn_b != Vec3::Zero() || x.shift_b != Vec3::Zero()) change += turning_change(at, loop.b, j, after, true);
      if (x.turn_a != Vec3::Zero() || x.shift_a != Vec3::Zero()) change -= turning_change(at, loop.a, j, after, false);
      u = axes.rows * change, J = axes.rows * (x.turn_b - x.turn_a);
    } else {
      const Vec3 more = slip_velocity(after, slip);
      u = axes.rows * more, J = axes.rows * (x.shift_b - x.shift_a);
      for (int r = 0; r < rows; ++r) u[r] += out.axes_after[r * nv + j];
    }
    Vec3 moved = error_change(loop, e, part.angular, x, slip.turn);
    if (axes.turns) moved -= axes.axis * axes.axis.dot(moved);
    const Vec3 wanted = axes.rows * reference.change(moved);
    for (int r = 0; r < rows; ++r)
      out.J[(first + r) * nv + j] = J[r], out.u_dq[(first + r) * nv + j] = u[r] - wanted[r];
    if (part.angular) {
      const Vec3 turned = slip.turn.cross(force);
      for (const PairColumn& c : out.columns)
        dq[static_cast<std::ptrdiff_t>(c.velocity) * stride + j] -= (c.turn_b - c.turn_a).dot(turned);
    } else {
      add_slip_force(out.columns, j, slip, force, stride, dq);
    }
  }
  if (part.angular) {
    if (loop.b != kWorldBody) add_couple_tangent(in.layout, in.kinematics, loop.b, force, stride, dq);
    if (loop.a != kWorldBody) add_couple_tangent(in.layout, in.kinematics, loop.a, -force, stride, dq);
  }
  out.border[block] = border ? BorderKind::rule : given != 1.0 ? BorderKind::energy : BorderKind::none;
}

// slope = dp/dx of q_a = p(q_b); its own derivative.
double second_slope(const Coupling& c, double x) {
  double value = 0.0;
  for (std::size_t i = c.coefficients.size(); i-- > 2;)
    value = value * x + static_cast<double>(i) * static_cast<double>(i - 1) * c.coefficients[i];
  return value;
}

void coupling_tangents(const RowInstant& at, std::size_t block, const Coupling& coupling, int stride, double* dq,
                       RowTangents& out) {
  const AssembleInput& in = at.in;
  const double* q = in.positions.q != nullptr ? in.positions.q : in.state.q.data();
  const CouplingError e = coupling_error(in.layout, in.kinematics, coupling, q);
  const double share = in.positions.correct ? in.law.options.baumgarte / in.dt : 0.0;
  const double fastest = in.law.options.correction_speed, asked = share * std::abs(e.position);
  const double given = given_share(at.work.assembly.rows.blocks[block], at.work.assembly.specs[block], out);
  const double taken = asked <= fastest ? given * share : 0.0;
  double* J = out.J.data() + out.first[block] * in.world.nv;
  double* u = out.u_dq.data() + out.first[block] * in.world.nv;
  const int a = in.layout.bodies[coupling.a].v;
  J[a] += 1.0, u[a] += taken;
  if (given != 1.0) out.border[block] = BorderKind::energy;
  if (asked > 0.0 && std::abs(asked - fastest) <= at.threshold * fastest) out.border[block] = BorderKind::rule;
  if (coupling.b == kWorldBody) return;
  const BodyPlan& plan = in.layout.bodies[coupling.b];
  const double bend = second_slope(coupling, joint_position(plan, q) - coupling.zero_b);
  double lambda = 0.0;
  block_impulse(at.work.assembly.specs[block], at.work.assembly.rows.blocks[block], at.work, &lambda);
  J[plan.v] -= e.slope, u[plan.v] -= taken * e.slope + bend * at.next[plan.v];
  dq[static_cast<std::ptrdiff_t>(plan.v) * stride + plan.v] += bend * lambda / in.dt;
}

void limit_tangents(const RowInstant& at, std::size_t block, const BlockSpec& spec, RowTangents& out) {
  const AssembleInput& in = at.in;
  const int velocity = spec.index, entry = out.first[block] * in.world.nv + velocity;
  const RowBlock& rows = at.work.assembly.rows.blocks[block];
  const double* q = in.positions.q != nullptr ? in.positions.q : in.state.q.data();
  out.J[entry] = spec.sign;
  for (const int body : in.layout.bounded) {
    const BodyPlan& plan = in.layout.bodies[body];
    if (plan.v != velocity || plan.nv != 1) continue;
    const double gap = spec.sign > 0.0 ? q[plan.q] - in.world.lower[velocity] : in.world.upper[velocity] - q[plan.q];
    const double near = at.threshold * std::max(in.law.options.dead_band, in.dt * std::abs(rows.free[0]));
    const ReferenceSlope slope = drift_slope(in, gap, near);
    const double share = correction_share(rows, spec, 0.0);
    out.u_dq[entry] = -(gap < 0.0 ? share : 1.0) * slope.by_gap * spec.sign;
    out.border[block] = slope.border ? BorderKind::rule : share != 1.0 ? BorderKind::energy : BorderKind::none;
    out.exact = out.exact && (share == 0.0 || share == 1.0);
  }
}

}  // namespace

void collect_loop_force(const RowInstant& at, std::size_t block, std::vector<PointForce>& forces) {
  const LoopPart part = loop_part(at.in.world, at.work.assembly.specs[block].index);
  if (part.loop == nullptr || part.angular) return;
  const Loop& loop = *part.loop;
  const LoopAxes axes = axes_of(loop, loop_error(at.in.layout, at.in.kinematics, loop), false);
  const Vec3 force = loop_force(at, block, axes);
  if (loop.b != kWorldBody) forces.push_back({loop.b, axes.point_b, force});
  if (loop.a != kWorldBody) forces.push_back({loop.a, axes.point_a, -force});
}

void joint_row_tangents(const RowInstant& at, std::size_t block, int stride, double* dq, RowTangents& out) {
  const BlockSpec& spec = at.work.assembly.specs[block];
  if (spec.source == RowSource::limit) return limit_tangents(at, block, spec, out);
  if (spec.source == RowSource::joint_friction) {
    out.J[out.first[block] * at.in.world.nv + spec.index] = 1.0;
    return;
  }
  if (spec.source != RowSource::loop) return;
  const LoopPart part = loop_part(at.in.world, spec.index);
  if (part.loop != nullptr) return loop_tangents(at, block, part, stride, dq, out);
  coupling_tangents(at, block, at.in.world.couplings[part.number], stride, dq, out);
}

}  // namespace stiction
