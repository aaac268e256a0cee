// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/step/classical/rigid_euler.h>

namespace stiction {
namespace {

constexpr double kRegular = 1e-12;  // keeps redundant points solvable [1/kg]

// x ← A⁻¹x by LDLᵀ without pivoting, in place; A is n × n, positive definite.
void solve_definite(int n, double* a, double* x) {
  Eigen::Map<Mat> A(a, n, n);
  for (int k = 0; k < n; ++k) {
    const double pivot = 1.0 / A(k, k);
    for (int i = k + 1; i < n; ++i) {
      const double factor = A(i, k) * pivot;
      for (int j = k + 1; j <= i; ++j) A(i, j) -= factor * A(j, k);
      x[i] -= factor * x[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    double sum = x[k];
    for (int i = k + 1; i < n; ++i) sum -= A(i, k) * x[i];
    x[k] = sum / A(k, k);
  }
}

}  // namespace

RigidEulerStepper::RigidEulerStepper(const RigidEulerOptions& options, const World& world, const Layout& layout)
    : scheme_(options.scheme) {
  if (scheme_ != 1 && scheme_ != 2 && scheme_ != 4)
    throw InvalidInput("stepper 'rigid_euler': scheme is " + std::to_string(scheme_) + ", expected 1, 2 or 4");
  if (!world.dry_friction.isZero(0.0))
    throw InvalidInput(
        "stepper 'rigid_euler' holds every row rigidly and has no form for dry joint friction; take another stepper");
  work_.resize(world, layout);
  stages_.resize(world);
}

// (1): the force of every point.
void RigidEulerStepper::hold_points(const SoftContext& c, double h, std::vector<SoftPoint>& points) {
  const double kd = 1.0 / h, kp = 0.5 * kd * kd;
  for (int k = 0; k < c.work.islands.count(); ++k) {
    const Island island = island_of(c, k);
    const LinearContact p = gather(c, island, {}, h, points, average_work_);
    for (int r = 0; r < p.rows; ++r) {
      const auto row = r;
      average_work_.upsilon[row * p.rows + row] += kRegular;
      average_work_.average[row] = -(p.beta[r] + kp * p.displacement[r] + kd * p.velocity[r]);
    }
    solve_definite(p.rows, average_work_.upsilon.data(), average_work_.average.data());
    const double* force = average_work_.average.data();
    for (const int* b = island.first; b != island.last; ++b) {
      SoftPoint& point = points[*b];
      for (int r = 0; r < point.rows; ++r) point.force[r] = *force++;
      point.slipping = point.clipped = false;
    }
  }
}

StepReport RigidEulerStepper::step(const StepContext& context, const StepInput& input, State& state) {
  SoftWork& w = work_;
  const double h = context.model.dt;
  const SoftContext c{context.world, context.model, input, state.pd, w};
  StepReport report = StepReport::of_one_step();
  const auto accelerate = [&](int stage, const double* q, const double* v, double* out) {
    evaluate_smooth(c, q, v);
    std::vector<SoftPoint>& points = stage == 0 ? w.points : w.stage_points;
    find_points(c, q, v, stage == 0 ? state.anchors : w.records, points, stage == 0 ? w.records : w.stage_records);
    factorise_mass(c);
    whiten_forces(c);
    make_rows(c, v, points);
    hold_points(c, h, points);
    if (stage == 0) {
      use_pass_forces(w.points);
      keep_contacts(c, context.work, report);
    }
    add_point_forces(c, points, w.force.data());
    solve_mass(c, w.force.data());
    std::copy(w.force.begin(), w.force.end(), out);
  };
  runge_kutta(c, scheme_, h, state.q.data(), state.v.data(), stages_, accelerate);
  return commit(c, context.work, state, report, 1.0 / h);
}

}  // namespace stiction
