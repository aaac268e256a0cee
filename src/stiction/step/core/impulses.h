// SPDX-License-Identifier: BSD-2-Clause
// What steppers of contact problems share: from forces to a whitened momentum, from rows to impulses, from impulses to the end
// velocity and to the memory of the next step.
#pragma once

#include <stiction/step/core/time_stepper.h>

namespace stiction {

// work.z, which holds the forces τ − h, becomes dt (τ − h).
void to_momentum(const StepContext& c);
// Factorises M, without the velocities that are held (tree_factor.h); z becomes L̂⁻ᵀz.
void whiten(const StepContext& c, const char* held = nullptr);
// What rows are made from, now: it refers to the workspace, so it is made anew after each change there.
AssembleInput row_input(const StepContext& c, const HardContact& law, const State& state,
                        const PositionTerms& positions = {});
// No impulse anywhere, room for those of work.contacts, no verdict of a solver yet; `whitened` becomes z.
void clear_impulses(const StepContext& c, StepReport& report);
// Solves every island of work.assembly; `whitened` becomes z + Yᵀλ. `rebounds`: pairs closed by other impulses are armed
// and their island is solved again.
void solve_islands(const StepContext& c, const AssembleInput& in, bool rebounds, StepReport& report);
// The problem of every island of work.assembly (allocates).
std::vector<ContactProblem> island_problems(const AssembleInput& in, bool keep_bodies, Workspace& work);
// What a solve took, and how it ended, goes into the report of the step.
void add_effort(const Report& solve, StepReport& report);
// A step that has taken this many iterations is not tried again in other ways, unless its impulses would give energy.
inline bool is_spent(const StepReport& report) { return report.iterations > 100000; }
void add_verdict(const Report& solve, StepReport& report);
// λ of the island: whitened += Yᵀλ, and to its contacts, loops, limits and joints.
void apply_island_impulses(const Layout& layout, int island, const double* lambda, Workspace& work);
// What apply_island_impulses handed out, of one block: its λ.
void block_impulse(const BlockSpec& spec, const RowBlock& rows, const Workspace& work, double* lambda);
// next = v + L̂⁻¹(z + Yᵀλ), `whitened` being z + Yᵀλ.
void end_velocity(const StepContext& c);
// Ends a step: the state becomes (q, v) with the memory of impulses, unless something is not finite. `anchors`: the memory of
// contacts that are springs; null for contacts of the problems. `whitened` holds z + Yᵀλ, so that u = J v + Y whitened.
StepReport commit(const AssembleInput& in, const Workspace& work, const std::vector<double>& q,
                  const std::vector<double>& v, const std::vector<AnchorRecord>* anchors, State& state,
                  StepReport& report);

}  // namespace stiction
