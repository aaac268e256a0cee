// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/derivatives/forward_derivatives.h>
#include <stiction/dynamics/derivatives/integrate_derivatives.h>
#include <stiction/dynamics/kernels/integrate.h>
#include <stiction/dynamics/kernels/motion.h>
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/model/world/checks.h>
#include <stiction/step/classical/implicit_euler.h>
#include <stiction/step/core/actuators.h>

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr double kLargestRegularisation = 1e-3;

}  // namespace

void check_implicit_euler(const ImplicitEulerOptions& o) {
  check_options("stepper 'implicit_euler'", o);
  if (o.guess != "exponential" && o.guess != "euler" && o.guess != "current")
    throw InvalidInput(unknown_name("stepper 'implicit_euler'.guess", o.guess, {"exponential", "euler", "current"}));
}

ImplicitEulerStepper::ImplicitEulerStepper(const ImplicitEulerOptions& options, const World& world,
                                           const Layout& layout)
    : options_(options), lu_(Mat::Identity(world.nv, world.nv)) {
  check_implicit_euler(options);
  refuse_drives(world, "stepper 'implicit_euler'");
  const int nv = world.nv;
  work_.resize(world, layout);
  data_.resize(world);
  acceleration_data_.resize(world);
  end_.resize(nv);
  for (Vec* x : {&w_, &exponential_, &euler_, &first_, &trial_, &r_, &best_r_, &step_}) x->resize(nv);
  for (RowMat* x : {&dq_, &dv_, &T_, &U_, &newton_, &scaled_}) x->resize(nv, nv);
}

// The pass at the start, which moves anchors, and the ends of the exponential and of the explicit step as guesses.
void ImplicitEulerStepper::start(const SoftContext& c, const State& state) {
  SoftWork& w = work_;
  evaluate_smooth(c, state.q.data(), state.v.data());
  find_points(c, state.q.data(), state.v.data(), state.anchors, w.points, w.records);
  keep_start_axes(c);
  factorise_mass(c);
  whiten_forces(c);
  make_rows(c, state.v.data(), w.points);
  const double h = c.model.dt;
  average_forces(c, {}, h, averages_, w.points);
  std::copy(w.z.begin(), w.z.end(), w.acceleration.begin());
  for (std::size_t i = 0; i < w.points.size(); ++i)
    add_impulse(c.model.layout, w.rows, w.rows.blocks[i], w.points[i].projected, w.acceleration.data());
  for (const Tree& tree : c.world.trees) solve_lower(c.model.layout, tree, w.kinematics, w.acceleration.data());
  exponential_ = state.v + h * Eigen::Map<const Vec>(w.acceleration.data(), c.world.nv);
  add_point_forces(c, w.points, w.force.data());
  solve_mass(c, w.force.data());
  euler_ = state.v + h * Eigen::Map<const Vec>(w.force.data(), c.world.nv);
}

// Everything at the end that w leads to, and r_ of (1); returns its length.
double ImplicitEulerStepper::evaluate(const SoftContext& c, const State& state, const Vec& w_end) {
  SoftWork& w = work_;
  const double h = c.model.dt;
  std::copy(state.q.data(), state.q.data() + state.q.size(), w.next_q.begin());
  std::copy(w_end.data(), w_end.data() + w_end.size(), w.mean.begin());
  std::copy(w_end.data(), w_end.data() + w_end.size(), w.next_v.begin());
  advance(c.model.layout, h, w.mean.data(), w.next_q.data(), w.next_v.data());
  if (!all_finite(w.next_q) || !all_finite(w.next_v)) return kInfinity;
  evaluate_smooth(c, w.next_q.data(), w.next_v.data());
  find_points(c, w.next_q.data(), w.next_v.data(), w.records, w.stage_points, w.stage_records);
  add_point_forces(c, w.stage_points, w.force.data());
  factorise_mass(c);
  solve_mass(c, w.force.data());
  std::copy(w.force.begin(), w.force.end(), end_.begin());
  to_start_axes(c, w.force.data());
  r_ = w_end - state.v - h * Eigen::Map<const Vec>(w.force.data(), c.world.nv);
  return r_.norm();
}

// dq_ += Jᵀ Λ (K ∂Δp/∂q + B ∂ṗ/∂q),  dv_ += Jᵀ Λ B J. The anchor's own motion in slip has no part in λ of this pass.
void ImplicitEulerStepper::add_contact_stiffness(int nv) {
  for (std::size_t i = 0; i < work_.stage_points.size(); ++i) {
    const SoftPoint& p = work_.stage_points[i];
    const ConeTangent& cone = tangent_.pass[i];
    if (cone.mode == ConeMode::clipped) continue;
    const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(tangent_.first[i]) * nv;
    const double *J = tangent_.J.data() + start, *velocity = tangent_.velocity_dq.data() + start;
    // the stretch before the anchor moved; in slip the rows have that motion in them, and J serves
    const double* stretch = cone.mode == ConeMode::slip ? J : tangent_.stretch_dq.data() + start;
    for (int j = 0; j < nv; ++j) {
      Vec3 by_q = Vec3::Zero(), by_v = Vec3::Zero();
      for (int r = 0; r < p.rows; ++r) {
        const bool loaded = p.known || (tangent_.surface_anchoring && r == 2);
        by_q[r] = p.damping[r] * velocity[r * nv + j] + (loaded ? p.stiffness[r] * stretch[r * nv + j] : 0.0);
        by_v[r] = p.damping[r] * J[r * nv + j];
      }
      by_q = (cone.map * by_q).eval(), by_v = (cone.map * by_v).eval();
      for (int k = 0; k < nv; ++k)
        for (int r = 0; r < p.rows; ++r) {
          dq_(k, j) += J[r * nv + k] * by_q[r];
          dv_(k, j) += J[r * nv + k] * by_v[r];
        }
    }
  }
}

// newton_ = Eᵀ r′ of (2) at the configuration of the last evaluate(), in the axes at the end.
void ImplicitEulerStepper::linearise(const SoftContext& c, double h) {
  SoftWork& w = work_;
  const Layout& layout = c.model.layout;
  const int nv = c.world.nv;
  prepare_derivatives(c.world, layout, w.kinematics, data_);
  prepare_acceleration(c.world, layout, w.kinematics, data_, end_.data(), 1, true, acceleration_data_);
  point_tangents(c, data_, w.stage_points, w.stage_records, tangent_);
  row_forces_.clear();
  for (const SoftPoint& p : w.stage_points) row_forces_.insert(row_forces_.end(), p.force, p.force + p.rows);
  body_forces(w.stage_points, row_forces_.data(), 1, 1, forces_);
  dq_.setZero(), dv_.setZero();
  inverse_dynamics_dq(c.world, layout, w.kinematics, data_, acceleration_data_, forces_.data(),
                      static_cast<int>(forces_.size()), nv, dq_.data());
  inverse_dynamics_dv(layout, w.kinematics, data_, nv, dv_.data());
  add_smooth_tangents(c, w.next_q.data(), w.next_v.data(), nv, dq_.data(), dv_.data(), nullptr);
  for (std::size_t i = 0; i < w.stage_points.size(); ++i) {
    const SoftPoint& p = w.stage_points[i];
    if (tangent_.motion[i] != PointMotion::moves) continue;
    const Vec3 f = p.frame.transpose() * Eigen::Map<const Vec3>(p.force);
    add_motion_force(c, p, tangent_.motion_dq.data() + tangent_.first[i] * nv, f, nv, dq_.data());
  }
  add_contact_stiffness(nv);
  newton_.setIdentity();  // dmean
  T_.setZero(), U_.setIdentity();
  advance_derivative(layout, h, w.mean.data(), w.next_v.data(), nv, nv, newton_.data(), nv, U_.data(), T_.data());
  newton_.noalias() = dq_ * T_;
  newton_.noalias() += dv_ * U_;
  solve_mass_many(c.world, layout, w.kinematics, nv, nv, newton_.data());
  newton_ *= h;
  for (std::size_t i = 0; i < c.world.trees.size(); ++i) {  // Eᵀ − h [δθ × a]
    const Tree& tree = c.world.trees[i];
    newton_.diagonal().segment(tree.v, tree.nv).array() += 1.0;
    if (!tree.floating) continue;
    const Mat3 back = w.kinematics.base[i].rotation.transpose() * w.start_rotation[i];
    newton_.block<3, 3>(tree.v, tree.v) += back - Mat3::Identity();
    newton_.block<3, 3>(tree.v, tree.v + 3) +=
        h * skew(Eigen::Map<const Vec3>(end_.data() + tree.v)) * T_.block<3, 3>(tree.v + 3, tree.v + 3);
  }
  for (std::size_t i = 0; i < c.world.trees.size(); ++i) {  // back to the axes at the start: r′
    const Tree& tree = c.world.trees[i];
    if (!tree.floating) continue;
    const Mat3 turn = w.start_rotation[i].transpose() * w.kinematics.base[i].rotation;
    for (int j = 0; j < nv; ++j) {
      const Vec3 x = newton_.block<3, 1>(tree.v, j);
      newton_.block<3, 1>(tree.v, j) = turn * x;
    }
  }
}

// Halves the step until ‖r‖ decreases; w_, best_r_ and norm then hold the new iterate.
bool ImplicitEulerStepper::search(const SoftContext& c, const State& state, double& norm, bool& full) {
  double share = 1.0;
  for (int k = 0; k <= options_.max_halvings; ++k, share *= 0.5) {
    trial_ = w_ + share * step_;
    const double found = evaluate(c, state, trial_);
    if (!(found < norm)) continue;
    w_.swap(trial_);
    best_r_ = r_;
    norm = found, full = k == 0;
    return true;
  }
  return false;
}

// Newton from w_, which becomes the best iterate with residual `norm`.
Status ImplicitEulerStepper::iterate(const SoftContext& c, const State& state, double& norm, StepReport& report) {
  norm = evaluate(c, state, w_);
  if (!std::isfinite(norm)) return Status::numerical_failure;
  best_r_ = r_;
  double rho = options_.regularisation;
  bool fresh = false;  // newton_ belongs to w_
  for (int iteration = 0; norm > options_.tolerance; ++iteration) {
    if (iteration == options_.max_iterations) return Status::max_iterations;
    ++report.iterations;
    if (!fresh) linearise(c, c.model.dt);
    fresh = true;
    scaled_ = newton_;
    scaled_.diagonal().array() += rho;
    lu_.compute(scaled_);
    step_ = lu_.solve(-best_r_);
    bool full = false;
    if (step_.allFinite() && search(c, state, norm, full)) {
      fresh = false;
      if (full) rho = std::max(0.1 * rho, options_.regularisation);
    } else {
      rho = std::max(10.0 * rho, 1e-10);
      if (rho > kLargestRegularisation) return Status::stalled;
    }
  }
  return Status::converged;
}

// Newton from the wanted guess, then from the others; the best iterate stays in w_.
Status ImplicitEulerStepper::solve(const SoftContext& c, const State& state, StepReport& report) {
  const Vec* guesses[] = {&exponential_, &euler_, &state.v};
  const std::size_t wanted = options_.guess == "exponential" ? 0 : options_.guess == "euler" ? 1 : 2;
  std::swap(guesses[0], guesses[wanted]);
  double best = kInfinity;
  Status status = Status::numerical_failure;
  for (const Vec* guess : guesses) {
    w_ = *guess;
    double norm = kInfinity;
    const Status found = iterate(c, state, norm, report);
    if (norm < best) best = norm, status = found, first_ = w_;
    if (status == Status::converged || !options_.restart) break;
  }
  w_ = first_;
  return status;
}

StepReport ImplicitEulerStepper::step(const StepContext& context, const StepInput& input, State& state) {
  SoftWork& w = work_;
  const SoftContext c{context.world, context.model, input, state.pd, w};
  StepReport report = StepReport::of_one_step();
  start(c, state);
  report.status = solve(c, state, report);
  report.unaccepted = report.status == Status::converged ? 0 : 1;
  if (report.status == Status::numerical_failure) return report;
  evaluate(c, state, w_);  // the search may have ended elsewhere
  std::swap(w.points, w.stage_points);
  use_pass_forces(w.points);
  keep_contacts(c, context.work, report);
  report = commit(c, context.work, state, report);
  std::swap(w.records, w.stage_records);  // those of the points that queries see
  return report;
}

}  // namespace stiction
