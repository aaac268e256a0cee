// SPDX-License-Identifier: BSD-2-Clause
// The force of one actuator on a joint of one velocity: equation (1) of actuators.h, and the slopes that derivatives need.
// Private to this module.
#pragma once

#include <stiction/step/core/actuators.h>

#include <algorithm>

namespace stiction {

// dt² k / M_ii between which a servo's stiffness becomes implicit.
inline constexpr double kSoftServo = 0.02, kStiffServo = 0.1;

inline double within(const Vec2& range, double x) { return std::clamp(x, range[0], range[1]); }

// Force before its range, and its slopes.
struct ActuatorForce {
  double value, by_length, by_rate;
};

inline ActuatorForce force_of(const Actuator& a, double u, double length, double rate) {
  return {(a.gain[0] + a.gain[1] * length + a.gain[2] * rate) * u + a.bias[0] + a.bias[1] * length + a.bias[2] * rate,
          a.gain[1] * u + a.bias[1], a.gain[2] * u + a.bias[2]};
}

inline double input_of(const Actuator& a, std::size_t index, const StepInput& input) {
  return a.activation >= 0 ? input.act[a.activation] : within(a.ctrl_range, input.ctrl[index]);
}

// What is left of a force that adds `inertia` to `mass`.
inline double left_over(const ForcePoint& where, double mass, double inertia) {
  return inertia > 0.0 && where.diagonal_of_mass ? mass / (mass + inertia) : 1.0;
}

// The joint's own share of (1): torque and what it adds to the diagonal.
struct JointDrive {
  double torque = 0.0, inertia = 0.0;
  // Of what holds inside the force range; where it is cut off everything is zero but for the torque.
  double share = 0.0, stiffness = 0.0;                      // φ and gear² k of (1)
  double by_position = 0.0, by_rate = 0.0, by_input = 0.0;  // of the torque at fixed φ
  double end = 0.0;                                         // what the force range is compared with
};

inline JointDrive drive_joint(const Actuator& a, double u, double q, double v, double mass, const ForcePoint& where) {
  const double gear = a.gear[0];
  const ActuatorForce f = force_of(a, u, gear * q, gear * v);
  const double stiffness = std::max(0.0, -gear * gear * f.by_length);
  const ImplicitSpring s = implicit_spring(where, stiffness, mass);
  const double inertia = where.dt * std::max(0.0, -gear * gear * f.by_rate) + s.inertia;
  double ahead = f.value;
  if (stiffness > 0.0) ahead += s.share * where.reach * f.by_length * gear * v;
  const double end = ahead * left_over(where, mass, inertia);
  if (end < a.force_range[0] || end > a.force_range[1])
    return {gear * within(a.force_range, end), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, end};
  const double reach = stiffness > 0.0 ? s.share * where.reach : 0.0;
  const double by_input = a.gain[0] + a.gain[1] * gear * (q + reach * v) + a.gain[2] * gear * v;
  return {gear * ahead,
          inertia,
          s.share,
          stiffness,
          gear * gear * f.by_length,
          gear * gear * (f.by_rate + reach * f.by_length),
          gear * by_input,
          end};
}

}  // namespace stiction
