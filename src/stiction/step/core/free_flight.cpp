// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/pair.h>
#include <stiction/dynamics/kernels/free_rotation.h>
#include <stiction/dynamics/kernels/motion.h>
#include <stiction/step/core/free_flight.h>
#include <stiction/step/core/impulses.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kStill = 1e-9;  // trees that turn by less in a step are left as they are [rad]

// Mass, centre and inertia of a tree as if its joints were locked, base axes.
struct Locked {
  double mass;
  Vec3 centre;
  Mat3 inertia, inverse;  // about the centre
};

template <class Root>
Locked lock(const Root& root) {
  Locked out{root.mass, root.moment / root.mass, unpacked(root.inertia), Mat3::Zero()};
  const Vec3& c = out.centre;
  out.inertia -= root.mass * (c.squaredNorm() * Mat3::Identity() - c * c.transpose());
  out.inverse = out.inertia.inverse();
  return out;
}

// Momentum of a tree about its base origin. The packed rows still hold M.
void momentum_of(const Tree& tree, const Layout& layout, const Kinematics& k, const double* v, Vec3& linear,
                 Vec3& angular) {
  const BodyData& root = k.bodies[tree.first_body];
  const Vec3 u = Eigen::Map<const Vec3>(v + tree.v), w = Eigen::Map<const Vec3>(v + tree.v + 3);
  linear = root.mass * u + w.cross(root.moment), angular = unpacked(root.inertia) * w + root.moment.cross(u);
  Pair a = Pair{linear[0], linear[1]}, b = Pair{linear[2], angular[0]}, c = Pair{angular[1], angular[2]};
  for (int j = tree.v + 6; j < tree.v + tree.nv; ++j) {
    const double* row = k.factor.data() + layout.row[j];
    const Pair rate = both(v[j]);
    a += rate * load_pair(row), b += rate * load_pair(row + 2), c += rate * load_pair(row + 4);
  }
  linear = {a[0], a[1], b[0]}, angular = {b[1], c[0], c[1]};
}

// ω_L: the rate at which the locked tree has the spin momentum of the moving one.
Vec3 locked_rate(const Locked& locked, const Vec3& linear, const Vec3& angular) {
  return locked.inverse * (angular - locked.centre.cross(linear));
}

Mat3 turn_between(const double* from, const double* to) {
  return (Eigen::Map<const Quat>(to).conjugate() * Eigen::Map<const Quat>(from)).toRotationMatrix();
}

Quat turn_by(const Vec3& x) {
  const double angle = x.norm();
  const Vec3 half = angle > 0.0 ? Vec3(std::sin(0.5 * angle) / angle * x) : Vec3(Vec3::Zero());
  return Quat(std::cos(0.5 * angle), half.x(), half.y(), half.z());
}

// Whether a block acts between a tree and something outside it.
bool leaves_tree(const BlockSpec& spec, int tree_a, int tree_b, int sides) {
  if (sides == 1) return !within_tree(spec.source);
  return tree_a != tree_b;
}

}  // namespace

void FreeFlight::resize(const World& world) {
  motions_.resize(world.trees.size());
  spins_.resize(world.trees.size());
  touched_.assign(world.trees.size(), 0);
}

void FreeFlight::start_body(const Tree& tree, const BodyPlan& plan, double dt, const FlightStart& at, const Mat3& axes,
                            Kinematics& k, Motion& out) const {
  const Vec3 w = Eigen::Map<const Vec3>(at.v + tree.v + 3);
  FreeRotation motion;
  if (!free_moment(plan, axes, w, dt, k.bias.data() + tree.v + 3, motion)) return;
  const Quat rest = turn_by(-at.before * w) * motion.turn;
  out.turns = true;
  out.shift.setZero(), out.slip.head<3>().setZero();
  out.slip.tail<3>() = rotation_vector(rest) / (dt - at.before) - motion.rate;
}

// With D = ΔR, E the turn before the kinematics and F = EᵀD the turn after it, the locked tree ends with
//   v = Eᵀ v_c − F (ω⁺ × c),   ω⁺,   after moving by   Eᵀ(v_c t + c − D c + t_b ω × c),  t = dt − t_b
// and Euler's step with  v = Eᵀ v_c − Eᵀ(ω × c) − dt (α × c + ω × (ω × c)),   ω + dt α.
FreeFlight::Motion FreeFlight::motion_of(const Spin& at, double dt) {
  Motion out;
  const Mat3& axes = at.axes;
  const Locked locked = lock(at);
  const Vec3 here = locked_rate(locked, at.linear, at.angular);
  if (!(dt * here.norm() > kStill)) return out;
  const Vec3 bias_rate = at.same ? here : locked_rate(locked, at.bias_linear, at.bias_angular);
  const Vec3& c = locked.centre;
  const Vec3 w = axes * here, alpha = -(locked.inverse * bias_rate.cross(locked.inertia * bias_rate));
  const FreeRotation motion = free_rotation(locked.inertia, w, dt);
  const Quat back = turn_by(-at.before * w), rest = back * motion.turn;
  const Vec3 swing = motion.rate.cross(c);
  const double left = dt - at.before;
  out.shift.head<3>() =
      back * w.cross(c) - rest * swing + dt * (axes * (alpha.cross(c) + bias_rate.cross(bias_rate.cross(c))));
  out.shift.tail<3>() = motion.rate - w - dt * (axes * alpha);
  out.slip.head<3>() = back * Vec3((c - motion.turn * c + at.before * w.cross(c)) / left) + rest * swing;
  out.slip.tail<3>() = rotation_vector(rest) / left - motion.rate;
  out.turns = out.shift.allFinite() && out.slip.allFinite();
  return out;
}

void FreeFlight::start_spin(const Tree& tree, const Layout& layout, const FlightStart& at, const Mat3& axes,
                            const Kinematics& k, Spin& out) {
  const BodyData& root = k.bodies[tree.first_body];
  out.mass = root.mass, out.moment = root.moment, out.axes = axes, out.before = at.before;
  std::copy_n(root.inertia, 6, out.inertia);
  momentum_of(tree, layout, k, at.v, out.linear, out.angular);
  out.same = at.bias_v == at.v;
  if (!out.same) momentum_of(tree, layout, k, at.bias_v, out.bias_linear, out.bias_angular);
}

void FreeFlight::start(const StepContext& c, const FlightStart& at) {
  const Layout& layout = c.model.layout;
  any_ = false;
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const Tree& tree = c.world.trees[i];
    motions_[i].turns = false;
    if (!tree.floating) continue;
    const BodyPlan& plan = layout.bodies[tree.first_body];
    const Mat3 axes =
        at.q_end != nullptr ? turn_between(at.q + tree.q + 3, at.q_end + tree.q + 3) : Mat3(Mat3::Identity());
    if (tree.free_body) {
      start_body(tree, plan, c.model.dt, at, axes, c.work.kinematics, motions_[i]);
      any_ |= motions_[i].turns;
    } else {
      start_spin(tree, layout, at, axes, c.work.kinematics, spins_[i]);
      any_ = true;
    }
  }
}

void FreeFlight::find_touched(const StepContext& c) {
  if (!any_) return;
  std::fill(touched_.begin(), touched_.end(), 0);
  const Assembly& assembly = c.work.assembly;
  for (std::size_t b = 0; b < assembly.specs.size(); ++b) {
    const RowBlock& rows = assembly.rows.blocks[b];
    const int tree_a = c.model.layout.bodies[rows.side[0].body].tree;
    const int tree_b = rows.sides == 2 ? c.model.layout.bodies[rows.side[1].body].tree : tree_a;
    if (!leaves_tree(assembly.specs[b], tree_a, tree_b, rows.sides)) continue;
    if (touched_[tree_a] != 0 && touched_[tree_b] != 0) continue;
    double lambda[kMostRows];
    block_impulse(assembly.specs[b], rows, c.work, lambda);
    for (int r = 0; r < rows.rows; ++r)
      if (lambda[r] != 0.0) touched_[tree_a] = touched_[tree_b] = 1;
  }
}

void FreeFlight::finish(const StepContext& c, std::vector<double>& next, std::vector<double>& mean) const {
  mean.assign(next.begin(), next.end());
  if (!any_) return;
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const Tree& tree = c.world.trees[i];
    if (!tree.floating || touched_[i]) continue;
    const Motion motion = tree.free_body ? motions_[i] : motion_of(spins_[i], c.model.dt);
    if (!motion.turns) continue;
    Eigen::Map<Vec6>(next.data() + tree.v) += motion.shift;
    Eigen::Map<Vec6>(mean.data() + tree.v) = Eigen::Map<Vec6>(next.data() + tree.v) + motion.slip;
  }
}

}  // namespace stiction
