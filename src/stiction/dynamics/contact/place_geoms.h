// SPDX-License-Identifier: BSD-2-Clause
// The first part of detect(): where the geoms are, how they move, and how far they have moved since the last look.
#pragma once

#include <stiction/dynamics/contact/detect.h>

namespace stiction {

void place_geoms(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k, double dt,
                 double margin, DetectionWork& work);

}  // namespace stiction
