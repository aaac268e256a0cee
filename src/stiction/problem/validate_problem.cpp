// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/problem/definiteness.h>
#include <stiction/problem/validate_problem.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <string>

namespace stiction {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string text(double x) {
  std::ostringstream out;
  out << x;
  return out.str();
}
std::string text(int x) { return std::to_string(x); }
std::string text(std::size_t x) { return std::to_string(x); }

[[noreturn]] void refuse(const std::string& field, const std::string& found, const std::string& expected) {
  throw InvalidInput("ContactProblem." + field + " is " + found + ", expected " + expected);
}

std::string indexed(const std::string& field, std::size_t i) { return field + "[" + text(i) + "]"; }

void require_finite(const std::string& field, const double* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(x[i])) refuse(indexed(field, i), text(x[i]), "a finite number");
}

std::string entry(int row, int column) { return "G[" + text(row) + ", " + text(column) + "]"; }

// Row-major rows × columns numbers of G whose first entry is G[row, column].
void require_finite_entries(const double* x, int row, int column, int rows, int columns) {
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c, ++x)
      if (!std::isfinite(*x)) refuse(entry(row + r, column + c), text(*x), "a finite number");
}

void require_size(const std::string& field, std::size_t found, std::size_t expected) {
  if (found != expected) refuse(field + ".size", text(found), text(expected));
}

// A list of offsets: starts at 0, never falls, ends at `last`.
void require_offsets(const std::string& field, const std::vector<int>& x, std::size_t count, std::size_t last) {
  require_size(field, x.size(), count + 1);
  if (x.front() != 0) refuse(indexed(field, 0), text(x.front()), "0");
  for (std::size_t i = 0; i < count; ++i)
    if (x[i + 1] < x[i])
      refuse(indexed(field, i + 1), text(x[i + 1]), "at least " + text(x[i]) + ", the offset before it");
  if (x.back() != static_cast<int>(last)) refuse(indexed(field, count), text(x.back()), text(last));
}

void validate_block(const Block& b, std::size_t i, int row) {
  const std::string self = indexed("blocks", i);
  if (b.row != row) refuse(self + ".row", text(b.row), text(row) + ": blocks follow one another without holes");
  switch (b.kind) {
    case BlockKind::coulomb:
      if (b.size != 3) refuse(self + ".size", text(b.size), "3 for a coulomb block (T1, T2, N)");
      if (!(b.mu >= 0.0) || !std::isfinite(b.mu))
        refuse(indexed("mu", i) + " (" + self + ".mu)", text(b.mu), "a finite number >= 0");
      return;
    case BlockKind::patch:
      if (b.size < 4 || b.size > kMostPatchRows)
        refuse(self + ".size", text(b.size), "4 (T1, T2, S, N), 5 (T1, T2, R1, R2, N) or 6 for a patch");
      if (!(b.mu > 0.0) || !std::isfinite(b.mu))
        refuse(indexed("mu", i) + " (" + self + ".mu)", text(b.mu),
               "a finite number > 0: a patch without friction is a unilateral block");
      for (int r = 2; r < b.size - 1; ++r)
        if (!(b.arm(r) > 0.0) || !std::isfinite(b.arm(r)))
          refuse(self + (r == 2 && b.size != 5 ? ".spin_arm" : ".roll_arm"), text(b.arm(r)), "a finite length > 0 [m]");
      return;
    case BlockKind::unilateral:
      if (b.size != 1) refuse(self + ".size", text(b.size), "1 for a unilateral block");
      return;
    case BlockKind::bilateral:
      if (b.size < 1) refuse(self + ".size", text(b.size), "at least 1 for a bilateral block");
      return;
    case BlockKind::box:
      if (b.size != 1) refuse(self + ".size", text(b.size), "1 for a box block");
      if (!(b.lo <= b.hi)) refuse(self + ".lo", text(b.lo), "at most hi = " + text(b.hi));
      if (b.lo == kInfinity) refuse(self + ".lo", text(b.lo), "less than infinity");
      if (b.hi == -kInfinity) refuse(self + ".hi", text(b.hi), "more than -infinity");
      return;
  }
  refuse(self + ".kind", text(static_cast<int>(b.kind)), "coulomb, unilateral, bilateral, box or patch");
}

void validate_block_sparse(const Delassus& G) {
  const auto n = G.blocks();
  require_offsets("G.row_start", G.row_start, n, G.column.size());
  require_size("G.value_start", G.value_start.size(), G.column.size());
  for (int i = 0; i < n; ++i)
    for (auto k = G.row_start[i]; k < G.row_start[i + 1]; ++k) {
      const int j = G.column[k];
      if (j < 0 || j >= G.blocks()) refuse(indexed("G.column", k), text(j), "a block number below " + text(G.blocks()));
      if (k > G.row_start[i] && j <= G.column[k - 1])
        refuse(indexed("G.column", k), text(j), "more than " + text(G.column[k - 1]) + ": columns of a row ascend");
      const auto c = j;
      const int count = (G.start[i + 1] - G.start[i]) * (G.start[c + 1] - G.start[c]);
      if (G.value_start[k] < 0 || static_cast<std::size_t>(G.value_start[k] + count) > G.values.size())
        refuse(indexed("G.value_start", k), text(G.value_start[k]),
               "a place for " + text(count) + " numbers in G.values");
      require_finite_entries(G.values.data() + G.value_start[k], G.start[i], G.start[c], G.start[i + 1] - G.start[i],
                             G.start[c + 1] - G.start[c]);
    }
}

void validate_body_space(const Delassus& G) {
  const BodySpace& b = G.body;
  if (b.group_start.empty()) refuse("G.body.group_start.size", "0", "the number of groups + 1");
  require_offsets("G.body.group_start", b.group_start, b.group_start.size() - 1, b.velocities);
  require_offsets("G.body.term_start", b.term_start, G.blocks(), b.terms.size());
  const int groups = static_cast<int>(b.group_start.size()) - 1;
  for (std::size_t i = 0; i + 1 < b.term_start.size(); ++i)
    for (auto k = b.term_start[i]; k < b.term_start[i + 1]; ++k) {
      const BodySpace::Term& t = b.terms[k];
      const std::string self = indexed("G.body.terms", k);
      const int count = (G.start[i + 1] - G.start[i]) * t.width;
      if (t.group < 0 || t.group >= groups) refuse(self + ".group", text(t.group), "a group below " + text(groups));
      if (t.width < 0 || t.offset < 0 || static_cast<std::size_t>(t.offset + count) > b.values.size())
        refuse(self + ".offset", text(t.offset), "a place for " + text(count) + " numbers in G.body.values");
      if (t.columns < 0 || static_cast<std::size_t>(t.columns + t.width) > b.column.size())
        refuse(self + ".columns", text(t.columns), "a place for " + text(t.width) + " numbers in G.body.column");
      for (int j = 0; j < t.width; ++j) {
        const int c = b.column[t.columns + j];
        const auto g = t.group;
        if (c < b.group_start[g] || c >= b.group_start[g + 1])
          refuse(indexed(self + ".column", j), text(c),
                 "a velocity of group " + text(t.group) + ", " + text(b.group_start[g]) + " to " +
                     text(b.group_start[g + 1] - 1));
      }
    }
  require_finite("G.body.values", b.values.data(), b.values.size());
}

void validate_delassus(const ContactProblem& p) {
  const Delassus& G = p.G;
  const auto rows = p.rows();
  if (G.rows() != p.rows()) refuse("G.rows", text(G.rows()), text(p.rows()) + ", the size of g");
  if (G.blocks() != static_cast<int>(p.blocks.size()))
    refuse("G.blocks", text(G.blocks()), text(p.blocks.size()) + ", the number of blocks");
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    if (G.start[i] != p.blocks[i].row) refuse(indexed("G.start", i), text(G.start[i]), text(p.blocks[i].row));
  switch (G.storage) {
    case Delassus::Storage::dense:
      require_size("G.dense", G.dense.size(), rows * rows);
      require_finite_entries(G.dense.data(), 0, 0, p.rows(), p.rows());
      break;
    case Delassus::Storage::block_sparse:
      validate_block_sparse(G);
      break;
    case Delassus::Storage::body_space:
      validate_body_space(G);
      break;
    case Delassus::Storage::matrix_free:
      if (!G.product) refuse("G.product", "missing", "a DelassusProduct: the storage is matrix_free");
      require_finite("G.diagonal", G.diagonal.data(), G.diagonal.size());
      break;
  }
  std::size_t diagonal = 0;
  for (const Block& b : p.blocks) diagonal += b.size * b.size;
  if (G.diagonal.size() != diagonal)
    refuse("G.diagonal.size", text(G.diagonal.size()), text(diagonal) + "; call G.refresh_diagonal() after filling G");
}

void require_diagonal(const ContactProblem& p) {
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    for (int r = 0; r < p.blocks[i].size; ++r) {
      const double d = p.G.diagonal_block(static_cast<int>(i))[r * (p.blocks[i].size + 1)];
      const int row = p.blocks[i].row + r;
      if (!(d >= 0.0)) refuse(entry(row, row), text(d), "a number >= 0: G = J M^-1 J' is positive semidefinite");
    }
}

// What a `general` problem is excused from.
void require_definite(const ContactProblem& p) {
  const Skewness skew = skewness(p.G);
  if (!(skew.relative <= kLargestSkew))
    refuse(entry(skew.row, skew.column),
           text(skew.entry) + " while " + entry(skew.column, skew.row) + " is " + text(skew.mirrored),
           "a symmetric matrix: |G - G'| is " + text(skew.relative) + " of |G|, at most " + text(kLargestSkew) +
               " is taken for round-off; pass (G + G') / 2, or general = true for a linear complementarity problem");
  require_diagonal(p);
  if (const auto found = find_negative_eigenvalue(p.G, kLargestNegative))
    refuse("G",
           "indefinite: its smallest eigenvalue is " + text(found->smallest) + " (mostly row " + text(found->row) +
               "), its largest " + text(found->largest),
           "a positive semidefinite J M^-1 J', eigenvalues down to " + text(-kLargestNegative) +
               " of the largest are taken for round-off; check the signs in J and M, or pass general = true for a "
               "linear complementarity problem");
}

}  // namespace

void validate_law(const FrictionLaw& law) {
  if (law.kind > FrictionLaw::raisim) refuse("law.kind", text(int{law.kind}), "coulomb, convex, pyramid or raisim");
  if (law.facets < 4 || law.facets % 2 != 0 || law.facets > kMostFacets)
    refuse("law.facets", text(law.facets), "an even number from 4 to " + text(kMostFacets));
  if (!std::isfinite(law.angle)) refuse("law.angle", text(law.angle), "a finite angle in radians");
}

void validate_problem(const ContactProblem& p) {
  require_finite("g", p.g.data(), p.rows());
  int row = 0;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    validate_block(p.blocks[i], i, row);
    if (p.general && p.blocks[i].kind != BlockKind::unilateral && p.blocks[i].kind != BlockKind::box)
      refuse(indexed("blocks", i) + ".kind", name(p.blocks[i].kind),
             "unilateral or box: `general` marks a plain linear complementarity problem");
    if (p.blocks[i].kind == BlockKind::patch && p.law.kind != FrictionLaw::coulomb && p.law.kind != FrictionLaw::convex)
      refuse("law", name(p.law.kind),
             "coulomb or convex: " + indexed("blocks", i) + " is a patch, whose cone is round");
    row += p.blocks[i].size;
  }
  if (row != p.rows()) refuse("g.size", text(p.rows()), text(row) + ", the rows of all blocks");
  validate_law(p.law);
  validate_delassus(p);
  if (!p.general) require_definite(p);
  if (p.compliant() && p.compliance.size() != p.rows())
    refuse("compliance.size", text(p.compliance.size()), "0 or " + text(p.rows()));
  for (int i = 0; i < p.compliance.size(); ++i)
    if (!(p.compliance[i] >= 0.0) || !std::isfinite(p.compliance[i]))
      refuse(indexed("compliance", i), text(p.compliance[i]), "a finite number >= 0");
  if (p.dt && (!(*p.dt > 0.0) || !std::isfinite(*p.dt))) refuse("dt", text(*p.dt), "a finite number > 0, or none");
}

}  // namespace stiction
