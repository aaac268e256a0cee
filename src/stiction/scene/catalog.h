// SPDX-License-Identifier: BSD-2-Clause
// The entrance of the module: scenes by name.
#pragma once

#include <stiction/scene/core/scene.h>

#include <string>
#include <vector>

namespace stiction {

const std::vector<SceneInfo>& scene_catalog();
const SceneInfo& find_scene(const std::string& name);
Scene make_scene(const std::string& name, const OptionMap& parameters = {});

}  // namespace stiction
