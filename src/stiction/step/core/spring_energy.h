// SPDX-License-Identifier: BSD-2-Clause
// Energy that a soft law can give in a step, for the energy guard [J]:
//   ½ K d_N² + ½ K_T min(‖d_T‖, μ f_N / K_T)²    per closed contact: springs as they are at the start of the step             (1)
//   ½ k e²                                       per joint limit that is passed and per row of a held point
//   ½ m (r d)²                                   laws that ask for a speed r d instead: m of all bodies, d the largest error;    (2)
//                                                law relaxed: 3 sqrt(|gravity| d) at the least
// Contacts that close within the step give nothing: what their springs hold is taken from the motion.
#pragma once

#include <stiction/step/core/simulation_model.h>

namespace stiction {

// `k`: kinematics at the start. `rate`: r of (2) that the stepper asks for [1/s].
double spring_energy(const World& world, const SimulationModel& model, const State& start, const Kinematics& k,
                     double rate, Workspace& work);

}  // namespace stiction
