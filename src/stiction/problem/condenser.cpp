// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/problem/condenser.h>

#include <algorithm>

namespace stiction {
// G_ij += H_i,t H_j,sᵀ for all terms s of the group of t.
void Condenser::add_products(const Delassus& G, int i, int term, Delassus& out) {
  const BodySpace& body = G.body;
  const BodySpace::Term& t = body.terms[term];
  const int first = body.group_start[t.group], width = body.group_start[t.group + 1] - first;
  const int rows = G.start[i + 1] - G.start[i];
  dense_.assign(rows * width, 0.0);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < t.width; ++c)
      dense_[r * width + body.column[t.columns + c] - first] = body.values[t.offset + r * t.width + c];
  for (const int other : touching_[t.group]) {
    const BodySpace::Term& s = body.terms[other];
    const int j = block_of_term_[other], columns = G.start[j + 1] - G.start[j];
    double* block = out.values.data() + out.value_start[place_[j]];
    for (int r = 0; r < rows; ++r)
      for (int q = 0; q < columns; ++q) {
        double sum = 0.0;
        for (int c = 0; c < s.width; ++c)
          sum += dense_[r * width + body.column[s.columns + c] - first] * body.values[s.offset + q * s.width + c];
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
  if (touching_.size() < static_cast<std::size_t>(groups)) touching_.resize(groups);
  for (int k = 0; k < groups; ++k) touching_[k].clear();
  block_of_term_.resize(body.terms.size());
  for (int i = 0; i < n; ++i)
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t) {
      touching_[body.terms[t].group].push_back(t);
      block_of_term_[t] = i;
    }
  place_.assign(n, -1);
  for (int i = 0; i < n; ++i) {
    neighbours_.assign(1, i);
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t)
      for (const int s : touching_[body.terms[t].group]) neighbours_.push_back(block_of_term_[s]);
    std::sort(neighbours_.begin(), neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
    const int size = G.start[i + 1] - G.start[i];
    for (const int j : neighbours_) {
      place_[j] = static_cast<int>(out.column.size());
      out.column.push_back(j);
      out.value_start.push_back(static_cast<int>(out.values.size()));
      out.values.resize(out.values.size() + (size * (G.start[j + 1] - G.start[j])), 0.0);
    }
    out.row_start.push_back(static_cast<int>(out.column.size()));
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t) add_products(G, i, t, out);
  }
  out.refresh_diagonal();
}

}  // namespace stiction
