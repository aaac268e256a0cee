// SPDX-License-Identifier: BSD-2-Clause
// Many runs of one world over the threads of batch_workers.h. Each run has its own state and starts cold, or from its blob.
#include <stiction/base/invalid_input.h>
#include <stiction/model/world/checks.h>
#include <stiction/sim/batch_workers.h>

#include <algorithm>

namespace stiction {
namespace {

struct Runs {
  const RolloutInput& in;
  const State start;
  const BatchWorkers& workers;
  std::vector<int>& unaccepted;
  double* out;
};

// After a numerical failure the last good state is repeated.
void run_one(const Runs& runs, Simulator& own, int run) {
  const RolloutInput& in = runs.in;
  const World& world = own.world();
  const std::ptrdiff_t size = world.nq + world.nv;
  State& state = own.state();
  if (in.blobs != nullptr) {
    own.restore((*in.blobs)[run]);
  } else {
    const double* x = in.states + run * size;
    state = runs.start;
    std::copy(x, x + world.nq, state.q.data());
    std::copy(x + world.nq, x + size, state.v.data());
  }
  for (int step = 0; step < in.steps && !runs.workers.stopped(); ++step) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(run) * in.steps + step;
    if (in.targets != nullptr) state.pd.target = Eigen::Map<const Vec>(in.targets + at * world.ntau, world.ntau);
    const StepReport report = in.controls != nullptr
                                  ? own.step(Eigen::Map<const Vec>(in.controls + at * world.ntau, world.ntau))
                                  : own.step();
    runs.unaccepted[run] += report.unaccepted;
    double* row = runs.out + at * size;
    std::copy(state.q.data(), state.q.data() + world.nq, row);
    std::copy(state.v.data(), state.v.data() + world.nv, row + world.nq);
  }
}

// The system may start fewer threads than were asked for: those do the work.
std::unique_ptr<BatchWorkers> make_workers(const Simulator& simulator, int threads) {
  while (true) {
    try {
      return std::make_unique<BatchWorkers>(simulator, threads);
    } catch (const InvalidInput&) {
      if (threads == 1) throw;
      threads = (threads + 1) / 2;
    }
  }
}

}  // namespace

std::vector<int> rollout(const Simulator& simulator, const RolloutInput& in, int threads, double* out) {
  if (threads < 1) throw InvalidInput("threads is " + std::to_string(threads) + ", expected at least 1");
  if (in.targets != nullptr && !simulator.state().pd.active)
    throw InvalidInput("targets are given but no PD gains are set; call set_pd first");
  if (simulator.budget() > 0.0)
    throw InvalidInput("budget is " + text(simulator.budget()) +
                       " s, but a rollout has the same bits every time and so has no budget; call set_budget(0)");
  State start = initial_state(simulator.world());
  start.pd = simulator.state().pd;
  start.ctrl = simulator.state().ctrl, start.act = simulator.state().act;
  std::vector<int> unaccepted(in.batch, 0);
  const auto workers = make_workers(simulator, std::clamp(in.batch, 1, threads));
  const Runs runs{in, std::move(start), *workers, unaccepted, out};
  workers->for_each(in.batch, in.interrupted, [&runs](Simulator& own, int run) { run_one(runs, own, run); });
  return unaccepted;
}

}  // namespace stiction
