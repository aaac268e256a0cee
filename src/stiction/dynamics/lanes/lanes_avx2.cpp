// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/lanes/lane_kernels.h>

#ifdef __AVX2__
#include <immintrin.h>

namespace stiction {
namespace {
using Lanes_avx2 = double __attribute__((vector_size(32)));
inline Lanes_avx2 root_of(Lanes_avx2 x) { return _mm256_sqrt_pd(x); }
// Four numbers of every lane, which lie together in memory.
inline void scatter_four(const Lanes_avx2* x, double* const* to, std::ptrdiff_t at) {
  const __m256d a = _mm256_unpacklo_pd(x[0], x[1]), b = _mm256_unpackhi_pd(x[0], x[1]);
  const __m256d c = _mm256_unpacklo_pd(x[2], x[3]), d = _mm256_unpackhi_pd(x[2], x[3]);
  _mm256_storeu_pd(to[0] + at, _mm256_permute2f128_pd(a, c, 0x20));
  _mm256_storeu_pd(to[1] + at, _mm256_permute2f128_pd(b, d, 0x20));
  _mm256_storeu_pd(to[2] + at, _mm256_permute2f128_pd(a, c, 0x31));
  _mm256_storeu_pd(to[3] + at, _mm256_permute2f128_pd(b, d, 0x31));
}
}  // namespace
}  // namespace stiction

#include <stiction/dynamics/lanes/lane_pass.h>

namespace stiction {
const LaneKernels* avx2_lanes() {
  static constexpr LaneKernels kernels = lanes_named<Lanes_avx2>("avx2");
  return &kernels;
}
}  // namespace stiction
#else
namespace stiction {
const LaneKernels* avx2_lanes() { return nullptr; }
}  // namespace stiction
#endif
