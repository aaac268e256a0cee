// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/pivot/pyramid_lcp.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

constexpr double kEdge = 1e-9;     // of the radius: closer to the edge of the polygon counts as on it
constexpr double kCorner = 1e-10;  // of ‖λ_T‖: less on a corner counts as none

struct Polygon {
  double first, step, reach;  // angle of corner 0, angle between corners, 1/cos(π/K)

  explicit Polygon(const FrictionLaw& law)
      : first(law.angle + std::numbers::pi / law.facets),
        step(2.0 * std::numbers::pi / law.facets),
        reach(1.0 / std::cos(std::numbers::pi / law.facets)) {}
  Vec2 corner(int k) const { return {std::cos(first + k * step), std::sin(first + k * step)}; }
};

double block_scale(const ContactProblem& p, const Block& block, int i) {
  const double* d = p.G.diagonal_block(i);
  double sum = 0.0;
  for (int r = 0; r < block.size; ++r) sum += d[r * (block.size + 1)] + p.R(block.row + r);
  return sum > 0.0 ? 1.0 / std::sqrt(sum / block.size) : 1.0;
}

}  // namespace

bool PyramidLcp::load(const ContactProblem& p, bool equilibrate) {
  variables_.clear(), couplings_.clear(), first_.clear(), q_.clear();
  offset_.assign(p.rows(), 0.0);
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& block = p.blocks[i];
    const double scale = equilibrate ? block_scale(p, block, static_cast<int>(i)) : 1.0;
    first_.push_back(size());
    switch (block.kind) {
      case BlockKind::coulomb:
        add_contact(p.law, block, scale);
        break;
      case BlockKind::unilateral:
        add(block.row, 1.0, scale);
        break;
      case BlockKind::box:
        add_box(block, scale);
        break;
      case BlockKind::bilateral:
      case BlockKind::patch:
        return false;
    }
  }
  write_matrix(p);
  assemble(p);
  return true;
}

void PyramidLcp::add(int row, double weight, double scale, double constant) {
  variables_.push_back({{row, -1}, {weight, 0.0}, scale});
  q_.push_back(constant);
}

// (2, 3).
void PyramidLcp::add_contact(const FrictionLaw& law, const Block& block, double scale) {
  if (block.mu == 0.0) return add(block.row + 2, 1.0, scale);
  const Polygon polygon(law);
  const int first = size(), normal = first + law.facets, sigma = normal + 1;
  for (int k = 0; k < law.facets; ++k) {
    const Vec2 d = polygon.corner(k);
    variables_.push_back({{block.row, block.row + 1}, {d.x(), d.y()}, scale});
    q_.push_back(0.0);
    couplings_.push_back({first + k, sigma, 1.0});
    couplings_.push_back({sigma, first + k, -1.0});
  }
  add(block.row + 2, 1.0, scale);
  add(-1, 0.0, 1.0 / scale);
  couplings_.push_back({sigma, normal, polygon.reach * block.mu});
}

void PyramidLcp::add_box(const Block& block, double scale) {
  const bool lower = std::isfinite(block.lo), upper = std::isfinite(block.hi);
  if (lower) {
    const int first = size();
    offset_[block.row] = block.lo;
    add(block.row, 1.0, scale);
    if (!upper) return;
    add(-1, 0.0, 1.0 / scale, block.hi - block.lo);
    couplings_.push_back({first, first + 1, 1.0});
    couplings_.push_back({first + 1, first, -1.0});
    return;
  }
  if (upper) offset_[block.row] = block.hi;
  if (!upper) add(block.row, 1.0, scale);
  add(block.row, -1.0, scale);
}

// G + R, row-major, whatever the storage.
void PyramidLcp::write_matrix(const ContactProblem& p) {
  const int n = p.rows();
  matrix_.resize(n * n);
  if (p.G.storage == Delassus::Storage::dense) {
    std::copy(p.G.dense.begin(), p.G.dense.end(), matrix_.begin());
  } else {
    unit_.assign(n, 0.0), u_.resize(n);
    for (int j = 0; j < n; ++j) {
      unit_[j] = 1.0;
      p.G.multiply(unit_.data(), u_.data(), scratch_);
      for (int i = 0; i < n; ++i) matrix_[i * n + j] = u_[i];
      unit_[j] = 0.0;
    }
  }
  for (int i = 0; i < n; ++i) matrix_[i * (n + 1)] += p.R(i);
}

// M = S(Aᵀ(G + R)A + couplings)S and q = S(Aᵀ(g + (G + R)λ₀) + constants).
void PyramidLcp::assemble(const ContactProblem& p) {
  const int n = p.rows(), m = size();
  half_.resize(n * m), M_.assign(m * m, 0.0), u_.resize(n);
  for (int i = 0; i < n; ++i) {
    const double* row = matrix_.data() + i * n;
    u_[i] = p.g[i];
    for (int j = 0; j < n; ++j)
      if (offset_[j] != 0.0) u_[i] += row[j] * offset_[j];
    for (int k = 0; k < m; ++k) {
      const Variable& v = variables_[k];
      double x = 0.0;
      for (int e = 0; e < 2; ++e)
        if (v.row[e] >= 0) x += row[v.row[e]] * v.weight[e];
      half_[i * m + k] = x;
    }
  }
  for (int k = 0; k < m; ++k) {
    const Variable& v = variables_[k];
    double* out = M_.data() + k * m;
    for (int e = 0; e < 2; ++e) {
      if (v.row[e] < 0) continue;
      const double* in = half_.data() + v.row[e] * m;
      for (int l = 0; l < m; ++l) out[l] += v.weight[e] * in[l];
      q_[k] += v.weight[e] * u_[v.row[e]];
    }
  }
  for (const Coupling& c : couplings_) M_[c.row * m + c.column] += c.value;
  for (int k = 0; k < m; ++k) {
    const double s = variables_[k].scale;
    q_[k] *= s;
    for (int l = 0; l < m; ++l) M_[k * m + l] *= s * variables_[l].scale;
  }
}

void PyramidLcp::to_lambda(const double* z, double* lambda) const {
  std::copy_n(offset_.data(), offset_.size(), lambda);
  for (int k = 0; k < size(); ++k) {
    const Variable& v = variables_[k];
    for (int e = 0; e < 2; ++e)
      if (v.row[e] >= 0) lambda[v.row[e]] += v.weight[e] * (v.scale * z[k]);
  }
}

void PyramidLcp::from_lambda(const ContactProblem& p, const double* lambda, double* z) {
  const int n = p.rows();
  u_.resize(n);
  for (int i = 0; i < n; ++i) {
    u_[i] = p.g[i];
    for (int j = 0; j < n; ++j) u_[i] += matrix_[i * n + j] * lambda[j];
  }
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& block = p.blocks[i];
    double* x = z + first_[i];
    if (block.kind == BlockKind::coulomb)
      read_contact(p.law, block, lambda + block.row, x);
    else if (block.kind == BlockKind::box)
      read_box(block, lambda[block.row], u_[block.row], x);
    else
      *x = std::max(lambda[block.row], 0.0);
  }
  for (int k = 0; k < size(); ++k) z[k] /= variables_[k].scale;
}

void PyramidLcp::read_contact(const FrictionLaw& law, const Block& block, const double* l, double* z) {
  const double normal = std::max(l[2], 0.0);
  if (block.mu == 0.0) {
    *z = normal;
    return;
  }
  const Polygon polygon(law);
  const int K = law.facets;
  std::fill_n(z, K + 2, 0.0);
  z[K] = normal;
  const double length = std::hypot(l[0], l[1]), radius = polygon.reach * block.mu * normal;
  double sum = 0.0;
  if (normal > 0.0 && length > 0.0) {
    const int k = static_cast<int>(std::floor((std::atan2(l[1], l[0]) - polygon.first) / polygon.step));
    const Vec2 a = polygon.corner(k), b = polygon.corner(k + 1);
    const double sine = std::sin(polygon.step);
    const double x = (l[0] * b.y() - l[1] * b.x()) / sine, y = (a.x() * l[1] - a.y() * l[0]) / sine;
    z[((k % K) + K) % K] = x > kCorner * length ? x : 0.0;
    z[((k + 1) % K + K) % K] = y > kCorner * length ? y : 0.0;
    sum = x + y;
  }
  if (sum < (1.0 - kEdge) * radius) return;  // open contacts have radius 0: their σ keeps the rows of β positive
  for (int k = 0; k < K; ++k)
    z[K + 1] = std::max(z[K + 1], -polygon.corner(k).dot(Vec2(u_[block.row], u_[block.row + 1])));
}

void PyramidLcp::read_box(const Block& block, double lambda, double u, double* z) const {
  const bool lower = std::isfinite(block.lo), upper = std::isfinite(block.hi);
  if (lower && upper) {
    const double close = kEdge * (block.hi - block.lo);
    z[0] = lambda - block.lo > close ? lambda - block.lo : 0.0;
    z[1] = block.hi - lambda > close ? 0.0 : std::max(-u, 0.0);
  } else if (lower || upper) {
    z[0] = std::max(lower ? lambda - block.lo : block.hi - lambda, 0.0);
  } else {
    z[0] = std::max(lambda, 0.0), z[1] = std::max(-lambda, 0.0);
  }
}

}  // namespace stiction
