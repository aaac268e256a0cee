// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/lanes/lane_kernels.h>

#ifdef __AVX512F__
#include <immintrin.h>

namespace stiction {
namespace {
using Lanes_avx512 = double __attribute__((vector_size(64)));
inline Lanes_avx512 root_of(Lanes_avx512 x) { return _mm512_mask_sqrt_pd(x, 0xff, x); }
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
