// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/growing.h>
#include <stiction/step/exponential/dense_exponential.h>
#include <stiction/step/exponential/square_matrix.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr int kMatrices = 8, kMaxSweeps = 100, kMaxOrder = 13;
constexpr int kOrders[] = {1, 2, 3, 5, 7, 9, 13};  // by products
constexpr double kLargestNorm13 = 5.371920351148152;

// Matrices of the evaluation, all of one size, in the work's storage.
struct Matrices {
  SquareSize size;
  double *a, *power[4], *even, *odd, *other;  // N, N² N⁴ N⁶ N⁸, V, U, scratch

  Matrices(SquareSize s, DenseWork& work) : size(s) {
    const std::size_t area = s.area();
    grow(work.store, kMatrices * area);
    double* next = work.store.data();
    for (double** m : {&a, &power[0], &power[1], &power[2], &power[3], &even, &odd, &other}) *m = next, next += area;
  }
};

// a ← hĀ of (1)
void assemble(const LinearContact& c, SquareSize size, double* a) {
  const int n = c.rows, stride = size.stride;
  std::fill(a, a + size.area(), 0.0);
  for (int j = 0; j < n; ++j) {
    double *position = a + j * stride, *velocity = a + (n + j) * stride;
    velocity[j] = c.h;
    for (int i = 0; i < n; ++i) {
      position[n + i] = -c.h * c.upsilon[j * n + i] * c.stiffness[j];
      velocity[n + i] = -c.h * c.upsilon[j * n + i] * c.damping[j];
    }
  }
  double *b = a + 2 * n * stride, *x = b + stride, *last = x + stride;
  for (int i = 0; i < n; ++i) {
    b[n + i] = c.h * c.beta[i];
    x[i] = c.h * c.displacement[i];
    x[n + i] = c.h * c.velocity[i];
  }
  x[2 * n] = last[2 * n + 1] = c.h;
}

// The power of two that brings the sums of row and column i together; 1 where it would gain less than 5 %.
double balancing_factor(SquareSize size, const double* a, int i) {
  double c = 0.0, r = 0.0, f = 1.0;
  for (int k = 0; k < size.n; ++k) {
    c += std::abs(a[i * size.stride + k]);
    r += std::abs(a[k * size.stride + i]);
  }
  if (c == 0.0 || r == 0.0) return 1.0;
  const double before = c * c + r * r;
  while (2.0 * c < r) c *= 2.0, r *= 0.5, f *= 2.0;
  while (c >= 2.0 * r) c *= 0.5, r *= 2.0, f *= 0.5;
  return c * c + r * r < 0.95 * before ? f : 1.0;
}

// a ← S⁻¹ a S, without permutation. The norm of a is finite.
void balance(SquareSize size, double* a, double* scale) {
  bool changed = true;
  for (int sweep = 0; changed && sweep < kMaxSweeps; ++sweep) {
    changed = false;
    for (int i = 0; i < size.n; ++i) {
      const double f = balancing_factor(size, a, i);
      if (f == 1.0) continue;
      changed = true;
      scale[i] *= f;
      for (int k = 0; k < size.n; ++k) a[i * size.stride + k] *= f;
      for (int k = 0; k < size.n; ++k) a[k * size.stride + i] /= f;
    }
  }
}

// Order and squarings for ‖N‖₁ by Higham's rule, then the cap.
void choose_order(const DenseOptions& options, DenseStatistics& s) {
  constexpr double kLargestNorm[] = {1.495585217958292e-2, 2.539398330063230e-1, 9.504178996162932e-1,
                                     2.097847961257068};  // of orders 3, 5, 7, 9
  s.wanted = 2;
  for (const double largest : kLargestNorm) s.wanted += s.balanced_norm < largest ? 0 : 1;
  if (s.wanted == 6) {
    int exponent = 0;
    std::frexp(s.balanced_norm / kLargestNorm13, &exponent);
    s.wanted += std::max(0, exponent);
  }
  s.products = options.products < 0 ? s.wanted : std::min(s.wanted, options.products);
  s.order = kOrders[std::min(s.products, 6)];
  s.squarings = std::max(0, s.products - 6);
}

// out ← Σ_k b_{first + 2k} N^{2k} over k < count, with N⁰ = I; out may not be a power.
void sum_of_powers(const Matrices& m, const double* b, int first, int count, double* out) {
  const int area = m.size.area();
  std::fill(out, out + area, 0.0);
  for (int i = 0; i < m.size.n; ++i) out[i * (m.size.stride + 1)] = b[first];
  for (int k = 1; k < count; ++k) {
    const double *power = m.power[k - 1], factor = b[first + 2 * k];
    for (int i = 0; i < area; ++i) out[i] += factor * power[i];
  }
}

// Order 13: N⁶ is taken out of the upper half, which saves N⁸, N¹⁰ and N¹².
void add_upper_half(const Matrices& m, const double* b, int first, double* out) {
  const int area = m.size.area();
  double *inner = m.other, *product = m.power[3];
  for (int i = 0; i < area; ++i)
    inner[i] = b[first] * m.power[0][i] + b[first + 2] * m.power[1][i] + b[first + 4] * m.power[2][i];
  multiply(m.size, m.power[2], inner, product);
  for (int i = 0; i < area; ++i) out[i] += product[i];
}

// even ← V + U, odd ← V − U with V and U the even and odd parts of Σ b_k N^k.
void pade_sums(const Matrices& m, int order) {
  double b[kMaxOrder + 1] = {1.0};
  for (int k = 1; k <= order; ++k) b[k] = b[k - 1] * (order - k + 1) / ((2 * order - k + 1) * k);
  const int area = m.size.area(), highest = std::min(order / 2, order == kMaxOrder ? 3 : 4);
  if (highest > 0) multiply(m.size, m.a, m.a, m.power[0]);
  for (int k = 1; k < highest; ++k) multiply(m.size, m.power[0], m.power[k - 1], m.power[k]);
  sum_of_powers(m, b, 0, highest + 1, m.even);
  if (order == kMaxOrder) add_upper_half(m, b, 8, m.even);
  if (order <= 2) {
    for (int i = 0; i < area; ++i) m.odd[i] = b[1] * m.a[i];
  } else {
    double* inner = m.odd;
    sum_of_powers(m, b, 1, highest + 1, inner);
    if (order == kMaxOrder) add_upper_half(m, b, 9, inner);
    multiply(m.size, m.a, inner, m.other);
    std::copy(m.other, m.other + area, m.odd);
  }
  for (int i = 0; i < area; ++i) {
    const double even = m.even[i], odd = m.odd[i];
    m.even[i] = even + odd, m.odd[i] = even - odd;
  }
}

// The last two columns of e^N: by solving for them alone, or by squaring, the last few times on these columns only.
const double* last_columns(const Matrices& m, const DenseStatistics& s) {
  const int n = m.size.n, stride = m.size.stride;
  pade_sums(m, s.order);
  double *numerator = m.even, *denominator = m.odd, *last = numerator + (n - 2) * stride;
  if (s.squarings == 0) {
    solve_in_place(m.size, denominator, last, 2);
    return last;
  }
  solve_in_place(m.size, denominator, numerator, n);
  const int on_columns = std::min(s.squarings, static_cast<int>(std::floor(1.4427 * std::log(0.5 * n) + 0.529)));
  double *power = numerator, *next = m.other;
  for (int k = 0; k < s.squarings - on_columns; ++k) {
    multiply(m.size, power, power, next);
    std::swap(power, next);
  }
  double *x = m.power[0], *y = m.power[1];
  std::copy(power + (n - 2) * stride, power + n * stride, x);  // T Z
  for (long k = 1; k < (1L << on_columns); ++k) {
    multiply_columns(m.size, power, x, 2, y);
    std::swap(x, y);
  }
  return x;
}

}  // namespace

void dense_integrals(const LinearContact& contact, const DenseOptions& options, DenseWork& work, double* integral,
                     double* double_integral) {
  const SquareSize size(2 * contact.rows + 3);
  const Matrices m(size, work);
  const int n = size.n, top = 2 * contact.rows;
  DenseStatistics& s = work.statistics;
  s = {};
  assemble(contact, size, m.a);
  s.norm = s.balanced_norm = norm_1(size, m.a);
  if (!std::isfinite(s.norm)) {
    std::fill(integral, integral + top, std::numeric_limits<double>::quiet_NaN());
    std::fill(double_integral, double_integral + top, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  work.scale.assign(n, 1.0);
  double* scale = work.scale.data();
  if (options.balance) {
    balance(size, m.a, scale);
    s.balanced_norm = norm_1(size, m.a);
  }
  choose_order(options, s);
  const double shrink = std::ldexp(1.0, -s.squarings);
  for (int i = 0; i < size.area(); ++i) m.a[i] *= shrink;
  const double* x = last_columns(m, s);
  for (int i = 0; i < top; ++i) {
    integral[i] = x[i] * (scale[i] / scale[n - 2]);
    double_integral[i] = x[size.stride + i] * (scale[i] / scale[n - 1]);
  }
}

void dense_forces(const LinearContact& contact, const DenseOptions& options, DenseWork& work, double* average,
                  double* double_average) {
  const int n = contact.rows;
  const std::size_t top = 2 * n;
  grow(work.integrals, 2 * top);
  double *x = work.integrals.data(), *x2 = x + top;
  dense_integrals(contact, options, work, x, x2);
  const double h = contact.h;
  for (int i = 0; i < n; ++i) {
    average[i] = -(contact.stiffness[i] * x[i] + contact.damping[i] * x[n + i]) / h;
    double_average[i] = -2.0 * (contact.stiffness[i] * x2[i] + contact.damping[i] * x2[n + i]) / (h * h);
  }
}

}  // namespace stiction
