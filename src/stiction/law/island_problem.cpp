// SPDX-License-Identifier: BSD-2-Clause
// From the blocks of an island to its ContactProblem.
#include <stiction/law/assemble.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr int kDenseRows = 72;  // above, the rows usually outnumber the velocities and the body space is smaller
constexpr int kDenseJointRows =
    240;  // with rows of joints, which an active set eliminates (solver/automatic/joint_rows.h)
// Above kDenseRows dry friction alone is eliminated if it has more than a fifth of the rows: G costs more than a few are worth.
constexpr int kDryShare = 5;

// Frictionless contacts of free bodies have few entries per row and a sweep of their own in body space.
constexpr int kDenseFrictionlessRows = 4;

void fill_dense(const AssembleInput& in, const Assembly& assembly, const int* block, int blocks, Delassus& G) {
  const int n = G.rows();
  G.storage = Delassus::Storage::dense;
  G.dense.resize(n * n);
  if (std::all_of(block, block + blocks, [&](int i) { return assembly.rows.blocks[i].rows == 3; }))
    return delassus_of_contacts(in.layout, assembly.rows, block, blocks, G.dense.data());
  for (int i = 0; i < blocks; ++i) {
    const RowBlock& bi = assembly.rows.blocks[block[i]];
    const int row_i = G.start[i];
    for (int j = 0; j <= i; ++j) {
      const RowBlock& bj = assembly.rows.blocks[block[j]];
      const int row_j = G.start[j];
      delassus_block(in.layout, assembly.rows, bi, bj, G.dense.data() + row_i * n + row_j, n);
      for (int r = 0; r < bi.rows && j < i; ++r)
        for (int s = 0; s < bj.rows; ++s) G.dense[(row_j + s) * n + row_i + r] = G.dense[(row_i + r) * n + row_j + s];
    }
  }
}

void number_groups(const AssembleInput& in, const Assembly& assembly, const int* block, int blocks, IslandWork& work) {
  work.group_of_tree.resize(in.world.trees.size(), -1);
  work.trees.clear();
  for (int i = 0; i < blocks; ++i) {
    const RowBlock& b = assembly.rows.blocks[block[i]];
    for (int s = 0; s < b.sides; ++s) {
      const int tree = in.layout.bodies[b.side[s].body].tree;
      int& group = work.group_of_tree[tree];
      if (group >= 0) continue;
      group = static_cast<int>(work.trees.size());
      work.trees.push_back(tree);
    }
  }
}

void size_body_space(const Assembly& assembly, const int* block, int blocks, BodySpace& space) {
  std::size_t terms = 0, columns = 0, values = 0;
  for (int i = 0; i < blocks; ++i) {
    const RowBlock& b = assembly.rows.blocks[block[i]];
    for (int s = 0; s < b.sides; ++s) ++terms, columns += b.side[s].length, values += b.rows * b.side[s].length;
  }
  space.term_start.resize(blocks + 1);
  space.term_start[0] = 0;
  space.terms.resize(terms), space.column.resize(columns), space.values.resize(values);
}

void fill_body_space(const AssembleInput& in, const Assembly& assembly, const int* block, int blocks, IslandWork& work,
                     Delassus& G) {
  G.storage = Delassus::Storage::body_space;
  number_groups(in, assembly, block, blocks, work);
  BodySpace& space = G.body;
  space.group_start.assign(1, 0);
  for (const int tree : work.trees) space.group_start.push_back(space.group_start.back() + in.world.trees[tree].nv);
  space.velocities = space.group_start.back();
  size_body_space(assembly, block, blocks, space);
  int term = 0, column = 0, value = 0;
  for (int i = 0; i < blocks; ++i) {
    const RowBlock& b = assembly.rows.blocks[block[i]];
    const int stride = row_stride(b.rows);
    for (int s = 0; s < b.sides; ++s) {
      const RowSide& side = b.side[s];
      const BodyPlan& plan = in.layout.bodies[side.body];
      const int group = work.group_of_tree[plan.tree];
      const int shift = space.group_start[group] - in.world.trees[plan.tree].v;
      space.terms[term++] = {group, side.length, value, column};
      const int* chain = in.layout.chain.data() + plan.chain;
      for (int d = 0; d < side.length; ++d) space.column[column++] = chain[d] + shift;
      const double* y = assembly.rows.values.data() + side.offset;
      for (int r = 0; r < b.rows; ++r)  // from rows together to row-major
        for (int d = 0; d < side.length; ++d) space.values[value++] = y[stride * d + r];
    }
    space.term_start[i + 1] = term;
  }
  for (const int tree : work.trees) work.group_of_tree[tree] = -1;
}

void fill_vectors(const Assembly& assembly, const int* block, int blocks, ContactProblem& problem, GrowingVec& lambda) {
  const int rows = problem.G.rows();
  bool compliant = false;
  problem.g.resize(rows);
  lambda.resize(rows);
  for (int i = 0; i < blocks; ++i) {
    const BlockSpec& spec = assembly.specs[block[i]];
    const int row = problem.blocks[i].row;
    for (int r = 0; r < problem.blocks[i].size; ++r) {
      problem.g[row + r] = spec.g[r];
      lambda[row + r] = spec.guess[r];
    }
    compliant |= spec.compliance > 0.0;
  }
  problem.compliance.clear();
  if (!compliant) return;
  problem.compliance.assign(rows, 0.0);
  for (int i = 0; i < blocks; ++i) {
    const Block& b = problem.blocks[i];
    const double R = assembly.specs[block[i]].compliance;
    for (int r = b.kind == BlockKind::bilateral ? 0 : b.size - 1; r < b.size; ++r) problem.compliance[b.row + r] = R;
  }
}

bool frictionless(const AssembleInput& in, const Assembly& assembly, const int* block, int blocks) {
  for (int i = 0; i < blocks; ++i) {
    const RowBlock& b = assembly.rows.blocks[block[i]];
    if (b.rows != 1) return false;
    for (int s = 0; s < b.sides; ++s)
      if (!in.world.trees[in.layout.bodies[b.side[s].body].tree].free_body) return false;
  }
  return true;
}

// One row: the commonest island of a pile of spheres.
void one_row_problem(const AssembleInput& in, const Assembly& assembly, int block, ContactProblem& problem,
                     GrowingVec& lambda) {
  const BlockSpec& spec = assembly.specs[block];
  const RowBlock& rows = assembly.rows.blocks[block];
  problem.blocks.assign(1, spec.block);
  problem.blocks[0].row = 0;
  Delassus& G = problem.G;
  G.storage = Delassus::Storage::dense;
  for (std::vector<int>* start : {&G.start, &G.diagonal_start}) start->resize(2), (*start)[0] = 0, (*start)[1] = 1;
  G.dense.resize(1), G.diagonal.resize(1);
  delassus_block(in.layout, assembly.rows, rows, rows, G.dense.data(), 1);
  G.diagonal[0] = G.dense[0];
  problem.g.resize(1), lambda.resize(1);
  problem.g[0] = spec.g[0], lambda[0] = spec.guess[0];
  problem.compliance.resize(spec.compliance > 0.0 ? 1 : 0);
  if (spec.compliance > 0.0) problem.compliance[0] = spec.compliance;
}

}  // namespace

void island_problem(const AssembleInput& in, const Assembly& assembly, int island, IslandWork& work,
                    ContactProblem& problem, GrowingVec& lambda) {
  const int blocks = assembly.islands.start[island + 1] - assembly.islands.start[island];
  island_problem(in, assembly, island, blocks, work, problem, lambda);
}

void island_problem(const AssembleInput& in, const Assembly& assembly, int island, int blocks, IslandWork& work,
                    ContactProblem& problem, GrowingVec& lambda) {
  const int first = assembly.islands.start[island];
  const int* block = assembly.islands.block.data() + first;
  problem.law = in.law.friction;
  problem.dt = in.dt;
  Delassus& G = problem.G;
  G.symmetric = true;
  if (blocks == 1 && assembly.specs[block[0]].block.size == 1 && !work.keep_bodies)
    return one_row_problem(in, assembly, block[0], problem, lambda);
  problem.blocks.resize(blocks);
  G.start.resize(blocks + 1);
  int row = 0;
  int dry = 0;
  bool loops = false;
  for (int i = 0; i < blocks; ++i) {
    Block& b = problem.blocks[i];
    b = assembly.specs[block[i]].block;
    b.row = G.start[i] = row;
    row += b.size;
    dry += b.kind == BlockKind::box;
    loops = loops || b.kind == BlockKind::bilateral;
  }
  G.start[blocks] = row;
  const bool joints = loops || (row <= kDenseRows ? dry > 0 : kDryShare * dry > row);
  const bool dense = row <= kDenseFrictionlessRows || (joints && row <= kDenseJointRows) ||
                     (row <= kDenseRows && !frictionless(in, assembly, block, blocks));
  if (dense && !work.keep_bodies)
    fill_dense(in, assembly, block, blocks, G);
  else
    fill_body_space(in, assembly, block, blocks, work, G);
  G.refresh_diagonal();
  fill_vectors(assembly, block, blocks, problem, lambda);
}

}  // namespace stiction
