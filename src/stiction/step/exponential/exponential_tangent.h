// SPDX-License-Identifier: BSD-2-Clause
// Private to exponential_derivatives.cpp and exponential_loads.cpp: one call's sizes and where things lie.
#pragma once

#include <stiction/step/exponential/exponential_derivatives.h>

#include <span>

namespace stiction::tangent {

inline int four(int n) { return (n + 3) & ~3; }
inline double* row_of(std::vector<double>& x, int i, int width) { return x.data() + i * width; }

// One acceleration at which D is taken: a pole's real or imaginary part, or the correction δ of a projected average.
struct Load {
  bool with_bias;
  int column;  // of its D in the whitened block
};
constexpr int kLoads = 8;  // two pairs of poles and two corrections are six

struct Tangent {
  const SoftContext& c;
  const ExponentialStep& step;
  ExponentialTangentWork& w;
  std::span<const Pole> poles;
  int nv, ntau, rows;
  int plain;        // 2nv + ntau
  int columns;      // and three per anchor that the state holds at the start
  int padded;       // the same as a multiple of four
  int width;        // of dλ and dv̇: λ̄ and λ̿ side by side
  int stride;       // of the whitened block [∂/∂v, S, D of every load]
  int felt;         // its columns that contacts feel: all but the corrections
  int loads;        // with
  int corrections;  // of them, the last ones
  int lanes;        // loads as a multiple of four
  Load load[kLoads];

  const LinearContactWork& factors(int island) const {
    return c.work.islands.count() == 1 ? step.averages.poles : w.islands[island];
  }
};

// Sizes and loads; what they are; their D, ∂/∂v and S whitened, and ∂(J a + J̇v)/∂q.
Tangent plan(const SoftContext& c, const ExponentialStep& step, ExponentialTangentWork& work);
void fill_loads(Tangent& t);
void fill_whitened(Tangent& t);

}  // namespace stiction::tangent
