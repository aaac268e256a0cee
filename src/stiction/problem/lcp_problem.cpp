// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/problem/lcp_problem.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace stiction {

ContactProblem lcp_problem(const Mat& M, const VecRef& q) {
  if (M.rows() != q.size() || M.cols() != q.size())
    throw InvalidInput("lcp_problem.M is " + std::to_string(M.rows()) + " x " + std::to_string(M.cols()) +
                       ", expected " + std::to_string(q.size()) + " x " + std::to_string(q.size()) + ", the size of q");
  ContactProblem p;
  std::vector<int> start{0};
  for (int i = 0; i < q.size(); ++i) {
    p.blocks.push_back(Block::unilateral(i));
    start.push_back(i + 1);
  }
  p.G = Delassus::from_dense(M, std::move(start));
  p.g = GrowingVec(q);
  p.law = {FrictionLaw::pyramid};
  p.general = true;
  p.validate();
  return p;
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
