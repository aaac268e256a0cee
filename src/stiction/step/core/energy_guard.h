// SPDX-License-Identifier: BSD-2-Clause
// The last look at a step before it is made. Kinetic and potential energy E of bodies that touch or are joined may grow by what was
// given and by little else:
//   E⁺ − E ≤ dt Σ|f|(|v| + |v⁺|) + (springs, motors of cut joints, drift corrections) + T/4 + |g| dt sqrt(2 m T⁺) + m (|g| dt)²    (1)
// f are the forces of motors, dampers and loads; the last three are what the scheme itself may be wrong by: velocity forces of
// one instant, weight that acts over the step, impacts of several bodies by Newton's rule. A step that gains more than twice what (1) explains,
// T counted in, is not made:
// status `unphysical`, the state stays at its last good value, `excess` is the energy in joules beyond (1).
// (1) is looked at where the judge refused something or a body has become faster; else it costs one dot product per tree. Semi-implicit
// steps ask M of the start first: kinetic energies that grow by less than half are within (1), since T counts in and what weight does
// is within the slack.
// E⁺ holds the springs of soft loops as well; those of the start are among what may be given.
// The factor keeps it silent where the right side is only roughly known: springs that give back, many impacts in a step.
// Failure: an error that does not double the energy in a step passes.
#pragma once

#include <stiction/step/core/time_stepper.h>

namespace stiction {

// A step as the guard sees it. Velocities are those of the state, each in the axes of its own instant.
struct GuardedStep {
  const World& world;
  const SimulationModel& model;
  Workspace& work;  // its contacts say who touches whom
  const double *q, *v, *next_q, *next_v;
  const Kinematics* at_start = nullptr;  // of (q, v), if there is one
};

// Whether something asks for a look at (1).
bool energy_is_in_doubt(const GuardedStep& s, const StepReport& report);
// (1) with the forces in work.applied, which act on `before` and `after` (velocities in their axes), and work.granted. False: the
// step is not to be made, and the report says so.
bool energy_is_explained(const GuardedStep& s, const double* before, const double* after, StepReport& report);

// Both, of a step that ends with (q, v).
bool energy_is_explained(const StepContext& c, const State& start, const double* before, const double* after,
                         const std::vector<double>& q, const std::vector<double>& v, StepReport& report,
                         const Kinematics* at_start = nullptr);

}  // namespace stiction
