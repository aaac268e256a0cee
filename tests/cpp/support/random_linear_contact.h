// SPDX-License-Identifier: BSD-2-Clause
// Random instances of the linear contact problem as walking robots have them: Υ ~ 1/kg, K ~ 1e5 N/m,
// B ~ 300 N s/m.
#pragma once

#include <stiction/base/types.h>
#include <stiction/step/exponential/linear_contact.h>

#include <algorithm>
#include <random>

namespace stiction::test {

struct RandomLinearContact {
  int rows = 3;
  int rank = 3;               // of Υ
  bool proportional = false;  // B = cK
  double h = 2e-3;
  Mat upsilon;
  Vec stiffness, damping, beta, displacement, velocity;

  RandomLinearContact(unsigned seed, int rows_, int rank_, double h_, bool proportional_ = false)
      : rows(rows_), rank(rank_), proportional(proportional_), h(h_) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    const auto vector = [&](double scale) { return Vec(Vec::NullaryExpr(rows, [&] { return scale * unit(random); })); };
    const Mat factor = Mat::NullaryExpr(rows, rank, [&] { return unit(random); });
    upsilon = factor * factor.transpose();
    stiffness = Vec::Constant(rows, 1.2e5) + vector(1e5);
    damping = proportional ? Vec(2e-3 * stiffness) : Vec(Vec::Constant(rows, 350.0) + vector(300.0));
    beta = vector(10.0);
    displacement = vector(1e-3);
    velocity = vector(0.3);
  }

  LinearContact view() const {
    return {rows,        upsilon.data(),      stiffness.data(), damping.data(),
            beta.data(), displacement.data(), velocity.data(),  h};
  }
};

// Largest difference, relative to the largest entry of the second.
inline double relative_error(const Vec& x, const Vec& reference) {
  return (x - reference).cwiseAbs().maxCoeff() / reference.cwiseAbs().maxCoeff();
}

// [l/j]
struct Rational {
  Approximant approximant;
  int l, j;
};
inline constexpr Rational kRationals[] = {{Approximant::cayley_11, 1, 1},
                                          {Approximant::pade_22, 2, 2},
                                          {Approximant::pade_33, 3, 3},
                                          {Approximant::l_stable_12, 1, 2},
                                          {Approximant::l_stable_23, 2, 3}};

struct Averages {
  Vec single, twice;
};

inline Averages by_poles(const LinearContact& c, Approximant approximant) {
  LinearContactWork work;
  Averages a{Vec(c.rows), Vec(c.rows)};
  pole_forces(c, approximant, work, a.single.data(), a.twice.data());
  return a;
}

// One to eight contacts, full and deficient rank, steps from half a millisecond to forty.
template <class Use>
void for_random_contacts(Use&& use) {
  unsigned seed = 0;
  for (int contacts = 1; contacts <= 8; ++contacts)
    for (const double h : {0.5e-3, 2e-3, 10e-3, 40e-3})
      for (const int missing : {0, 1, 6}) {
        const int rows = 3 * contacts;
        if (missing < rows) use(RandomLinearContact(++seed, rows, rows - missing, h));
      }
}

}  // namespace stiction::test
