// SPDX-License-Identifier: BSD-2-Clause
// Problems for the tests of the Newton solvers: boxes in piles, robots on redundant contacts, random mixes of all kinds of
// blocks. All come as G = H Hᵀ in body space; `densified` gives the same problem with a dense G.
#pragma once

#include <stiction/problem/contact_problem.h>

#include <vector>

namespace stiction::test {

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A contact problem in body space, built block by block. Velocities are whitened by the caller: H = J M^(-1/2).
struct BodyBuilder {
  ContactProblem problem;

  explicit BodyBuilder(const std::vector<int>& group_sizes) {
    problem.G.storage = Delassus::Storage::body_space;
    problem.G.start = {0};
    problem.G.body.group_start = {0};
    for (const int n : group_sizes) problem.G.body.group_start.push_back(problem.G.body.group_start.back() + n);
    problem.G.body.velocities = problem.G.body.group_start.back();
    problem.G.body.term_start = {0};
  }
  // Appends a block; `block.row` is set here.
  void begin(Block block, const Vec& g) {
    block.row = problem.G.start.back();
    problem.blocks.push_back(block);
    problem.G.start.push_back(block.row + block.size);
    problem.G.body.term_start.push_back(problem.G.body.term_start.back());
    for (int k = 0; k < block.size; ++k) problem.g.push_back(g[k]);
  }
  // Rows of the last block on the velocities of a group (all of them).
  void term(int group, const Mat& H) {
    BodySpace& b = problem.G.body;
    b.terms.push_back(
        {group, static_cast<int>(H.cols()), static_cast<int>(b.values.size()), static_cast<int>(b.column.size())});
    for (int c = 0; c < H.cols(); ++c) b.column.push_back(b.group_start[at(group)] + c);
    for (int r = 0; r < H.rows(); ++r)
      for (int c = 0; c < H.cols(); ++c) b.values.push_back(H(r, c));
    ++b.term_start.back();
  }
  ContactProblem finish(double dt) {
    problem.dt = dt;
    problem.G.refresh_diagonal();
    return problem;
  }
};

ContactProblem densified(const ContactProblem& p);

struct BoxBody {
  Vec3 centre, size;
  double mass = 1.0;
  Vec6 velocity = Vec6::Zero();  // free velocity: linear, angular, world axes

  Vec6 root_inverse_mass() const {
    const Vec3 s = size.cwiseProduct(size);
    Vec6 m;
    m << mass, mass, mass, mass / 12 * (s.y() + s.z()), mass / 12 * (s.x() + s.z()), mass / 12 * (s.x() + s.y());
    return m.cwiseSqrt().cwiseInverse();
  }
};

// Axis-aligned boxes with horizontal faces: every overlap of faces that touch gives four contacts, as does the floor z = 0.
ContactProblem box_pile(const std::vector<BoxBody>& boxes, double mu, double dt);

inline Vec6 falling(double dt) { return (Vec6() << 0, 0, -9.81 * dt, 0, 0, 0).finished(); }

// Unit cubes of 1 kg, one on the other, at rest.
std::vector<BoxBody> cube_stack(int height, double dt);

// Layers of two planks, each layer across the one below: 51 layers are 102 planks, 808 contacts, 612 velocities.
std::vector<BoxBody> plank_tower(int layers, double dt);

// A quadruped on its belly: 18 velocities, four feet (each with its leg's three joints) and four coplanar corners of the
// trunk, so 24 rows whose rank is below 24. The mass matrix is random but SPD; free velocities are random.
ContactProblem belly_quadruped(unsigned seed, double mu, double dt);

// Bodies of six velocities with contacts on the ground and between each other, joint limits, dry friction and loops.
// Redundant contacts on purpose. Normals lean at most 45 degrees, so that nothing can wedge for mu ≤ 0.8.
ContactProblem random_mix(unsigned seed, int bodies, int contacts, bool all_kinds, double dt);

}  // namespace stiction::test
