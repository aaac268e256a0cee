// SPDX-License-Identifier: BSD-2-Clause
// Problems with a large sparse contact graph, and the same one with blocks of G instead of bodies.
#pragma once

#include <stiction/base/random.h>

#include <set>

#include "solver/newton_problems.h"

namespace stiction::test {

// A wall of boxes 2 × 1 × 1 in bond, `rows` high and `width` (every second row width − 1) long, as gen_wall_AxB of the
// FCLIB set: 20 × 30 are 585 bodies and 4488 contacts, numbered as there. Falls with random velocities.
inline ContactProblem box_wall(int width, int rows, double mu, double dt) {
  Random random(7);
  std::vector<BoxBody> boxes;
  for (int k = 0; k < rows; ++k)
    for (int i = 0; i < width - k % 2; ++i) {
      Vec6 v = falling(dt);
      for (int r = 0; r < 6; ++r) v[r] += 0.05 * random.normal();
      boxes.push_back({Vec3(2.0 * i + k % 2, 0, 0.5 + k), Vec3(2, 1, 1), 1.0, v});
    }
  return box_pile(boxes, mu, dt);
}

// Which blocks share a velocity group, themselves included: the contact graph by its definition.
inline std::vector<std::set<int>> touching(const Delassus& G) {
  std::vector<std::set<int>> members(G.body.group_start.size()), out(at(G.blocks()));
  const auto each_term = [&](int i, auto f) {
    for (int k = G.body.term_start[at(i)]; k < G.body.term_start[at(i) + 1]; ++k) f(G.body.terms[at(k)].group);
  };
  for (int i = 0; i < G.blocks(); ++i) each_term(i, [&](int group) { members[at(group)].insert(i); });
  for (int i = 0; i < G.blocks(); ++i)
    each_term(i, [&](int group) { out[at(i)].insert(members[at(group)].begin(), members[at(group)].end()); });
  return out;
}

// G of a body-space problem as block_sparse, one block for each pair that touches; never forms the dense matrix.
inline ContactProblem with_blocks_of_g(const ContactProblem& p) {
  ContactProblem q = p;
  q.G = {};
  q.G.storage = Delassus::Storage::block_sparse;
  q.G.start = p.G.start;
  q.G.row_start = {0};
  const auto graph = touching(p.G);
  std::vector<double> unit(16), velocity(at(p.G.body.velocities), 0.0), u(16);
  for (int i = 0; i < p.G.blocks(); ++i) {
    const int rows = p.blocks[at(i)].size;
    for (const int j : graph[at(i)]) {
      const int cols = p.blocks[at(j)].size;
      q.G.column.push_back(j);
      q.G.value_start.push_back(static_cast<int>(q.G.values.size()));
      q.G.values.resize(q.G.values.size() + at(rows * cols));
      double* block = q.G.values.data() + q.G.value_start.back();
      for (int c = 0; c < cols; ++c) {
        std::fill(unit.begin(), unit.end(), 0.0);
        unit[at(c)] = 1.0;
        p.G.add_transposed(j, unit.data(), velocity.data());
        p.G.multiply_velocity(i, velocity.data(), u.data());
        for (int r = 0; r < rows; ++r) block[r * cols + c] = u[at(r)];
        for (int k = p.G.body.term_start[at(j)]; k < p.G.body.term_start[at(j) + 1]; ++k) {
          const BodySpace::Term& t = p.G.body.terms[at(k)];
          for (int w = 0; w < t.width; ++w) velocity[at(p.G.body.column[at(t.columns + w)])] = 0.0;
        }
      }
    }
    q.G.row_start.push_back(static_cast<int>(q.G.column.size()));
  }
  q.G.refresh_diagonal();
  return q;
}

}  // namespace stiction::test
