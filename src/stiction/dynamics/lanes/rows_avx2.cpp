// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/lanes/row_kernels.h>

#ifdef __AVX2__
#include <immintrin.h>

namespace stiction {
namespace {

// T1, T2, N and one that means nothing.
using Rows = double __attribute__((vector_size(32)));

constexpr int kBase = 6;    // velocities of a floating base
constexpr int kColumn = 6;  // numbers of a motion subspace: lin, ang

inline Rows load(const double* x) { return _mm256_loadu_pd(x); }
inline void store(double* to, Rows x) { _mm256_storeu_pd(to, x); }
inline void store_three(double* to, Rows x) {
  _mm_storeu_pd(to, _mm256_castpd256_pd128(x));
  to[2] = x[2];
}
inline Rows all(double x) { return _mm256_set1_pd(x); }
inline Rows times(const Rows* a, double x, double y, double z) { return all(x) * a[0] + all(y) * a[1] + all(z) * a[2]; }

// The entries of the base's velocities, when those of the joints are done; on with Y z.
inline Rows whiten_base(const FloatingBody& b, Rows* base, Rows free, double* y) {
  const double *l = b.factor + b.row[b.chain[0]], *inverse = b.inverse_diagonal + b.chain[0], *z = b.z + b.chain[0];
#pragma GCC unroll 6
  for (int d = kBase - 1; d >= 0; --d) {
    base[d] = all(inverse[d]) * base[d];
    store(y + 4 * d, base[d]);
    free += all(z[d]) * base[d];
#pragma GCC unroll 6
    for (int e = 0; e < d; ++e) base[e] -= all(l[d * (d + 1) / 2 + e]) * base[d];
  }
  return free;
}

// As whiten_floating: the base's entries in `base`, those of `count` joints in `joint`. Returns Y z.
template <int count>
inline Rows whiten(const FloatingBody& b, Rows* base, Rows* joint, double* y) {
  Rows free = all(0.0);
#pragma GCC unroll 4
  for (int i = count - 1; i >= 0; --i) {
    const int velocity = b.chain[kBase + i];
    const double* l = b.factor + b.row[velocity];
    const Rows own = all(b.inverse_diagonal[velocity]) * joint[i];
    store(y + 4 * (kBase + i), own);
    free += all(b.z[velocity]) * own;
#pragma GCC unroll 4
    for (int e = 0; e < i; ++e) joint[e] -= all(l[kBase + e]) * own;
#pragma GCC unroll 6
    for (int e = 0; e < kBase; ++e) base[e] -= all(l[e]) * own;
  }
  return whiten_base(b, base, free, y);
}

// Any number of joints, whose entries are in y.
inline Rows whiten_long(const FloatingBody& b, Rows* base, double* y) {
  Rows free = all(0.0);
  for (int d = b.length - 1; d >= kBase; --d) {
    const int velocity = b.chain[d];
    const double* l = b.factor + b.row[velocity];
    const Rows own = all(b.inverse_diagonal[velocity]) * load(y + 4 * d);
    store(y + 4 * d, own);
    free += all(b.z[velocity]) * own;
    for (int e = kBase; e < d; ++e) store(y + 4 * e, load(y + 4 * e) - all(l[e]) * own);
#pragma GCC unroll 6
    for (int e = 0; e < kBase; ++e) base[e] -= all(l[e]) * own;
  }
  return whiten_base(b, base, free, y);
}

void floating(const FloatingBody& b, const PointAxes& at, double* y, double* before, double* free) {
  const double *R = b.rotation, *t = at.axes;
  const Rows world[3] = {all(at.sign) * Rows{t[0], t[1], t[2], 0.0}, all(at.sign) * Rows{t[3], t[4], t[5], 0.0},
                         all(at.sign) * Rows{t[6], t[7], t[8], 0.0}};
  double apart[3], p[3];
  for (int i = 0; i < 3; ++i) apart[i] = at.point[i] - b.translation[i];
  Rows A[kBase];  // the axes in the frame of the base, and their moments about its origin
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    p[i] = R[3 * i] * apart[0] + R[3 * i + 1] * apart[1] + R[3 * i + 2] * apart[2];
    A[i] = times(world, R[3 * i], R[3 * i + 1], R[3 * i + 2]);
  }
  const Rows x = all(p[0]), yy = all(p[1]), z = all(p[2]);
  A[3] = yy * A[2] - z * A[1], A[4] = z * A[0] - x * A[2], A[5] = x * A[1] - yy * A[0];
  const auto rows_of = [&](const double* lin, const double* ang) {  // A (lin + ang × p)
    return times(A, lin[0] + (ang[1] * p[2] - ang[2] * p[1]), lin[1] + (ang[2] * p[0] - ang[0] * p[2]),
                 lin[2] + (ang[0] * p[1] - ang[1] * p[0]));
  };
  const auto rows_of_joint = [&](int d) {
    const double* s = b.columns + kColumn * b.chain[d];
    return rows_of(s, s + 3);
  };
  store_three(before, rows_of(b.v, b.w));
  if (b.length == kBase + 3) {  // a leg's
    Rows joint[3] = {rows_of_joint(kBase), rows_of_joint(kBase + 1), rows_of_joint(kBase + 2)};
    return store_three(free, whiten<3>(b, A, joint, y));
  }
  if (b.length == kBase) return store_three(free, whiten<0>(b, A, nullptr, y));
  for (int d = kBase; d < b.length; ++d) store(y + 4 * d, rows_of_joint(d));
  store_three(free, whiten_long(b, A, y));
}

// Y_i Y_jᵀ, a register per row. Sums of even and of odd entries of the base, as pairs have them; then those of `more` joints.
struct Block {
  Rows row[3];
};
inline Block block_of(const double* own, const double* x, int more) {
  Rows base[kBase];
  for (int d = 0; d < kBase; ++d) base[d] = load(x + 4 * d);
  Block out;
#pragma GCC unroll 3
  for (int r = 0; r < 3; ++r) {
    const double* y = own + r;
    const Rows even = all(y[0]) * base[0] + all(y[8]) * base[2] + all(y[16]) * base[4];
    const Rows odd = all(y[4]) * base[1] + all(y[12]) * base[3] + all(y[20]) * base[5];
    out.row[r] = even + odd;
  }
  if (more <= 0) return out;
  Block rest{{all(0.0), all(0.0), all(0.0)}};
  for (int k = 4 * kBase; k < 4 * (kBase + more); k += 4) {
    const Rows other = load(x + k);
    for (int r = 0; r < 3; ++r) rest.row[r] += all(own[k + r]) * other;
  }
  for (int r = 0; r < 3; ++r) out.row[r] += rest.row[r];
  return out;
}

inline Block transposed(const Block& a) {
  const Rows low = _mm256_unpacklo_pd(a.row[0], a.row[1]), high = _mm256_unpackhi_pd(a.row[0], a.row[1]);
  const __m128d last = _mm256_castpd256_pd128(a.row[2]);
  return {{_mm256_insertf128_pd(low, last, 1), _mm256_insertf128_pd(high, _mm_unpackhi_pd(last, last), 1),
           _mm256_permute2f128_pd(low, a.row[2], 0x31)}};
}

// A store of four numbers writes one of the block to the right as well, which is stored later, but for the last column.
inline void store_block(double* to, int stride, const Block& x, bool last) {
  for (int r = 0; r < 3; ++r, to += stride) last ? store_three(to, x.row[r]) : store(to, x.row[r]);
}

void delassus(const double* const* y, const int* shared, int blocks, double* out) {
  const int n = 3 * blocks;
  for (int i = 0; i < blocks; ++i) {
    const bool last = i + 1 == blocks;
    for (int j = 0; j < i; ++j) {
      const Block x = block_of(y[i], y[j], shared[i * blocks + j]);
      store_block(out + 3 * (i * n + j), n, x, false);
      store_block(out + 3 * (j * n + i), n, transposed(x), last);
    }
    store_block(out + 3 * (i * n + i), n, block_of(y[i], y[i], shared[i * blocks + i]), last);
  }
}

constexpr RowKernels kernels{floating, delassus};

}  // namespace

const RowKernels* avx2_rows() { return &kernels; }

}  // namespace stiction
#else
namespace stiction {
const RowKernels* avx2_rows() { return nullptr; }
}  // namespace stiction
#endif
