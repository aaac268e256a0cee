// SPDX-License-Identifier: BSD-2-Clause
// A matrix-free G for methods that read its rows: the one place where it is written out, by n products with unit vectors
// and n² numbers. Every other storage goes through untouched. Methods that need products only (the trait kProducts of
// catalog.h) are not wrapped and keep G unformed.
#pragma once

#include <stiction/solver/core/solver.h>

#include <memory>
#include <utility>

namespace stiction {

class WrittenOutSolver : public Solver {
 public:
  explicit WrittenOutSolver(std::unique_ptr<Solver> inner) : inner_(std::move(inner)) {}
  Report solve(const ContactProblem& problem, VecOut lambda) override;
  void record(History* history) override { inner_->record(history); }

 private:
  std::unique_ptr<Solver> inner_;
  ContactProblem written_;
  GrowingVec unit_, scratch_;
};

}  // namespace stiction
