// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/problem/lcp_problem.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace stiction {

ContactProblem lcp_problem(const Mat& M, const VecRef& q) {
  if (M.rows() != q.size() || M.cols() != q.size())
    throw InvalidInput("lcp_problem.M is " + std::to_string(M.rows()) + " x " + std::to_string(M.cols()) +
                       ", expected " + std::to_string(q.size()) + " x " + std::to_string(q.size()) + ", the size of q");
  ContactProblem p;
  shape_lcp(static_cast<int>(q.size()), p);
  p.G = Delassus::from_dense(M, p.G.start);
  p.g = GrowingVec(q);
  p.validate();
  return p;
}

void shape_lcp(int n, ContactProblem& p) {
  p.blocks.clear();
  p.G.start.assign(1, 0);
  for (int i = 0; i < n; ++i) {
    p.blocks.push_back(Block::unilateral(i));
    p.G.start.push_back(i + 1);
  }
  p.G.dense.resize(n * n);
  p.G.symmetric = false;
  p.g.resize(n);
  p.law = {FrictionLaw::pyramid};
  p.general = true;
}

double lcp_error(const Mat& M, const VecRef& q, const VecRef& z) {
  const Vec w = M * z + q;
  double worst = 0.0, scale = 1.0;
  for (int i = 0; i < q.size(); ++i) {
    if (!std::isfinite(z[i]) || !std::isfinite(w[i])) return std::numeric_limits<double>::quiet_NaN();
    worst = std::max(worst, std::abs(std::min(z[i], w[i])));
    scale = std::max(scale, std::abs(q[i]));
  }
  return worst / scale;
}

}  // namespace stiction
