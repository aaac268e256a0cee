// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/base/symmetric_eigen.h>
#include <stiction/problem/internal_impulse.h>

#include <string>

namespace stiction {

Vec internal_impulse(const ContactProblem& problem, const VecRef& lambda) {
  if (lambda.size() != problem.rows())
    throw InvalidInput("internal_impulse: lambda has size " + std::to_string(lambda.size()) + ", expected " +
                       std::to_string(problem.rows()));
  if (problem.rows() == 0) return Vec(0);
  const Mat G = problem.G.densify();
  Mat symmetric = 0.5 * (G + G.transpose());
  for (int i = 0; i < problem.rows(); ++i) symmetric(i, i) += problem.R(i);
  const SymmetricEigen eigen = symmetric_eigen(symmetric);
  const double least = 1e-10 * eigen.values.cwiseAbs().maxCoeff();
  Vec internal = Vec::Zero(problem.rows());
  for (int k = 0; k < problem.rows(); ++k)
    if (std::abs(eigen.values[k]) <= least) internal += eigen.vectors.col(k) * eigen.vectors.col(k).dot(lambda);
  return internal;
}

}  // namespace stiction
