// SPDX-License-Identifier: BSD-2-Clause
// How a scene enters the catalog. A struct P of physical parameters offers
//   static constexpr const char* kName;    the public name
//   fields()                               names, members, meanings with units
//   void check() const;                    ranges, refused with a sentence
// and its file defines `Scene build(const P&)`, the oracles, and `SceneInfo x_info()`. catalog.cpp then takes one line.
#pragma once

#include <stiction/scene/core/scene.h>
#include <stiction/solver/core/entry.h>

#include <optional>
#include <string>
#include <utility>

namespace stiction {

inline constexpr double kGravity = 9.81;  // |gravity| of every scene [m/s²]

template <class P, Scene (*build)(const P&)>
Scene make_with_parameters(const OptionMap& map) {
  P parameters;
  assign_options(P::kName, map, parameters);
  return build(parameters);
}

template <class P, Scene (*build)(const P&)>
SceneInfo describe_scene(std::string summary, std::string truth) {
  return {P::kName, std::move(summary), std::move(truth), describe_options<P>(), &make_with_parameters<P, build>};
}

// A surface that names its friction coefficient, its restitution, or both.
inline MaterialValues surface(std::optional<double> mu, std::optional<double> restitution = std::nullopt) {
  return {mu, std::nullopt, restitution, std::nullopt, std::nullopt, std::nullopt};
}

// Range checks of physical parameters; NaN passes none of them.
void require_positive(const std::string& scene, const std::string& field, double value);      // > 0 and finite
void require_not_negative(const std::string& scene, const std::string& field, double value);  // ≥ 0 and finite
void require_finite(const std::string& scene, const std::string& field, double value);
void require_within(const std::string& scene, const std::string& field, double value, double lo, double hi);

}  // namespace stiction
