// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/finite.h>
#include <stiction/problem/lcp_problem.h>
#include <stiction/solver/catalog.h>
#include <stiction/step/hard/directed_lcp.h>

#include <cmath>
#include <numbers>

namespace stiction {
namespace {

constexpr double kSumRoundOff = 1e-13;  // of a sum, over its terms

// The corners of the law's polygon, with the factor of μ that a circumscribed one has.
void polygon_corners(const FrictionLaw& law, FrictionDirections& out) {
  out.columns.clear();
  const double half = std::numbers::pi / law.facets;
  for (int k = 0; k < law.facets; ++k) {
    const double angle = law.angle + (2 * k + 1) * half;
    out.columns.push_back(Vec3(std::cos(angle), std::sin(angle), 0.0) / std::cos(half));
  }
}

}  // namespace

DirectedLcp::DirectedLcp() : lemke_(make_solver("lemke")) {}

int DirectedLcp::add(const Column& column, double constant) {
  columns_.push_back(column);
  constant_.push_back(constant);
  return static_cast<int>(columns_.size()) - 1;
}

void DirectedLcp::add_contact(const Block& block, int torsion_row, const FrictionDirections& directions,
                              double returned) {
  const int normal = add({1, {block.row + 2}, {1.0}});
  const int first = normal + 1;
  for (const Vec3& d : directions.columns)
    add({torsion_row < 0 ? 2 : 3, {block.row, block.row + 1, torsion_row + 2}, {d.x(), d.y(), d.z()}});
  const int slack = add({0, {}, {}}, block.mu * returned);
  couplings_.push_back({slack, normal, block.mu});
  for (int beta = first; beta < slack; ++beta) {
    couplings_.push_back({beta, slack, 1.0});
    couplings_.push_back({slack, beta, -1.0});
  }
}

void DirectedLcp::add_box(const Block& block) {
  base_[block.row] = block.lo;
  const int impulse = add({1, {block.row}, {1.0}});
  const int slack = add({0, {}, {}}, block.hi - block.lo);
  couplings_.push_back({impulse, slack, 1.0});
  couplings_.push_back({slack, impulse, -1.0});
}

void DirectedLcp::load(const AssembleInput& in, const Assembly& assembly, int island, const ContactProblem& p,
                       const DirectionSets& directions, bool extra) {
  columns_.clear(), couplings_.clear(), constant_.clear();
  if (!directions.given()) polygon_corners(p.law, corners_);
  const bool torsion = directions.has_torsion();
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    if (b.kind == BlockKind::coulomb) {
      const BlockSpec& spec = assembly.specs[assembly.islands.block[assembly.islands.start[island] + i]];
      const ContactKey& key = in.contacts[spec.index].key;
      const FrictionDirections& columns = directions.given() ? directions.of(key.geom_a, key.geom_b) : corners_;
      add_contact(b, torsion ? p.blocks[i + 1].row : -1, columns, returned_[i]);
      if (torsion) ++i;
    } else if (b.kind == BlockKind::unilateral) {
      add({1, {b.row}, {1.0}});
    } else if (b.kind == BlockKind::bilateral) {
      for (int r = b.row; r < b.row + b.size; ++r) add({1, {r}, {1.0}}), add({1, {r}, {-1.0}});
    } else if (!extra) {
      add_box(b);
    }
  }
}

// M = Aᵀ(G + R)A + C and q = Aᵀ((G + R)λ₀ + g) + d of (1) from what was loaded.
void DirectedLcp::assemble(const ContactProblem& p) {
  const int rows = p.rows(), n = static_cast<int>(columns_.size());
  p.G.densify(dense_, unit_, scratch_);
  double* G = dense_.dense.data();
  for (int r = 0; r < rows; ++r) G[r * rows + r] += p.R(r);
  u_.resize(rows);
  const Eigen::Map<const Mat> map(G, rows, rows);  // symmetric
  u_.vec().noalias() = map * base_.vec();
  for (int r = 0; r < rows;
       ++r) {  // what is left of a sum of large terms is zero: a point that stuck in compression sticks
    const double terms = map.row(r).cwiseAbs().dot(base_.vec().cwiseAbs()) + std::abs(p.g[r]);
    u_[r] += p.g[r];
    if (std::abs(u_[r]) < kSumRoundOff * terms) u_[r] = 0.0;
  }
  shape_lcp(n, lcp_);
  for (int k = 0; k < n; ++k) {
    const Column& left = columns_[k];
    lcp_.g[k] = constant_[k];
    for (int i = 0; i < left.count; ++i) lcp_.g[k] += left.weight[i] * u_[left.row[i]];
    for (int l = 0; l < n; ++l) {
      const Column& right = columns_[l];
      double sum = 0.0;
      for (int i = 0; i < left.count; ++i)
        for (int j = 0; j < right.count; ++j)
          sum += left.weight[i] * right.weight[j] * G[left.row[i] * rows + right.row[j]];
      lcp_.G.dense[k * n + l] = sum;
    }
  }
  for (const Coupling& c : couplings_) lcp_.G.dense[c.row * n + c.column] += c.value;
  lcp_.G.refresh_diagonal();
}

// Solves what was loaded; λ = λ₀ + A z.
Report DirectedLcp::pivot(const ContactProblem& p, VecOut lambda) {
  assemble(p);
  Report report;
  if (!all_finite(lcp_.G.dense) || !lcp_.g.vec().allFinite()) {
    report.status = Status::numerical_failure;
    return report;
  }
  z_.assign(lcp_.rows(), 0.0);
  report = lemke_->solve(lcp_, z_.vec());
  lambda = base_.vec();
  for (int k = 0; k < z_.size(); ++k)
    for (int i = 0; i < columns_[k].count; ++i) lambda[columns_[k].row[i]] += columns_[k].weight[i] * z_[k];
  return report;
}

Report DirectedLcp::solve(const AssembleInput& in, const Assembly& assembly, int island, const ContactProblem& p,
                          const DirectionSets& directions, VecOut lambda) {
  base_.assign(p.rows(), 0.0);
  returned_.assign(p.blocks.size(), 0.0);
  load(in, assembly, island, p, directions, false);
  return pivot(p, lambda);
}

Report DirectedLcp::decompress(const AssembleInput& in, const Assembly& assembly, int island, const ContactProblem& p,
                               const DirectionSets& directions, VecOut lambda) {
  base_.resize(p.rows());
  base_.vec() = lambda;
  returned_.assign(p.blocks.size(), 0.0);
  bool any = false;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const BlockSpec& spec = assembly.specs[assembly.islands.block[assembly.islands.start[island] + i]];
    if (spec.source != RowSource::contact || !spec.armed) continue;
    const Contact& c = in.contacts[spec.index];
    const int normal = p.blocks[i].row + p.blocks[i].size - 1;
    const double restitution =
        in.world.material(static_cast<int>(c.key.geom_a), static_cast<int>(c.key.geom_b)).restitution;
    returned_[i] = restitution * lambda[normal];
    base_[normal] += returned_[i];
    any = any || returned_[i] > 0.0;
  }
  if (!any) return {};
  load(in, assembly, island, p, directions, true);
  return pivot(p, lambda);
}

}  // namespace stiction
