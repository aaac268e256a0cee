// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/lanes/lane_kernels.h>

#ifdef __AVX2__
#include <immintrin.h>

namespace stiction {
namespace {
using Lanes_avx2 = double __attribute__((vector_size(32)));
inline Lanes_avx2 root_of(Lanes_avx2 x) { return _mm256_sqrt_pd(x); }
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
