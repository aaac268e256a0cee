// SPDX-License-Identifier: BSD-2-Clause
// How somebody outside ends a solve, Ctrl-C for one. While a SolveInterrupt lives, solves of its thread ask now and then; once
// the answer is true they end as if their time were up. Without one nothing is asked, and the bits are the same either way.
#pragma once

#include <functional>

namespace stiction {

class SolveInterrupt {
 public:
  explicit SolveInterrupt(std::function<bool()> asked);
  ~SolveInterrupt();
  SolveInterrupt(const SolveInterrupt&) = delete;
  SolveInterrupt& operator=(const SolveInterrupt&) = delete;

  static bool wanted();  // by the innermost one of this thread

 private:
  std::function<bool()> asked_;
  SolveInterrupt* around_;
};

}  // namespace stiction
