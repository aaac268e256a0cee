// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/growing.h>
#include <stiction/base/pair.h>
#include <stiction/step/exponential/linear_contact.h>

#include <cassert>
#include <cmath>

namespace stiction {
namespace {

// A pole with what (3) takes from it and h, as plain numbers: products of std::complex look for infinities.
struct PoleStep {
  double inverse_re, inverse_im;  // 1/r
  double step_re, step_im;        // h/r
  double rate_re, rate_im;        // r/h
};

PoleStep pole_step(const Pole& p, double h) {
  return {p.inverse.real(),     p.inverse.imag(), h * p.inverse.real(),
          h * p.inverse.imag(), p.r.real() / h,   p.r.imag() / h};
}

// Row i of (3): adds C⁻¹ to the diagonal and writes the right-hand side as row n of column i.
template <bool kComplex>
void fill_row(const LinearContact& c, const PoleStep& p, int i, int n, double* re, double* im) {
  const double k = c.stiffness[i], kp = k * c.displacement[i];
  const double g_re = c.damping[i] + p.step_re * k;
  if constexpr (kComplex) {
    const double g_im = p.step_im * k;
    const double scale = 1.0 / (g_re * g_re + g_im * g_im);
    const double gi_re = g_re * scale, gi_im = -g_im * scale;  // 1/G
    re[i] += p.rate_re * gi_re - p.rate_im * gi_im;
    im[i] = p.rate_re * gi_im + p.rate_im * gi_re;
    const double b_re = c.velocity[i] + p.step_re * c.beta[i] + gi_re * kp;
    const double b_im = p.step_im * c.beta[i] + gi_im * kp;
    re[n] = p.inverse_im * b_im - p.inverse_re * b_re;
    im[n] = -p.inverse_re * b_im - p.inverse_im * b_re;
  } else {
    const double g_inverse = 1.0 / g_re;
    re[i] += p.rate_re * g_inverse;
    re[n] = -p.inverse_re * (c.velocity[i] + p.step_re * c.beta[i] + g_inverse * kp);
  }
}

// The lower triangle of Υ + C⁻¹ with the right-hand side as one more row below it; the padding is zero.
template <bool kComplex>
void fill(const LinearContact& c, const PoleStep& p, int n, int stride, double* re, double* im) {
  for (int j = 0; j < n; ++j, re += stride, im += stride) {
    for (int i = j & ~1; i < n; ++i) re[i] = c.upsilon[j * n + i];
    re[stride - 1] = 0.0;
    if constexpr (kComplex)
      for (int i = j & ~1; i < stride; ++i) im[i] = 0.0;
    fill_row<kComplex>(c, p, j, n, re, im);
  }
}

// LDLᵀ of the n columns, rows 0…n, right-looking: a_k −= l_k a_j for the columns k behind j, with l_k = a_kj/d_j.
// 1/d stays on the diagonal, L by rows above it (l_k is entry j of column k); with row n, x ← D⁻¹L⁻¹(right-hand side).
template <bool kComplex>
void factor(int n, int stride, double* re, double* im, double* x_re, double* x_im) {
  for (int j = 0; j < n; ++j) {
    double *aj_re = re + j * stride, *aj_im = im + j * stride;
    const double d_re = aj_re[j], d_im = kComplex ? aj_im[j] : 0.0;
    const double scale = 1.0 / (kComplex ? d_re * d_re + d_im * d_im : d_re);
    const double e_re = kComplex ? d_re * scale : scale, e_im = -d_im * scale;
    for (int k = j + 1; k < n; ++k) {
      double *ak_re = re + k * stride, *ak_im = im + k * stride;
      const double u_re = aj_re[k], u_im = kComplex ? aj_im[k] : 0.0;
      const double l_re = kComplex ? u_re * e_re - u_im * e_im : u_re * e_re;
      const double l_im = kComplex ? u_re * e_im + u_im * e_re : 0.0;
      for (int i = k & ~1; i < stride; i += 2) {
        const Pair a_re = load_pair(aj_re + i);
        if constexpr (kComplex) {
          const Pair a_im = load_pair(aj_im + i);
          store_pair(ak_re + i, load_pair(ak_re + i) - a_re * both(l_re) + a_im * both(l_im));
          store_pair(ak_im + i, load_pair(ak_im + i) - a_re * both(l_im) - a_im * both(l_re));
        } else {
          store_pair(ak_re + i, load_pair(ak_re + i) - a_re * both(l_re));
        }
      }
      ak_re[j] = l_re;
      if constexpr (kComplex) ak_im[j] = l_im;
    }
    const double b_re = aj_re[n], b_im = kComplex ? aj_im[n] : 0.0;
    x_re[j] = kComplex ? b_re * e_re - b_im * e_im : b_re * e_re;
    x_im[j] = kComplex ? b_re * e_im + b_im * e_re : 0.0;
    aj_re[j] = e_re;
    if constexpr (kComplex) aj_im[j] = e_im;
  }
}

// x ← L⁻ᵀ x
template <bool kComplex>
void solve_transposed(int n, int stride, const double* re, const double* im, double* x_re, double* x_im) {
  for (int k = n - 1; k > 0; --k) {
    const double *l_re = re + k * stride, *l_im = im + k * stride;
    const double y_re = x_re[k], y_im = kComplex ? x_im[k] : 0.0;
    for (int j = 0; j < k; ++j) {
      x_re[j] -= kComplex ? l_re[j] * y_re - l_im[j] * y_im : l_re[j] * y_re;
      if constexpr (kComplex) x_im[j] -= l_re[j] * y_im + l_im[j] * y_re;
    }
  }
}

// Sizes known to the compiler (3, 6, 12) were tried: no faster.
template <bool kComplex>
void pole_load(const LinearContact& c, const PoleStep& p, int k, LinearContactWork& work) {
  const int n = work.rows(), stride = work.stride();
  double *re = work.factor_re(k), *im = work.factor_im(k), *x_re = work.load_re(k), *x_im = work.load_im(k);
  fill<kComplex>(c, p, n, stride, re, im);
  factor<kComplex>(n, stride, re, im, x_re, x_im);
  solve_transposed<kComplex>(n, stride, re, im, x_re, x_im);
}

}  // namespace

void LinearContactWork::resize(int rows, int poles) {
  rows_ = rows, poles_ = poles, stride_ = (rows + 2) & ~1;
  const std::size_t size = poles * ((2 * rows + 2) * stride_);
  grow(store_, size);
}

void pole_forces(const LinearContact& contact, Approximant approximant, LinearContactWork& work, double* average,
                 double* double_average) {
  const std::span<const Pole> all = poles(approximant);
  const int n = contact.rows;
  assert(!all.empty() && "exact, automatic and dense are no sums over poles");
  work.resize(n, static_cast<int>(all.size()));
  for (int i = 0; i < n; ++i) average[i] = double_average[i] = 0.0;
  for (int k = 0; k < work.poles(); ++k) {
    const Pole& pole = all[k];
    const PoleStep step = pole_step(pole, contact.h);
    if (pole.pair)
      pole_load<true>(contact, step, k, work);
    else
      pole_load<false>(contact, step, k, work);
    const double weight = (pole.pair ? 2.0 : 1.0) / contact.h, weight2 = 2.0 * weight;
    const double a_re = weight * pole.alpha.real(), a_im = weight * pole.alpha.imag();
    const double b_re = weight2 * pole.ratio.real(), b_im = weight2 * pole.ratio.imag();
    const double *l_re = work.load_re(k), *l_im = work.load_im(k);
    for (int i = 0; i < n; ++i) {
      average[i] += a_re * l_re[i] - a_im * l_im[i];
      double_average[i] += b_re * l_re[i] - b_im * l_im[i];
    }
  }
}

void end_of_step(const LinearContact& c, const double* average, const double* double_average, double* displacement,
                 double* velocity, double* force) {
  const int n = c.rows;
  for (int i = 0; i < n; ++i) {
    const double* row = c.upsilon + i * n;  // = column i: Υ is symmetric
    double mean = c.beta[i], mean2 = c.beta[i];
    for (int j = 0; j < n; ++j) {
      mean += row[j] * average[j];
      mean2 += row[j] * double_average[j];
    }
    velocity[i] = c.velocity[i] + c.h * mean;
    displacement[i] = c.displacement[i] + c.h * c.velocity[i] + 0.5 * c.h * c.h * mean2;
    force[i] = -c.stiffness[i] * displacement[i] - c.damping[i] * velocity[i];
  }
}

}  // namespace stiction
