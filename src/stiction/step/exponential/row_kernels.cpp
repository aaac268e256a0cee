// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/pair.h>
#include <stiction/step/exponential/row_kernels.h>

#include <algorithm>

namespace stiction {
namespace {

// Rows begin at multiples of 16 bytes: such loads are part of the instruction that uses them.
using Aligned = double __attribute__((vector_size(16), may_alias));
inline Pair aligned(const double* x) { return *reinterpret_cast<const Aligned*>(x); }
inline void put(double* x, Pair p) { *reinterpret_cast<Aligned*>(x) = p; }

// Four columns of one row, real and imaginary parts.
template <bool kComplex>
struct Four {
  Pair re0, re1, im0, im1;

  void load(const double* re, const double* im) {
    re0 = aligned(re), re1 = aligned(re + 2);
    if constexpr (kComplex) im0 = aligned(im), im1 = aligned(im + 2);
  }
  void store(double* re, double* im) const {
    put(re, re0), put(re + 2, re1);
    if constexpr (kComplex) put(im, im0), put(im + 2, im1);
  }
  void subtract(double l_re, double l_im, const double* re, const double* im) {
    const Pair x = both(l_re), a0 = aligned(re), a1 = aligned(re + 2);
    if constexpr (kComplex) {  // products are summed first: one addition per step in each chain
      const Pair y = both(l_im), b0 = aligned(im), b1 = aligned(im + 2);
      re0 -= x * a0 - y * b0, re1 -= x * a1 - y * b1;
      im0 -= x * b0 + y * a0, im1 -= x * b1 + y * a1;
    } else {
      re0 -= x * a0, re1 -= x * a1;
    }
  }
  void scale(double e_re, double e_im) {
    const Pair x = both(e_re);
    if constexpr (kComplex) {
      const Pair y = both(e_im), a0 = re0, a1 = re1;
      re0 = x * a0 - y * im0, re1 = x * a1 - y * im1;
      im0 = x * im0 + y * a0, im1 = x * im1 + y * a1;
    } else {
      re0 *= x, re1 *= x;
    }
  }
};

template <bool kComplex>
void solve_four(int n, int stride, const double* l_re, const double* l_im, int width, double* re, double* im) {
  Four<kComplex> x;
  for (int k = 1; k < n; ++k) {
    x.load(re + k * width, im + k * width);
    for (int j = 0; j < k; ++j)
      x.subtract(l_re[k * stride + j], kComplex ? l_im[k * stride + j] : 0.0, re + j * width, im + j * width);
    x.store(re + k * width, im + k * width);
  }
  for (int j = n - 1; j >= 0; --j) {
    x.load(re + j * width, im + j * width);
    x.scale(l_re[j * stride + j], kComplex ? l_im[j * stride + j] : 0.0);
    for (int k = j + 1; k < n; ++k)
      x.subtract(l_re[k * stride + j], kComplex ? l_im[k * stride + j] : 0.0, re + k * width, im + k * width);
    x.store(re + j * width, im + j * width);
  }
}

// out (three rows) += Σ_d y_d x_d, four columns at a time: y_d are the three numbers of chain entry d, x_d a row of x.
void add_three_rows(const int* chain, const RowSide& side, const double* y, const double* x, int stride, int width,
                    double* out) {
  for (int c = 0; c < width; c += 4) {
    double *o0 = out + c, *o1 = o0 + stride, *o2 = o1 + stride;
    Pair a0 = aligned(o0), a1 = aligned(o0 + 2), b0 = aligned(o1), b1 = aligned(o1 + 2), c0 = aligned(o2),
         c1 = aligned(o2 + 2);
    for (int d = 0; d < side.length; ++d) {
      const double* row = x + static_cast<std::ptrdiff_t>(chain[d]) * stride + c;
      const Pair x0 = aligned(row), x1 = aligned(row + 2);
      const Pair y0 = both(y[4 * d]), y1 = both(y[4 * d + 1]), y2 = both(y[4 * d + 2]);
      a0 += y0 * x0, a1 += y0 * x1, b0 += y1 * x0, b1 += y1 * x1, c0 += y2 * x0, c1 += y2 * x1;
    }
    put(o0, a0), put(o0 + 2, a1), put(o1, b0), put(o1 + 2, b1), put(o2, c0), put(o2 + 2, c1);
  }
}

// x_d += Σ_r y_dr rows_r: the transpose of the above.
void add_to_chain(const int* chain, const RowSide& side, const double* y, const double* rows, int stride, int width,
                  double* x) {
  for (int c = 0; c < width; c += 4) {
    const double *r0 = rows + c, *r1 = r0 + stride, *r2 = r1 + stride;
    const Pair a0 = aligned(r0), a1 = aligned(r0 + 2), b0 = aligned(r1), b1 = aligned(r1 + 2), c0 = aligned(r2),
               c1 = aligned(r2 + 2);
    for (int d = 0; d < side.length; ++d) {
      double* row = x + static_cast<std::ptrdiff_t>(chain[d]) * stride + c;
      const Pair y0 = both(y[4 * d]), y1 = both(y[4 * d + 1]), y2 = both(y[4 * d + 2]);
      put(row, aligned(row) + (y0 * a0 + y1 * b0 + y2 * c0));
      put(row + 2, aligned(row + 2) + (y0 * a1 + y1 * b1 + y2 * c1));
    }
  }
}

}  // namespace

void multiply_rows(const Layout& layout, const RowSet& set, const int* first, const double* x, int stride, int width,
                   double* out) {
  for (std::size_t i = 0; i < set.blocks.size(); ++i) {
    const RowBlock& block = set.blocks[i];
    double* rows = out + static_cast<std::ptrdiff_t>(first[i]) * stride;
    for (int r = 0; r < block.rows; ++r) std::fill_n(rows + r * stride, width, 0.0);
    for (int s = 0; s < block.sides; ++s) {
      const RowSide& side = block.side[s];
      const int* chain = layout.chain.data() + layout.bodies[side.body].chain;
      const double* y = set.values.data() + side.offset;
      if (block.rows == 3)
        add_three_rows(chain, side, y, x, stride, width, rows);
      else
        for (int d = 0; d < side.length; ++d)
          add_scaled(y[d], x + static_cast<std::ptrdiff_t>(chain[d]) * stride, width, rows);
    }
  }
}

void add_transposed_rows(const Layout& layout, const RowSet& set, const int* first, const double* rows, int stride,
                         int width, double* x) {
  for (std::size_t i = 0; i < set.blocks.size(); ++i) {
    const RowBlock& block = set.blocks[i];
    const double* own = rows + static_cast<std::ptrdiff_t>(first[i]) * stride;
    for (int s = 0; s < block.sides; ++s) {
      const RowSide& side = block.side[s];
      const int* chain = layout.chain.data() + layout.bodies[side.body].chain;
      const double* y = set.values.data() + side.offset;
      if (block.rows == 3)
        add_to_chain(chain, side, y, own, stride, width, x);
      else
        for (int d = 0; d < side.length; ++d)
          add_scaled(y[d], own, width, x + static_cast<std::ptrdiff_t>(chain[d]) * stride);
    }
  }
}

void solve_with_pole_many(const LinearContactWork& work, const Pole& pole, int k, int width, double* re, double* im) {
  const int n = work.rows(), stride = work.stride();
  const double *l_re = work.factor_re(k), *l_im = work.factor_im(k);
  for (int j = 0; j < width; j += 4) {
    if (pole.pair)
      solve_four<true>(n, stride, l_re, l_im, width, re + j, im + j);
    else
      solve_four<false>(n, stride, l_re, l_im, width, re + j, im + j);
  }
}

}  // namespace stiction
