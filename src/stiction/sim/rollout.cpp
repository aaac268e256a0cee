// SPDX-License-Identifier: BSD-2-Clause
// Many runs of one world over threads. Each run has its own state and starts cold (or from its blob); each thread has its own
// simulator, whose workspace means nothing between runs. So the bits depend neither on threads nor on places in the batch.
#include <stiction/base/invalid_input.h>
#include <stiction/model/world/checks.h>
#include <stiction/sim/simulator_impl.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace stiction {
namespace {

// One run; returns the number of unaccepted steps. After a numerical failure the last good state is repeated.
template <class Stopped>
int run_one(Simulator& sim, const State& start, const RolloutInput& in, int run, const Stopped& stopped, double* out) {
  const World& world = sim.world();
  const std::ptrdiff_t size = world.nq + world.nv;
  State& state = sim.state();
  if (in.blobs != nullptr) {
    sim.restore((*in.blobs)[run]);
  } else {
    const double* x = in.states + run * size;
    state = start;
    std::copy(x, x + world.nq, state.q.data());
    std::copy(x + world.nq, x + size, state.v.data());
  }
  int unaccepted = 0;
  for (int step = 0; step < in.steps && !stopped(); ++step) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(run) * in.steps + step;
    if (in.targets != nullptr) state.pd.target = Eigen::Map<const Vec>(in.targets + at * world.ntau, world.ntau);
    const StepReport report = in.controls != nullptr
                                  ? sim.step(Eigen::Map<const Vec>(in.controls + at * world.ntau, world.ntau))
                                  : sim.step();
    unaccepted += report.unaccepted;
    double* row = out + at * size;
    std::copy(state.q.data(), state.q.data() + world.nq, row);
    std::copy(state.v.data(), state.v.data() + world.nv, row + world.nq);
  }
  return unaccepted;
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
  std::atomic<int> next{0};
  std::mutex guard;
  std::exception_ptr failure;
  std::atomic<bool> stop{false};
  const auto worker = [&](const std::function<bool()>* interrupted) {  // asked by the calling thread alone
    try {
      Simulator own = simulator.clone();
      const auto stopped = [&] {
        if (interrupted != nullptr && (*interrupted)()) stop = true;
        return stop.load(std::memory_order_relaxed);
      };
      for (int run = next++; run < in.batch && !stop; run = next++)
        unaccepted[run] = run_one(own, start, in, run, stopped, out);
    } catch (...) {
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
      next = in.batch;
    }
  };
  std::vector<std::thread> pool;
  try {
    for (int i = 1; i < std::min(threads, in.batch); ++i) pool.emplace_back(worker, nullptr);
  } catch (const std::system_error&) {  // the system starts no more: those that run do the work
  }
  worker(in.interrupted ? &in.interrupted : nullptr);
  for (std::thread& t : pool) t.join();
  if (failure) std::rethrow_exception(failure);
  return unaccepted;
}

}  // namespace stiction
