// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/condense.h>

#include <algorithm>

namespace stiction {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

// G_ij += H_i,t H_j,sᵀ for all terms s of the group of t.
void Condenser::add_products(const BodySpace& body, int i, int term, const ContactProblem& p) {
  const BodySpace::Term& t = body.terms[at(term)];
  const int first = body.group_start[at(t.group)], width = body.group_start[at(t.group + 1)] - first;
  const int rows = p.blocks[at(i)].size;
  dense_.assign(rows * width, 0.0);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < t.width; ++c)
      dense_[r * width + body.column[at(t.columns + c)] - first] = body.values[at(t.offset + r * t.width + c)];
  for (const int other : touching_[at(t.group)]) {
    const BodySpace::Term& s = body.terms[at(other)];
    const int j = block_of_term_[at(other)], columns = p.blocks[at(j)].size;
    double* out = out_.G.values.data() + out_.G.value_start[at(place_[at(j)])];
    for (int r = 0; r < rows; ++r)
      for (int q = 0; q < columns; ++q) {
        double sum = 0.0;
        for (int c = 0; c < s.width; ++c)
          sum +=
              dense_[r * width + body.column[at(s.columns + c)] - first] * body.values[at(s.offset + q * s.width + c)];
        out[r * columns + q] += sum;
      }
  }
}

void Condenser::run(const ContactProblem& p) {
  const BodySpace& body = p.G.body;
  const int n = p.G.blocks(), groups = static_cast<int>(body.group_start.size()) - 1;
  out_.g = p.g, out_.compliance = p.compliance;
  out_.blocks.assign(p.blocks.begin(), p.blocks.end());
  out_.law = p.law, out_.dt = p.dt;
  Delassus& G = out_.G;
  G.storage = Delassus::Storage::block_sparse;
  G.symmetric = true;
  G.start.assign(p.G.start.begin(), p.G.start.end());
  G.row_start.assign(1, 0), G.column.clear(), G.value_start.clear(), G.values.clear();
  if (touching_.size() < at(groups)) touching_.resize(at(groups));
  for (int k = 0; k < groups; ++k) touching_[at(k)].clear();
  block_of_term_.resize(body.terms.size());
  for (int i = 0; i < n; ++i)
    for (int t = body.term_start[at(i)]; t < body.term_start[at(i + 1)]; ++t) {
      touching_[at(body.terms[at(t)].group)].push_back(t);
      block_of_term_[at(t)] = i;
    }
  place_.assign(at(n), -1);
  for (int i = 0; i < n; ++i) {
    neighbours_.assign(1, i);
    for (int t = body.term_start[at(i)]; t < body.term_start[at(i + 1)]; ++t)
      for (const int s : touching_[at(body.terms[at(t)].group)]) neighbours_.push_back(block_of_term_[at(s)]);
    std::sort(neighbours_.begin(), neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
    for (const int j : neighbours_) {
      place_[at(j)] = static_cast<int>(G.column.size());
      G.column.push_back(j);
      G.value_start.push_back(static_cast<int>(G.values.size()));
      G.values.resize(G.values.size() + at(p.blocks[at(i)].size * p.blocks[at(j)].size), 0.0);
    }
    G.row_start.push_back(static_cast<int>(G.column.size()));
    for (int t = body.term_start[at(i)]; t < body.term_start[at(i + 1)]; ++t) add_products(body, i, t, p);
  }
  G.refresh_diagonal();
}

}  // namespace stiction
