// SPDX-License-Identifier: BSD-2-Clause
// Threads that share out the islands of one simulation, and the pairs of its detection (detect.h). Each has a solver and a scratch of
// its own. Islands write to bodies and contacts of their own alone, and what is summed over them is summed in their order, so
// the bits are those of one thread.
#pragma once

#include <stiction/base/thread_pool.h>
#include <stiction/step/core/time_stepper.h>

#include <atomic>

namespace stiction {

class IslandThreads {
 public:
  using MakeSolver = std::function<std::unique_ptr<Solver>()>;

  // Throws InvalidInput if the system does not start so many.
  IslandThreads(int threads, const MakeSolver& make, const World& world);

  int threads() const { return pool_.threads(); }
  ThreadPool& pool() { return pool_; }

  // solve(context, island, report) for every island of c.work.assembly, the largest first. `report` is of the thread; what they
  // say is merged into `total`.
  using Solve = std::function<void(const StepContext& c, int island, StepReport& report)>;
  void for_each_island(const StepContext& c, const Solve& solve, StepReport& total);

  static constexpr int kFewest = 4;  // blocks beyond those of the largest island that are worth a round of threads

 private:
  struct Own {
    std::unique_ptr<Solver> solver;  // null: that of the context
    IslandScratch scratch;
    StepReport report;
  };

  std::vector<Own> own_;
  std::vector<int> order_;
  std::atomic<int> next_{0};
  ThreadPool pool_;  // last: its threads end before what they use
};

}  // namespace stiction
