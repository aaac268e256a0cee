// SPDX-License-Identifier: BSD-2-Clause
// From the blocks of an island to its ContactProblem.
#include <stiction/law/assemble.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr int kDenseRows = 72;  // above, the rows usually outnumber the velocities and the body space is smaller

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void fill_dense(const AssembleInput& in, const Assembly& assembly, const int* block, int blocks, Delassus& G) {
  const int n = G.rows();
  G.storage = Delassus::Storage::dense;
  G.dense.resize(at(n) * at(n));
  for (int i = 0; i < blocks; ++i) {
    const RowBlock& bi = assembly.rows.blocks[at(block[i])];
    const int row_i = G.start[at(i)];
    for (int j = 0; j <= i; ++j) {
      const RowBlock& bj = assembly.rows.blocks[at(block[j])];
      const int row_j = G.start[at(j)];
      delassus_block(in.layout, assembly.rows, bi, bj, G.dense.data() + row_i * n + row_j, n);
      for (int r = 0; r < bi.rows && j < i; ++r)
        for (int s = 0; s < bj.rows; ++s) G.dense[at((row_j + s) * n + row_i + r)] = G.dense[at((row_i + r) * n + row_j + s)];
    }
  }
}

void number_groups(const AssembleInput& in, const Assembly& assembly, const int* block, int blocks, IslandWork& work) {
  work.group_of_tree.resize(in.world.trees.size(), -1);
  work.trees.clear();
  for (int i = 0; i < blocks; ++i) {
    const RowBlock& b = assembly.rows.blocks[at(block[i])];
    for (int s = 0; s < b.sides; ++s) {
      const int tree = in.layout.bodies[at(b.side[s].body)].tree;
      int& group = work.group_of_tree[at(tree)];
      if (group >= 0) continue;
      group = static_cast<int>(work.trees.size());
      work.trees.push_back(tree);
    }
  }
}

void fill_body_space(const AssembleInput& in, const Assembly& assembly, const int* block, int blocks, IslandWork& work,
                     Delassus& G) {
  G.storage = Delassus::Storage::body_space;
  number_groups(in, assembly, block, blocks, work);
  BodySpace& space = G.body;
  space.group_start.assign(1, 0);
  for (const int tree : work.trees) space.group_start.push_back(space.group_start.back() + in.world.trees[at(tree)].nv);
  space.velocities = space.group_start.back();
  space.term_start.assign(1, 0);
  space.terms.clear(), space.column.clear(), space.values.clear();
  for (int i = 0; i < blocks; ++i) {
    const RowBlock& b = assembly.rows.blocks[at(block[i])];
    for (int s = 0; s < b.sides; ++s) {
      const RowSide& side = b.side[s];
      const BodyPlan& plan = in.layout.bodies[at(side.body)];
      const int group = work.group_of_tree[at(plan.tree)];
      const int shift = space.group_start[at(group)] - in.world.trees[at(plan.tree)].v;
      space.terms.push_back({group, side.length, static_cast<int>(space.values.size()), static_cast<int>(space.column.size())});
      for (int d = 0; d < side.length; ++d) space.column.push_back(in.layout.chain[at(plan.chain + d)] + shift);
      const double* y = assembly.rows.values.data() + side.offset;
      for (int r = 0; r < b.rows; ++r)  // from rows together to row-major
        for (int d = 0; d < side.length; ++d) space.values.push_back(y[b.rows * d + r]);
    }
    space.term_start.push_back(static_cast<int>(space.terms.size()));
  }
  for (const int tree : work.trees) work.group_of_tree[at(tree)] = -1;
}

void fill_vectors(const Assembly& assembly, const int* block, int blocks, ContactProblem& problem, GrowingVec& lambda) {
  const int rows = problem.G.rows();
  bool compliant = false;
  problem.g.resize(rows);
  lambda.resize(rows);
  for (int i = 0; i < blocks; ++i) {
    const BlockSpec& spec = assembly.specs[at(block[i])];
    const int row = problem.blocks[at(i)].row;
    for (int r = 0; r < problem.blocks[at(i)].size; ++r) {
      problem.g[row + r] = spec.g[r];
      lambda[row + r] = spec.guess[r];
    }
    compliant |= spec.compliance > 0.0;
  }
  problem.compliance.clear();
  if (!compliant) return;
  problem.compliance.assign(rows, 0.0);
  for (int i = 0; i < blocks; ++i) {
    const Block& b = problem.blocks[at(i)];
    const double R = assembly.specs[at(block[i])].compliance;
    for (int r = b.kind == BlockKind::bilateral ? 0 : b.size - 1; r < b.size; ++r) problem.compliance[b.row + r] = R;
  }
}

}  // namespace

void island_problem(const AssembleInput& in, const Assembly& assembly, int island, IslandWork& work, ContactProblem& problem,
                    GrowingVec& lambda) {
  const int first = assembly.islands.start[at(island)];
  const int blocks = assembly.islands.start[at(island) + 1] - first;
  const int* block = assembly.islands.block.data() + first;
  problem.law = in.law.friction;
  problem.dt = in.dt;
  problem.blocks.clear();
  Delassus& G = problem.G;
  G.symmetric = true;
  G.start.clear();
  int row = 0;
  for (int i = 0; i < blocks; ++i) {
    Block b = assembly.specs[at(block[i])].block;
    b.row = row;
    problem.blocks.push_back(b);
    G.start.push_back(row);
    row += b.size;
  }
  G.start.push_back(row);
  if (row <= kDenseRows) fill_dense(in, assembly, block, blocks, G);
  else fill_body_space(in, assembly, block, blocks, work, G);
  G.refresh_diagonal();
  fill_vectors(assembly, block, blocks, problem, lambda);
}

}  // namespace stiction
