// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/lanes/lane_kernels.h>

#ifdef __SSE2__
#include <immintrin.h>

namespace stiction {
namespace {
using Lanes_sse2 = double __attribute__((vector_size(16)));
inline Lanes_sse2 root_of(Lanes_sse2 x) { return _mm_sqrt_pd(x); }
// Four numbers of every lane, which lie together in memory.
inline void scatter_four(const Lanes_sse2* x, double* const* to, std::ptrdiff_t at) {
  for (int half = 0; half < 4; half += 2) {
    _mm_storeu_pd(to[0] + at + half, _mm_unpacklo_pd(x[half], x[half + 1]));
    _mm_storeu_pd(to[1] + at + half, _mm_unpackhi_pd(x[half], x[half + 1]));
  }
}
}  // namespace
}  // namespace stiction

#include <stiction/dynamics/lanes/lane_pass.h>

namespace stiction {
const LaneKernels* sse2_lanes() {
  static constexpr LaneKernels kernels = lanes_named<Lanes_sse2>("sse2");
  return &kernels;
}
}  // namespace stiction
#else
namespace stiction {
const LaneKernels* sse2_lanes() { return nullptr; }
}  // namespace stiction
#endif
