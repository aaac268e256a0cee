// SPDX-License-Identifier: BSD-2-Clause
// Threads that make steps of many environments of one world. Each has a simulator of its own, that is a solver, a stepper and a
// workspace, into which a state is lent for as long as it is stepped. A workspace means nothing between steps, so the bits depend
// neither on the thread that makes a step nor on what it did before: environments are handed out to whoever is free, a few
// neighbours at a time. Where the world and the stepper have lanes (dynamics/lanes), a thread has as many simulators as a register has
// doubles and steps as many neighbours side by side.
#pragma once

#include <stiction/base/thread_pool.h>
#include <stiction/dynamics/contact/detect.h>
#include <stiction/sim/group_runner.h>

#include <atomic>

namespace stiction {

class BatchWorkers {
 public:
  using Task = std::function<void(Simulator& own, int index)>;
  using Interrupted = std::function<bool()>;

  // A group of neighbours [first, first + own.size()), one simulator each; `runner` is null where that is one.
  using GroupTask = std::function<void(std::span<Simulator> own, GroupRunner* runner, int first)>;

  BatchWorkers(const Simulator& simulator, int threads);  // throws InvalidInput if the system does not start so many
  BatchWorkers(const BatchWorkers&) = delete;
  BatchWorkers& operator=(const BatchWorkers&) = delete;

  int threads() const { return pool_.threads(); }
  const Simulator& first() const { return own_.front(); }

  // task(own, i) for every i in [0, n). `interrupted` (or none) is asked in the calling thread before every step; true ends all of
  // them after the step that they are in, and what is left of the indices is not visited. The first exception ends them likewise and
  // is thrown again here. Nothing is allocated, unless the task does.
  void for_each(int n, const Interrupted& interrupted, const Task& task);
  void for_each_group(int n, const Interrupted& interrupted, const GroupTask& task);
  int width() const { return width_; }  // environments that are stepped side by side
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }

 private:
  void work(int thread);
  bool ask(int thread);  // whether to stop
  void choose_lanes(const Simulator& simulator);

  std::unique_ptr<LanePlan> plan_;    // null: no lanes
  std::vector<GroupRunner> runners_;  // one per thread, with lanes
  int width_ = 1;
  bool wide_rows_ = false;      // dynamics/lanes/row_kernels.h
  std::vector<Simulator> own_;  // width_ per thread
  const GroupTask* task_ = nullptr;
  const Interrupted* interrupted_ = nullptr;
  int count_ = 0, block_ = 1;
  std::atomic<int> next_{0};
  std::atomic<bool> stop_{false};
  std::function<void(int, int)> share_;
  ThreadPool pool_;  // last: its threads end before what they use
};

// Where the geoms of an environment were and how far apart its pairs: without it every change of environments would measure all pairs
// anew. It has no influence on what is found.
struct DetectionMemory {
  std::vector<Pose> poses;
  std::vector<GeomMotion> motion;
  PairSchedule schedule;
};

// Puts a state and its memory into a simulator and takes them back at the end of the scope.
class LentState {
 public:
  LentState(Simulator& own, State& state, DetectionMemory& memory);
  ~LentState() { exchange(); }
  LentState(const LentState&) = delete;
  LentState& operator=(const LentState&) = delete;

 private:
  void exchange();

  Simulator& own_;
  State& state_;
  DetectionMemory& memory_;
};

}  // namespace stiction
