// SPDX-License-Identifier: BSD-2-Clause
// The parts of a ContactProblem out of Python values.
#pragma once

#include <stiction/problem/body_problem.h>

#include "bind.h"

namespace stiction::python {

// A matrix as array, scipy.sparse or CSR triple (indptr, indices, data); `field` names it in errors.
SparseRows read_sparse(nb::handle given, const std::string& field, int rows, int columns);
void require_shape(nb::handle matrix, const std::string& field, int rows, int columns);
FrictionLaw read_law(const std::string& law, int facets, double angle);
std::vector<Block> read_blocks(std::optional<std::vector<Block>> blocks, nb::handle mu, int rows);  // blocks, or mu
GrowingVec read_compliance(nb::handle compliance, int rows);

void bind_body_problem(nb::class_<ContactProblem>& c);  // what belongs to bodies; body_problem.cpp

}  // namespace stiction::python
