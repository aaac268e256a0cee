// SPDX-License-Identifier: BSD-2-Clause
// The entrance of the module: solvers by name.
#pragma once

#include <stiction/solver/core/solver.h>

#include <memory>
#include <string>
#include <vector>

namespace stiction {

// The one list of solvers. C++, Python, command line, tests and bench read it.
const std::vector<SolverInfo>& solver_catalog();
const SolverInfo& find_solver(const std::string& name);  // InvalidInput with the closest name
// Throws InvalidInput with the reason if the solver does not solve the law ("solver 'nsgs' solves coulomb, not pyramid").
void require_law(const SolverInfo& solver, const FrictionLaw& law);
// The same for contacts with friction of spin and roll.
void require_patches(const SolverInfo& solver);
// The same for a whole problem: its law, and whether a matrix that is not positive semidefinite is asked for.
void require_problem(const SolverInfo& solver, const ContactProblem& problem);
std::unique_ptr<Solver> make_solver(const std::string& name, const OptionMap& options = {});

}  // namespace stiction
