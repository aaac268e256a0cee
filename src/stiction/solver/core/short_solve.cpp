// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/short_solve.h>

#include <utility>

namespace stiction {
namespace {

thread_local double newton_steps_of_a_try = 0.0;

}  // namespace

ShortSolve::ShortSolve(double newton_steps) : around_(std::exchange(newton_steps_of_a_try, newton_steps)) {}

ShortSolve::~ShortSolve() { newton_steps_of_a_try = around_; }

double ShortSolve::newton_steps() { return newton_steps_of_a_try; }

}  // namespace stiction
