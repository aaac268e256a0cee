// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/free_rotation.h>
#include <stiction/dynamics/kernels/motion.h>
#include <stiction/step/derivative/flight_tangents.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr int kNumbers = 15;  // moment, inertia, linear and angular momentum
using SpinColumn = Eigen::Matrix<double, kNumbers, 1>;
using MotionSlope = Eigen::Matrix<double, 12, kNumbers>;  // shift, slip

double* number_of(FreeFlight::Spin& s, int i) {
  if (i < 3) return s.moment.data() + i;
  if (i < 9) return s.inertia + (i - 3);
  return i < 12 ? s.linear.data() + (i - 9) : s.angular.data() + (i - 12);
}

Eigen::Matrix<double, 12, 1> motion_at(FreeFlight::Spin spin, int i, double change, double dt) {
  *number_of(spin, i) += change;
  if (!spin.same) spin.bias_linear = spin.linear, spin.bias_angular = spin.angular;
  const FreeFlight::Motion m = FreeFlight::motion_of(spin, dt);
  Eigen::Matrix<double, 12, 1> out;
  out << m.shift, m.slip;
  return out;
}

MotionSlope motion_slope(const FreeFlight::Spin& spin, double dt) {
  constexpr double kRelative = 1e-5;
  double inertia = 0.0;
  for (const double x : spin.inertia) inertia = std::max(inertia, std::abs(x));
  const double length = std::sqrt(inertia / spin.mass);
  const double momentum = std::max(spin.angular.norm(), inertia);  // at least 1 rad/s
  MotionSlope out;
  for (int i = 0; i < kNumbers; ++i) {
    const double scale = i < 3 ? spin.mass * length : i < 9 ? inertia : i < 12 ? momentum / length : momentum;
    const double e = kRelative * scale;
    out.col(i) = (motion_at(spin, i, e, dt) - motion_at(spin, i, -e, dt)) / (2.0 * e);
  }
  return out;
}

// What a twist of the subtree of a body adds to moment and inertia of its tree.
void composite_change(const BodyTangent& t, const Column& s, SpinColumn& out) {
  const Vec3& mc = t.subtree_moment;
  out.head<3>() = t.subtree_mass * s.lin + s.ang.cross(mc);
  const Mat3 I = unpacked(t.subtree_inertia), turn = skew(s.ang);
  Mat3 change = turn * I - I * turn;
  change += 2.0 * s.lin.dot(mc) * Mat3::Identity() - s.lin * mc.transpose() - mc * s.lin.transpose();
  out.segment<6>(3) << change(0, 0), change(0, 1), change(0, 2), change(1, 1), change(1, 2), change(2, 2);
}

// Rows `first` … `first` + 5 of x += slope · columns of (moment … momentum).
void add_spin(const VelocityStep& step, const VelocityTangentWork& work, const std::vector<double>& momentum_dq,
              const Tree& tree, int half, const MotionSlope& slope, std::vector<double>& x) {
  const int nv = step.c.world.nv;
  for (int body = tree.first_body; body < tree.first_body + tree.bodies; ++body) {
    const BodyPlan& plan = step.c.model.layout.bodies[body];
    for (int j = plan.v; j < plan.v + plan.nv; ++j) {
      SpinColumn by_q = SpinColumn::Zero(), by_v = SpinColumn::Zero();
      if (plan.code != JointCode::root_free)
        composite_change(work.data.bodies[body], step.c.work.kinematics.columns[j], by_q);
      for (int r = 0; r < 6; ++r) by_q[9 + r] = momentum_dq[(tree.v + r) * nv + j];
      by_v.segment<3>(9) = work.data.velocities[j].inertial.lin, by_v.tail<3>() = work.data.velocities[j].inertial.ang;
      const Vec6 q = slope.middleRows<6>(6 * half) * by_q, v = slope.middleRows<6>(6 * half) * by_v;
      for (int r = 0; r < 6; ++r) {
        double* row = x.data() + (tree.v + r) * work.stride;
        row[j] += q[r], row[nv + j] += v[r];
      }
    }
  }
}

// ∂(M v)/∂q, nv × nv, in work.column.
void momentum_by_q(const VelocityStep& step, VelocityTangentWork& work) {
  const World& world = step.c.world;
  const Layout& layout = step.c.model.layout;
  prepare_acceleration(world, layout, step.c.work.kinematics, work.data, step.in.v, 1, false, work.before);
  work.column.assign(world.nv * world.nv, 0.0);
  inverse_dynamics_dq(world, layout, step.c.work.kinematics, work.data, work.before, nullptr, 0, world.nv,
                      work.column.data());
}

}  // namespace

void put_free_moments(const VelocityStep& step, int stride, double* dv) {
  const StepContext& c = step.c;
  for (std::size_t i = 0; i < c.world.trees.size(); ++i) {
    const Tree& tree = c.world.trees[i];
    if (!tree.free_body || !c.work.flight.turns(i)) continue;
    const BodyPlan& plan = c.model.layout.bodies[tree.first_body];
    const Mat3 inertia = unpacked(plan.inertia);
    FreeRotationTangent tangent;
    free_rotation(inertia, Eigen::Map<const Vec3>(step.in.v + tree.v + 3), c.model.dt, &tangent);
    const Mat3 moment = inertia * (Mat3::Identity() - tangent.rate) / c.model.dt;
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k) dv[(tree.v + 3 + r) * stride + tree.v + 3 + k] = moment(r, k);
  }
}

void add_flight(const VelocityStep& step, VelocityTangentWork& work) {
  const StepContext& c = step.c;
  const FreeFlight& flight = c.work.flight;
  const double dt = c.model.dt, left = dt - step.before;
  work.mean.assign(work.block.begin(), work.block.end());
  bool known = false;
  for (std::size_t i = 0; i < c.world.trees.size(); ++i) {
    const Tree& tree = c.world.trees[i];
    if (!tree.floating || !flight.flies(i)) continue;
    if (tree.free_body) {
      if (!flight.turns(i)) continue;
      const Vec3 w = Eigen::Map<const Vec3>(step.in.v + tree.v + 3);
      FreeRotationTangent tangent;
      const FreeRotation motion =
          free_rotation(unpacked(c.model.layout.bodies[tree.first_body].inertia), w, dt, &tangent);
      Quat rest = motion.turn;
      Mat3 turn = tangent.turn;
      if (step.before > 0.0) {  // exp(−t ω̂) ΔR: its first factor turns by −t J_r(−t ω) dω in its own axes at its end
        const Vec3 back = -step.before * w;
        rest = Quat(Eigen::AngleAxisd(back.norm(), back.normalized())) * motion.turn;
        turn -= step.before * (motion.turn.toRotationMatrix().transpose() * inverse_right_jacobian(back).inverse());
      }
      const Mat3 slip = inverse_right_jacobian(rotation_vector(rest)) * turn / left - tangent.rate;
      for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 3; ++k)
          work.mean[(tree.v + 3 + r) * work.stride + c.world.nv + tree.v + 3 + k] += slip(r, k);
      continue;
    }
    if (!FreeFlight::motion_of(flight.spin(i), dt).turns) continue;
    if (!known) momentum_by_q(step, work);
    known = true;
    const MotionSlope slope = motion_slope(flight.spin(i), dt);
    add_spin(step, work, work.column, tree, 0, slope, work.block);
    add_spin(step, work, work.column, tree, 0, slope, work.mean);
    add_spin(step, work, work.column, tree, 1, slope, work.mean);
  }
}

}  // namespace stiction
