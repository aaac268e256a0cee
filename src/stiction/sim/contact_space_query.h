// SPDX-License-Identifier: BSD-2-Clause
// The contact space of the law `relaxed` where a simulator stands: for users, tests and measurements.
#pragma once

#include <stiction/sim/simulator.h>

namespace stiction {

struct ContactSpaceView {
  Mat A;           // 3m × 3m: accelerations of the touching points by unit forces, rows (T1, T2, N) [1/kg]
  Vec a0;          // 3m: accelerations without contact [m/s²]
  Mat J;           // 3m × nv: velocities of the points by the internal velocities
  double seconds;  // of processor time, per evaluation of A and a0
};

// Throws InvalidInput for other laws. `repeat`: evaluations that the time is measured over, after one that is not counted.
ContactSpaceView contact_space(const Simulator& simulator, int repeat = 1);

}  // namespace stiction
