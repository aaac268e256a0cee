// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/cholesky.h>
#include <stiction/base/invalid_input.h>
#include <stiction/problem/body_problem.h>

#include <algorithm>
#include <numeric>
#include <string>

namespace stiction {
namespace {

int root_of(std::vector<int>& parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

// Groups are numbered by their first velocity; `place` is the number of a velocity when groups lie together.
struct Groups {
  std::vector<int> group, place, start;
};

void join(std::vector<int>& parent, int i, int j) {
  const int a = root_of(parent, i), b = root_of(parent, j);
  parent[std::max(a, b)] = std::min(a, b);
}

Groups find_groups(const SparseRows& M) {
  std::vector<int> parent(M.rows);
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<char> rigid(M.rows / 6, 1);  // six velocities in a row that nothing else is connected with
  for (int i = 0; i < M.rows; ++i)
    for (int k = M.start[i]; k < M.start[i + 1]; ++k) {
      const int j = M.column[k];
      if (M.values[k] == 0.0) continue;
      join(parent, i, j);
      for (const int side : {i / 6, j / 6})
        if (i / 6 != j / 6 && static_cast<std::size_t>(side) < rigid.size()) rigid[side] = 0;
    }
  for (int i = 0; i < 6 * static_cast<int>(rigid.size()); ++i)
    if (rigid[i / 6]) join(parent, i, i / 6 * 6);
  Groups g;
  g.group.resize(M.rows), g.place.resize(M.rows);
  std::vector<int> size;
  for (int i = 0; i < M.rows; ++i) {
    const int root = root_of(parent, i);
    if (root == i) g.group[i] = static_cast<int>(size.size()), size.push_back(0);
    g.group[i] = g.group[root];
    g.place[i] = size[g.group[i]]++;
  }
  g.start.assign(1, 0);
  for (const int n : size) g.start.push_back(g.start.back() + n);
  for (int i = 0; i < M.rows; ++i) g.place[i] += g.start[g.group[i]];
  return g;
}

// Position of a velocity in the factor of its group: the last comes first.
int local(const Groups& g, int velocity) { return g.start[g.group[velocity] + 1] - 1 - g.place[velocity]; }

std::vector<Mat> factor(const SparseRows& M, const Groups& g) {
  std::vector<Mat> block(g.start.size() - 1);
  for (std::size_t k = 0; k < block.size(); ++k)
    block[k] = Mat::Zero(g.start[k + 1] - g.start[k], g.start[k + 1] - g.start[k]);
  for (int i = 0; i < M.rows; ++i)
    for (int k = M.start[i]; k < M.start[i + 1]; ++k)
      if (M.values[k] != 0.0) block[g.group[i]](local(g, i), local(g, M.column[k])) += M.values[k];
  for (std::size_t k = 0; k < block.size(); ++k) {
    const Mat skew = block[k] - block[k].transpose();
    if (!(skew.cwiseAbs().maxCoeff() <= 1e-9 * block[k].cwiseAbs().maxCoeff()))
      throw InvalidInput("ContactProblem.M is not symmetric in the velocities of body " + std::to_string(k));
    if (!factor_in_place(block[k]))
      throw InvalidInput("ContactProblem.M is not positive definite in the velocities of body " + std::to_string(k));
  }
  return block;
}

// One term of block i: the columns of H in group k that are not zero.
void add_term(const Groups& g, int k, const Mat& whitened, BodySpace& space) {
  const int size = static_cast<int>(whitened.cols()), width = static_cast<int>(whitened.rows());
  BodySpace::Term term{k, 0, static_cast<int>(space.values.size()), static_cast<int>(space.column.size())};
  for (int c = width - 1; c >= 0; --c)  // back to ascending velocities
    if (!whitened.row(c).isZero(0.0)) space.column.push_back(g.start[k] + width - 1 - c), ++term.width;
  for (int r = 0; r < size; ++r)
    for (int c = 0; c < term.width; ++c)
      space.values.push_back(whitened(g.start[k + 1] - 1 - space.column[term.columns + c], r));
  if (term.width > 0) space.terms.push_back(term);
}

void add_block(const SparseRows& J, const Groups& g, const std::vector<Mat>& mass, const Block& b, BodySpace& space) {
  std::vector<int> touched;
  for (int k = J.start[b.row]; k < J.start[b.row + b.size]; ++k)
    if (J.values[k] != 0.0) touched.push_back(g.group[J.column[k]]);
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (const int group : touched) {
    Mat part = Mat::Zero(g.start[group + 1] - g.start[group], b.size);
    for (int r = 0; r < b.size; ++r)
      for (int k = J.start[b.row + r]; k < J.start[(b.row + r) + 1]; ++k)
        if (g.group[J.column[k]] == group) part(local(g, J.column[k]), r) += J.values[k];
    solve_lower(mass[group], part);
    add_term(g, group, part, space);
  }
  space.term_start.push_back(static_cast<int>(space.terms.size()));
}

void add_force(const Groups& g, const std::vector<Mat>& mass, const VecRef& f, ContactProblem& p) {
  std::vector<Vec> part;
  part.reserve(mass.size());
  for (const auto& m : mass) part.push_back(Vec::Zero(m.rows()));
  for (int i = 0; i < static_cast<int>(f.size()); ++i) part[g.group[i]][local(g, i)] = f[i];
  Vec velocity(f.size());
  for (std::size_t k = 0; k < mass.size(); ++k) {
    solve_lower(mass[k], part[k]);
    velocity.segment(g.start[k], part[k].size()) = part[k].reverse();
  }
  double u[64];
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    std::vector<double> wide(std::max(p.blocks[i].size, 1));
    double* out = p.blocks[i].size <= 64 ? u : wide.data();
    p.G.multiply_velocity(static_cast<int>(i), velocity.data(), out);
    for (int r = 0; r < p.blocks[i].size; ++r) p.g[p.blocks[i].row + r] += out[r];
  }
}

}  // namespace

void fill_body_form(const SparseRows& M, const SparseRows& J, const VecRef& f, const VecRef& w, ContactProblem& p) {
  const Groups g = find_groups(M);
  const std::vector<Mat> mass = factor(M, g);
  Delassus& G = p.G;
  G = Delassus();
  G.storage = Delassus::Storage::body_space;
  G.start.assign(1, 0);
  for (const Block& b : p.blocks) G.start.push_back(b.row + b.size);
  G.body.velocities = M.rows;
  G.body.group_start = g.start;
  G.body.term_start.assign(1, 0);
  for (const Block& b : p.blocks) add_block(J, g, mass, b, G.body);
  G.refresh_diagonal();
  p.g = GrowingVec(w);
  if (f.size() > 0) add_force(g, mass, f, p);
}

}  // namespace stiction
