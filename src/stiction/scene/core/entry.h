// SPDX-License-Identifier: BSD-2-Clause
// How a scene enters the catalog. A struct P of physical parameters offers
//   static constexpr const char *kName, *kSummary, *kTruth;    the public name, what happens, what is known about it
//   fields()                                                   names, members, meanings with units, ranges
// and its file defines `Scene build(const P&)` and the oracles. catalog.cpp then takes one line.
#pragma once

#include <stiction/base/invalid_input.h>
#include <stiction/scene/core/scene.h>

#include <optional>
#include <sstream>
#include <string>

namespace stiction {

inline constexpr double kGravity = 9.81;  // |gravity| of every scene [m/s²]

template <class P, Scene (*build)(const P&)>
SceneInfo scene_info() {
  const auto make = [](const OptionMap& map) {
    P parameters;
    assign_options(P::kName, map, parameters);
    return build(parameters);
  };
  return {P::kName, P::kSummary, P::kTruth, describe_options<P>(), make};
}

// A surface that names its friction coefficient, its restitution, or both.
inline MaterialValues surface(std::optional<double> mu, std::optional<double> restitution = std::nullopt) {
  return {mu, std::nullopt, restitution, std::nullopt, std::nullopt, std::nullopt};
}

// Refuses parameters outside their ranges; and one whose range depends on the others.
template <class P>
void check_parameters(const P& p) {
  check_options(P::kName, p);
}
template <class P>
void check_parameters(const P&, const char* field, double value, double lo, double hi) {
  std::ostringstream allowed;
  allowed.precision(17);
  allowed << "[" << lo << ", " << hi << "]";
  check_option(P::kName, field, allowed.str().c_str(), value);
}

}  // namespace stiction
