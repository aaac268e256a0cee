// SPDX-License-Identifier: BSD-2-Clause
// The moment by which solves of this thread should have ended. While a SolveDeadline lives, Progress treats what is left until then
// as a time limit of every solve that begins; what a solve does until then is the same with and without one. Without a deadline no
// clock is read.
#pragma once

#include <chrono>

namespace stiction {

class SolveDeadline {
 public:
  using Clock = std::chrono::steady_clock;

  explicit SolveDeadline(Clock::time_point when);
  ~SolveDeadline();
  SolveDeadline(const SolveDeadline&) = delete;
  SolveDeadline& operator=(const SolveDeadline&) = delete;

  // Of the innermost one of this thread. Times may be asked for only if it is set.
  static bool is_set();
  static double seconds_left();  // 1e-9 if there is none
  static bool has_passed();      // false if none is set
  // The moment at which `part` of `all` of what is left is over.
  static Clock::time_point after(int part, int all);
  static void note_solved();  // the last solve has ended

  Clock::time_point solved() const { return solved_; }  // the last note; without one, the end of time

 private:
  Clock::time_point when_, solved_ = Clock::time_point::max();
  SolveDeadline* around_;
};

}  // namespace stiction
