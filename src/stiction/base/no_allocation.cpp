// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/no_allocation.h>

#include <atomic>

namespace stiction::allocation {
namespace {

thread_local std::uint64_t allocations = 0;
std::atomic<bool> replaced{false};

}  // namespace

void record() { ++allocations; }
std::uint64_t count() { return allocations; }
void declare_counting() { replaced = true; }
bool counting() { return replaced; }

}  // namespace stiction::allocation
