// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/problem/condenser.h>

#include <algorithm>

namespace stiction {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

// G_ij += H_i,t H_j,sᵀ for all terms s of the group of t.
void Condenser::add_products(const Delassus& G, int i, int term, Delassus& out) {
  const BodySpace& body = G.body;
  const BodySpace::Term& t = body.terms[at(term)];
  const int first = body.group_start[at(t.group)], width = body.group_start[at(t.group + 1)] - first;
  const int rows = G.start[at(i + 1)] - G.start[at(i)];
  dense_.assign(rows * width, 0.0);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < t.width; ++c)
      dense_[r * width + body.column[at(t.columns + c)] - first] = body.values[at(t.offset + r * t.width + c)];
  for (const int other : touching_[at(t.group)]) {
    const BodySpace::Term& s = body.terms[at(other)];
    const int j = block_of_term_[at(other)], columns = G.start[at(j + 1)] - G.start[at(j)];
    double* block = out.values.data() + out.value_start[at(place_[at(j)])];
    for (int r = 0; r < rows; ++r)
      for (int q = 0; q < columns; ++q) {
        double sum = 0.0;
        for (int c = 0; c < s.width; ++c)
          sum +=
              dense_[r * width + body.column[at(s.columns + c)] - first] * body.values[at(s.offset + q * s.width + c)];
        block[r * columns + q] += sum;
      }
  }
}

void Condenser::run(const Delassus& G, Delassus& out) {
  const BodySpace& body = G.body;
  const int n = G.blocks(), groups = static_cast<int>(body.group_start.size()) - 1;
  out.storage = Delassus::Storage::block_sparse;
  out.symmetric = true;
  out.start.assign(G.start.begin(), G.start.end());
  out.row_start.assign(1, 0), out.column.clear(), out.value_start.clear(), out.values.clear();
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
    const int size = G.start[at(i + 1)] - G.start[at(i)];
    for (const int j : neighbours_) {
      place_[at(j)] = static_cast<int>(out.column.size());
      out.column.push_back(j);
      out.value_start.push_back(static_cast<int>(out.values.size()));
      out.values.resize(out.values.size() + at(size * (G.start[at(j + 1)] - G.start[at(j)])), 0.0);
    }
    out.row_start.push_back(static_cast<int>(out.column.size()));
    for (int t = body.term_start[at(i)]; t < body.term_start[at(i + 1)]; ++t) add_products(G, i, t, out);
  }
  out.refresh_diagonal();
}

}  // namespace stiction
