// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/finite.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/world/checks.h>
#include <stiction/sim/batch_simulator.h>
#include <stiction/sim/simulator_impl.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace stiction {
namespace {

constexpr std::size_t kCacheLine = 64;  // [bytes]; also what others want to read arrays without a copy

int at_least_one(const char* field, int value) {
  if (value < 1)
    throw InvalidInput("BatchSimulator." + std::string(field) + " is " + std::to_string(value) +
                       ", expected at least 1");
  return value;
}

const Simulator& without_budget(const Simulator& simulator) {
  if (simulator.budget() > 0.0)
    throw InvalidInput("budget is " + text(simulator.budget()) +
                       " s, but a batch has the same bits every time and so has no budget; call set_budget(0)");
  return simulator;
}

void check_row(const char* field, const double* row, int width) {
  if (finite_entries(row, static_cast<std::size_t>(width))) return;
  for (int k = 0; k < width; ++k) check_finite(std::string(field) + '[' + std::to_string(k) + ']', row[k]);
}

}  // namespace

void BatchReport::resize(int n) {
  const auto size = static_cast<std::size_t>(n);
  status.assign(size, Status::converged);
  for (std::vector<int>* x : {&steps, &unaccepted, &contacts}) x->assign(size, 0);
  residual.assign(size, 0.0);
  refused.clear();
}

BatchSimulator::BatchSimulator(const Simulator& simulator, int n, int threads, Drive drive)
    : workers_(without_budget(simulator), at_least_one("threads", threads)),
      drive_(std::move(drive)),
      start_(simulator.state()),
      states_(static_cast<std::size_t>(at_least_one("n", n)), start_),
      memories_(states_.size()),
      loads_(states_.size()),
      draws_(states_.size()),
      parameters_(simulator, n) {
  lay_out();
  for (int i = 0; i < n; ++i) show(i);
}

// Each field begins at a cache line.
void BatchSimulator::lay_out() {
  constexpr std::size_t line = kCacheLine / sizeof(double);
  q_.width = world().nq, v_.width = world().nv, time_.width = 1;
  ctrl_.width = static_cast<int>(world().actuators.size()), act_.width = world().activations;
  std::size_t total = line;
  const auto room = [&](const Field& f) { return (states_.size() * f.width + line - 1) / line * line; };
  for (const Field* f : {&q_, &v_, &ctrl_, &act_, &time_}) total += room(*f);
  block_.assign(total, 0.0);
  const auto address = reinterpret_cast<std::uintptr_t>(block_.data());
  double* next = block_.data() + (kCacheLine - address % kCacheLine) % kCacheLine / sizeof(double);
  for (Field* f : {&q_, &v_, &ctrl_, &act_, &time_}) f->data = next, next += room(*f);
}

void BatchSimulator::take(int i) {
  State& s = states_[i];
  std::copy_n(q_.row(i), q_.width, s.q.data());
  std::copy_n(v_.row(i), v_.width, s.v.data());
  std::copy_n(ctrl_.row(i), ctrl_.width, s.ctrl.data());
  std::copy_n(act_.row(i), act_.width, s.act.data());
  s.time = *time_.row(i);
}

void BatchSimulator::show(int i) {
  const State& s = states_[i];
  std::copy_n(s.q.data(), q_.width, q_.row(i));
  std::copy_n(s.v.data(), v_.width, v_.row(i));
  std::copy_n(s.ctrl.data(), ctrl_.width, ctrl_.row(i));
  std::copy_n(s.act.data(), act_.width, act_.row(i));
  *time_.row(i) = s.time;
}

void BatchSimulator::check_rows(const BatchInput& in, int i) const {
  if (in.tau.data != nullptr) check_row("tau", in.tau.row(i), world().ntau);
  if (in.target.data != nullptr) check_row("target", in.target.row(i), world().ntau);
  if (in.ctrl.data != nullptr) check_row("ctrl", in.ctrl.row(i), ctrl_.width);
}

// A drive changes its load from step to step, so the steps are made one by one and the loads are repeated.
StepReport BatchSimulator::make_steps(Simulator& own, int i, const BatchInput& in) {
  const int together = drive_ ? 1 : in.steps;
  StepReport total;
  for (int made = 0; made < in.steps; made += together) {
    for (const Load& w : loads_[i]) own.apply_wrench(w.body, w.force, w.torque, w.point);
    if (drive_) drive_(own, own.state().time);
    const StepReport r = in.tau.data != nullptr ? own.step(Eigen::Map<const Vec>(in.tau.row(i), world().ntau), together)
                                                : own.step(together);
    if (made == 0)
      total = r;
    else
      merge(total, r);
    if (r.not_made() || r.steps < together) break;  // the last good state stays; or it was interrupted
  }
  return total;
}

// The same for several environments, step by step side by side.
void BatchSimulator::make_steps(GroupRunner& runner, std::span<GroupRun> group, std::span<StepReport> totals,
                                const BatchInput& in) {
  const int together = drive_ ? 1 : in.steps;
  for (int made = 0; made < in.steps; made += together) {
    for (const GroupRun& run : group) {
      if (!run.going) continue;
      for (const Load& w : loads_[run.index]) run.own->apply_wrench(w.body, w.force, w.torque, w.point);
      if (drive_) drive_(*run.own, run.own->state().time);
    }
    bool was_going[kMostLanes];
    std::transform(group.begin(), group.end(), was_going, [](const GroupRun& run) { return run.going; });
    runner.run(group, together);
    for (std::size_t l = 0; l < group.size(); ++l) {
      if (!was_going[l]) continue;
      if (made == 0)
        totals[l] = group[l].report;
      else
        merge(totals[l], group[l].report);
    }
  }
}

// Whether the environment's rows and state are input; if not, the report says why.
bool BatchSimulator::ready(int i, const BatchInput& in, BatchReport& report) {
  State& state = states_[i];
  try {
    check_rows(in, i);
    take(i);
    if (in.ctrl.data != nullptr) std::copy_n(in.ctrl.row(i), ctrl_.width, state.ctrl.data());
    check_state(world(), state);
    if (parameters_.any()) parameters_.check(i);
  } catch (const InvalidInput& wrong) {
    report.status[i] = Status::invalid_problem, report.unaccepted[i] = 1;
    report.residual[i] = std::numeric_limits<double>::infinity();
    loads_[i].clear();
    const std::lock_guard lock(refusing_);
    report.refused.emplace_back(i, wrong.what());
    return false;
  }
  if (in.target.data != nullptr) std::copy_n(in.target.row(i), world().ntau, state.pd.target.data());
  return true;
}

void BatchSimulator::note(Simulator& own, int i, const StepReport& made, BatchReport& report) {
  if (readings_.any() && made.steps > 0) readings_.read(own, i, true);
  loads_[i].clear();
  report.status[i] = made.status, report.steps[i] = made.steps, report.unaccepted[i] = made.unaccepted;
  report.contacts[i] = made.contacts, report.residual[i] = made.own.natural;
}

void BatchSimulator::step_group(std::span<Simulator> own, GroupRunner* runner, int first, const BatchInput& in,
                                BatchReport& report) {
  std::optional<LentState> lent[kMostLanes];
  GroupRun runs[kMostLanes];
  StepReport made[kMostLanes];
  std::size_t count = 0;
  for (std::size_t l = 0; l < own.size(); ++l) {
    const int i = first + static_cast<int>(l);
    if (!ready(i, in, report)) continue;
    if (parameters_.any()) parameters_.apply(own[count], i);
    lent[count].emplace(own[count], states_[i], memories_[i]);
    runs[count] = {.own = &own[count], .tau = in.tau.data != nullptr ? in.tau.row(i) : nullptr, .index = i};
    ++count;
  }
  if (count == 0) return;
  if (runner != nullptr && count > 1 && parameters_.of_contacts())  // lanes hold the masses and motors of one world
    make_steps(*runner, {runs, count}, {made, count}, in);
  else
    for (std::size_t l = 0; l < count; ++l) made[l] = make_steps(own[l], runs[l].index, in);
  for (std::size_t l = 0; l < count; ++l) note(own[l], runs[l].index, made[l], report);
  for (std::size_t l = 0; l < count; ++l) {
    lent[l].reset();
    show(runs[l].index);
  }
}

void BatchSimulator::step(const BatchInput& in, BatchReport& report) {
  if (in.steps < 1) throw InvalidInput("step.n is " + std::to_string(in.steps) + ", expected at least 1");
  if (in.target.data != nullptr)
    for (const State& s : states_)
      if (!s.pd.active) throw InvalidInput("step.target needs gains: call set_pd first");
  report.resize(size());
  struct Job {
    BatchSimulator& batch;
    const BatchInput& in;
    BatchReport& report;
  } const job{*this, in, report};
  workers_.for_each_group(size(), in.interrupted, [&job](std::span<Simulator> own, GroupRunner* runner, int first) {
    job.batch.step_group(own, runner, first, job.in, job.report);
  });
  std::sort(report.refused.begin(), report.refused.end());
}

void BatchSimulator::set_pd(const BatchRows& kp, const BatchRows& kd, bool implicit) {
  const Eigen::Index n = world().ntau;
  Simulator alone = workers_.first().clone();  // checks the gains, and knows joint positions
  std::vector<PdGains> made;
  const auto gains = [&](const State& s, int i) {
    alone.state() = s;
    alone.set_pd(Eigen::Map<const Vec>(kp.row(i), n), Eigen::Map<const Vec>(kd.row(i), n), implicit);
    return alone.state().pd;
  };
  for (int i = 0; i < size(); ++i) made.push_back(gains(state(i), i));
  start_.pd = gains(start_, 0);  // for its target; reset() leaves the gains of environments as they are
  for (int i = 0; i < size(); ++i) states_[i].pd = made[i];
}

void BatchSimulator::clear_pd() {
  start_.pd = PdGains{};
  for (State& s : states_) s.pd = PdGains{};
}

void BatchSimulator::apply_wrench(int i, BodyId body, const Vec3& force, const Vec3& torque,
                                  const std::optional<Vec3>& point) {
  loads_[i].push_back({body, force, torque, point});
}

}  // namespace stiction
