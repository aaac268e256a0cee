// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/interrupt.h>

#include <utility>

namespace stiction {
namespace {

thread_local SolveInterrupt* innermost = nullptr;

}  // namespace

SolveInterrupt::SolveInterrupt(std::function<bool()> asked)
    : asked_(std::move(asked)), around_(std::exchange(innermost, this)) {}

SolveInterrupt::~SolveInterrupt() { innermost = around_; }

bool SolveInterrupt::wanted() { return innermost != nullptr && innermost->asked_(); }

}  // namespace stiction
