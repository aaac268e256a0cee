// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/step/core/bounded_correction.h>
#include <stiction/step/core/impulses.h>
#include <stiction/step/derivative/pair_columns.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// Where the rows of a contact touch its bodies, and how far that is from the midpoint along the normal.
Vec3 touched_point(const Contact& c, Touch touch, double& above) {
  above = touch == Touch::own_surface && c.a == kWorldBody ? 0.5 : 0.0;
  return c.point + above * c.gap * c.normal;
}

// S and Θ of one column; the column's twists are those at the touched point.
PairSlip contact_slip(const Contact& c, const ContactMotion& m, const Vec3& arm, double above, const PairColumn& x,
                      double& gap) {
  const Vec3 shift_a = x.shift_a - x.turn_a.cross(arm), shift_b = x.shift_b - x.turn_b.cross(arm);  // at the midpoint
  const Vec3 shift = shift_b - shift_a, turn = x.turn_b - x.turn_a;
  const Vec3 normal = x.turn_a.cross(c.normal) + m.normal_by_shift * shift + m.normal_by_turn * turn;
  Vec3 point = shift_a + m.point_by_shift * shift + m.point_by_turn * turn;
  gap = m.gap_by_shift.dot(shift) + m.gap_by_turn.dot(turn);
  if (above != 0.0) point += above * (gap * c.normal + c.gap * normal);
  return {point - x.shift_a, point - x.shift_b, c.normal.cross(normal)};
}

void contact_tangents(const RowInstant& at, std::size_t block, int stride, double* dq, RowTangents& out) {
  const AssembleInput& in = at.in;
  const BlockSpec& spec = at.work.assembly.specs[block];
  const RowBlock& rows = at.work.assembly.rows.blocks[block];
  const Contact& c = in.contacts[spec.index];
  const ContactMotion& motion = at.motions.of(spec.index);
  const int nv = in.world.nv, first = out.first[block], skipped = 3 - rows.rows;
  const double near = at.threshold * std::max(in.law.options.dead_band, in.dt * std::abs(rows.free[rows.rows - 1]));
  const ContactSlope slope = at.rule.slope(c, material_of(in.world, c), rows, spec, near);
  double above = 0.0;
  const Vec3 point = touched_point(c, at.touch, above), arm = point - c.point;
  find_pair_columns(in.layout, in.kinematics, c.a, point, c.b, point, out.columns);
  for (std::vector<double>* x : {&out.axes_after, &out.axes_before}) std::fill(x->begin(), x->end(), 0.0);
  const bool rebounds = slope.restitution != 0.0 || slope.restitution_tangential != 0.0;
  for (const PointRows& side : {PointRows{c.b, point, c.frame, 1.0}, PointRows{c.a, point, c.frame, -1.0}}) {
    add_point_acceleration(in.layout, in.kinematics, at.data, at.after, side, nv, out.axes_after.data());
    if (rebounds)
      add_point_acceleration(in.layout, in.kinematics, at.data, at.before, side, nv, out.axes_before.data());
  }
  double lambda[3] = {0.0, 0.0, 0.0};
  block_impulse(spec, rows, at.work, lambda + skipped);
  const Vec3 force = c.frame.transpose() * Eigen::Map<const Vec3>(lambda) / in.dt;
  const bool pressed = !force.isZero(0.0);
  const PairMotion after(out.columns, at.next), before(out.columns, in.v);
  const double keep[3] = {slope.restitution_tangential, slope.restitution_tangential, slope.restitution};
  for (const PairColumn& x : out.columns) {
    const int j = x.velocity;
    double gap = 0.0;
    const PairSlip slip = contact_slip(c, motion, arm, above, x, gap);
    const Vec3 J = c.frame * (x.shift_b - x.shift_a), more = c.frame * slip_velocity(after, slip);
    const Vec3 more_before = rebounds ? Vec3(c.frame * slip_velocity(before, slip)) : Vec3(Vec3::Zero());
    for (int r = 0; r < rows.rows; ++r) {
      const int axis = skipped + r, entry = axis * nv + j;
      double u = out.axes_after[entry] + more[axis];
      if (rebounds) u += keep[axis] * (out.axes_before[entry] + more_before[axis]);
      if (axis == 2) u -= slope.by_gap * gap;
      out.J[(first + r) * nv + j] = J[axis], out.u_dq[(first + r) * nv + j] = u;
    }
    if (pressed) add_slip_force(out.columns, j, slip, force, stride, dq);
  }
  for (int r = 0; r < rows.rows; ++r) out.keep[first + r] = keep[skipped + r];
  out.border[block] = motion.border  ? BorderKind::shape
                      : slope.border ? BorderKind::rule
                      : slope.scaled ? BorderKind::energy
                                     : BorderKind::none;
  out.exact = out.exact && slope.exact;
}

// The chain of one body.
struct BodyChain {
  BodyChain(const Layout& layout, const Kinematics& k, int body)
      : plan(layout.bodies[body]),
        velocity(layout.chain.data() + plan.chain),
        base(k.base[plan.tree]),
        columns(k.columns.data()) {}
  Vec3 turn(int d) const { return base.rotation * columns[velocity[d]].ang; }
  Vec3 shift(int d, const Vec3& point) const {
    const Vec3 p = base.rotation.transpose() * (point - base.translation);
    return base.rotation * value_at(columns[velocity[d]], p);
  }
  const BodyPlan& plan;
  const int* velocity;
  const Pose& base;
  const Column* columns;
};

}  // namespace

double correction_share(const RowBlock& rows, const BlockSpec& spec, double restitution) {
  const int n = rows.rows - 1;
  if (!(spec.correction[n] > 0.0)) return 1.0;
  const double asked = rows.free[n] + restitution * rows.before[n] - spec.g[n];
  const double share = asked / spec.correction[n];
  constexpr double kWhole = 1e-6;
  return std::abs(share) < kWhole ? 0.0 : std::abs(share - 1.0) < kWhole ? 1.0 : share;
}

bool correction_pauses(const AssembleInput& in, const Contact& contact) {
  const std::vector<ContactRecord>& memory = in.state.contacts;
  const auto before = [](const ContactRecord& r, const ContactKey& key) { return r.key < key; };
  const auto found = std::lower_bound(memory.begin(), memory.end(), contact.key, before);
  return found != memory.end() && found->key == contact.key && (found->flags & kPauseBits) != 0;
}

void find_pair_columns(const Layout& layout, const Kinematics& k, int a, const Vec3& point_a, int b,
                       const Vec3& point_b, std::vector<PairColumn>& out) {
  out.clear();
  int shared = 0;
  if (b != kWorldBody) {
    const BodyChain chain(layout, k, b);
    const bool same = a != kWorldBody && layout.bodies[a].tree == chain.plan.tree;
    if (same) shared = layout.common(a, b);
    for (int d = 0; d < chain.plan.length; ++d) {
      PairColumn& c = out.emplace_back();
      c.velocity = chain.velocity[d];
      c.shift_b = chain.shift(d, point_b), c.turn_b = chain.turn(d);
      c.shift_a = d < shared ? chain.shift(d, point_a) : Vec3(Vec3::Zero());
      c.turn_a = d < shared ? c.turn_b : Vec3(Vec3::Zero());
    }
  }
  if (a == kWorldBody) return;
  const BodyChain chain(layout, k, a);
  for (int d = shared; d < chain.plan.length; ++d) {
    PairColumn& c = out.emplace_back();
    c.velocity = chain.velocity[d];
    c.shift_a = chain.shift(d, point_a), c.turn_a = chain.turn(d);
    c.shift_b.setZero(), c.turn_b.setZero();
  }
}

void collect_row_forces(const RowInstant& at, std::vector<PointForce>& forces) {
  const Assembly& assembly = at.work.assembly;
  for (std::size_t b = 0; b < assembly.specs.size(); ++b) {
    const BlockSpec& spec = assembly.specs[b];
    if (spec.source == RowSource::loop) collect_loop_force(at, b, forces);
    if (spec.source != RowSource::contact) continue;
    const RowBlock& rows = assembly.rows.blocks[b];
    double lambda[3] = {0.0, 0.0, 0.0}, above = 0.0;
    block_impulse(spec, rows, at.work, lambda + 3 - rows.rows);
    const Contact& c = at.in.contacts[spec.index];
    const Vec3 force = c.frame.transpose() * Eigen::Map<const Vec3>(lambda) / at.in.dt;
    if (force.isZero(0.0)) continue;
    const Vec3 point = touched_point(c, at.touch, above);
    if (c.b != kWorldBody) forces.push_back({c.b, point, force});
    if (c.a != kWorldBody) forces.push_back({c.a, point, -force});
  }
}

void row_tangents(const RowInstant& at, int stride, double* dq, RowTangents& out) {
  const Assembly& assembly = at.work.assembly;
  const std::size_t blocks = assembly.specs.size(), nv = at.in.world.nv;
  out.first.resize(blocks), out.border.assign(blocks, BorderKind::none);
  out.rows = 0, out.exact = true;
  for (std::size_t b = 0; b < blocks; ++b) out.first[b] = out.rows, out.rows += assembly.rows.blocks[b].rows;
  for (std::vector<double>* x : {&out.J, &out.u_dq}) x->assign(out.rows * nv, 0.0);
  out.keep.assign(out.rows, 0.0);
  for (std::vector<double>* x : {&out.axes_J, &out.axes_after, &out.axes_before}) x->assign(3 * nv, 0.0);
  for (std::size_t b = 0; b < blocks; ++b) {
    if (assembly.specs[b].source == RowSource::contact)
      contact_tangents(at, b, stride, dq, out);
    else
      joint_row_tangents(at, b, stride, dq, out);
  }
}

void add_couple_tangent(const Layout& layout, const Kinematics& k, int body, const Vec3& torque, int stride,
                        double* dq) {
  const BodyChain chain(layout, k, body);
  for (int d = 0; d < chain.plan.length; ++d)
    for (int e = 0; e < chain.plan.length; ++e) {
      // joint e at or above d, or of the same body, turns the axis of d
      if (e > d && layout.chain_of[chain.velocity[d]] != layout.chain_of[chain.velocity[e]]) break;
      dq[static_cast<std::ptrdiff_t>(chain.velocity[d]) * stride + chain.velocity[e]] -=
          chain.turn(e).cross(chain.turn(d)).dot(torque);
    }
}

void add_fixed_point_tangent(const Layout& layout, const Kinematics& k, int body, const Vec3& point, const Vec3& force,
                             int stride, double* dq) {
  const BodyChain chain(layout, k, body);
  for (int e = 0; e < chain.plan.length; ++e) {
    const Vec3 moment = -chain.shift(e, point).cross(force);  // the point falls behind the body
    for (int d = 0; d < chain.plan.length; ++d)
      dq[static_cast<std::ptrdiff_t>(chain.velocity[d]) * stride + chain.velocity[e]] -= chain.turn(d).dot(moment);
  }
}

}  // namespace stiction
