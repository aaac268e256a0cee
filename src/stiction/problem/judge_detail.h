// SPDX-License-Identifier: BSD-2-Clause
// The numbers of a residual that take no part in acceptance, those of patches alone, and a scale that is seldom needed (private to the judge).
#pragma once

#include <stiction/problem/judge.h>

namespace stiction::judging {

// Fills mdp_angle, mdp_defect and floor; work.u holds the velocities and r the scales. Overwrites work.scratch.
void add_detail(const ContactProblem& problem, const double* lambda, const FrictionLaw& law, const double* R,
                JudgeWork& work, Residual& r);

// A bound on what the impulses alone do to the linear or angular rows: ‖Σ_j G_ij λ_j‖ ≤ √tr G_ii Σ_j √tr G_jj ‖λ_j‖ for G ⪰ 0.
double reaction_bound(const ContactProblem& problem, const double* lambda, bool angular);

// Spin and roll of patches: the largest error over what is allowed, ε_velocity + ε_rel S + what the allowed error of forces blurs.
// Needs dt; r.dual becomes at least the largest error [rad/s].
double turning_ratio(const ContactProblem& problem, const double* lambda, const double* u, const Tolerance& tolerance,
                     Residual& r);

}  // namespace stiction::judging
