// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/step/core/impulses.h>
#include <stiction/step/derivative/end_impulses.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr double kExact = 1e-11;  // a change of the impulses beside their size that is round-off

// work.lambda becomes the solution of its modes' equations, if Newton's steps end in the modes that they began with.
void refine(const StepContext& c, double threshold, VelocityTangentWork& w) {
  Workspace& work = c.work;
  const int n = work.problem.rows();
  w.answer.assign(work.lambda.data(), work.lambda.data() + n);
  const auto go_back = [&] { std::copy(w.answer.begin(), w.answer.begin() + n, work.lambda.data()); };
  double before = 1.0;
  w.modes.clear();
  for (int step = 0; step < 4; ++step) {
    if (!w.solve.factor(work.problem, work.lambda.vec(), threshold)) return go_back();
    for (std::size_t i = 0; i < w.solve.blocks().size(); ++i) {
      const BlockMode mode = w.solve.blocks()[i].mode;
      if (step == 0)
        w.modes.push_back(mode);
      else if (w.modes[i] != mode)
        return go_back();
    }
    const double change = w.solve.newton_step(work.lambda.vec());
    if (!(change <= std::max(0.1 * before, kExact))) return go_back();
    if (change <= kExact) {
      w.factored = work.assembly.islands.count() == 1;
      return;
    }
    before = change;
  }
}

}  // namespace

int gather_island(const StepContext& c, const AssembleInput& in, int island) {
  Workspace& work = c.work;
  Islands& islands = work.assembly.islands;
  std::sort(islands.block.begin() + islands.start[island], islands.block.begin() + islands.start[island + 1]);
  island_problem(in, work.assembly, island, work.island, work.problem, work.lambda);
  int row = 0;
  for (int k = islands.start[island]; k < islands.start[island + 1]; ++k) {
    const RowBlock& rows = work.assembly.rows.blocks[islands.block[k]];
    block_impulse(work.assembly.specs[islands.block[k]], rows, work, work.lambda.data() + row);
    row += rows.rows;
  }
  return row;
}

bool settle_impulses(const StepContext& c, const AssembleInput& in, double relax, double threshold,
                     VelocityTangentWork& w) {
  Workspace& work = c.work;
  const int islands = work.assembly.islands.count();
  bool solved = true;
  w.settled.clear();
  w.factored = false;
  for (int island = 0; island < islands; ++island) {
    const int rows = gather_island(c, in, island);
    if (rows > 0 && relax > 0.0)
      solved = w.relaxed.solve(work.problem, relax, work.lambda.vec()) && solved;
    else if (rows > 0)
      refine(c, threshold, w);
    w.settled.insert(w.settled.end(), work.lambda.data(), work.lambda.data() + rows);
  }
  StepReport scratch;
  clear_impulses(c, scratch);
  const double* from = w.settled.data();
  for (int island = 0; island < islands; ++island) {
    int rows = 0;
    for (int k = work.assembly.islands.start[island]; k < work.assembly.islands.start[island + 1]; ++k)
      rows += work.assembly.rows.blocks[work.assembly.islands.block[k]].rows;
    apply_island_impulses(c.model.layout, island, from, work);
    from += rows;
  }
  return solved;
}

}  // namespace stiction
