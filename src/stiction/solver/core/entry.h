// SPDX-License-Identifier: BSD-2-Clause
// How a method enters the catalog. A solver class S offers
//   using Options = …;                     derives from CommonOptions, has fields() and `void check() const`
//   static constexpr const char* kName;    the public name
//   explicit S(const Options&);
//   static constexpr int kFacets; static constexpr GeneralMatrix kGeneral; static constexpr bool kRegularises, kEliminates,
//   kProducts;                                                          only if not 4, refused and false
// (kEliminates: the method itself takes care of eliminate_bilateral; else a wrapper does. kProducts: it needs no rows of
// G, only products and diagonal blocks; else a wrapper writes a matrix-free G out)
// and its file defines `SolverInfo s_info()` with describe_solver<S>(…). catalog.cpp then takes one line.
#pragma once

#include <stiction/base/invalid_input.h>
#include <stiction/solver/core/bilateral_elimination.h>
#include <stiction/solver/core/solver.h>
#include <stiction/solver/core/written_out.h>

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

namespace traits {
template <class S>
constexpr int facets() {
  if constexpr (requires { S::kFacets; }) return S::kFacets;
  return 4;
}
template <class S>
constexpr GeneralMatrix general() {
  if constexpr (requires { S::kGeneral; }) return S::kGeneral;
  return GeneralMatrix::refused;
}
template <class S>
constexpr bool regularises() {
  if constexpr (requires { S::kRegularises; }) return S::kRegularises;
  return false;
}
template <class S>
constexpr bool eliminates() {
  if constexpr (requires { S::kEliminates; }) return S::kEliminates;
  return false;
}
template <class S>
constexpr bool products() {
  if constexpr (requires { S::kProducts; }) return S::kProducts;
  return false;
}
}  // namespace traits

template <class S>
std::unique_ptr<Solver> make_with_options(const OptionMap& map) {
  typename S::Options options;
  assign_options(S::kName, map, options);
  check_common_options(S::kName, options);
  options.check();
  std::unique_ptr<Solver> solver = std::make_unique<S>(options);
  if constexpr (!traits::products<S>()) solver = std::make_unique<WrittenOutSolver>(std::move(solver));
  if (!options.eliminate_bilateral || traits::eliminates<S>()) return solver;
  return std::make_unique<EliminatingSolver>(std::move(solver), options);
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
          traits::facets<S>(),
          traits::general<S>(),
          traits::regularises<S>(),
          &make_with_options<S>};
}

}  // namespace stiction
