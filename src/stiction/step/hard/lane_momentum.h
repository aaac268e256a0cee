// SPDX-License-Identifier: BSD-2-Clause
// The first part of a step of several environments of one world: M, bias, z = dt (τ − h) and the factor, side by side in lanes
// (dynamics/lanes) where trees fit them. The bits are those of the same steps made alone.
#pragma once

#include <stiction/dynamics/lanes/lane_plan.h>
#include <stiction/step/core/time_stepper.h>

namespace stiction {

// After it every work.z is z, or L̂⁻ᵀz where joints have no dry friction (those are factorised once it is known which are held).
void momentum_of_lanes(LaneWork& lanes, std::span<StepLane> group);

}  // namespace stiction
