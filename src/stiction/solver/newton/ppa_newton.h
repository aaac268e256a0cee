// SPDX-License-Identifier: BSD-2-Clause
// ppa_newton: proximal point with a semismooth Newton solve inside, for law coulomb and every kind of block.
// Two forms of one method:
//   contact space  ppa_core.h      dense matrix of the contact rows (block LU for a large sparse G)
//   body space     body_newton.h   sparse matrix of the velocities; chosen when G = HHᵀ is given and has more rows than
//                                  velocities
// Order of work: contact space starts with `warm_sweeps` sweeps of nsgs, then Newton; body space judges the guess, goes
// straight to a stiff penalty if it is near, and climbs from a soft one if not (run_body).
// Failure modes: jammed (infeasible) problems; geometric noise beyond the dead band in tall stacks.
// Reference: Acary, Brémond, Huber 2018; Alart, Curnier 1991; Macklin et al. 2019.
#pragma once

#include <stiction/solver/newton/body_newton.h>
#include <stiction/solver/newton/ppa_core.h>
#include <stiction/solver/sweep/nsgs.h>

namespace stiction {

struct PpaNewtonOptions : CommonOptions {
  double penalty = 10.0;
  double damping = 1e-3;
  double kappa = 3.0;
  double kappa_growth = 5.0;
  int warm_sweeps = 20;

  static constexpr auto fields() {
    using O = PpaNewtonOptions;
    return extend(
        CommonOptions::fields(), Field{"penalty", &O::penalty, "contact space: ρ in units of 1/(G_ii + α) [-]", "> 0"},
        Field{"damping", &O::damping, "contact space: first α in units of the mean diagonal [-]", "> 0"},
        Field{"kappa", &O::kappa, "body space: first penalty in units of 1/G_ii [-]", "> 0"},
        Field{"kappa_growth", &O::kappa_growth, "body space: growth of the penalty per outer step [-]", "]1, 30]"},
        Field{"warm_sweeps", &O::warm_sweeps, "contact space: sweeps of nsgs before Newton [-]", ">= 0"});
  }
};

// More contact rows than velocities, and a G that says so.
bool prefers_body_space(const ContactProblem& problem);

class PpaNewton : public Method<PpaNewtonOptions> {
 public:
  static constexpr const char* kName = "ppa_newton";
  static constexpr About kAbout{"proximal point with Alart-Curnier Newton, dense or in body space",
                                "Acary, Bremond, Huber 2018; Alart, Curnier 1991; Macklin et al. 2019",
                                "jammed (infeasible) problems; geometric noise in tall stacks"};
  static constexpr std::array kLaws{FrictionLaw::coulomb};
  explicit PpaNewton(const Options& options = {});

  Report solve(const ContactProblem& problem, VecOut lambda) override;
  void record(History* history) override {
    history_ = history;
    nsgs_.record(history);
  }

 private:
  const char* run_body(const ContactProblem& problem, const double* guess);
  Report finish(const ContactProblem& problem, const char* path, int steps, int factorisations, VecOut lambda);

  Nsgs nsgs_;
  PpaCore core_;
  BodyNewton body_;
};

}  // namespace stiction
