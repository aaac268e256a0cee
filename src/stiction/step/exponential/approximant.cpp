// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/step/exponential/approximant.h>

#include <array>
#include <utility>
#include <vector>

namespace stiction {
namespace {

struct LongComplex {
  long double re, im;
};

// Quotients are taken in extended precision by the compiler, so that all four numbers are rounded once.
constexpr Pole pole(LongComplex r, LongComplex alpha) {
  const long double square = r.re * r.re + r.im * r.im;
  const auto narrow = [](long double re, long double im) {
    return std::complex<double>(static_cast<double>(re), static_cast<double>(im));
  };
  return {.r = narrow(r.re, r.im),
          .alpha = narrow(alpha.re, alpha.im),
          .inverse = narrow(r.re / square, -r.im / square),
          .ratio = narrow((alpha.re * r.re + alpha.im * r.im) / square, (alpha.im * r.re - alpha.re * r.im) / square),
          .pair = r.im != 0.0L};
}

// Roots of Q by Newton in 60 digits and the residues there; approximant_test.cpp rebuilds Q and P from them.
constexpr Pole kCayley11[] = {pole({2.0L, 0.0L}, {4.0L, 0.0L})};
constexpr Pole kPade22[] = {pole({3.0L, 1.7320508075688772935274463L}, {-6.0L, 10.3923048454132637611646780L})};
constexpr Pole kPade33[] = {pole({4.6443707092521711858229414L, 0.0L}, {57.2025402471485344243128531L, 0.0L}),
                            pole({3.6778146453739144070885293L, 3.5087619195674433219036612L},
                                 {-16.6012701235742672121564266L, -20.5831842793869851278878012L})};
constexpr Pole kLStable12[] = {pole({2.0L, 1.4142135623730950488016887L}, {-1.0L, 3.5355339059327376220042218L})};
constexpr Pole kLStable23[] = {pole({3.6378342527444957322084185L, 0.0L}, {18.2974981748458432747227309L, 0.0L}),
                               pole({2.6810828736277521338957907L, 3.0504301992474105694263776L},
                                    {-7.6487490874229216373613654L, -4.1716402447474374054614489L})};

constexpr std::array<std::pair<const char*, Approximant>, 8> kNames = {{{"1/1", Approximant::cayley_11},
                                                                        {"2/2", Approximant::pade_22},
                                                                        {"3/3", Approximant::pade_33},
                                                                        {"1/2", Approximant::l_stable_12},
                                                                        {"2/3", Approximant::l_stable_23},
                                                                        {"exact", Approximant::exact},
                                                                        {"auto", Approximant::automatic},
                                                                        {"dense", Approximant::dense}}};

}  // namespace

std::span<const Pole> poles(Approximant approximant) {
  switch (approximant) {
    case Approximant::cayley_11:
      return kCayley11;
    case Approximant::pade_22:
      return kPade22;
    case Approximant::pade_33:
      return kPade33;
    case Approximant::l_stable_12:
      return kLStable12;
    case Approximant::l_stable_23:
      return kLStable23;
    case Approximant::exact:
    case Approximant::automatic:
    case Approximant::dense:
      break;
  }
  return {};
}

Approximant approximant_from(const std::string& owner, const std::string& name) {
  for (const auto& [known, approximant] : kNames)
    if (name == known) return approximant;
  if (name == "0/1")
    throw InvalidInput(owner +
                       ".approximant is '0/1', which is of order 1 only: its two averages of the contact force are "
                       "inconsistent (the second is twice the first), so that position and velocity would follow "
                       "different forces; expected '1/2' or another approximant of order 2 or more");
  std::vector<std::string> names;
  for (const auto& [known, approximant] : kNames) names.emplace_back(known);
  throw InvalidInput(owner + ": " + unknown_name("approximant", name, names));
}

const char* name_of(Approximant approximant) {
  for (const auto& [name, known] : kNames)
    if (approximant == known) return name;
  return "";
}

}  // namespace stiction
