// SPDX-License-Identifier: BSD-2-Clause
// Many runs of one world over the threads of batch_workers.h. Each run has its own state and starts cold, or from its blob.
#include <stiction/base/invalid_input.h>
#include <stiction/model/world/checks.h>
#include <stiction/sim/batch_workers.h>
#include <stiction/sim/simulator_impl.h>

#include <algorithm>
#include <span>

namespace stiction {
namespace {

struct Runs {
  const RolloutInput& in;
  const State start;
  const BatchWorkers& workers;
  std::vector<int>& unaccepted;
  double* out;
};

void put_start(const Runs& runs, Simulator& own, int run) {
  const RolloutInput& in = runs.in;
  if (in.blobs != nullptr) return own.restore((*in.blobs)[run]);
  const World& world = own.world();
  const double* x = in.states + run * static_cast<std::ptrdiff_t>(world.nq + world.nv);
  State& state = own.state();
  state = runs.start;
  std::copy(x, x + world.nq, state.q.data());
  std::copy(x + world.nq, x + world.nq + world.nv, state.v.data());
}

// Inputs of a step, numbers and state checked as Simulator::step() checks them.
void put_inputs(const Runs& runs, GroupRun& one, std::ptrdiff_t at) {
  const RolloutInput& in = runs.in;
  const World& world = one.own->world();
  State& state = one.own->state();
  if (in.targets != nullptr) state.pd.target = Eigen::Map<const Vec>(in.targets + at * world.ntau, world.ntau);
  one.tau = in.controls != nullptr ? in.controls + at * world.ntau : nullptr;
  if (one.tau != nullptr) check_finite("tau", Eigen::Map<const Vec>(one.tau, world.ntau));
  check_state(world, state);
}

StepReport step_alone(const GroupRun& one) {
  return one.tau != nullptr ? one.own->step(Eigen::Map<const Vec>(one.tau, one.own->world().ntau)) : one.own->step();
}

// Neighbours side by side. After a numerical failure the last good state is repeated.
void run_group(const Runs& runs, std::span<Simulator> own, GroupRunner* runner, int first) {
  const RolloutInput& in = runs.in;
  const World& world = own.front().world();
  const std::ptrdiff_t size = world.nq + world.nv;
  GroupRun members[kMostLanes];
  const std::span<GroupRun> group(members, own.size());
  for (std::size_t l = 0; l < own.size(); ++l) {
    group[l] = {.own = &own[l], .index = first + static_cast<int>(l)};
    put_start(runs, own[l], group[l].index);
  }
  for (int step = 0; step < in.steps && !runs.workers.stopped(); ++step) {
    const auto row_of = [&](const GroupRun& one) { return static_cast<std::ptrdiff_t>(one.index) * in.steps + step; };
    for (GroupRun& one : group) one.going = true, put_inputs(runs, one, row_of(one));
    if (runner != nullptr && group.size() > 1)
      runner->run(group, 1);
    else
      for (GroupRun& one : group) one.report = step_alone(one);
    for (const GroupRun& one : group) {
      const State& state = one.own->state();
      runs.unaccepted[one.index] += one.report.unaccepted;
      double* row = runs.out + row_of(one) * size;
      std::copy(state.q.data(), state.q.data() + world.nq, row);
      std::copy(state.v.data(), state.v.data() + world.nv, row + world.nq);
    }
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
  workers->for_each_group(in.batch, in.interrupted, [&runs](std::span<Simulator> own, GroupRunner* runner, int first) {
    run_group(runs, own, runner, first);
  });
  return unaccepted;
}

}  // namespace stiction
