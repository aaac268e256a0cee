// SPDX-License-Identifier: BSD-2-Clause
// Proximal successive over-relaxation: block after block with the newest λ, contacts first, then bilateral rows one by one,
// prox_sweep.h (1)-(4). With α = 1 and split_velocity it is projected Gauss-Seidel with the safer step 1/max(G_TT).
// On contacts that stick and single rows it is Gauss-Seidel relaxation, which converges for 0 < α < 2; inside a contact
// the rows are taken at once unless split_velocity is set, so that strongly coupled rows of one contact can diverge.
// Reference: Gehring et al. 2014, (16), (17)-(20).
#pragma once

#include <stiction/solver/sweep/prox_sweep.h>

namespace stiction {

struct SorOptions : ProxOptions {
  bool split_velocity = false;

  static constexpr auto fields() {
    return std::tuple_cat(
        prox_fields<SorOptions>("step factor α [-]"),
        std::tuple{Field<SorOptions, bool>{"split_velocity", &SorOptions::split_velocity,
                                           "update the velocity between the projections of one block [-]"}});
  }
  void check() const;
};

class Sor : public Solver {
 public:
  using Options = SorOptions;
  static constexpr const char* kName = "sor";
  static constexpr GeneralMatrix kGeneral = GeneralMatrix::positive_diagonal;
  static constexpr bool kEliminates = true;  // with the steps of the matrix before the elimination
  explicit Sor(const Options& options = {}) : options_(options) {}

  Report solve(const ContactProblem& problem, VecOut lambda) override;

 private:
  Options options_;
  ProxSweep sweep_;
};

SolverInfo sor_info();

}  // namespace stiction
