// SPDX-License-Identifier: BSD-2-Clause
// The gate of the public edge: everything a solver takes for granted is checked once, here. Each refusal is an
// InvalidInput that names the entry (G[3, 5], g[4], mu[2]), what was found, what is wanted and how to get there.
//
// Slightly wrong matrices come from files and from round-off, so they pass: an unsymmetric part up to kLargestSkew of
// ‖G‖, eigenvalues down to −kLargestNegative of the largest one. A `general` problem (a linear complementarity problem)
// may have any square matrix of finite numbers, but only unilateral and box rows. An empty problem is legal.
#pragma once

#include <stiction/problem/contact_problem.h>

namespace stiction {

constexpr double kLargestSkew = 1e-2;      // ‖G − Gᵀ‖_F / ‖G‖_F [-]
constexpr double kLargestNegative = 1e-6;  // −λ_min / λ_max [-]
constexpr int kMostFacets = 1000;          // of a pyramid: Lemke's matrix has facets² entries per pair of contacts

void validate_problem(const ContactProblem& problem);
void validate_law(const FrictionLaw& law);  // all that a change of the law can spoil

}  // namespace stiction
