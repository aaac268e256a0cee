// SPDX-License-Identifier: BSD-2-Clause
// Many environments of one world in one call. The future of an environment depends on its State alone: world, model and settings are shared, and
// workspaces belong to threads (batch_workers.h). Every environment has the bits of a simulator that was stepped alone, for any number
// of threads and any place in the batch. What goes wrong in one environment is told in the report and touches no other.
#pragma once

#include <stiction/sim/batch_parameters.h>
#include <stiction/sim/batch_readings.h>
#include <stiction/sim/batch_workers.h>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace stiction {

// Numbers of all environments, one row each; stride 0: the same row for all. No data: not given.
struct BatchRows {
  const double* data = nullptr;
  std::ptrdiff_t stride = 0;
  const double* row(int i) const { return data + i * stride; }
};

struct BatchInput {
  BatchRows tau, target;  // ntau entries: joint efforts; PD targets, which are kept
  BatchRows ctrl;         // one entry per actuator; kept
  int steps = 1;          // with the same input
  BatchWorkers::Interrupted interrupted = {};
};

// One entry per environment. A row of numbers that are not finite, or a q or v that is no state, makes its environment stay where it is:
// status invalid_problem, and a sentence.
struct BatchReport {
  std::vector<Status> status;  // the worst of the steps
  std::vector<int> steps;      // steps made
  std::vector<int> unaccepted, contacts;
  std::vector<double> residual;                      // largest natural residual under the chosen law [N]
  std::vector<std::pair<int, std::string>> refused;  // environment and sentence, in the order of environments

  void resize(int n);
};

// Uniform in ±scale, per velocity; empty: none. q moves along its manifold.
struct BatchNoise {
  Vec q, v;
};

class BatchSimulator {
 public:
  using Drive = std::function<void(Simulator&, double time)>;  // a scene's: applied before each step

  // n environments in the simulator's present state. Throws InvalidInput.
  BatchSimulator(const Simulator& simulator, int n, int threads, Drive drive = {});

  int size() const { return static_cast<int>(states_.size()); }
  int threads() const { return workers_.threads(); }
  int lanes() const {
    return workers_.width();
  }  // environments that a thread steps side by side; 1: one after the other
  const Simulator& simulator() const {
    return workers_.first();
  }  // for its world and settings; its state means nothing
  const State& start() const { return start_; }

  // One block of memory, which never moves: a row of `width` numbers per environment. May be written to; step() checks it.
  struct Field {
    double* data = nullptr;
    int width = 0;
    double* row(int i) const { return data + static_cast<std::ptrdiff_t>(i) * width; }
  };
  Field q() const { return q_; }
  Field v() const { return v_; }
  Field ctrl() const { return ctrl_; }
  Field act() const { return act_; }
  Field time() const { return time_; }  // [s]

  // Throws InvalidInput for what concerns all environments: targets without PD gains, a number of steps < 1. Nothing is allocated
  // once the contact sets have been seen and if no environment is refused.
  void step(const BatchInput& input, BatchReport& report);
  // Joint PD of all environments, rows of ntau gains ≥ 0.
  void set_pd(const BatchRows& kp, const BatchRows& kd, bool implicit);
  void clear_pd();
  // Of the next step(): world axes, at `point` (the centre of mass if absent).
  void apply_wrench(int i, BodyId body, const Vec3& force, const Vec3& torque, const std::optional<Vec3>& point);

  // Back to the state that the batch began with, bit for bit, but for gains that were set since, and then noise. What environment i draws depends on the seed, on i and on
  // how often it drew since the seed was given (0 at first): not on the others.
  void reset(std::span<const int> which, const BatchNoise& noise = {},
             std::optional<std::uint64_t> seed = std::nullopt);
  const State& state(int i);                  // as the block's row says
  void set_state(int i, const State& state);  // throws InvalidInput if it is not of this world
  std::vector<std::byte> save();
  // A blob of save() of a batch of this size, or of Simulator::save(): then all of `which` take that state. Throws InvalidInput, and
  // nothing has changed.
  void restore(const std::vector<std::byte>& blob, std::span<const int> which);
  std::uint64_t hash();  // of all states, in their order

  // From now on sensors or bodies are measured at the end of every step(), reset() and restore(), and here. Throws InvalidInput.
  void watch(const Watched& what);
  void read(std::span<const int> which);  // at q and v as they are now
  const BatchReadings& readings() const { return readings_; }

  // What differs from environment to environment; its rows may be written to, step() checks them. reset() leaves it.
  BatchParameters& parameters() { return parameters_; }
  const BatchParameters& parameters() const { return parameters_; }
  // Environment i takes the state of a simulator of the batch's world, or of that with its own parameters. Throws InvalidInput.
  void put(int i, const Simulator& simulator);

 private:
  struct Load {
    BodyId body;
    Vec3 force, torque;
    std::optional<Vec3> point;
  };
  struct Draws {
    std::uint64_t seed = 0, count = 0;
  };

  const World& world() const { return workers_.first().world(); }
  void lay_out();
  void take(int i);  // from the block into the state
  void show(int i);  // and back
  void check_rows(const BatchInput& input, int i) const;
  bool ready(int i, const BatchInput& input, BatchReport& report);
  StepReport make_steps(Simulator& own, int i, const BatchInput& input);
  void make_steps(GroupRunner& runner, std::span<GroupRun> group, std::span<StepReport> totals,
                  const BatchInput& input);
  void note(Simulator& own, int i, const StepReport& made, BatchReport& report);
  void step_group(std::span<Simulator> own, GroupRunner* runner, int first, const BatchInput& input,
                  BatchReport& report);
  void add_noise(int i, const BatchNoise& noise);

  BatchWorkers workers_;
  Drive drive_;
  State start_;
  std::vector<State> states_;
  std::vector<DetectionMemory> memories_;
  std::vector<std::vector<Load>> loads_;
  std::vector<Draws> draws_;
  std::vector<double> block_;
  Field q_, v_, ctrl_, act_, time_;
  BatchReadings readings_;
  BatchParameters parameters_;
  std::mutex refusing_;
};

}  // namespace stiction
