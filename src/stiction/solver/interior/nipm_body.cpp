// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/growing.h>
#include <stiction/solver/interior/nipm_body.h>

#include <algorithm>

namespace stiction {
namespace {

// C (6×6, column-major) += Xᵀ Y, both 3×6 row-major: the pair of two free bodies at one contact.
inline void accumulate_3x6(double* __restrict__ C, const double* __restrict__ X, const double* __restrict__ Y) {
  for (int j = 0; j < 6; ++j) {
    const double y0 = Y[j], y1 = Y[6 + j], y2 = Y[12 + j];
    for (int i = 0; i < 6; ++i) C[j * 6 + i] += X[i] * y0 + X[6 + i] * y1 + X[12 + i] * y2;
  }
}

}  // namespace

void NipmBody::prepare(const ContactProblem& p) {
  const BodySpace& body = p.G.body;
  factor_.begin_pattern(body.group_start);
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    for (int s = body.term_start[i]; s < body.term_start[i + 1]; ++s)
      for (int t = s + 1; t < body.term_start[i + 1]; ++t) factor_.connect(body.terms[s].group, body.terms[t].group);
  factor_.finish_pattern();
  full_.resize(body.terms.size());
  for (std::size_t t = 0; t < body.terms.size(); ++t)
    full_[t] = body.terms[t].width == 6 && factor_.group_size(body.terms[t].group) == 6;
  pair_.clear();
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t)
      for (int s = body.term_start[i]; s < body.term_start[i + 1]; ++s) {
        const int a = body.terms[s].group, b = body.terms[t].group;
        const bool later = factor_.position(a) > factor_.position(b);
        pair_.push_back(a == b ? -1 : factor_.find_block(later ? a : b, later ? b : a));
      }
}

// target += H_sᵀ (P H_t), column-major, or its transpose if not `plain`.
void NipmBody::add_pair(const BodySpace& body, int s, int t, int size, double* target, bool plain) {
  const BodySpace::Term &ts = body.terms[s], &tt = body.terms[t];
  const double* h = body.values.data() + ts.offset;
  if (size == 3 && full_[s] && full_[t]) {
    plain ? accumulate_3x6(target, h, scaled_.data()) : accumulate_3x6(target, scaled_.data(), h);
    return;
  }
  const int *cs = body.column.data() + ts.columns, *ct = body.column.data() + tt.columns;
  const int s0 = body.group_start[ts.group], t0 = body.group_start[tt.group];
  const int ld = factor_.group_size(plain ? ts.group : tt.group);
  for (int k = 0; k < size; ++k)
    for (int c = 0; c < tt.width; ++c) {
      const double y = scaled_[k * tt.width + c];
      const int j = ct[c] - t0;
      for (int r = 0; r < ts.width; ++r) {
        const int i = cs[r] - s0;
        target[plain ? j * ld + i : i * ld + j] += h[k * ts.width + r] * y;
      }
    }
}

// scaled_ = P_i H_t
void NipmBody::scale_rows(const BodySpace::Term& term, const double* h, const double* weight, int size) {
  grow(scaled_, size * term.width);
  double* out = scaled_.data();
  if (size == 3 && term.width == 6) {
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 6; ++c)
        out[6 * r + c] = weight[3 * r] * h[c] + weight[3 * r + 1] * h[6 + c] + weight[3 * r + 2] * h[12 + c];
    return;
  }
  for (int r = 0; r < size; ++r)
    for (int c = 0; c < term.width; ++c) {
      double sum = 0.0;
      for (int k = 0; k < size; ++k) sum += weight[r * size + k] * h[k * term.width + c];
      out[r * term.width + c] = sum;
    }
}

bool NipmBody::factor(const ContactProblem& p, const double* P) {
  const BodySpace& body = p.G.body;
  factor_.set_identity(true);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const int size = p.blocks[i].size;
    const double* weight = P + p.G.diagonal_start[i];
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t) {
      const BodySpace::Term& term = body.terms[t];
      const double* h = body.values.data() + term.offset;
      scale_rows(term, h, weight, size);
      for (int s = body.term_start[i]; s < body.term_start[i + 1]; ++s) {
        const int block = pair_[pair++], a = body.terms[s].group;
        const bool lower = factor_.position(a) > factor_.position(term.group);
        double* target = block < 0 ? factor_.diagonal(a) : (lower ? factor_.lower(block) : factor_.upper(block));
        add_pair(body, s, t, size, target, block < 0 || lower);
      }
    }
  }
  return factor_.factor_lu();
}

}  // namespace stiction
