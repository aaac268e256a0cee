// SPDX-License-Identifier: BSD-2-Clause
// Nonsmooth interior points: Newton on the perturbed complementarity x ∘ y = τe with De Saxcé's shift inside (nipm_core.h),
// laws coulomb and convex, every kind of block. Few iterations, whatever the condition of G; one factorisation each.
// No warm start: a guess lies on the boundary, where interior points cannot start. So a guess gets one step of the natural
// map, λ ← P(λ − ρ(u + shift)), and if the judge does not accept that, it is forgotten.
// Stages, each only if the judge has accepted nothing; "scaled" as the option equilibrate says:
//   standard   scaled, from x = y = (0.1, 0.1, 1), until accepted or stalled (not halved in `stall_window` iterations)
//   far        scaled, from 100 times that, x even farther where impulses are much larger than g/tr(G): a mass ratio of
//              1e6 jams the standard start
//   damped     the other scaling; coulomb: standard start, the shift's residual is kept below that of x ∘ y; convex: far
// and after each, for coulomb, a polish: Alart–Curnier Newton (ppa_core.h, body_newton.h) from the best iterate.
// Failure modes: "fake solutions" of the shifted problem, where the path ends away from a solution; jammed problems.
// References: Acary, Armand, Nguyen, Shpakovych 2024; Mehrotra 1992.
#pragma once

#include <stiction/solver/core/entry.h>
#include <stiction/solver/core/progress.h>
#include <stiction/solver/interior/nipm_core.h>
#include <stiction/solver/newton/body_newton.h>
#include <stiction/solver/newton/ppa_core.h>

namespace stiction {

struct InteriorPointOptions : CommonOptions {
  double equilibrate = 100.0;
  int attempts = 3;
  int polish = 60;
  int stall_window = 15;

  InteriorPointOptions() { max_iterations = 300; }

  static constexpr auto fields() {
    using O = InteriorPointOptions;
    return extend(
        CommonOptions::fields(),
        Field{"equilibrate", &O::equilibrate,
              "contacts are scaled alike if their inertias differ by more than this factor [-]", ">= 0"},
        Field{"attempts", &O::attempts, "starts: standard, far and damped in turn, 1 to 3 [-]", "[1, 3]"},
        Field{"polish", &O::polish, "coulomb: steps of Alart-Curnier Newton after interior points stop, 0 is off [-]",
              ">= 0, 0 for none"},
        Field{"stall_window", &O::stall_window, "iterations within which the residual must halve, 0 is for ever [-]",
              ">= 0, 0 for no detection"});
  }
};

class InteriorPoint : public Method<InteriorPointOptions> {
 public:
  static constexpr const char* kName = "interior_point";
  static constexpr About kAbout{"interior points with De Saxce's shift inside Newton's method",
                                "Acary, Armand, Nguyen, Shpakovych 2024; Mehrotra 1992",
                                "fake solutions where the path ends away from a solution; jammed problems"};
  static constexpr std::array kLaws{FrictionLaw::coulomb, FrictionLaw::convex};
  static constexpr bool kPatches = true;
  using Method::Method;

  Report solve(const ContactProblem& problem, VecOut lambda) override;

  // λ ← P(λ − share ρ(u + De Saxcé's shift)), ρ of the block alone: keeps a solution as it is. Where a body has many contacts a share of one
  // overshoots as many times.
  void natural_step(const ContactProblem& problem, double share, double* lambda);

 private:
  bool try_guess(const ContactProblem& problem, VecOut lambda);
  bool run(const ContactProblem& problem, NipmCore::Start start);
  bool polish(const ContactProblem& problem);
  const char* run_stages(const ContactProblem& problem, VecOut lambda);
  void begin_stage() {
    if (history_) history_->begin_stage();
  }
  bool exhausted() const { return iterations_ >= options_.max_iterations || best_.out_of_time(); }

  NipmCore core_;
  PpaCore newton_;
  BodyNewton body_;
  GrowingVec lambda_, u_, scratch_;
  int iterations_ = 0, factorisations_ = 0;
  bool failed_ = false;
};

}  // namespace stiction
