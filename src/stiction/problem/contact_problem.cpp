// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/problem/contact_problem.h>
#include <stiction/problem/validate_problem.h>

#include <string>

namespace stiction {

void ContactProblem::multiply(const double* x, double* y, GrowingVec& scratch) const {
  G.multiply(x, y, scratch);
  for (int i = 0; i < compliance.size(); ++i) y[i] += compliance[i] * x[i];
}

void ContactProblem::validate() const { validate_problem(*this); }

ContactProblem ContactProblem::from_dense(const Mat& G, const VecRef& g, const VecRef& mu, FrictionLaw law,
                                          std::optional<double> dt) {
  const int contacts = static_cast<int>(mu.size());
  const std::string rows = std::to_string(3 * contacts);
  if (g.size() != 3 * mu.size())
    throw InvalidInput("ContactProblem.g.size is " + std::to_string(g.size()) + ", expected " + rows +
                       ", 3 per entry of mu");
  if (G.rows() != g.size() || G.cols() != g.size())
    throw InvalidInput("ContactProblem.G is " + std::to_string(G.rows()) + " x " + std::to_string(G.cols()) +
                       ", expected " + rows + " x " + rows);
  ContactProblem p;
  std::vector<int> start{0};
  for (int i = 0; i < contacts; ++i) {
    p.blocks.push_back(Block::coulomb(3 * i, mu[i]));
    start.push_back(3 * i + 3);
  }
  p.G = Delassus::from_dense(G, std::move(start));
  p.g = GrowingVec(g);
  p.law = law;
  p.dt = dt;
  p.validate();
  return p;
}

}  // namespace stiction
