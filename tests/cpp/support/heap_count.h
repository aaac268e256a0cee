// SPDX-License-Identifier: BSD-2-Clause
// Counts heap allocations of the whole program: malloc and its kin are replaced, so that operator new, Eigen and the
// libraries are all seen. Weak, so that several test files of one executable may include it. Counts nothing under the
// sanitizers, which have their own malloc (kCountsAllocations tells).
#pragma once

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

namespace stiction::test {

inline std::atomic<long> allocation_count{0};

// Allocations since construction.
class HeapCount {
 public:
  long count() const { return allocation_count.load() - start_; }

 private:
  long start_ = allocation_count.load();
};

}  // namespace stiction::test

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
namespace stiction::test {
inline constexpr bool kCountsAllocations = false;
}
#else
namespace stiction::test {
inline constexpr bool kCountsAllocations = true;
}
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

__attribute__((weak)) void* malloc(std::size_t size) noexcept {
  ++stiction::test::allocation_count;
  return __libc_malloc(size);
}
__attribute__((weak)) void* calloc(std::size_t n, std::size_t size) noexcept {
  ++stiction::test::allocation_count;
  return __libc_calloc(n, size);
}
__attribute__((weak)) void* realloc(void* old, std::size_t size) noexcept {
  ++stiction::test::allocation_count;
  return __libc_realloc(old, size);
}
__attribute__((weak)) void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++stiction::test::allocation_count;
  return __libc_memalign(alignment, size);
}
__attribute__((weak)) int posix_memalign(void** out, std::size_t alignment, std::size_t size) noexcept {
  ++stiction::test::allocation_count;
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}
}
#endif
