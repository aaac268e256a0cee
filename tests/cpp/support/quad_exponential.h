// SPDX-License-Identifier: BSD-2-Clause
// Oracle of the linear contact problem: the augmented matrix hĀ of specification 4.1 in 113-bit arithmetic:
//   e^{hĀ}   by a Taylor series of hĀ/2ˢ and s squarings,
//   R(hĀ) Z  for any Padé approximant [l/j], by Horner's rule and Gauss's elimination on the dense matrices.
// Neither shares a formula with the sources beyond Ā itself. Slow: about 0.4 s for eight contacts.
#pragma once

#include <stiction/base/types.h>
#include <stiction/step/exponential/linear_contact.h>

#include <cmath>
#include <utility>
#include <vector>

namespace stiction::test {

__extension__ typedef __float128 Quad;

struct QuadMatrix {
  int rows = 0, cols = 0;
  std::vector<Quad> a;
  QuadMatrix(int r, int c) : rows(r), cols(c), a(static_cast<std::size_t>(r * c), Quad(0)) {}
  Quad& operator()(int i, int j) { return a[static_cast<std::size_t>(j * rows + i)]; }
  Quad operator()(int i, int j) const { return a[static_cast<std::size_t>(j * rows + i)]; }
  static QuadMatrix identity(int n) {
    QuadMatrix m(n, n);
    for (int i = 0; i < n; ++i) m(i, i) = 1;
    return m;
  }
};

inline QuadMatrix operator*(const QuadMatrix& x, const QuadMatrix& y) {
  QuadMatrix z(x.rows, y.cols);
  for (int j = 0; j < y.cols; ++j)
    for (int k = 0; k < x.cols; ++k)
      if (const Quad f = y(k, j); f != Quad(0))
        for (int i = 0; i < x.rows; ++i) z(i, j) += x(i, k) * f;
  return z;
}

inline QuadMatrix scaled(QuadMatrix m, Quad f) {
  for (Quad& x : m.a) x *= f;
  return m;
}

// hĀ
inline QuadMatrix augmented(const LinearContact& c) {
  const int n = c.rows;
  QuadMatrix m(2 * n + 3, 2 * n + 3);
  for (int i = 0; i < n; ++i) {
    m(i, n + i) = 1;
    for (int j = 0; j < n; ++j) {
      m(n + i, j) = -Quad(c.upsilon[j * n + i]) * Quad(c.stiffness[j]);
      m(n + i, n + j) = -Quad(c.upsilon[j * n + i]) * Quad(c.damping[j]);
    }
    m(n + i, 2 * n) = c.beta[i];
    m(i, 2 * n + 1) = c.displacement[i];
    m(n + i, 2 * n + 1) = c.velocity[i];
  }
  m(2 * n, 2 * n + 1) = m(2 * n + 1, 2 * n + 2) = 1;
  return scaled(std::move(m), c.h);
}

inline QuadMatrix exponential(QuadMatrix m) {
  double norm = 0.0;
  for (int j = 0; j < m.cols; ++j) {
    double sum = 0.0;
    for (int i = 0; i < m.rows; ++i) sum += std::abs(static_cast<double>(m(i, j)));
    norm = std::max(norm, sum);
  }
  int squarings = 0;
  for (; norm > 0.0625; norm *= 0.5) ++squarings;
  m = scaled(std::move(m), Quad(std::ldexp(1.0, -squarings)));
  QuadMatrix sum = QuadMatrix::identity(m.rows), term = sum;
  for (int k = 1; k <= 18; ++k) {  // 2⁻⁷²/18! ≈ 3e-38
    term = scaled(term * m, Quad(1) / Quad(k));
    for (std::size_t i = 0; i < sum.a.size(); ++i) sum.a[i] += term.a[i];
  }
  for (int k = 0; k < squarings; ++k) sum = sum * sum;
  return sum;
}

// The two integrals of x = (Δp, ṗ), the averages of λ and, of the exponential, the state at the end.
struct QuadSolution {
  Vec integral, double_integral, average, double_average;
  Vec displacement, velocity, force;
};

// columns: the last two of e^{hĀ} or of an approximant to it
inline QuadSolution averages(const LinearContact& c, const QuadMatrix& columns) {
  const int n = c.rows;
  const Quad h = c.h;
  QuadSolution s;
  s.integral = s.double_integral = Vec(2 * n);
  s.average = s.double_average = s.displacement = s.velocity = s.force = Vec(n);
  for (int i = 0; i < 2 * n; ++i) {
    s.integral[i] = static_cast<double>(columns(i, 0));
    s.double_integral[i] = static_cast<double>(columns(i, 1));
  }
  for (int i = 0; i < n; ++i) {
    const Quad k = c.stiffness[i], b = c.damping[i];
    s.average[i] = static_cast<double>(-(k * columns(i, 0) + b * columns(n + i, 0)) / h);
    s.double_average[i] = static_cast<double>(-2 * (k * columns(i, 1) + b * columns(n + i, 1)) / (h * h));
  }
  return s;
}

inline QuadSolution solve_exactly(const LinearContact& c) {
  const int n = c.rows;
  const QuadMatrix e = exponential(augmented(c));
  QuadMatrix columns(e.rows, 2);
  for (int i = 0; i < e.rows; ++i) columns(i, 0) = e(i, 2 * n + 1), columns(i, 1) = e(i, 2 * n + 2);
  QuadSolution s = averages(c, columns);
  const auto end = [&](int row) {
    Quad x = e(row, 2 * n);
    for (int j = 0; j < n; ++j) x += e(row, j) * Quad(c.displacement[j]) + e(row, n + j) * Quad(c.velocity[j]);
    return x;
  };
  for (int i = 0; i < n; ++i) {
    const Quad p = end(i), v = end(n + i);
    s.displacement[i] = static_cast<double>(p), s.velocity[i] = static_cast<double>(v);
    s.force[i] = static_cast<double>(-Quad(c.stiffness[i]) * p - Quad(c.damping[i]) * v);
  }
  return s;
}

// Coefficient k of the numerator (count = l) or, up to the sign, of the denominator (count = j) of [l/j].
inline Quad pade_coefficient(int l, int j, int count, int k) {
  Quad b = 1;
  for (int i = 1; i <= k; ++i) b = b * Quad(count - i + 1) / (Quad(l + j - i + 1) * Quad(i));
  return b;
}

// x ← a⁻¹ x
inline void eliminate(QuadMatrix a, QuadMatrix& x) {
  const int n = a.rows;
  const auto size = [](Quad q) { return q < Quad(0) ? -q : q; };
  for (int j = 0; j < n; ++j) {
    int best = j;
    for (int i = j + 1; i < n; ++i)
      if (size(a(i, j)) > size(a(best, j))) best = i;
    for (int k = 0; k < n; ++k) std::swap(a(j, k), a(best, k));
    for (int k = 0; k < x.cols; ++k) std::swap(x(j, k), x(best, k));
    for (int i = j + 1; i < n; ++i) {
      const Quad f = a(i, j) / a(j, j);
      if (f == Quad(0)) continue;
      for (int k = j; k < n; ++k) a(i, k) -= f * a(j, k);
      for (int k = 0; k < x.cols; ++k) x(i, k) -= f * x(j, k);
    }
  }
  for (int k = 0; k < x.cols; ++k)
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j < n; ++j) x(i, k) -= a(i, j) * x(j, k);
      x(i, k) /= a(i, i);
    }
}

// [l/j] of e^{hĀ}: Q(hĀ) X = P(hĀ) Z
inline QuadSolution solve_with_pade(const LinearContact& c, int l, int j) {
  const QuadMatrix m = augmented(c);
  const int n = m.rows;
  QuadMatrix z(n, 2), columns(n, 2), denominator(n, n);
  z(n - 2, 0) = z(n - 1, 1) = 1;
  for (int k = l; k >= 0; --k) {
    columns = m * columns;
    for (std::size_t i = 0; i < z.a.size(); ++i) columns.a[i] += pade_coefficient(l, j, l, k) * z.a[i];
  }
  for (int k = j; k >= 0; --k) {
    denominator = m * denominator;
    for (int i = 0; i < n; ++i) denominator(i, i) += (k % 2 == 0 ? 1 : -1) * pade_coefficient(l, j, j, k);
  }
  eliminate(std::move(denominator), columns);
  return averages(c, columns);
}

}  // namespace stiction::test
