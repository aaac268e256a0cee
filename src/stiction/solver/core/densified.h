// SPDX-License-Identifier: BSD-2-Clause
// A matrix-free G for methods that read its rows: the one place where it is densified, by n products with unit vectors
// and n² numbers. Every other storage goes through untouched. Methods that need products only (the trait kProducts of
// entry.h) are not wrapped and keep G unformed.
#pragma once

#include <stiction/solver/core/solver.h>

#include <memory>
#include <utility>

namespace stiction {

inline void copy_all_but_matrix(const ContactProblem& from, ContactProblem& to) {
  to.g = from.g, to.compliance = from.compliance, to.blocks = from.blocks;
  to.law = from.law, to.general = from.general, to.dt = from.dt;
}

class DensifiedSolver : public Solver {
 public:
  explicit DensifiedSolver(std::unique_ptr<Solver> inner) : inner_(std::move(inner)) {}
  Report solve(const ContactProblem& problem, VecOut lambda) override;
  void record(History* history) override { inner_->record(history); }

 private:
  std::unique_ptr<Solver> inner_;
  ContactProblem dense_;
  GrowingVec unit_, scratch_;
};

}  // namespace stiction
