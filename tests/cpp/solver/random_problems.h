// SPDX-License-Identifier: BSD-2-Clause
// Random contact problems of the kind that breaks solvers: fewer velocities than rows, duplicated contacts, masses that
// differ by up to 1e6, friction from 0 to 2, 1 to 20 contacts.
#pragma once

#include <stiction/base/random.h>
#include <stiction/problem/contact_problem.h>

#include <algorithm>
#include <cmath>

namespace stiction::test {

struct RandomProblem {
  ContactProblem problem;
  bool consistent;  // g = J v: a motion that stops everything exists. Else g is arbitrary and there may be no solution
};

Vec random_friction(Random& random, int contacts);

RandomProblem random_pyramid(std::uint64_t seed, FrictionLaw law = {FrictionLaw::pyramid});

}  // namespace stiction::test
