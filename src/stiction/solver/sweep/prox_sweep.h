// SPDX-License-Identifier: BSD-2-Clause
// The proximal relaxation that jor and sor share. With u = (G + R)λ + g and steps r = α/D, D taken from the diagonal of G + R:
//   λ_N ← max(0, λ_N − r_N u_N)                               r_N = α/G_NN                                   (1)
//   λ_T ← P(λ_T − r_T u_T),  P on the disc or polygon μ λ_N   r_T = α/max(G_T1T1, G_T2T2)                    (2)
//   λ   ← P_K(λ − r u)                                        r = α/max(G_NN, G_T1T1, G_T2T2)   convex law    (3)
//   λ_m ← P(λ_m − r_m u_m)                                    r_m = α/G_mm    unilateral, box, bilateral rows (4)
// jor takes every u from the old λ; sor goes block after block with the newest λ, contacts first, then bilateral rows one by one.
// Option split_velocity of sor: u is brought up to date between (1) and (2) as well.
//
// All contacts closed and sticking, jor converges iff α < 2/λmax(D⁻¹(G + R)) =: α_max.                        (5)
// Bilateral rows are iterated by (4), or solved for (eliminate_bilateral): then the iteration runs on the Schur
// complement while D stays the diagonal of the matrix before the elimination, as published.
// Matrix-free: in body space u = H(Hᵀλ) + g; option `stored` densifies G instead. The λ are the same to round-off.
//
// Stop: `judge`, only the judge ends the loop; `change`, every |Δλ_m| ≤ relative·|λ_m| + absolute, as published; `energy`,
// the same for ½λᵀ(G + R)λ + gᵀλ, the gain of kinetic energy, for impulses that cycle. What the last two end is called
// converged only if the judge accepts it, else stalled.
// Failure modes: divergence beyond (5) (reported as stalled, or numerical_failure after an overflow), slow on large mass
// ratios, no proof of convergence with friction.
// Reference: Gehring, Diethelm, Siegwart, Nützi, Leine, An evaluation of Moreau's time-stepping scheme (2014), (13)-(20).
#pragma once

#include <stiction/solver/core/entry.h>
#include <stiction/solver/sweep/relaxation.h>

#include <string>

namespace stiction {

struct ProxOptions : CommonOptions {
  double alpha = 1.0;
  std::string stop = "judge";
  double relative_change = 1e-6;
  double absolute_change = 1e-6;
  int test_interval = 20;
  bool stored = false;

  Pace pace() const { return {test_interval, 0}; }
  static constexpr auto fields() {
    using O = ProxOptions;
    return extend(CommonOptions::fields(),
                  Field{"alpha", &O::alpha,
                        "step factor α; jor: 0 takes half of the largest that converges in stiction [-]", "[0, 2]"},
                  Field{"stop", &O::stop, "what ends the loop: judge, change or energy [-]", "judge change energy"},
                  Field{"relative_change", &O::relative_change,
                        "stop = change, energy: relative change that ends the loop [-]", ">= 0"},
                  Field{"absolute_change", &O::absolute_change,
                        "stop = change, energy: change that ends the loop [N s], [J]", ">= 0"},
                  Field{"test_interval", &O::test_interval,
                        "stop = judge: iterations between two calls of the judge at most [-]", ">= 1"},
                  Field{"stored", &O::stored, "densify G of a body-space problem first [-]"});
  }
  void check_stop(const char* owner) const;  // InvalidInput if a value has no meaning beside `stop`
};

class ProxSweep {
 public:
  enum class Order { jacobi, gauss_seidel, split };  // jor, sor, sor with split_velocity

  // options.alpha = 0 takes half of (5). Asks for a Progress that has begun.
  Report run(const ContactProblem& problem, const ProxOptions& options, Order order, const char* path, VecOut lambda,
             Progress& best);

 private:
  bool load(const ContactProblem& problem, const ProxOptions& options, VecOut lambda);
  void prepare_steps();
  double largest_eigenvalue();  // of D⁻¹(G + R); steps_ holds D⁻¹
  Change iterate(Order order);
  Change iterate_jacobi();
  void project(const Block& block, int i, double* u, double* x, bool split) const;
  void project_bilateral(const Block& block, int i, double* u, double* x, bool split) const;
  bool settled(const ProxOptions& options);
  double energy();
  void velocity(const double* x, double* u);  // (G + R) x

  const ContactProblem* problem_ = nullptr;  // the one that is iterated on: given or reduced
  const Delassus* G_ = nullptr;
  double* x_ = nullptr;  // its λ
  Relaxation relaxation_;
  Delassus dense_;  // G of a body-space problem, if it is to be stored
  BlockSweep sweep_;
  double last_energy_ = 0.0;
  std::vector<int> order_;
  GrowingVec steps_, u_, scratch_, previous_, old_;
};

// What jor and sor have in common.
template <class O>
class ProxMethod : public Method<O> {
 public:
  static constexpr std::array kLaws{FrictionLaw::coulomb, FrictionLaw::convex, FrictionLaw::pyramid};
  static constexpr GeneralMatrix kGeneral = GeneralMatrix::positive_diagonal;
  static constexpr bool kEliminates = true;  // with the steps of the matrix before the elimination
  using Method<O>::Method;

 protected:
  Report run(const ContactProblem& problem, ProxSweep::Order order, const char* path, VecOut lambda) {
    if (!solves<ProxMethod>(problem)) return refuse(path);
    this->start(problem, lambda, this->options_.pace());
    return sweep_.run(problem, this->options_, order, path, lambda, this->best_);
  }

 private:
  ProxSweep sweep_;
};

}  // namespace stiction
