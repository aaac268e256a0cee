// SPDX-License-Identifier: BSD-2-Clause
#include "solver/random_problems.h"

namespace stiction::test {

Vec random_friction(Random& random, int contacts) {
  const int kind = random.index(4);
  Vec mu(contacts);
  for (int i = 0; i < contacts; ++i)
    mu[i] = kind == 0   ? 0.0
            : kind == 1 ? 2.0 * random.uniform()
            : kind == 2 ? 0.5
                        : std::pow(10.0, -6.0 * random.uniform());
  return mu;
}

RandomProblem random_pyramid(std::uint64_t seed, FrictionLaw law) {
  Random random(seed * 7919 + 13);
  const int contacts = 1 + random.index(20), n = 3 * contacts, kind = random.index(3);
  const int velocities = kind == 0   ? 3 + random.index(std::max(1, n / 2))
                         : kind == 1 ? n / 2 + random.index(n / 2 + 1) + 1
                                     : n + 3;
  double ratio = std::pow(10.0, 6.0 * random.uniform());
  if (random.index(3) == 0) ratio = 1.0;
  Mat J = random.uniform_matrix(n, velocities, -1.0, 1.0);
  if (random.index(4) == 0)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < velocities; ++j)
        if ((i / 3 + j / 6) % 2 == 1) J(i, j) = 0.0;
  if (contacts > 1 && random.index(5) == 0) J.middleRows(3, 3) = J.topRows(3).eval();
  Vec w(velocities);
  for (int j = 0; j < velocities; ++j) w[j] = std::pow(ratio, -random.uniform());
  const Mat scaled = J * w.cwiseSqrt().asDiagonal();
  const bool consistent = random.index(4) != 0;
  Vec g = consistent ? Vec(J * random.uniform_vector(velocities, -1.0, 1.0)) : random.uniform_vector(n, -1.0, 1.0);
  if (random.index(10) == 0) g.setZero();
  const Vec mu = random_friction(random, contacts);
  return {ContactProblem::from_dense(scaled * scaled.transpose(), g, mu, law, 1e-3), consistent};
}

}  // namespace stiction::test
