// SPDX-License-Identifier: BSD-2-Clause
// How a method enters the catalog. A solver class S offers
//   using Options = …;                     derives from CommonOptions, has fields() and `void check() const`
//   static constexpr const char* kName;    the public name
//   explicit S(const Options&);
// and its file defines `SolverInfo s_info()` with describe_solver<S>(…). catalog.cpp then takes one line.
#pragma once

#include <stiction/base/invalid_input.h>
#include <stiction/solver/solver.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace stiction {

// "nsgs.over_relaxation is 2.5, expected a value in ]0, 2["; `wanted` is the text after "expected".
void require_option(bool ok, const std::string& owner, const std::string& field, double value,
                    const std::string& wanted);
// Ranges of the shared options: tolerance > 0, its absolute parts ≥ 0, max_iterations ≥ 1, time_limit ≥ 0.
void check_common_options(const std::string& owner, const CommonOptions& options);

template <class S>
std::unique_ptr<Solver> make_with_options(const OptionMap& map) {
  typename S::Options options;
  assign_options(S::kName, map, options);
  check_common_options(S::kName, options);
  options.check();
  return std::make_unique<S>(options);
}

template <class S>
SolverInfo describe_solver(std::string summary, std::string reference, std::string failure_modes,
                           std::vector<FrictionLaw::Kind> laws) {
  return {S::kName,
          std::move(summary),
          std::move(reference),
          std::move(failure_modes),
          std::move(laws),
          describe_options<typename S::Options>(),
          &make_with_options<S>};
}

}  // namespace stiction
