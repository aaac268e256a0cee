// SPDX-License-Identifier: BSD-2-Clause
#include "solver/derivatives_oracle.h"

#include "support/dense_oracles.h"

namespace stiction::test {

PlainProblem moved(PlainProblem p, const Direction& d, double h) {
  p.G += h * d.G, p.g += h * d.g, p.R += h * d.R;
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    if (p.blocks[i].kind == BlockKind::coulomb) p.blocks[i].mu += h * d.mu[static_cast<Eigen::Index>(i)];
  return p;
}

NaturalMap natural_map(const PlainProblem& p, const Vec& lambda) {
  const Mat A = p.A();
  const Vec u = A * lambda + p.g;
  const auto n = lambda.size();
  NaturalMap m{Vec(n), Mat::Identity(n, n), Mat::Zero(n, n), Mat::Zero(n, static_cast<Eigen::Index>(p.blocks.size()))};
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    const double rho = b.size / A.block(b.row, b.row, b.size, b.size).trace();
    Mat D = Mat::Identity(b.size, b.size), T = D;
    Vec x = lambda.segment(b.row, b.size) - rho * u.segment(b.row, b.size), P = x;
    if (b.kind == BlockKind::coulomb) {
      const CoulombCone cone{b.mu};
      const Vec3 v = u.segment<3>(b.row);
      const double speed = v.head<2>().norm();
      const bool shifted = p.law.kind == FrictionLaw::coulomb;
      if (shifted) x[2] -= rho * b.mu * speed;
      if (shifted && speed > 0.0) T.row(2).head<2>() += b.mu / speed * v.head<2>().transpose();
      P = cone.project(x), D = cone.derivative(x);
      Vec3 by_mu = cone.derivative_mu(x);
      if (shifted) by_mu -= rho * speed * D.col(2);
      m.mu.block<3, 1>(b.row, static_cast<Eigen::Index>(i)) = by_mu;
    } else if (b.kind == BlockKind::unilateral) {
      P[0] = HalfLine{}.project(x[0]), D(0, 0) = HalfLine{}.derivative(x[0]);
    } else if (b.kind == BlockKind::box) {
      P[0] = Box{b.lo, b.hi}.project(x[0]), D(0, 0) = Box{b.lo, b.hi}.derivative(x[0]);
    }
    m.F.segment(b.row, b.size) = lambda.segment(b.row, b.size) - P;
    m.left.block(b.row, b.row, b.size, b.size) -= D;
    m.left.middleRows(b.row, b.size) += rho * D * T * A.middleRows(b.row, b.size);
    m.right.block(b.row, b.row, b.size, b.size) = -rho * D * T;
  }
  return m;
}

double root(const PlainProblem& p, Vec& lambda) {
  for (int k = 0; k < 8; ++k) {
    const NaturalMap m = natural_map(p, lambda);
    lambda -= solve_full_pivot(m.left, m.F);
  }
  return natural_map(p, lambda).F.cwiseAbs().maxCoeff();
}

Vec natural_map_jvp(const PlainProblem& p, const Vec& lambda, const Direction& d) {
  const NaturalMap m = natural_map(p, lambda);
  const Vec w = d.G * lambda + d.R.cwiseProduct(lambda) + d.g;
  return solve_full_pivot(m.left, m.right * w + m.mu * d.mu);
}

}  // namespace stiction::test
