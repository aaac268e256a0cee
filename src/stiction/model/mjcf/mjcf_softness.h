// SPDX-License-Identifier: BSD-2-Clause
// solref and solimp of an MJCF file, and the inverse inertias that MuJoCo scales them with.
#pragma once

#include <stiction/model/mjcf/mjcf.h>

namespace stiction {

// Numbers that the element does not give keep MuJoCo's defaults.
Softness read_softness(const Xml& element, const char* solref, const char* solimp, const std::string& place);
// Of two geoms that meet: that of the higher priority, else mixed by solmix.
Softness mix_softness(const MjcfDocument& document, const MjcfSurface& a, const MjcfSurface& b);
// Softness::pyramid of a contact with so many dimensions.
double pyramid_scale(const MjcfDocument& document, int condim);

}  // namespace stiction
