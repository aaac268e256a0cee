// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/short_solve.h>

#include <utility>

namespace stiction {
namespace {

thread_local double newton_steps_of_a_try = 0.0;
thread_local bool limit_was_taken = false;

}  // namespace

ShortSolve::ShortSolve(double newton_steps) : around_(std::exchange(newton_steps_of_a_try, newton_steps)) {
  limit_was_taken = false;
}

ShortSolve::~ShortSolve() { newton_steps_of_a_try = around_; }

bool ShortSolve::taken() const { return limit_was_taken; }

double ShortSolve::newton_steps() {
  limit_was_taken = true;
  return newton_steps_of_a_try;
}

double ShortSolve::around() { return newton_steps_of_a_try; }

}  // namespace stiction
