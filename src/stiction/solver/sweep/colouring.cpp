// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/sweep/colouring.h>

#include <algorithm>
#include <numeric>

namespace stiction {
namespace {

constexpr std::size_t kHead = 3;  // storage, rule, number of blocks

bool any_nonzero(const double* values, int rows, int cols, int stride) {
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c)
      if (values[r * stride + c] != 0.0) return true;
  return false;
}

}  // namespace

void Colouring::update(const Delassus& G, bool largest_first) {
  const bool body_space = G.storage == Delassus::Storage::body_space;
  pattern_.assign({body_space ? 1 : 0, largest_first ? 1 : 0, G.blocks()});
  read_pattern(G);
  if (pattern_ == last_pattern_) return;
  std::swap(pattern_, last_pattern_);
  ++updates_;
  body_space ? join_groups() : join_rows();
  choose_sequence(largest_first);
  fit_first();
  sort_by_colour();
}

void Colouring::read_pattern(const Delassus& G) {
  switch (G.storage) {
    case Delassus::Storage::block_sparse:
      pattern_.insert(pattern_.end(), G.row_start.begin(), G.row_start.end());
      pattern_.insert(pattern_.end(), G.column.begin(), G.column.end());
      return;
    case Delassus::Storage::body_space:
      pattern_.push_back(static_cast<int>(G.body.group_start.size()) - 1);
      pattern_.insert(pattern_.end(), G.body.term_start.begin(), G.body.term_start.end());
      for (const BodySpace::Term& t : G.body.terms) pattern_.push_back(t.group);
      return;
    case Delassus::Storage::dense:
    case Delassus::Storage::matrix_free:
      return read_nonzero_blocks(G);
  }
}

// The rows of a dense G as those of a block-sparse one. Of a matrix-free G nothing is known: every block touches all.
void Colouring::read_nonzero_blocks(const Delassus& G) {
  const int blocks = G.blocks(), stride = G.rows();
  const bool known = G.storage == Delassus::Storage::dense;
  const std::size_t row_start = pattern_.size();
  pattern_.resize(row_start + blocks + 1);
  int count = pattern_[row_start] = 0;
  for (int i = 0; i < blocks; ++i) {
    const int rows = G.start[i + 1] - G.start[i];
    for (int j = 0; j < blocks; ++j) {
      const double* block = known ? G.dense.data() + std::ptrdiff_t{G.start[i]} * stride + G.start[j] : nullptr;
      if (known && !any_nonzero(block, rows, G.start[j + 1] - G.start[j], stride)) continue;
      pattern_.push_back(j);
      ++count;
    }
    pattern_[row_start + i + 1] = count;
  }
}

// One list per block: its row and its column of G, so that the pattern need not be symmetric.
void Colouring::join_rows() {
  const int blocks = last_pattern_[2];
  const int* row_start = last_pattern_.data() + kHead;
  const int* column = row_start + blocks + 1;
  joined_start_.resize(blocks + 1);
  joined_.resize(blocks);
  std::iota(joined_start_.begin(), joined_start_.end(), 0);
  std::iota(joined_.begin(), joined_.end(), 0);
  member_start_.assign(blocks + 1, 0);
  for (int i = 0; i < blocks; ++i)
    for (int k = row_start[i]; k < row_start[i + 1]; ++k) ++member_start_[i + 1], ++member_start_[column[k] + 1];
  std::partial_sum(member_start_.begin(), member_start_.end(), member_start_.begin());
  member_.resize(member_start_.back());
  mark_.assign(member_start_.begin(), member_start_.end() - 1);  // where the next member of a list goes
  for (int i = 0; i < blocks; ++i)
    for (int k = row_start[i]; k < row_start[i + 1]; ++k) {
      member_[mark_[i]++] = column[k];
      member_[mark_[column[k]]++] = i;
    }
}

// One list per velocity group.
void Colouring::join_groups() {
  const int blocks = last_pattern_[2], groups = last_pattern_[3];
  const int* term_start = last_pattern_.data() + kHead + 1;
  const int* group = term_start + blocks + 1;
  joined_start_.assign(term_start, term_start + blocks + 1);
  joined_.assign(group, group + term_start[blocks]);
  member_start_.assign(groups + 1, 0);
  for (const int g : joined_) ++member_start_[g + 1];
  std::partial_sum(member_start_.begin(), member_start_.end(), member_start_.begin());
  member_.resize(joined_.size());
  mark_.assign(member_start_.begin(), member_start_.end() - 1);
  for (int i = 0; i < blocks; ++i)
    for (int k = term_start[i]; k < term_start[i + 1]; ++k) member_[mark_[group[k]]++] = i;
}

template <class F>
void Colouring::each_neighbour(int block, F f) const {
  for (int k = joined_start_[block]; k < joined_start_[block + 1]; ++k) {
    const int list = joined_[k];
    for (int m = member_start_[list]; m < member_start_[list + 1]; ++m)
      if (member_[m] != block) f(member_[m]);
  }
}

void Colouring::count_neighbours() {
  const int blocks = last_pattern_[2];
  neighbours_.assign(blocks, 0);
  mark_.assign(blocks, -1);  // the last block that counted this one
  for (int i = 0; i < blocks; ++i)
    each_neighbour(i, [&](int j) {
      if (mark_[j] != i) ++neighbours_[i];
      mark_[j] = i;
    });
}

void Colouring::choose_sequence(bool largest_first) {
  sequence_.resize(last_pattern_[2]);
  std::iota(sequence_.begin(), sequence_.end(), 0);
  if (!largest_first) return;
  count_neighbours();
  std::sort(sequence_.begin(), sequence_.end(),
            [&](int a, int b) { return neighbours_[a] != neighbours_[b] ? neighbours_[a] > neighbours_[b] : a < b; });
}

void Colouring::fit_first() {
  colour_.assign(sequence_.size(), -1);
  mark_.clear();  // for each colour, the last block that must not have it
  for (const int i : sequence_) {
    each_neighbour(i, [&](int j) {
      if (colour_[j] >= 0) mark_[colour_[j]] = i;
    });
    int c = 0;
    while (c < static_cast<int>(mark_.size()) && mark_[c] == i) ++c;
    if (c == static_cast<int>(mark_.size())) mark_.push_back(-1);
    colour_[i] = c;
  }
}

void Colouring::sort_by_colour() {
  start_.assign(mark_.size() + 1, 0);
  for (const int c : colour_) ++start_[c + 1];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  order_.resize(colour_.size());
  mark_.assign(start_.begin(), start_.end() - 1);
  for (int i = 0; i < static_cast<int>(colour_.size()); ++i) order_[mark_[colour_[i]]++] = i;
}

}  // namespace stiction
