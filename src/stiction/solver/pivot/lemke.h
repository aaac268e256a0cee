// SPDX-License-Identifier: BSD-2-Clause
// Lemke's method: the pyramid law with any number of facets (pyramid_lcp.h), and plain linear complementarity problems
// with any square matrix, by complementary pivoting (lemke_tableau.h).
//
// 1. A guess that is not zero: the complementary basis that it suggests is tried first, one linear solve, counted as one
//    iteration. Warm steps of a simulation mostly end here.
// 2. Pivots from the covering vector until z₀ leaves, on a ray, or at max_iterations. The count is exact and includes the
//    pivot that brings z₀ in. A ray proves nothing where round-off led to it: contact problems get two more attempts with
//    other covering vectors.
// 3. The final basis is solved again with the original matrix (complementary_basis.h), clipped at 0 and judged.
// Guarantee: for G ⪰ 0 the matrix is copositive, and Lemke ends in a solution if one can be reached by positive impulses
// (Anitescu, Potra 1997); in exact arithmetic. Cost: (K + 2)² n² operations per pivot for n contacts and K facets.
// Failure modes: secondary rays (numerical_failure, path "lemke:ray"); exponential numbers of pivots; round-off.
// Reference: Lemke 1965; Stewart, Trinkle 1996. Deviation: the tableau is equilibrated per block (`equilibrate`) because
// one covering vector of ones does not suit masses that differ by 1e6; never for problems without friction, whose pivots
// are those of the literature.
#pragma once

#include <stiction/solver/core/entry.h>
#include <stiction/solver/pivot/complementary_basis.h>
#include <stiction/solver/pivot/lemke_tableau.h>
#include <stiction/solver/pivot/pyramid_lcp.h>

namespace stiction {

struct LemkeOptions : CommonOptions {
  bool equilibrate = true;

  LemkeOptions() { max_iterations = 10000, eliminate_bilateral = true; }
  static constexpr auto fields() {
    return extend(CommonOptions::fields(), Field{"equilibrate", &LemkeOptions::equilibrate,
                                                 "scales contacts to unit masses before pivoting [-]"});
  }
};

class Lemke : public Method<LemkeOptions> {
 public:
  static constexpr const char* kName = "lemke";
  static constexpr About kAbout{
      "lexicographic complementary pivoting; also plain linear complementarity problems",
      "Lemke 1965; Stewart, Trinkle 1996",
      "secondary rays; number of pivots can be exponential; round-off on very different masses"};
  static constexpr std::array kLaws{FrictionLaw::pyramid};
  static constexpr int kFacets = kAnyFacets;
  static constexpr GeneralMatrix kGeneral = GeneralMatrix::any;
  static constexpr const char* kNoBilateral = "the tableau has no rows for free impulses";
  using Method::Method;

  Report solve(const ContactProblem& problem, VecOut lambda) override;

 private:
  bool try_guess(const ContactProblem& problem, VecOut lambda);
  LemkeTableau::State pivot(const ContactProblem& problem, double tilt, VecOut lambda);
  LemkeTableau::State attempt(const ContactProblem& problem, double tilt, VecOut lambda, bool& accepted);
  bool accept_basis(const ContactProblem& problem, VecOut lambda);
  bool accept_tableau(const ContactProblem& problem, VecOut lambda, bool refined);
  bool accept(const ContactProblem& problem, VecOut lambda);

  PyramidLcp lcp_;
  LemkeTableau tableau_;
  ComplementaryBasis basis_;
  GrowingVec z_;
  int iterations_ = 0, factorisations_ = 0;
};

}  // namespace stiction
