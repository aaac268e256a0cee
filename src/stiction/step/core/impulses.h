// SPDX-License-Identifier: BSD-2-Clause
// What steppers of contact problems share: from forces to a whitened momentum, from rows to impulses, from impulses to the end
// velocity and to the memory of the next step.
#pragma once

#include <stiction/step/core/machine.h>

namespace stiction {

// Factorises M; z, which holds the forces τ − h, becomes dt L̂⁻ᵀ(τ − h).
void whiten(const World& world, const Machine& machine, Workspace& work);
// No impulse anywhere, room for those of work.contacts.
void clear_impulses(const World& world, Workspace& work);
// Solves every island of work.assembly; `whitened` becomes z + Yᵀλ. `rebounds`: pairs closed by other impulses are armed
// and their island is solved again.
void solve_islands(const AssembleInput& in, Solver& solver, bool rebounds, Workspace& work, StepOutcome& outcome);
// The problem of every island of work.assembly (allocates).
void island_problems(const AssembleInput& in, Workspace& work, std::vector<ContactProblem>& out);
// The report of an island goes into the outcome of the step.
void note_report(const Report& report, StepOutcome& outcome);
// work.lambda of the island: whitened += Yᵀλ, and to its contacts, loops, limits and joints.
void apply_island_impulses(const Layout& layout, int island, Workspace& work);
// What apply_island_impulses handed out, of one block: its λ.
void block_impulse(const BlockSpec& spec, const RowBlock& rows, const Workspace& work, double* lambda);
// next = v + L̂⁻¹(z + Yᵀλ), `whitened` being z + Yᵀλ.
void end_velocity(const World& world, const Machine& machine, Workspace& work);
// The memory of the next step: of contacts; of loops, limits and joint friction. `whitened` holds z + Yᵀλ, so that
// u = J v + Y whitened.
void remember_contacts(const AssembleInput& in, const Workspace& work, State& state);
void remember_joints(const AssembleInput& in, const Workspace& work, State& state);

}  // namespace stiction
