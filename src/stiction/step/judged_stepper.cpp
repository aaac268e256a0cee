// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/problem/judge.h>
#include <stiction/step/judged_stepper.h>

#include <algorithm>

namespace stiction {
namespace {

Block block_of(const SoftPoint& p, int row, double h) {
  if (p.kind == SoftKind::held) return Block::bilateral(row, 3);
  if (p.kind == SoftKind::limit) return Block::unilateral(row, true);
  if (p.kind == SoftKind::dry) return Block::box(row, -h * p.mu, h * p.mu, true);
  return Block::coulomb(row, p.mu);
}

// The point of the step that is the same contact, limit or held point; null if the step had none there. Numbers do not say it:
// the look of the judge may find points that the step did not, and the other way round.
const SoftPoint* same_point(const SoftWork& look, const SoftPoint& p, const SoftWork& step) {
  for (const SoftPoint& x : step.points) {
    if (x.kind != p.kind || x.rows != p.rows) continue;
    const bool same = p.kind == SoftKind::contact
                          ? p.record >= 0 && x.record >= 0 && look.records[p.record].key == step.records[x.record].key
                          : x.index == p.index && x.sign == p.sign;
    if (same) return &x;
  }
  return nullptr;
}

// One island: λ = h × the forces that were used.
Residual judge_island(const SoftContext& c, const Island& island, double h, const SoftWork& used, AverageWork& w) {
  const LinearContact p = gather(c, island, {}, h, c.work.points, w);
  ContactProblem problem;
  std::vector<int> start;
  Vec lambda(p.rows);
  problem.g.resize(p.rows);
  int row = 0;
  for (const int* b = island.first; b != island.last; ++b) {
    const SoftPoint& point = c.work.points[*b];
    const SoftPoint* acted = same_point(c.work, point, used);
    problem.blocks.push_back(block_of(point, row, h));
    start.push_back(row);
    for (int r = 0; r < point.rows; ++r, ++row) {
      lambda[row] = acted != nullptr ? h * acted->projected[r] : 0.0;
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
  if (report.status != Status::converged) return report;
  factorise_mass(c);
  whiten_forces(c);
  make_rows(c, w.v.data(), w.points);
  for (int k = 0; k < w.islands.count(); ++k) {
    const Residual r = judge_island(c, island_of(c, k), h, used, averages_);
    keep_largest(r, report.own);
    keep_largest(r, report.ncp);
  }
  report.islands = w.islands.count();
  return report;
}

}  // namespace stiction
