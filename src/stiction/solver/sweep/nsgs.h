// SPDX-License-Identifier: BSD-2-Clause
// Nonsmooth Gauss-Seidel: find λ with u = (G + R)λ + g, K ∋ λ ⟂ u + Γ(u) ∈ K*, by solving each block exactly in turn:
//   for each block i:  λ_i ← ω solve_i(u_i − W_ii λ_i) + (1 − ω) λ_i,   W_ii = (G + R)_ii                      (1)
// accelerated by Anderson's method with a small window. A fixed point of (1) is a solution. The blocks may be taken in
// other orders, by colours on several threads with the same bits for any number, or left out for a while when their step
// is small (ordered_sweep.h).
// Failure modes: limit cycles and very slow convergence on hyperstatic stacks and large mass ratios (both reported as
// `stalled`, a cycle with its period in Report.cycle); no proof of convergence. Loop, triggers and detectors: gauss_seidel.h; one-contact solve: local_contact.h.
// References: Jourdan, Alart, Jean 1998; Acary, Brémond, Huber 2017.
#pragma once

#include <stiction/solver/sweep/gauss_seidel.h>

#include <string>

namespace stiction {

struct NsgsOptions : SweepOptions {
  std::string order = "natural";
  int seed = 0;
  std::string colouring = "first_fit";
  int threads = 1;
  int freeze = 0;

  static constexpr auto fields() {
    using O = NsgsOptions;
    return extend(
        SweepOptions::fields(),
        Field{"order", &O::order,
              "of the blocks: natural, reversed, shuffled (once), reshuffled (before every sweep) or coloured [-]",
              "natural reversed shuffled reshuffled coloured"},
        Field{"seed", &O::seed, "of the orders shuffled and reshuffled, >= 0 [-]", ">= 0"},
        Field{"colouring", &O::colouring,
              "of the order coloured: first_fit or largest_first (most neighbours first) [-]",
              "first_fit largest_first"},
        Field{"threads", &O::threads, "that share the order coloured; the result does not depend on it [-]",
              "[1, 256]"},
        Field{"freeze", &O::freeze, "sweeps that a block rests after a small step, 0 for none [-]",
              ">= 0, 0 for none"});
  }
  void check() const;
  SweepPlan plan() const;
};

class Nsgs : public Method<NsgsOptions> {
 public:
  static constexpr const char* kName = "nsgs";
  static constexpr About kAbout{"nonsmooth Gauss-Seidel with exact one-contact solves and Anderson acceleration",
                                "Jourdan, Alart, Jean 1998; Acary, Bremond, Huber 2017",
                                "limit cycles; slow on hyperstatic stacks and large mass ratios"};
  static constexpr std::array kLaws{FrictionLaw::coulomb};
  static constexpr GeneralMatrix kGeneral = GeneralMatrix::positive_diagonal;
  static constexpr bool kPatches = true;
  explicit Nsgs(const Options& options = {}) : Method(options), plan_(options.plan()) {}

  Report solve(const ContactProblem& problem, VecOut lambda) override;

 private:
  void run_dense(const ContactProblem& problem, VecOut lambda);
  void run(const ContactProblem& problem, VecOut lambda);

  SweepPlan plan_;
  GaussSeidel sweep_;
  OrderedSweep ordered_;
  DenseSweep dense_;
  std::vector<ExactRule> rules_;
};

}  // namespace stiction
