// SPDX-License-Identifier: BSD-2-Clause
// Where the time of a step goes. Off until asked for: a branch per stage is all that it costs then.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>

namespace stiction {

enum class Stage : std::size_t { kinematics, detect, factor, assemble, solve, integrate, rest };
constexpr std::array kStageNames{"kinematics", "detect", "factor", "assemble", "solve", "integrate", "rest"};

class StageClock {
 public:
  void start(bool on) { on_ = on, spent_.fill(0.0); }
  void begin() {
    if (on_) last_ = Clock::now();
  }
  // The time since the last call belongs to `stage`.
  void lap(Stage stage) {
    if (!on_) return;
    const Clock::time_point now = Clock::now();
    spent_[static_cast<std::size_t>(stage)] += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }
  const std::array<double, kStageNames.size()>& spent() const { return spent_; }  // [s], in the order of kStageNames

 private:
  using Clock = std::chrono::steady_clock;
  bool on_ = false;
  Clock::time_point last_{};
  std::array<double, kStageNames.size()> spent_{};
};

}  // namespace stiction
