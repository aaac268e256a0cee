// SPDX-License-Identifier: BSD-2-Clause
// The numbers of a residual that take no part in acceptance (private to the judge).
#pragma once

#include <stiction/problem/judge.h>

namespace stiction::judging {

// Fills mdp_angle, mdp_defect and floor; work.u holds the velocities and r the scales. Overwrites work.scratch.
void add_detail(const ContactProblem& problem, const double* lambda, const FrictionLaw& law, const double* R,
                JudgeWork& work, Residual& r);

}  // namespace stiction::judging
