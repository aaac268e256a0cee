// SPDX-License-Identifier: BSD-2-Clause
// What the tests over the whole catalog share: running a solver by name, the same problem in another storage, random
// problems with every kind of block.
#pragma once

#include <stiction/problem/contact_problem.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace stiction::test {

struct Outcome {
  Vec lambda;
  Report report;
};

Outcome run(const std::string& solver, const ContactProblem& p, const OptionMap& options = {});

bool solves(const SolverInfo& s, FrictionLaw::Kind law);

// Sum of force rows of contacts [first, last): (T1, T2, N) in newtons.
Vec3 total_force(const ContactProblem& p, const Vec& lambda, int first, int last);

Vec velocity(const ContactProblem& p, const Vec& lambda);

ContactProblem as_dense(const ContactProblem& p);

// Keeps the blocks that are not zero.
ContactProblem as_block_sparse(const ContactProblem& p);

// Well-posed contacts: G = J Jᵀ + 0.05 I of full rank, so that the velocity is unique for moderate μ.
ContactProblem random_contacts(unsigned seed, int contacts, double mu, FrictionLaw law = {});

// The same problem with its blocks in another order; `order[k]` is the old block at the new place k.
ContactProblem permuted(const ContactProblem& p, const std::vector<int>& order, std::vector<int>& rows);

}  // namespace stiction::test
