// SPDX-License-Identifier: BSD-2-Clause
// Parts of an MJCF file that stand for other text.
#pragma once

#include <stiction/model/mjcf/mjcf_document.h>

namespace stiction {

std::string join_numbers(const Vec& x);  // as an attribute
// <include> replaced by what stands in the file: looked for beside the main file, then beside the file that includes it.
Xml expand_includes(const Xml& mujoco, const std::string& directory, const std::string& file);
inline constexpr const char* kAttachedClass = "<attached>";
// <attach> as frames with what the other file holds (mjcf_attach.cpp); `depth`: models around this one.
Xml attach_models(const Xml& mujoco, const MjcfDocument& whole, int depth);
// <replicate> as frames, each moved by (offset, euler) from the one before; names get the number as a suffix.
Xml unroll_replicates(const Xml& mujoco, const MjcfDocument& document);

}  // namespace stiction
