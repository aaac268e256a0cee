// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/lanes/lane_kernels.h>

#ifdef __AVX512F__
#include <immintrin.h>

namespace stiction {
namespace {
using Lanes_avx512 = double __attribute__((vector_size(64)));
inline Lanes_avx512 root_of(Lanes_avx512 x) { return _mm512_mask_sqrt_pd(x, 0xff, x); }
// Four numbers of every lane, which lie together in memory.
inline void scatter_half(const double* x, double* const* to, std::ptrdiff_t at) {
  const __m256d p = _mm256_loadu_pd(x), q = _mm256_loadu_pd(x + 8), r = _mm256_loadu_pd(x + 16);
  const __m256d s = _mm256_loadu_pd(x + 24);
  const __m256d a = _mm256_unpacklo_pd(p, q), b = _mm256_unpackhi_pd(p, q);
  const __m256d c = _mm256_unpacklo_pd(r, s), d = _mm256_unpackhi_pd(r, s);
  _mm256_storeu_pd(to[0] + at, _mm256_permute2f128_pd(a, c, 0x20));
  _mm256_storeu_pd(to[1] + at, _mm256_permute2f128_pd(b, d, 0x20));
  _mm256_storeu_pd(to[2] + at, _mm256_permute2f128_pd(a, c, 0x31));
  _mm256_storeu_pd(to[3] + at, _mm256_permute2f128_pd(b, d, 0x31));
}
inline void scatter_four(const Lanes_avx512* x, double* const* to, std::ptrdiff_t at) {
  const auto* numbers = reinterpret_cast<const double*>(x);
  scatter_half(numbers, to, at), scatter_half(numbers + 4, to + 4, at);
}
}  // namespace
}  // namespace stiction

#include <stiction/dynamics/lanes/lane_pass.h>

namespace stiction {
const LaneKernels* avx512_lanes() {
  static constexpr LaneKernels kernels = lanes_named<Lanes_avx512>("avx512");
  return &kernels;
}
}  // namespace stiction
#else
namespace stiction {
const LaneKernels* avx512_lanes() { return nullptr; }
}  // namespace stiction
#endif
