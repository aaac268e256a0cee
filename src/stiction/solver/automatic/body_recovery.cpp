// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/automatic/body_recovery.h>
#include <stiction/solver/core/densified.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-11;  // of S against G: what is left of exhausted bodies
constexpr double kSame = 1e-6;       // F Fᵀ against G; what is missing is corrected for
constexpr double kFill = 8.0;        // blocks of S, in blocks of G, that are worth it
constexpr int kWidest = 6;           // columns of a group of nested pivots

}  // namespace

void BodyRecovery::add_edge(int i, int j, const double* values, int row_stride, int column_stride) {
  int block;
  if (free_blocks_.empty()) {
    block = static_cast<int>(block_.size());
    block_.resize(block_.size() + (largest_ * largest_));
  } else {
    block = free_blocks_.back();
    free_blocks_.pop_back();
  }
  for (int r = 0; r < size(i); ++r)
    for (int c = 0; c < size(j); ++c)
      block_[block + r * size(j) + c] = values ? values[r * row_stride + c * column_stride] : 0.0;
  edges_[i].push_back({j, block});
  edges_[j].push_back({i, block});
}

bool BodyRecovery::negligible(int i, int j, const double* values) const {
  for (int r = 0; r < size(i); ++r)
    for (int c = 0; c < size(j); ++c)
      if (std::abs(values[r * size(j) + c]) > kRoundOff * std::sqrt(scale_[start_[i] + r] * scale_[start_[j] + c]))
        return false;
  return true;
}

void BodyRecovery::load(const ContactProblem& p) {
  const Delassus& G = p.G;
  const int n = G.blocks(), rows = G.rows();
  start_.assign(G.start.begin(), G.start.end());
  largest_ = 0;
  for (int i = 0; i < n; ++i) largest_ = std::max(largest_, size(i));
  if (edges_.size() < static_cast<std::size_t>(n)) edges_.resize(n), pieces_.resize(n);
  for (int i = 0; i < n; ++i) edges_[i].clear(), pieces_[i].clear();
  block_.clear(), free_blocks_.clear(), values_.clear(), width_.clear();
  member_list_.clear(), member_start_.assign(1, 0);
  active_.assign(n, 1), mark_.assign(n, -1);
  diagonal_.assign(G.diagonal.begin(), G.diagonal.end());
  diagonal_start_.assign(G.diagonal_start.begin(), G.diagonal_start.end());
  scale_.resize(rows);
  for (int i = 0; i < n; ++i)
    for (int r = 0; r < size(i); ++r)
      scale_[start_[i] + r] = std::abs(diagonal_[diagonal_start_[i] + r * (size(i) + 1)]);
  for (int i = 0; i < n; ++i) {
    if (G.storage == Delassus::Storage::block_sparse)
      for (int e = G.row_start[i]; e < G.row_start[i + 1]; ++e) {
        const int j = G.column[e];
        const double* v = G.values.data() + G.value_start[e];
        if (i < j && !negligible(i, j, v)) add_edge(i, j, v, size(j), 1);
      }
    for (int j = i + 1; G.storage == Delassus::Storage::dense && j < n; ++j) {
      const double* v = G.dense.data() + start_[i] * rows + start_[j];
      double largest = 0.0;
      for (int r = 0; r < size(i); ++r)
        for (int c = 0; c < size(j); ++c) largest = std::max(largest, std::abs(v[r * rows + c]));
      if (largest > 0.0) add_edge(i, j, v, rows, 1);
    }
  }
  fill_limit_ = kFill * static_cast<double>(block_.size() + (largest_ * largest_));
}

int BodyRecovery::least_connected() const {
  int best = -1;
  for (int i = 0; i < static_cast<int>(active_.size()); ++i)
    if (active_[i] && (best < 0 || edges_[i].size() < edges_[best].size())) best = i;
  return best;
}

int BodyRecovery::find(int i, int j) const {
  for (const Edge& e : edges_[i])
    if (e.other == j) return e.block;
  return -1;
}

void BodyRecovery::drop_edge(int i, int j) {
  for (const auto& [from, to] : {std::pair{i, j}, std::pair{j, i}}) {
    std::vector<Edge>& list = edges_[from];
    const auto e = std::find_if(list.begin(), list.end(), [to = to](const Edge& x) { return x.other == to; });
    if (from == i) free_blocks_.push_back(e->block);
    *e = list.back();
    list.pop_back();
  }
}

// Columns of S at the pivot become columns of F: pivoted Cholesky of its own block, the others follow. Returns the rank.
int BodyRecovery::factor_panel(int i) {
  const int s = size(i), rows = panel_start_.back(), own = rows - s;
  int rank = 0;
  char used[64] = {};
  for (; rank < s; ++rank) {
    int p = -1;
    double best = 0.0;
    for (int c = 0; c < s; ++c) {
      const double d = panel_[(own + c) * s + c];
      if (!used[c] && d > kRoundOff * scale_[start_[i] + c] && d > best) p = c, best = d;
    }
    if (p < 0) break;
    used[p] = 1;
    // Column p is divided by its root and taken out of the columns that are left; used columns hold F.
    const double root = 1.0 / std::sqrt(best);
    double factor[64];
    for (int c = 0; c < s; ++c) factor[c] = used[c] ? 0.0 : panel_[(own + c) * s + p] * root;
    for (int r = 0; r < rows; ++r) {
      double* x = panel_.data() + r * s;
      x[p] *= root;
      for (int c = 0; c < s; ++c) x[c] -= x[p] * factor[c];
    }
  }
  for (int r = 0; r < rows; ++r) {  // the used columns, side by side
    double* x = panel_.data() + r * s;
    for (int c = 0, k = 0; c < s; ++c)
      if (used[c]) x[k++] = x[c];
  }
  return rank;
}

// S_jl −= F_j F_lᵀ among the neighbours of the pivot; what falls to round-off is dropped.
void BodyRecovery::update_pairs(int columns) {
  const int count = static_cast<int>(members_.size()) - 1, s = size(members_.back());
  for (int a = 0; a < count; ++a) {
    const int j = members_[a], nj = size(j);
    const double* fj = panel_.data() + (panel_start_[a] * s);
    for (const Edge& e : edges_[j]) mark_[e.other] = e.block;
    for (int b = a; b < count; ++b) {
      const int l = members_[b], nl = size(l);
      const double* fl = panel_.data() + (panel_start_[b] * s);
      double* target;
      if (a == b)
        target = diagonal_.data() + diagonal_start_[j];
      else {
        if (mark_[l] < 0) {
          add_edge(std::min(j, l), std::max(j, l), nullptr, 0, 0);
          mark_[l] = edges_[j].back().block;
        }
        target = block_.data() + mark_[l];
      }
      const bool flipped = j > l;  // stored as (l, j)
      for (int r = 0; r < nj; ++r)
        for (int c = 0; c < nl; ++c) {
          double sum = 0.0;
          for (int k = 0; k < columns; ++k) sum += fj[r * s + k] * fl[c * s + k];
          target[flipped ? c * nj + r : r * nl + c] -= sum;
        }
    }
    for (const Edge& e : edges_[j]) mark_[e.other] = -1;
  }
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b) {
      const int j = std::min(members_[a], members_[b]), l = std::max(members_[a], members_[b]);
      const int block = find(j, l);
      if (block >= 0 && negligible(j, l, block_.data() + block)) drop_edge(j, l);
    }
}

bool BodyRecovery::eliminate(int i) {
  const int s = size(i);
  members_.clear(), panel_start_.assign(1, 0);
  for (const Edge& e : edges_[i]) members_.push_back(e.other);
  std::sort(members_.begin(), members_.end());
  members_.push_back(i);
  for (const int j : members_) panel_start_.push_back(panel_start_.back() + size(j));
  panel_.resize(panel_start_.back() * s);
  for (const Edge& e : edges_[i]) mark_[e.other] = e.block;
  for (std::size_t a = 0; a < members_.size(); ++a) {
    const int j = members_[a];
    const double* v = j == i ? diagonal_.data() + diagonal_start_[i] : block_.data() + mark_[j];
    for (int r = 0; r < size(j); ++r)
      for (int c = 0; c < s; ++c) panel_[(panel_start_[a] + r) * s + c] = i <= j ? v[c * size(j) + r] : v[r * s + c];
  }
  for (const Edge& e : edges_[i]) mark_[e.other] = -1;
  active_[i] = 0;
  const int rank = factor_panel(i);
  for (std::size_t a = 0; a + 1 < members_.size(); ++a) drop_edge(i, members_[a]);
  if (rank == 0) return true;
  const int pivot = static_cast<int>(width_.size());
  width_.push_back(rank);
  for (std::size_t a = 0; a < members_.size(); ++a) {
    const int j = members_[a];
    pieces_[j].push_back({pivot, static_cast<int>(values_.size())});
    member_list_.push_back(j);
    for (int r = 0; r < size(j); ++r)
      for (int k = 0; k < rank; ++k) values_.push_back(panel_[(panel_start_[a] + r) * s + k]);
  }
  member_start_.push_back(static_cast<int>(member_list_.size()));
  update_pairs(rank);
  return static_cast<double>(block_.size()) <= fill_limit_;
}

// A pivot joins the group before it if it touches no other contacts than that one, and most of those.
void BodyRecovery::group_pivots() {
  const int pivots = static_cast<int>(width_.size());
  group_.resize(pivots), offset_.resize(pivots);
  std::vector<int>& starts = out_.G.body.group_start;
  starts.assign(1, 0);
  int leader = -1, width = 0;
  for (int p = 0; p < pivots; ++p) {
    const int first = member_start_[p], end = member_start_[p + 1];
    bool nested = leader >= 0 && width + width_[p] <= kWidest;
    if (nested) {
      for (int m = member_start_[leader]; m < member_start_[leader + 1]; ++m) mark_[member_list_[m]] = 1;
      for (int m = first; m < end; ++m) nested = nested && mark_[member_list_[m]] == 1;
      for (int m = member_start_[leader]; m < member_start_[leader + 1]; ++m) mark_[member_list_[m]] = -1;
      nested = nested && 2 * (end - first) >= member_start_[leader + 1] - member_start_[leader];
    }
    if (!nested) {
      if (leader >= 0) starts.push_back(starts.back() + width);
      leader = p, width = 0;
    }
    group_[p] = static_cast<int>(starts.size()) - 1, offset_[p] = width;
    width += width_[p];
  }
  if (leader >= 0) starts.push_back(starts.back() + width);
  out_.G.body.velocities = starts.back();
}

void BodyRecovery::write(const ContactProblem& p) {
  BodySpace& body = out_.G.body;
  out_.G.storage = Delassus::Storage::body_space;
  out_.G.symmetric = true;
  out_.G.start.assign(start_.begin(), start_.end());
  copy_all_but_matrix(p, out_);
  group_pivots();
  body.term_start.assign(1, 0), body.terms.clear(), body.column.clear(), body.values.clear();
  for (int i = 0; i < p.G.blocks(); ++i) {
    const std::vector<Piece>& pieces = pieces_[i];
    for (std::size_t k = 0; k < pieces.size();) {
      const int group = group_[pieces[k].pivot], first = body.group_start[group];
      const int width = body.group_start[group + 1] - first;
      const int offset = static_cast<int>(body.values.size());
      body.terms.push_back({group, width, offset, static_cast<int>(body.column.size())});
      for (int c = 0; c < width; ++c) body.column.push_back(first + c);
      body.values.resize(body.values.size() + (size(i) * width), 0.0);
      for (; k < pieces.size() && group_[pieces[k].pivot] == group; ++k)
        for (int r = 0, pivot = pieces[k].pivot; r < size(i); ++r)
          for (int c = 0; c < width_[pivot]; ++c)
            body.values[offset + r * width + offset_[pivot] + c] = values_[pieces[k].first + r * width_[pivot] + c];
    }
    body.term_start.push_back(static_cast<int>(body.terms.size()));
  }
  out_.G.refresh_diagonal();
}

// Products with two fixed vectors: cheap, and F Fᵀ that differs from G cannot pass both but by accident.
bool BodyRecovery::reproduces(const ContactProblem& p) {
  const int n = p.rows();
  x_.resize(n), y_.resize(n), z_.resize(n);
  for (const double phase : {0.3, 1.1}) {
    for (int i = 0; i < n; ++i) x_[i] = std::sin(phase + 0.7 * i) / std::sqrt(std::max(scale_[i], 1e-300));
    p.G.multiply(x_.data(), y_.data(), scratch_);
    out_.G.multiply(x_.data(), z_.data(), scratch_);
    double error = 0.0, largest = 0.0;
    for (int i = 0; i < n; ++i) {
      const double unit = std::sqrt(std::max(scale_[i], 1e-300));
      error = std::max(error, std::abs(y_[i] - z_[i]) / unit);
      largest = std::max(largest, std::abs(y_[i]) / unit);
    }
    if (!(error <= kSame * std::max(largest, 1.0))) return false;
  }
  return true;
}

bool BodyRecovery::run(const ContactProblem& p) {
  const bool known = p.G.storage == Delassus::Storage::dense || p.G.storage == Delassus::Storage::block_sparse;
  if (!known || !p.G.symmetric) return false;
  load(p);
  if (largest_ > 64) return false;
  for (int i = least_connected(); i >= 0; i = least_connected())
    if (!eliminate(i)) return false;
  write(p);
  return reproduces(p);
}

}  // namespace stiction
