// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/sim/group_runner.h>
#include <stiction/sim/simulator_impl.h>
#include <stiction/step/core/actuators.h>

namespace stiction {

void GroupRunner::step(std::span<GroupRun> group) {
  stepping_.clear();
  for (GroupRun& run : group) {
    Simulator::Impl& s = *run.own->impl_;
    if (run.going && s.interrupted && s.interrupted()) run.going = false;
    if (!run.going) continue;
    s.work.clock.begin();
    // one solver for all: it keeps nothing between solves, and its memory stays in the cache
    const StepContext context{*s.world, *s.model, *group.front().own->impl_->solver, s.work};
    stepping_.push_back({context, &run.acting, &s.state, {}});
  }
  if (stepping_.empty()) return;
  group.front().own->impl_->stepper->step_group(lanes_, stepping_);
  std::size_t next = 0;
  for (GroupRun& run : group) {
    if (!run.going) continue;
    Simulator::Impl& s = *run.own->impl_;
    const StepReport& one = stepping_[next++].report;
    merge(run.report, one);
    if (one.not_made()) {
      s.work.contacts.clear(), s.work.impulses.clear();  // they tell of steps that were made
      run.going = false;
      continue;
    }
    advance_activations(*s.world, s.settings.dt, s.state.ctrl.data(), s.state.act.data());
    s.work.clock.lap(Stage::rest);
  }
}

void GroupRunner::run(std::span<GroupRun> group, int n) {
  for (GroupRun& run : group) {
    if (!run.going) continue;
    Simulator::Impl& s = *run.own->impl_;
    run.report = StepReport();
    run.acting = {run.tau, s.wrenches.data(), static_cast<int>(s.wrenches.size()), s.state.ctrl.data(),
                  s.state.act.data()};
  }
  for (int i = 0; i < n; ++i) step(group);
  for (GroupRun& run : group) {
    Simulator::Impl& s = *run.own->impl_;
    run.report.contacts = static_cast<int>(s.work.contacts.size());
    if (!s.minimal->sensors.empty() && n > 0) {
      const Eigen::Map<const Vec> tau(run.tau, run.tau != nullptr ? s.world->ntau : 0);
      s.last = {run.report.steps > 0, tau, s.wrenches};
    }
    s.wrenches.clear();
  }
}

}  // namespace stiction
