// SPDX-License-Identifier: BSD-2-Clause
// Independent derivatives of a contact problem, written on the natural map with the primitives of cone/ only:
//   F(λ) = λ − P(λ − ρ(u + Γ(u))) = 0,   u = (G + R)λ + g
//   (I − D(I − ρT(G+R))) dλ = −ρDT(dGλ + dRλ + dg) + (∂_μP − ρD e_N‖u_T‖ [coulomb]) dμ
// and roots of F to round-off, from which central differences are taken.
#pragma once

#include <stiction/cone/box.h>
#include <stiction/cone/coulomb_cone.h>
#include <stiction/cone/half_line.h>

#include <random>

#include "solver/solver_support.h"

namespace stiction::test {

// Dense copy that a test may change at will.
struct PlainProblem {
  Mat G;
  Vec g, R;
  std::vector<Block> blocks;
  FrictionLaw law;

  explicit PlainProblem(const ContactProblem& p)
      : G(p.G.densify()), g(p.g.vec()), R(Vec::Zero(p.rows())), blocks(p.blocks), law(p.law) {
    for (int i = 0; i < p.rows(); ++i) R[i] = p.R(i);
  }
  Mat A() const { return G + Mat(R.asDiagonal()); }
};

struct Direction {
  Vec g, R, mu;  // mu: one per block
  Mat G;

  static Direction random(const ContactProblem& p, unsigned seed) {
    std::mt19937_64 rng(seed);
    std::uniform_real_distribution<double> u(-1.0, 1.0);
    const auto n = p.rows();
    Direction d{Vec(n), Vec(n), Vec(static_cast<Eigen::Index>(p.blocks.size())), Mat(n, n)};
    for (auto& x : d.g) x = u(rng);
    for (auto& x : d.R) x = u(rng);
    for (auto& x : d.mu) x = u(rng);
    for (auto& x : d.G.reshaped()) x = 0.3 * u(rng);
    d.G = (0.5 * (d.G + d.G.transpose())).eval();
    return d;
  }
};

PlainProblem moved(PlainProblem p, const Direction& d, double h);

struct NaturalMap {
  Vec F;
  Mat left, right;  // dF = left dλ − right (dGλ + dRλ + dg) − mu dμ
  Mat mu;
};

NaturalMap natural_map(const PlainProblem& p, const Vec& lambda);

// Newton's method on F from a point nearby; the error that is left is returned.
double root(const PlainProblem& p, Vec& lambda);

Vec natural_map_jvp(const PlainProblem& p, const Vec& lambda, const Direction& d);

}  // namespace stiction::test
