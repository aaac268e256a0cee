// SPDX-License-Identifier: BSD-2-Clause
// Oracle: the Padé approximant [l/j] of e^z,
//   P = Σ (l+j−k)! l!/((l+j)! k! (l−k)!) z^k,   Q = Σ (l+j−k)! j!/((l+j)! k! (j−k)!) (−z)^k.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/step/exponential/approximant.h>

#include <cmath>
#include <vector>

namespace stiction {
namespace {

using Complex = std::complex<long double>;

struct Named {
  Approximant approximant;
  int l, j;
  const char* name;
};
constexpr Named kAll[] = {{Approximant::cayley_11, 1, 1, "1/1"},
                          {Approximant::pade_22, 2, 2, "2/2"},
                          {Approximant::pade_33, 3, 3, "3/3"},
                          {Approximant::l_stable_12, 1, 2, "1/2"},
                          {Approximant::l_stable_23, 2, 3, "2/3"}};

long double coefficient(int l, int j, int count, int k) {
  long double b = 1.0L;
  for (int i = 1; i <= k; ++i) b *= static_cast<long double>(count - i + 1) / ((l + j - i + 1) * i);
  return b;
}

template <class Use>
void for_each_pole(const Named& n, Use&& use) {
  for (const Pole& p : poles(n.approximant)) {
    use(Complex(p.r), Complex(p.alpha));
    if (p.pair) use(std::conj(Complex(p.r)), std::conj(Complex(p.alpha)));
  }
}

TEST(Approximant, PolesAreTheRootsOfTheDenominator) {
  for (const Named& n : kAll) {
    std::vector<Complex> product{1.0L};  // Π (1 − z/r)
    for_each_pole(n, [&](Complex r, Complex) {
      product.emplace_back(0.0L);
      for (std::size_t k = product.size() - 1; k > 0; --k) product[k] -= product[k - 1] / r;
    });
    ASSERT_EQ(product.size(), static_cast<std::size_t>(n.j + 1)) << n.name;
    for (int k = 0; k <= n.j; ++k) {
      const long double expected = (k % 2 == 0 ? 1 : -1) * coefficient(n.l, n.j, n.j, k);
      EXPECT_LT(std::abs(product[static_cast<std::size_t>(k)] - expected), 4e-16L * std::abs(expected))
          << n.name << " z^" << k;
    }
  }
}

TEST(Approximant, PartialFractionsGiveTheQuotient) {
  for (const Named& n : kAll) {
    const auto quotient = [&](long double z) {
      long double p = 0.0L, q = 0.0L;
      for (int k = n.l; k >= 0; --k) p = p * z + coefficient(n.l, n.j, n.l, k);
      for (int k = n.j; k >= 0; --k) q = -q * z + coefficient(n.l, n.j, n.j, k);
      return p / q;
    };
    const long double at_infinity = n.l < n.j ? 0.0L : (n.l % 2 == 0 ? 1.0L : -1.0L);
    for (const long double z : {-700.0L, -30.0L, -3.0L, -0.5L, 0.0L, 0.25L, 1.0L}) {
      Complex sum = at_infinity;
      for_each_pole(n, [&](Complex r, Complex alpha) { sum += alpha / (r - z); });
      EXPECT_LT(std::abs(sum - quotient(z)), 2e-15L) << n.name << " at " << static_cast<double>(z);
    }
  }
}

// Oracle: Σ α_k / r_k^{m+1} is the coefficient of z^m, 1/m! up to the order l + j.
TEST(Approximant, IsOfItsOrder) {
  for (const Named& n : kAll) {
    long double factorial = 1.0L;
    for (int m = 1; m <= n.l + n.j + 1; ++m) {
      factorial *= m;
      Complex sum = 0.0L;
      for_each_pole(n, [&](Complex r, Complex alpha) { sum += alpha / std::pow(r, m + 1); });
      const long double defect = std::abs(sum * factorial - 1.0L);
      if (m <= n.l + n.j)
        EXPECT_LT(defect, 2e-14L) << n.name << " z^" << m;
      else
        EXPECT_GT(defect, 1e-3L) << n.name << " has a higher order than it should";
    }
  }
}

TEST(Approximant, QuotientsAreRounded) {
  for (const Named& n : kAll)
    for (const Pole& p : poles(n.approximant)) {
      EXPECT_GT(p.r.real(), 0.0);
      EXPECT_EQ(p.pair, p.r.imag() != 0.0);
      EXPECT_LT(std::abs(Complex(p.inverse) * Complex(p.r) - 1.0L), 3e-16L) << n.name;
      EXPECT_LT(std::abs(Complex(p.ratio) * Complex(p.r) - Complex(p.alpha)), 3e-16L * std::abs(Complex(p.alpha)))
          << n.name;
    }
  for (const Approximant other : {Approximant::exact, Approximant::automatic, Approximant::dense})
    EXPECT_TRUE(poles(other).empty());
}

TEST(Approximant, NamesGoBothWays) {
  for (const char* name : {"1/1", "2/2", "3/3", "1/2", "2/3", "exact", "auto", "dense"})
    EXPECT_STREQ(name_of(approximant_from("exponential", name)), name);
  for (const Named& n : kAll) EXPECT_EQ(approximant_from("exponential", n.name), n.approximant);
}

std::string refusal(const std::string& name) {
  try {
    approximant_from("exponential", name);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

// Acceptance test 9.
TEST(Approximant, TheOneOfOrderOneIsRefusedWithItsReason) {
  const std::string text = refusal("0/1");
  EXPECT_NE(text.find("exponential.approximant"), std::string::npos) << text;
  EXPECT_NE(text.find("order 1"), std::string::npos) << text;
}

TEST(Approximant, UnknownNamesAreRefused) {
  for (const char* name : {"", "2/1", "1/3", "Exact", "1 / 2"}) {
    const std::string text = refusal(name);
    EXPECT_NE(text.find("unknown approximant '" + std::string(name) + "'"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace stiction
