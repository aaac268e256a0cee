// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/problem/judge.h>
#include <stiction/step/judged_stepper.h>

#include <algorithm>

namespace stiction {
namespace {

Block block_of(const SoftPoint& p, int row) {
  if (p.kind == SoftKind::held) return Block::bilateral(row, 3);
  if (p.kind == SoftKind::limit) return Block::unilateral(row, true);
  return Block::coulomb(row, p.mu);
}

// One island: λ = h × the forces that were used, which stand in the same order in `used`.
Residual judge_island(const SoftContext& c, const Island& island, double h, const std::vector<SoftPoint>& used,
                      AverageWork& w) {
  const LinearContact p = gather(c, island, {}, h, c.work.points, w);
  ContactProblem problem;
  std::vector<int> start;
  Vec lambda(p.rows);
  problem.g.resize(p.rows);
  int row = 0;
  for (const int* b = island.first; b != island.last; ++b) {
    const SoftPoint& point = used[*b];
    problem.blocks.push_back(block_of(point, row));
    start.push_back(row);
    for (int r = 0; r < point.rows; ++r, ++row) {
      lambda[row] = h * point.projected[r];
      problem.g[row] = p.velocity[row] + h * p.beta[row];
    }
  }
  start.push_back(row);
  problem.G = Delassus::from_dense(Eigen::Map<const Mat>(p.upsilon, p.rows, p.rows), start);
  problem.dt = h;
  return evaluate(problem, lambda);
}

}  // namespace

JudgedStepper::JudgedStepper(std::unique_ptr<TimeStepper> stepper, const World& world, const Layout& layout)
    : stepper_(std::move(stepper)) {
  work_.resize(world, layout);
}

StepReport JudgedStepper::step(const StepContext& context, const StepInput& input, State& state) {
  SoftWork& w = work_;
  std::copy(state.q.data(), state.q.data() + state.q.size(), w.q.begin());
  std::copy(state.v.data(), state.v.data() + state.v.size(), w.v.begin());
  w.memory.assign(state.anchors.begin(), state.anchors.end());
  StepReport report = stepper_->step(context, input, state);
  const SoftWork& used = *stepper_->soft();
  double h = context.model.dt;
  if (used.averaged_over > 0.0) {  // the last part of the step
    h = used.averaged_over;
    w.q = used.q, w.v = used.v, w.memory = used.memory;
  }
  const SoftContext c{context.world, context.model, input, state.pd, w};
  evaluate_smooth(c, w.q.data(), w.v.data());
  find_points(c, w.q.data(), w.v.data(), w.memory, w.points, w.records);
  if (report.status != Status::converged || w.points.size() != used.points.size()) return report;
  factorise_mass(c);
  whiten_forces(c);
  make_rows(c, w.v.data(), w.points);
  for (int k = 0; k < w.islands.count(); ++k) {
    const Residual r = judge_island(c, island_of(c, k), h, used.points, averages_);
    keep_largest(r, report.own);
    keep_largest(r, report.ncp);
  }
  report.islands = w.islands.count();
  return report;
}

}  // namespace stiction
