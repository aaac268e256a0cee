// SPDX-License-Identifier: BSD-2-Clause
// Replaces the allocation functions of a test executable by counting ones. Include in exactly ONE source file of the
// executable (solver_tests: base/no_allocation_test.cpp); every other file uses AllocationCounter of
// <stiction/base/no_allocation.h>.
// Eigen allocates with malloc, so operator new alone would miss it: with glibc malloc itself is replaced (operator new
// calls it). Elsewhere, and under the address sanitizer, which owns malloc, nothing counts and counting() is false.
#pragma once

#include <stiction/base/no_allocation.h>

#include <cerrno>
#include <cstdlib>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* p, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  stiction::allocation::record();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  stiction::allocation::record();
  return __libc_calloc(count, size);
}
void* realloc(void* p, std::size_t size) {
  stiction::allocation::record();
  return __libc_realloc(p, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  stiction::allocation::record();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  stiction::allocation::record();
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
}

namespace stiction::allocation {
inline const bool kDeclared = (declare_counting(), true);
}

#endif
