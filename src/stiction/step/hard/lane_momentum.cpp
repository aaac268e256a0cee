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

ForcePoint force_point(const StepLane& lane) {
  const double dt = lane.context.model.dt;
  return {lane.state->q.data(), lane.context.work.v.data(), dt, dt, dt, true, true};
}

// Whether motors and PD are of the same kind in all environments.
bool driven_alike(std::span<const StepLane> group) {
  const StepLane& first = group.front();
  const auto alike = [&](const StepLane& lane) {
    const PdGains &a = first.state->pd, &b = lane.state->pd;
    return (first.input->tau == nullptr) == (lane.input->tau == nullptr) && a.active == b.active &&
           a.implicit == b.implicit;
  };
  return std::all_of(group.begin(), group.end(), alike);
}

LaneDrive drive_of(const StepLane& lane) {
  const PdGains& pd = lane.state->pd;
  const ForcePoint where = force_point(lane);
  return {lane.input->tau != nullptr, pd.active, pd.active && pd.implicit, where.dt, where.damping_dt, where.reach};
}

// Free flight, and the forces that are left: all of them, if the lanes made none.
void forces_of_lane(const LanePlan& plan, const StepLane& lane, bool driven) {
  const StepContext& c = lane.context;
  const SimulationModel& m = c.model;
  Kinematics& k = c.work.kinematics;
  const PdGains& pd = lane.state->pd;
  double* z = c.work.z.data();
  place_tendons(c.world, m.layout, k);
  c.work.flight.start(c, {c.work.v.data(), c.work.v.data()});
  const ForcePoint where = force_point(lane);
  if (!driven) {
    smooth_forces(c.world, m.layout, pd, *lane.input, where, k, z);
  } else {
    if (!plan.knows_all()) joint_forces(c.world, m.layout, pd, lane.input->tau, where, plan.others(), k, z);
    other_forces(c.world, m.layout, pd, *lane.input, where, k, z);
  }
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
    const PdGains& pd = group[l].state->pd;
    environments[l] = {.q = group[l].state->q.data(),
                       .v = work.v.data(),
                       .kinematics = &work.kinematics,
                       .z = work.z.data(),
                       .tau = group[l].input->tau,
                       .kp = pd.kp.data(),
                       .kd = pd.kd.data(),
                       .target = pd.target.data()};
  }
  const std::span<const LaneEnvironment> all(environments, group.size());
  lanes.pass(all);
  const bool driven = driven_alike(group);
  if (driven) lanes.drive(drive_of(group.front()), all);
  for (const StepLane& lane : group) forces_of_lane(lanes.plan(), lane, driven);
  if (!group.front().context.model.dry.empty()) return;
  lanes.whiten(all);
  for (const StepLane& lane : group) whiten_other_trees(lanes.plan(), lane.context);
}

}  // namespace stiction
