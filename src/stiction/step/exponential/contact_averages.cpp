// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/growing.h>
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/step/exponential/contact_averages.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

void grow_work(AverageWork& w, int rows) {
  const std::size_t n = rows;
  grow(w.upsilon, n * n);
  for (std::vector<double>* x : {&w.stiffness, &w.damping, &w.beta, &w.displacement, &w.velocity, &w.average,
                                 &w.double_average, &w.other, &w.other_double, &w.scratch})
    if (x->size() < n) x->resize(n);
}

void gather_upsilon(const SoftContext& c, const Island& island, bool diagonal, double* upsilon) {
  const RowSet& rows = c.work.rows;
  const int n = island.rows;
  int i = 0;
  for (const int* bi = island.first; bi != island.last; ++bi) {
    const RowBlock& left = rows.blocks[*bi];
    int j = i;
    for (const int* bj = bi; bj != island.last; ++bj) {
      const RowBlock& right = rows.blocks[*bj];
      delassus_block(c.model.layout, rows, left, right, upsilon + i * n + j, n);
      if (bj != bi)
        for (int r = 0; r < left.rows; ++r)
          for (int s = 0; s < right.rows; ++s) upsilon[(j + s) * n + i + r] = upsilon[(i + r) * n + j + s];
      j += right.rows;
    }
    i += left.rows;
  }
  for (int r = 0; diagonal && r < n; ++r)
    for (int s = 0; s < n; ++s)
      if (r != s) upsilon[r * n + s] = 0.0;
}

}  // namespace

Island island_of(const SoftContext& c, int k) {
  const Islands& all = c.work.islands;
  Island i{all.block.data() + all.start[k], all.block.data() + all.start[k + 1], 0};
  for (const int* b = i.first; b != i.last; ++b) i.rows += c.work.rows.blocks[*b].rows;
  return i;
}

LinearContact gather(const SoftContext& c, const Island& island, const AverageOptions& o, double h,
                     const std::vector<SoftPoint>& points, AverageWork& w, const double* upsilon) {
  grow_work(w, island.rows);
  if (upsilon == nullptr) gather_upsilon(c, island, o.diagonal, w.upsilon.data()), upsilon = w.upsilon.data();
  std::size_t row = 0;
  for (const int* b = island.first; b != island.last; ++b) {
    const SoftPoint& p = points[*b];
    const double* beta = c.work.beta.data() + 3 * (*b);
    for (int r = 0; r < p.rows; ++r, ++row) {
      w.stiffness[row] = p.stiffness[r];
      w.damping[row] = o.slip_continues && p.slipping ? 0.0 : p.damping[r];
      w.beta[row] = beta[r], w.displacement[row] = p.displacement[r], w.velocity[row] = p.velocity[r];
    }
  }
  return {island.rows,       upsilon, w.stiffness.data(), w.damping.data(), w.beta.data(), w.displacement.data(),
          w.velocity.data(), h};
}

namespace {

// h‖M⁻¹Jᵀ(λ₁ − λ₂)‖∞ of one island.
double velocity_difference(const SoftContext& c, const Island& island, double h, AverageWork& w) {
  std::fill(w.whitened.begin(), w.whitened.end(), 0.0);
  std::size_t row = 0;
  for (const int* b = island.first; b != island.last; ++b) {
    const RowBlock& block = c.work.rows.blocks[*b];
    double difference[3];
    for (int r = 0; r < block.rows; ++r) difference[r] = w.other[row + r] - w.average[row + r];
    add_impulse(c.model.layout, c.work.rows, block, difference, w.whitened.data());
    row += block.rows;
  }
  for (const Tree& tree : c.world.trees) solve_lower(c.model.layout, tree, c.work.kinematics, w.whitened.data());
  double largest = 0.0;
  for (const double x : w.whitened) largest = std::max(largest, std::abs(x));
  return h * largest;
}

void solve_automatic(const SoftContext& c, const Island& island, const LinearContact& problem, const AverageOptions& o,
                     AverageWork& w, AverageReport& report) {
  pole_forces(problem, Approximant::cayley_11, w.poles, w.other.data(), w.other_double.data());
  pole_forces(problem, Approximant::l_stable_12, w.poles, w.average.data(), w.double_average.data());
  const double estimate = velocity_difference(c, island, problem.h, w);
  report.estimate = std::max(report.estimate, estimate);
  if (estimate <= 4.0 * o.tolerance) return;
  exact_forces(problem, w.exact, w.average.data(), w.double_average.data());
  ++report.exact_solves;
}

void solve(const SoftContext& c, const Island& island, const LinearContact& problem, const AverageOptions& o,
           AverageWork& w, AverageReport& report) {
  double *average = w.average.data(), *twice = w.double_average.data();
  switch (o.approximant) {
    case Approximant::automatic:
      solve_automatic(c, island, problem, o, w, report);
      break;
    case Approximant::exact:
      exact_forces(problem, w.exact, average, twice);
      break;
    case Approximant::dense:
      dense_forces(problem, o.dense, w.dense, average, twice);
      break;
    default:
      pole_forces(problem, o.approximant, w.poles, average, twice);
  }
}

// The force of a slipping point keeps the damping that its dynamics have lost.
void restore_damping(const Island& island, const LinearContact& p, const std::vector<SoftPoint>& points,
                     AverageWork& w) {
  const Eigen::Map<const Mat> upsilon(p.upsilon, p.rows, p.rows);
  const auto n = static_cast<Eigen::Index>(p.rows);
  Eigen::Map<Vec> shift(w.scratch.data(), n);
  shift.noalias() = upsilon * Eigen::Map<const Vec>(w.double_average.data(), n);
  std::size_t row = 0;
  for (const int* b = island.first; b != island.last; ++b) {
    const SoftPoint& point = points[*b];
    for (int r = 0; r < point.rows; ++r, ++row) {
      if (!point.slipping) continue;
      const double damping = point.damping[r];
      const double mean_velocity = p.velocity[row] + 0.5 * p.h * (p.beta[row] + w.scratch[row]);
      w.double_average[row] += 2.0 * damping / p.h * (w.average[row] / p.stiffness[row] + p.displacement[row]);
      w.average[row] -= damping * mean_velocity;
    }
  }
}

void scatter(const Island& island, const AverageWork& w, std::vector<SoftPoint>& points) {
  std::size_t row = 0;
  for (const int* b = island.first; b != island.last; ++b) {
    SoftPoint& p = points[*b];
    for (int r = 0; r < p.rows; ++r, ++row) p.average[r] = w.average[row], p.double_average[r] = w.double_average[row];
    cone_map(p, p.average, p.projected);
    cone_map(p, p.double_average, p.double_projected);
  }
}

}  // namespace

namespace {

// Contacts by their key, held points and limits by their number.
std::pair<SoftKind, ContactKey> identity(const SoftPoint& p, const std::vector<AnchorRecord>& records) {
  if (p.record >= 0) return {p.kind, records[p.record].key};
  return {p.kind, {static_cast<std::uint32_t>(p.index), p.sign > 0.0 ? 1u : 0u, 0}};
}

}  // namespace

bool KeptUpsilon::fits(const std::vector<SoftPoint>& now, const std::vector<AnchorRecord>& records) const {
  if (now.size() != points.size()) return false;
  for (std::size_t i = 0; i < now.size(); ++i)
    if (identity(now[i], records) != points[i]) return false;
  return true;
}

AverageReport average_forces(const SoftContext& c, const AverageOptions& o, double h, AverageWork& w,
                             std::vector<SoftPoint>& points) {
  AverageReport report;
  w.whitened.resize(c.world.nv);
  bool any_slip = false;
  for (const SoftPoint& p : points) any_slip = any_slip || p.slipping;
  const bool known = o.keep && w.kept.fits(points, c.work.records);
  if (o.keep && !known) {
    w.kept.clear();
    for (const SoftPoint& p : points) w.kept.points.push_back(identity(p, c.work.records));
  }
  std::size_t first = 0;  // of the island in the kept ones
  for (int k = 0; k < c.work.islands.count(); ++k) {
    const Island island = island_of(c, k);
    const double* upsilon = known ? w.kept.values.data() + first : nullptr;
    const LinearContact problem = gather(c, island, o, h, points, w, upsilon);
    const std::size_t entries = island.rows * island.rows;
    first += entries;
    if (o.keep && !known) w.kept.values.insert(w.kept.values.end(), problem.upsilon, problem.upsilon + entries);
    solve(c, island, problem, o, w, report);
    if (o.slip_continues && any_slip) restore_damping(island, problem, points, w);
    scatter(island, w, points);
  }
  return report;
}

void predict_end(const SoftContext& c, double h, AverageWork& w, std::vector<SoftPoint>& points) {
  for (int k = 0; k < c.work.islands.count(); ++k) {
    const Island island = island_of(c, k);
    const LinearContact problem = gather(c, island, {}, h, points, w);
    std::size_t row = 0;
    for (const int* b = island.first; b != island.last; ++b)
      for (int r = 0; r < points[*b].rows; ++r, ++row)
        w.average[row] = points[*b].average[r], w.double_average[row] = points[*b].double_average[r];
    end_of_step(problem, w.average.data(), w.double_average.data(), w.other.data(), w.other_double.data(),
                w.scratch.data());
    row = 0;
    for (const int* b = island.first; b != island.last; ++b)
      for (int r = 0; r < points[*b].rows; ++r, ++row) points[*b].predicted[r] = w.scratch[row];
  }
}

}  // namespace stiction
