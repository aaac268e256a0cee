// SPDX-License-Identifier: BSD-2-Clause
// The last look at a step before it is made. Kinetic and potential energy E may grow by what was given and by little else:
//   E⁺ − E ≤ dt Σ|f|(|v| + |v⁺|) + (springs, motors of cut joints, drift corrections) + T/4 + |g| dt sqrt(2 m T⁺) + m (|g| dt)²    (1)
// f are the forces of motors, dampers and loads; the last three are what the scheme itself may be wrong by: velocity forces of
// one instant, weight that acts over the step, impacts of several bodies by Newton's rule. A step that gains more than twice what (1) explains,
// T counted in, is not made:
// status `unphysical`, the state stays at its last good value, `excess` is the energy in joules beyond (1).
// (1) is looked at where the judge refused something or the velocities have grown; else it costs one dot product.
// The factor keeps it silent where the right side is only roughly known: springs that give back, many impacts in a step.
// Failure: an error that does not double the energy in a step passes.
#pragma once

#include <stiction/step/core/time_stepper.h>

namespace stiction {

// (q, v): the end of the step. `before` and `after`: velocities at the start and the end in the axes of the forces. False: the
// step is not to be made, and the report says so.
bool energy_is_explained(const StepContext& c, const State& start, const double* before, const double* after,
                         const std::vector<double>& q, const std::vector<double>& v, StepReport& report);

}  // namespace stiction
