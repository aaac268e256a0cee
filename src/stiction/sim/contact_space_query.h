// SPDX-License-Identifier: BSD-2-Clause
// The contact space of the law `relaxed` where a simulator stands: for users, tests and measurements.
#pragma once

#include <stiction/sim/simulator.h>
#include <stiction/step/soft/contact_space.h>

namespace stiction {

struct ContactSpaceView {
  Mat A;   // 3m × 3m: accelerations of the touching points by unit forces, rows (T1, T2, N) [1/kg]
  Vec a0;  // 3m: accelerations without contact [m/s²]
  Mat J;   // 3m × nv: velocities of the points by the internal velocities
};

class ContactSpaceQuery {
 public:
  explicit ContactSpaceQuery(const Simulator& simulator);  // throws InvalidInput for other laws
  // Kinematics, bias, articulated inertias, A and a₀ once more: what a step does for them, without detection.
  void evaluate();
  ContactSpaceView view() const;

 private:
  SoftContext context() const { return {*world_, *model_, none_, state_.pd, work_}; }

  std::shared_ptr<const World> world_;
  std::shared_ptr<const SimulationModel> model_;
  State state_;
  StepInput none_;
  mutable SoftWork work_;
  ContactSpace space_;
};

}  // namespace stiction
