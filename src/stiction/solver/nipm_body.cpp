// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/nipm_body.h>

#include <algorithm>

namespace stiction {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void NipmBody::prepare(const ContactProblem& p) {
  const BodySpace& body = p.G.body;
  factor_.begin_pattern(body.group_start);
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    for (int s = body.term_start[i]; s < body.term_start[i + 1]; ++s)
      for (int t = s + 1; t < body.term_start[i + 1]; ++t)
        factor_.connect(body.terms[at(s)].group, body.terms[at(t)].group);
  factor_.finish_pattern();
  pair_.clear();
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t)
      for (int s = body.term_start[i]; s < body.term_start[i + 1]; ++s) {
        const int a = body.terms[at(s)].group, b = body.terms[at(t)].group;
        const bool later = factor_.position(a) > factor_.position(b);
        pair_.push_back(a == b ? -1 : factor_.find_block(later ? a : b, later ? b : a));
      }
}

// target += H_sᵀ (P H_t), column-major, or its transpose if not `plain`.
void NipmBody::add_pair(const BodySpace& body, int s, int t, int size, double* target, bool plain) {
  const BodySpace::Term &ts = body.terms[at(s)], &tt = body.terms[at(t)];
  const double* h = body.values.data() + ts.offset;
  const int *cs = body.column.data() + ts.columns, *ct = body.column.data() + tt.columns;
  const int s0 = body.group_start[at(ts.group)], t0 = body.group_start[at(tt.group)];
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

bool NipmBody::factor(const ContactProblem& p, const double* P) {
  const BodySpace& body = p.G.body;
  factor_.set_identity(true);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const int size = p.blocks[i].size;
    const double* weight = P + p.G.diagonal_start[i];
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t) {
      const BodySpace::Term& term = body.terms[at(t)];
      const double* h = body.values.data() + term.offset;
      scaled_.resize(std::max(scaled_.size(), size * term.width));
      for (int r = 0; r < size; ++r)
        for (int c = 0; c < term.width; ++c) {
          double sum = 0.0;
          for (int k = 0; k < size; ++k) sum += weight[r * size + k] * h[k * term.width + c];
          scaled_[r * term.width + c] = sum;
        }
      for (int s = body.term_start[i]; s < body.term_start[i + 1]; ++s) {
        const int block = pair_[pair++], a = body.terms[at(s)].group;
        const bool lower = factor_.position(a) > factor_.position(term.group);
        double* target = block < 0 ? factor_.diagonal(a) : (lower ? factor_.lower(block) : factor_.upper(block));
        add_pair(body, s, t, size, target, block < 0 || lower);
      }
    }
  }
  return factor_.factor_lu();
}

}  // namespace stiction
