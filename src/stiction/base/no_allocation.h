// SPDX-License-Identifier: BSD-2-Clause
// Counts heap allocations of the calling thread, to prove that a hot path makes none.
// The library only keeps the counter. It moves if the executable replaces the allocation functions by counting ones, which
// tests do by including tests/cpp/support/counting_allocator.h in one source file; `counting()` says whether they did.
#pragma once

#include <cstdint>

namespace stiction {

namespace allocation {
void record();            // called by the counting allocator
std::uint64_t count();    // allocations of this thread so far
void declare_counting();  // called once by the counting allocator
bool counting();          // false: nothing counts, and a count of 0 proves nothing
}  // namespace allocation

// Allocations of this thread since construction.
class AllocationCounter {
 public:
  AllocationCounter() : start_(allocation::count()) {}
  std::uint64_t count() const { return allocation::count() - start_; }

 private:
  std::uint64_t start_;
};

}  // namespace stiction
