// SPDX-License-Identifier: BSD-2-Clause
// What acts on joints and bodies without anybody asking for it: springs of joints, damping of free bases, gravity compensation, fluid.
//   one velocity   τ = −k (q − q₀)
//   ball           τ = −k log(q₀⁻¹ q), in the axes of the body
//   tendon         f = −k (L − the nearest length of its dead band) − d L̇, along its Jacobian
//   free           f = −k (p − p₀), and the same for its rotation
// Springs are implicit where they are stiff (step/core/actuators.h (1)).
#pragma once

#include <stiction/step/core/smooth_forces.h>

namespace stiction {

// force += all of them; implicit terms to the diagonal of the packed M.
void add_passive_forces(const World& world, const Layout& layout, const ForcePoint& where, Kinematics& k,
                        double* force);

// How far each velocity of a joint has moved its spring from q0, where it is unloaded; q0 and q: of the joint alone.
Vec6 spring_stretch(const BodyPlan& plan, const double* q0, const double* q);

}  // namespace stiction
