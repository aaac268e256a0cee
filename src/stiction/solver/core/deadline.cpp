// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/deadline.h>

#include <algorithm>
#include <utility>

namespace stiction {
namespace {

thread_local SolveDeadline* nearest_deadline = nullptr;

}  // namespace

SolveDeadline::SolveDeadline(Clock::time_point when) : when_(when), around_(std::exchange(nearest_deadline, this)) {}

SolveDeadline::~SolveDeadline() { nearest_deadline = around_; }

bool SolveDeadline::is_set() { return nearest_deadline != nullptr; }

double SolveDeadline::seconds_left() {
  return std::max(std::chrono::duration<double>(nearest_deadline->when_ - Clock::now()).count(), 1e-9);
}

bool SolveDeadline::has_passed() { return is_set() && Clock::now() >= nearest_deadline->when_; }

SolveDeadline::Clock::time_point SolveDeadline::after(int part, int all) {
  const auto now = Clock::now();
  const double share = all > 0 ? static_cast<double>(part) / all : 1.0;
  return now + std::chrono::duration_cast<Clock::duration>(share * (nearest_deadline->when_ - now));
}

void SolveDeadline::note_solved() { nearest_deadline->solved_ = Clock::now(); }

}  // namespace stiction
