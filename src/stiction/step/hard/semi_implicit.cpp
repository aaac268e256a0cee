// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/finite.h>
#include <stiction/dynamics/kernels/integrate.h>
#include <stiction/step/core/impulses.h>
#include <stiction/step/core/smooth_forces.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr int kLooks = 3;  // detections per step at the most

// M, bias, smooth forces and z = dt L̂⁻ᵀ(τ − h): everything but contacts.
void momentum(const World& world, const Machine& machine, const StepInput& input, const State& state, Workspace& work) {
  std::copy(state.v.data(), state.v.data() + world.nv, work.v.begin());
  fused_pass(world, machine.layout, state.q.data(), work.v.data(), Purpose::step, work.kinematics);
  smooth_forces(world, machine.layout, state.pd, input, {state.q.data(), work.v.data(), machine.dt, machine.dt},
                work.kinematics, work.z.data());
  whiten(world, machine, work);
}

AssembleInput assemble_input(const World& world, const Machine& machine, const State& state, const Workspace& work) {
  return {world,         machine.layout, work.kinematics, machine.law, state,
          work.contacts, work.v.data(),  work.z.data(),   machine.dt};
}

void find_contacts(const World& world, const Machine& machine, const State& state, Workspace& work) {
  detect(world, machine.layout, machine.detection, work.kinematics, machine.dt, machine.law.options.margin,
         work.detection, work.contacts);
  match(machine.layout, work.kinematics, state.contacts, work.contacts);
}

}  // namespace

StepOutcome semi_implicit_step(const World& world, const Machine& machine, Solver& solver, const StepInput& input,
                               Workspace& work, State& state) {
  StepOutcome outcome;
  momentum(world, machine, input, state, work);
  if (!all_finite(work.z)) {
    outcome.status = Status::numerical_failure, outcome.accepted = false;
    return outcome;
  }
  reset_look_ahead(world, work.detection);
  find_contacts(world, machine, state, work);
  const AssembleInput in = assemble_input(world, machine, state, work);
  for (int look = 1; look <= kLooks; ++look) {
    assemble(in, work.assembly);
    solve_islands(in, solver, machine.rebounds, work, outcome);
    end_velocity(world, machine, work);
    if (look == kLooks || !outran_look_ahead(world, machine.layout, machine.detection, work.kinematics,
                                             work.next.data(), machine.dt, machine.law.options.margin, work.detection))
      break;
    const std::size_t seen = work.contacts.size();
    find_contacts(world, machine, state, work);  // a wider look sees what the first one saw, and perhaps more
    if (work.contacts.size() == seen) break;
  }
  for (const Contact& c : work.contacts) outcome.penetration = std::max(outcome.penetration, -c.gap);

  // q and v are written back only when finite.
  std::copy(state.q.data(), state.q.data() + world.nq, work.q.begin());
  std::copy(work.next.begin(), work.next.end(), work.v.begin());
  integrate(machine.layout, machine.dt, work.q.data(), work.v.data());
  if (!all_finite(work.v) || !all_finite(work.q)) {
    outcome.status = Status::numerical_failure, outcome.accepted = false;
    return outcome;
  }
  remember_contacts(in, work, state);
  remember_joints(in, work, state);
  std::copy(work.q.begin(), work.q.end(), state.q.data());
  std::copy(work.v.begin(), work.v.end(), state.v.data());
  state.time += machine.dt;
  return outcome;
}

std::vector<ContactProblem> step_problems(const World& world, const Machine& machine, const StepInput& input,
                                          Workspace& work, const State& state) {
  momentum(world, machine, input, state, work);
  reset_look_ahead(world, work.detection);
  find_contacts(world, machine, state, work);
  const AssembleInput in = assemble_input(world, machine, state, work);
  assemble(in, work.assembly);
  std::vector<ContactProblem> problems;
  island_problems(in, work, problems);
  return problems;
}

}  // namespace stiction
