// SPDX-License-Identifier: BSD-2-Clause
// The islands of a step, one after the other or shared out among threads.
#include <stiction/solver/core/deadline.h>
#include <stiction/solver/core/short_solve.h>
#include <stiction/step/core/bounded_correction.h>
#include <stiction/step/core/impulses.h>
#include <stiction/step/core/island_threads.h>
#include <stiction/step/core/open_contacts.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

namespace stiction {
namespace {

constexpr int kLargeIsland = 16;  // blocks: these go first, so that no thread waits for the last of them
constexpr int kChunk = 16;        // islands that are handed out at a time

Report solve_once(const StepContext& c, const AssembleInput& in, int island, StepReport& report) {
  Workspace& work = c.work;
  IslandScratch& own = c.own();
  int awake = put_awake_first(in.law.friction.kind, island, work.assembly);
  for (;;) {
    island_problem(in, work.assembly, island, awake, own.island, own.problem, own.lambda);
    Report solve;  // accepted as it is if nothing can carry
    if (awake > 0) solve = c.solver.solve(own.problem, own.lambda.vec());
    add_effort(solve, report);
    const int more = wake(in, island, awake, work.assembly, own);
    if (more == 0) return solve;
    if (is_spent(report)) {  // some contacts that were left out would close
      solve.status = Status::max_iterations;
      return solve;
    }
    awake += more;
  }
}

// What it says depends on this island alone, whatever the others took; `report.iterations` at the start are those of the step before.
void solve_island(const StepContext& c, const AssembleInput& in, bool rebounds, int island, StepReport& report) {
  IslandScratch& own = c.own();
  own.granted = 0.0;
  const auto solve = [&] {
    Report found = solve_once(c, in, island, report);
    if (rebounds && arm_closed_contacts(in, island, own.lambda.data(), c.work.assembly))
      found = solve_once(c, in, island, report);
    return found;
  };
  add_verdict(solve_bounded(c, island, solve, report), report);
  apply_island_impulses(in.layout, island, own.lambda.data(), c.work);
  c.work.granted_by[island] = own.granted;
}

// Whether it is worth while: not if one island is nearly all there is.
bool worth_threads(const StepContext& c) {
  if (c.threads == nullptr) return false;
  const Islands& islands = c.work.assembly.islands;
  int largest = 0;
  for (int i = 0; i < islands.count(); ++i) largest = std::max(largest, islands.start[i + 1] - islands.start[i]);
  return static_cast<int>(islands.block.size()) - largest >= IslandThreads::kFewest;
}

// Every island gets its share of the time that is left, by its blocks; what one does not need is for those after it.
void solve_islands_in_time(const StepContext& c, const AssembleInput& in, bool rebounds, StepReport& report) {
  const std::vector<int>& start = c.work.assembly.islands.start;
  for (int island = 0; island < report.islands; ++island) {
    const SolveDeadline own(
        SolveDeadline::after(start[island + 1] - start[island], start[report.islands] - start[island]));
    solve_island(c, in, rebounds, island, report);
  }
  SolveDeadline::note_solved();
}

// Of islands that another thread has solved.
void add_island_verdicts(const StepReport& of_thread, StepReport& report) {
  report.iterations += of_thread.iterations, report.factorisations += of_thread.factorisations;
  report.corrections_dropped += of_thread.corrections_dropped;
  report.status = worse(report.status, of_thread.status);
  report.unaccepted = std::max(report.unaccepted, of_thread.unaccepted);
  keep_largest(of_thread.own, report.own), keep_largest(of_thread.ncp, report.ncp);
}

}  // namespace

IslandThreads::IslandThreads(int threads, const MakeSolver& make, const World& world) : own_(threads), pool_(threads) {
  for (Own& own : own_) own.scratch.resize(world);
  for (int k = 1; k < threads; ++k) own_[k].solver = make();
}

void IslandThreads::for_each_island(const StepContext& c, const Solve& solve, StepReport& total) {
  const Islands& islands = c.work.assembly.islands;
  const auto large = [&](int i) { return islands.start[i + 1] - islands.start[i] >= kLargeIsland; };
  const auto blocks = [&](int i) { return islands.start[i + 1] - islands.start[i]; };
  order_.resize(islands.count());
  std::iota(order_.begin(), order_.end(), 0);
  const auto middle = std::partition(order_.begin(), order_.end(), large);
  std::sort(order_.begin(), middle, [&](int i, int j) { return blocks(i) > blocks(j); });
  const int first_small = static_cast<int>(middle - order_.begin());
  next_.store(0, std::memory_order_relaxed);
  for (Own& own : own_) own.report = StepReport{};
  const double short_steps = ShortSolve::around();
  const auto share = [&](int, int thread) {
    const std::optional<ShortSolve> limit =
        thread > 0 && short_steps > 0.0 ? std::optional<ShortSolve>(std::in_place, short_steps) : std::nullopt;
    Own& own = own_[thread];
    const StepContext mine{c.world, c.model, own.solver ? *own.solver : c.solver,
                           c.work,  nullptr, thread == 0 ? nullptr : &own.scratch};
    const int count = static_cast<int>(order_.size());
    for (;;) {
      // Large ones one by one, then small ones by the handful.
      const int begin = next_.load(std::memory_order_relaxed);
      if (begin >= count) break;
      const int end = begin < first_small ? begin + 1 : std::min(count, begin + kChunk);
      int expected = begin;
      if (!next_.compare_exchange_weak(expected, end, std::memory_order_relaxed)) continue;
      for (int i = begin; i < end; ++i) solve(mine, order_[i], own.report);
    }
  };
  pool_.parallel_for(pool_.threads(), std::ref(share));
  for (const Own& own : own_) add_island_verdicts(own.report, total);
}

void clear_impulses(const StepContext& c, StepReport& report) {
  Workspace& work = c.work;
  std::copy(work.z.begin(), work.z.end(), work.whitened.begin());
  work.impulses.assign(3 * work.contacts.size(), 0.0);
  if (c.model.turns) work.torques.assign(3 * work.contacts.size(), 0.0);
  if (!work.loop_impulse.empty()) std::fill(work.loop_impulse.begin(), work.loop_impulse.end(), 0.0);
  if (c.world.ntau > 0) {
    std::fill(work.limit_impulse.begin(), work.limit_impulse.end(), 0.0);
    std::fill(work.friction_impulse.begin(), work.friction_impulse.end(), 0.0);
  }
  report.islands = work.assembly.islands.count();
  report.status = Status::converged, report.unaccepted = 0, report.corrections_dropped = 0;
  work.granted = 0.0;
  report.own = report.ncp = Residual{};
}

void solve_islands(const StepContext& c, const AssembleInput& in, bool rebounds, StepReport& report) {
  clear_impulses(c, report);
  c.work.granted_by.assign(report.islands, 0.0);
  const int before = report.iterations;  // of this step: they count for every island
  const auto solve = [&](const StepContext& mine, int island, StepReport& sum) {
    const int others = sum.iterations;
    sum.iterations = before;
    solve_island(mine, in, rebounds, island, sum);
    sum.iterations += others - before;
  };
  if (SolveDeadline::is_set()) {
    solve_islands_in_time(c, in, rebounds, report);
  } else if (worth_threads(c)) {
    c.threads->for_each_island(c, std::ref(solve), report);
  } else {
    for (int island = 0; island < report.islands; ++island) solve(c, island, report);
  }
  c.work.granted = 0.0;
  for (const double granted : c.work.granted_by) c.work.granted += granted;
}

}  // namespace stiction
