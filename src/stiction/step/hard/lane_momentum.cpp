// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/tendons.h>
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/step/core/impulses.h>
#include <stiction/step/core/smooth_forces.h>
#include <stiction/step/hard/lane_momentum.h>

#include <algorithm>

namespace stiction {
namespace {

// Placement of roots, and all of the trees that do not fit.
void begin_lane(const LanePlan& plan, const StepContext& c, const State& state) {
  Workspace& work = c.work;
  std::copy(state.v.data(), state.v.data() + c.world.nv, work.v.begin());
  for (std::size_t t = 0; t < c.world.trees.size(); ++t) {
    const Tree& tree = c.world.trees[t];
    if (plan.knows(static_cast<int>(t)))
      place_root(c.world, c.model.layout, tree, state.q.data(), work.v.data(), work.kinematics);
    else
      fused_pass(c.world, c.model.layout, tree, state.q.data(), work.v.data(), Purpose::step, work.kinematics);
  }
}

void forces_of_lane(const StepContext& c, const StepInput& input, const State& state) {
  Workspace& work = c.work;
  const SimulationModel& m = c.model;
  place_tendons(c.world, m.layout, work.kinematics);
  work.flight.start(c, {work.v.data(), work.v.data()});
  smooth_forces(c.world, m.layout, state.pd, input, {state.q.data(), work.v.data(), m.dt, m.dt, m.dt, true, true},
                work.kinematics, work.z.data());
  to_momentum(c);
}

void whiten_other_trees(const LanePlan& plan, const StepContext& c) {
  const Layout& layout = c.model.layout;
  Workspace& work = c.work;
  for (std::size_t t = 0; t < c.world.trees.size(); ++t) {
    if (plan.knows(static_cast<int>(t))) continue;
    const Tree& tree = c.world.trees[t];
    if (!tree.free_body) factorise(layout, tree, work.kinematics);
    solve_transposed(layout, tree, work.kinematics, work.z.data());
  }
}

}  // namespace

void momentum_of_lanes(LaneWork& lanes, std::span<StepLane> group) {
  LaneEnvironment environments[kMostLanes];
  for (std::size_t l = 0; l < group.size(); ++l) {
    Workspace& work = group[l].context.work;
    begin_lane(lanes.plan(), group[l].context, *group[l].state);
    environments[l] = {group[l].state->q.data(), work.v.data(), &work.kinematics, work.z.data()};
  }
  const std::span<const LaneEnvironment> all(environments, group.size());
  lanes.pass(all);
  for (const StepLane& lane : group) forces_of_lane(lane.context, *lane.input, *lane.state);
  if (!group.front().context.model.dry.empty()) return;
  lanes.whiten(all);
  for (const StepLane& lane : group) whiten_other_trees(lanes.plan(), lane.context);
}

}  // namespace stiction
