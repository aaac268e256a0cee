// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/finite.h>
#include <stiction/dynamics/contact/match.h>
#include <stiction/dynamics/kernels/integrate.h>
#include <stiction/solver/core/deadline.h>
#include <stiction/solver/core/short_solve.h>
#include <stiction/step/core/bounded_correction.h>
#include <stiction/step/core/energy_guard.h>
#include <stiction/step/core/impulses.h>
#include <stiction/step/core/smooth_forces.h>
#include <stiction/step/hard/lane_momentum.h>
#include <stiction/step/hard/semi_implicit.h>
#include <stiction/step/hard/velocity_forces.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr int kLooks = 3;  // detections per step at the most

constexpr double kSecondTry = 150.0;  // Newton steps

enum class Turning : std::uint8_t { exact, bounded };  // velocity_forces.h

// M, bias and z = dt (τ − h) of smooth forces: everything but contacts. False: velocity forces have nothing to bound.
bool momentum(const StepContext& c, const StepInput& input, const State& state, Turning turning) {
  Workspace& work = c.work;
  const SimulationModel& m = c.model;
  std::copy(state.v.data(), state.v.data() + c.world.nv, work.v.begin());
  fused_pass(c.world, m.layout, state.q.data(), work.v.data(), Purpose::step, work.kinematics);
  if (turning == Turning::bounded && bound_velocity_forces(c, state) == 0) return false;
  work.flight.start(c, {work.v.data(), work.v.data()});
  smooth_forces(c.world, m.layout, state.pd, input, {state.q.data(), work.v.data(), m.dt, m.dt, m.dt, true, true},
                work.kinematics, work.z.data());
  to_momentum(c);
  return true;
}

void find_contacts(const StepContext& c, const State& state) {
  const SimulationModel& m = c.model;
  detect(c.world, m.layout, m.detection, c.work.kinematics, m.dt, m.hard().options.margin, c.work.detection,
         c.work.contacts, state.contacts);
  match(m.layout, c.work.kinematics, state.contacts, c.work.contacts);
}

// A start that is far from any solution can mislead every method (deep overlaps from several sides, whose impulses of the last step fit no
// more): where a long search ended in nothing, a short one as if nothing were known.
void solve_from_nothing(const StepContext& c, const AssembleInput& in, StepReport& report) {
  const int spent = report.iterations;
  for (Contact& contact : c.work.contacts) contact.flags &= ~(kPauseBits | kFailBits);
  assemble(in, c.work.assembly);
  for (BlockSpec& spec : c.work.assembly.specs) std::fill(std::begin(spec.guess), std::end(spec.guess), 0.0);
  report.iterations = 0;
  const ShortSolve limit(kSecondTry);
  solve_islands(c, in, c.model.rebounds, report);
  report.iterations += spent;
}

// Rows of work.contacts. Rounds after the first start from the impulses of the round before.
void make_rows(const StepContext& c, const State& state, bool again) {
  JointFriction& friction = c.work.friction;
  friction.apply(c);
  c.work.clock.lap(Stage::factor);
  AssembleInput in = row_input(c, c.model.hard(), state);
  in.row_needs = friction.row_needs(), in.limit_speeds = c.work.late_limits.speeds();
  assemble(in, c.work.assembly);
  if (again) friction.guess_again(c);
  c.work.clock.lap(Stage::assemble);
}

// Their impulses, and the end velocity in work.next. True: joints stick or slide otherwise than was thought, once more from the rows.
bool solve_rows(const StepContext& c, const State& state, StepReport& report) {
  AssembleInput in = row_input(c, c.model.hard(), state);
  in.row_needs = c.work.friction.row_needs(), in.limit_speeds = c.work.late_limits.speeds();
  solve_islands(c, in, c.model.rebounds, report);
  if (report.unaccepted != 0 && is_spent(report) && !SolveDeadline::is_set()) solve_from_nothing(c, in, report);
  c.work.clock.lap(Stage::solve);
  end_velocity(c);
  return c.work.friction.review(c);
}

void solve(const StepContext& c, const State& state, StepReport& report, bool again = false) {
  do {
    make_rows(c, state, again);
    again = true;
  } while (solve_rows(c, state, report));
}

// Whether impulses made a body faster than detection allowed for.
bool outran(const StepContext& c) {
  const SimulationModel& m = c.model;
  return outran_look_ahead(c.world, m.layout, m.detection, c.work.kinematics, c.work.v.data(), c.work.next.data(), m.dt,
                           m.hard().options.margin, c.work.detection);
}

// Stages of a step once z is known, as one environment after the other takes them: code that is used for several in a row stays in the
// instruction cache, which a whole step does not fit into. False: the step has ended.
bool find_first_contacts(const StepContext& c, State& state, StepReport& report) {
  Workspace& work = c.work;
  report = StepReport::of_one_step();
  if (!all_finite(work.z)) return report.failed(), false;
  work.clock.lap(Stage::factor);
  reset_look_ahead(c.world, work.detection);
  find_contacts(c, state);
  work.clock.lap(Stage::detect);
  work.friction.begin(c, state);
  work.late_limits.begin(c);
  return true;
}

bool make_first_rows(const StepContext& c, State& state, StepReport&) { return make_rows(c, state, false), true; }

bool solve_first(const StepContext& c, State& state, StepReport& report) {
  if (solve_rows(c, state, report)) solve(c, state, report, true);
  return true;
}

bool look_again(const StepContext& c, State& state, StepReport& report) {
  Workspace& work = c.work;
  for (int look = 2; look <= kLooks; ++look) {
    const bool limits = work.late_limits.review(c, state), contacts = outran(c);
    if (!limits && !contacts) break;
    if (SolveDeadline::has_passed()) {  // what a wider look would see is left to the next step
      report.refuse(Status::max_iterations);
      break;
    }
    const std::size_t seen = work.contacts.size();
    if (contacts) {  // a wider look sees what the first one saw, and perhaps more
      work.solved_contacts.assign(work.contacts.begin(), work.contacts.end());
      find_contacts(c, state);
    }
    work.clock.lap(Stage::detect);
    if (!limits &&
        work.contacts.size() == seen) {  // of a patch it may have chosen others: impulses belong to the first
      work.contacts.assign(work.solved_contacts.begin(), work.solved_contacts.end());  // each list keeps its room
      break;
    }
    solve(c, state, report);
  }
  return true;
}

bool move_on(const StepContext& c, State& state, StepReport& report) {
  Workspace& work = c.work;
  note_overlap(work.contacts, report);
  std::copy(state.q.data(), state.q.data() + c.world.nq, work.q.begin());
  work.flight.find_touched(c);
  work.flight.finish(c, work.next, work.mean);
  std::copy(work.next.begin(), work.next.end(), work.v.begin());
  advance(c.model.layout, c.model.dt, work.mean.data(), work.q.data(), work.v.data());
  return true;
}

bool end_step(const StepContext& c, State& state, StepReport& report) {
  Workspace& work = c.work;
  if (!energy_is_explained(c, state, state.v.data(), work.next.data(), work.q, work.v, report, &work.kinematics))
    return false;
  report = commit(row_input(c, c.model.hard(), state), work, work.q, work.v, nullptr, state, report);
  work.clock.lap(Stage::integrate);
  return true;
}

using StepStage = bool (*)(const StepContext&, State&, StepReport&);
constexpr StepStage kStepStages[] = {find_first_contacts, make_first_rows, solve_first, look_again, move_on, end_step};

StepReport contacts_and_motion(const StepContext& c, State& state) {
  StepReport report;
  for (const StepStage stage : kStepStages)
    if (!stage(c, state, report)) break;
  return report;
}

// A step that was refused, once more with bounded velocity forces; if those are not large, it stays refused.
void again_if_refused(const StepContext& c, const StepInput& input, State& state, StepReport& report) {
  if (report.status != Status::unphysical || !momentum(c, input, state, Turning::bounded)) return;
  const StepReport refused = report;
  if (c.model.dry.empty()) whiten(c);
  report = contacts_and_motion(c, state);
  report.iterations += refused.iterations, report.factorisations += refused.factorisations;
  report.turning_bounded = 1;
}

}  // namespace

StepReport SemiImplicitStepper::step(const StepContext& c, const StepInput& input, State& state) {
  momentum(c, input, state, Turning::exact);
  c.work.clock.lap(Stage::kinematics);
  if (c.model.dry.empty()) whiten(c);  // else once it is known which joints are held
  StepReport report = contacts_and_motion(c, state);
  again_if_refused(c, input, state, report);
  return report;
}

void SemiImplicitStepper::step_group(LaneWork& lanes, std::span<StepLane> group) {
  if (group.size() == 1 || !lanes.plan().any()) return TimeStepper::step_group(lanes, group);
  momentum_of_lanes(lanes, group);
  bool ended[kMostLanes] = {};
  for (const StepStage stage : kStepStages)
    for (std::size_t l = 0; l < group.size(); ++l)
      if (!ended[l]) ended[l] = !stage(group[l].context, *group[l].state, group[l].report);
  for (StepLane& lane : group) again_if_refused(lane.context, *lane.input, *lane.state, lane.report);
}

std::vector<ContactProblem> SemiImplicitStepper::problems(const StepContext& c, const StepInput& input,
                                                          const State& state, bool keep_bodies) {
  State after = state;
  c.work.friction.rows_only = true;
  step(c, input, after);
  c.work.friction.rows_only = false;
  return island_problems(row_input(c, c.model.hard(), state), keep_bodies, c.work);
}

}  // namespace stiction
