// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/newton/newton_regularisation.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

using Rule = Regularisation::Rule;

constexpr double kFourPi2 = 4.0 * std::numbers::pi * std::numbers::pi;

struct ContactR {
  double tangential, normal;
};

// R of a block of one row, or of one row of a bilateral block.
double for_row(const Regularisation& how, double w) {
  if (how.rule == Rule::mujoco) return (1.0 - how.d) / how.d * w;
  return (how.rule == Rule::drake ? how.beta * how.beta : 1.0) / kFourPi2 * w;
}

ContactR for_contact(const Regularisation& how, const double* G) {
  const double t1 = G[0], t2 = G[4], n = G[8];
  if (how.rule == Rule::drake) {
    const double mean = std::sqrt((t1 * t1 + t2 * t2 + n * n) / 3.0);
    return {how.sigma * std::max(0.5 * (t1 + t2), mean), for_row(how, std::max(n, mean))};
  }
  if (how.rule == Rule::contactbench) {
    double sum = 0.0;
    for (int k = 0; k < 9; ++k) sum += G[k] * G[k];
    const double normal = std::sqrt(sum) / kFourPi2;
    return {how.sigma * normal, normal};
  }
  const double normal = for_row(how, n);
  return {normal / how.impratio, normal};
}

double smallest_allowed(const ContactProblem& p) {
  double largest = 0.0;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const double* w = p.G.diagonal_block(static_cast<int>(i));
    for (int k = 0; k < p.blocks[i].size; ++k) largest = std::max(largest, w[k * p.blocks[i].size + k]);
  }
  return largest > 0.0 ? 1e-12 * largest : 1.0;
}

}  // namespace

Compliance choose_compliance(const ContactProblem& p, const Regularisation& how, GrowingVec& R) {
  R.resize(p.rows());
  const double floor = how.rule == Rule::none ? 0.0 : smallest_allowed(p);
  bool added = false;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    const double* w = p.G.diagonal_block(static_cast<int>(i));
    const bool contact = b.kind == BlockKind::coulomb;
    ContactR rule{0.0, 0.0};
    if (contact && how.rule != Rule::none) rule = for_contact(how, w);
    for (int k = 0; k < b.size; ++k) {
      double r = p.R(b.row + k);
      if (!(r > 0.0)) {
        if (how.rule == Rule::none) return Compliance::missing;
        r = contact ? (k < 2 ? rule.tangential : rule.normal) : for_row(how, w[k * b.size + k]);
        r = r > floor ? r : floor;
        added = true;
      }
      R[b.row + k] = r;
    }
    if (!contact || R[b.row] == R[b.row + 1]) continue;
    R[b.row] = R[b.row + 1] = std::max(R[b.row], R[b.row + 1]);
    added = true;
  }
  return added ? Compliance::added : Compliance::as_given;
}

}  // namespace stiction
