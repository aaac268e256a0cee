// SPDX-License-Identifier: BSD-2-Clause
// Gyroscopic terms of a step. Evaluated at the start of a step, ω × Iω gives a spinning body energy in every step, until it
// explodes. Here floating trees turn as dynamics/kernels/free_rotation.h says, which keeps energy and momentum.
//   free bodies   the gyroscopic moment in the bias becomes I (ω − ω⁺)/dt with the ω⁺ of the moment-free motion. Contacts see
//                 that end velocity; they act in the same metric ½ ωᵀIω, so what they take is taken.
//   trees         turn as if locked, with the composite inertia I_c about the centre of mass c and ω_L = I_c⁻¹ × spin momentum.
//                 What that motion differs from Euler's step by is a twist of the base, so that joints, limits and loops within
//                 the tree do not see it. It is added at the end of the step to trees that nothing outside has touched.
// Positions: what is not touched moves by the mean of that motion, not by the end velocity; so momentum stays to round-off. What
// is touched moves with the end velocity that its contacts were solved for.
// Bodies of equal principal moments and bodies without gyroscopic moment are left as they are, to the bit.
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>

#include <vector>

namespace stiction {

struct StepContext;

// Where the step evaluates its bias. Velocities are internal, in the axes of the kinematics.
struct FlightStart {
  const double* v;       // at the start of the step
  const double* bias_v;  // of the bias; trees only
  double before = 0.0;   // time from the start of the step to the configuration of the kinematics [s]
  const double* q_end =
      nullptr;                // if end velocities are wanted in other axes than those of the kinematics (given by q):
  const double* q = nullptr;  // those of q_end, which is then the start of the step
};

class FreeFlight {
 public:
  struct Motion {
    bool turns = false;
    Vec6 shift, slip;  // of the end velocity; from there to the mean
  };
  // What the motion of a tree follows from, taken before M is factorised; most trees are touched and need no more.
  struct Spin {
    double mass, inertia[6];  // composite, about the base origin
    Vec3 moment;
    Vec3 linear, angular;            // momentum at the start of the step, about the base origin
    Vec3 bias_linear, bias_angular;  // at the velocity of the bias
    Mat3 axes;
    double before;
    bool same;  // the two velocities are one
  };
  void resize(const World& world);
  // After fused_pass(), before smooth_forces(): changes the bias of free bodies.
  void start(const StepContext& context, const FlightStart& at);
  // Trees that impulses of this step tie to others or to the world.
  void find_touched(const StepContext& context);
  void touch(int tree) { touched_[tree] = 1; }
  // next: end velocities, changed for trees in flight; mean: what positions move by over the rest of the step.
  void finish(const StepContext& context, std::vector<double>& next, std::vector<double>& mean) const;

  // What derivatives ask about the last step.
  bool turns(std::size_t tree) const { return motions_[tree].turns; }  // a free body whose bias was changed
  bool flies(std::size_t tree) const { return any_ && touched_[tree] == 0; }
  const Spin& spin(std::size_t tree) const { return spins_[tree]; }
  static Motion motion_of(const Spin& spin, double dt);

 private:
  void start_body(const Tree& tree, const BodyPlan& plan, double dt, const FlightStart& at, const Mat3& axes,
                  Kinematics& k, Motion& out) const;
  static void start_spin(const Tree& tree, const Layout& layout, const FlightStart& at, const Mat3& axes,
                         const Kinematics& k, Spin& out);
  std::vector<Motion> motions_;  // per tree, free bodies
  std::vector<Spin> spins_;      // per tree, other floating ones
  std::vector<char> touched_;    // per tree
  bool any_ = false;
};

}  // namespace stiction
