// SPDX-License-Identifier: BSD-2-Clause
// The contact problem of the law `relaxed` and of its baselines (law/relaxed.h), on the contact space of the touching points.
#include <stiction/step/classical/rk_gill.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kSingular = 1e-10;  // eigenvalues of A below this share of the largest are zero to the pseudo-inverse

}  // namespace

void RelaxedForces::find_islands(const SoftContext& c, const std::vector<RelaxedPoint>& points) {
  const int trees = static_cast<int>(c.world.trees.size());
  tree_parent_.resize(trees), island_of_tree_.assign(trees, -1), island_of_point_.assign(points.size(), -1);
  for (int t = 0; t < trees; ++t) tree_parent_[t] = t;
  const auto root = [&](BodyId body) {
    int t = body == kWorldBody ? -1 : c.model.layout.bodies[body].tree;
    while (t >= 0 && tree_parent_[t] != t) t = tree_parent_[t] = tree_parent_[tree_parent_[t]];
    return t;
  };
  for (const RelaxedPoint& p : points) {
    const int a = root(p.place.a), b = root(p.place.b);
    if (p.touching && a >= 0 && b >= 0) tree_parent_[std::max(a, b)] = std::min(a, b);
  }
  islands_ = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].touching) continue;
    const int tree = std::max(root(points[i].place.a), root(points[i].place.b));
    int& island = island_of_tree_[tree];
    if (island < 0) island = islands_++;
    island_of_point_[i] = island;
  }
}

void RelaxedForces::gather(const std::vector<RelaxedPoint>& points, int island, ContactSpace& space) {
  touching_.clear(), space.places.clear();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (island_of_point_[i] != island) continue;
    touching_.push_back(static_cast<int>(i));
    space.places.push_back(points[i].place);
  }
}

bool RelaxedForces::compute(const SoftContext& c, ContactSpace& space, std::vector<RelaxedPoint>& points,
                            std::vector<char>& sliding) {
  const RelaxedLaw& law = *c.model.relaxed();
  for (RelaxedPoint& p : points) std::fill(p.force, p.force + 3, 0.0);
  sliding.assign(points.size(), 0);
  rounds_ = 0;
  bool solved = true;
  if (law.model != RelaxedModel::micro) {
    find_islands(c, points);
    if (islands_ > 0) free_acceleration(c, space);
    for (int island = 0; island < islands_; ++island) {
      gather(points, island, space);
      make_contact_rows(c, space);
      if (law.model == RelaxedModel::macro)
        solve_macro(law, c.model.dt, space, points);
      else if (!solve_relaxed(law, c.model.dt, c.world.gravity.norm(), space, points))
        solved = false;
    }
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (law.model != RelaxedModel::micro && !points[i].touching) continue;
    add_spring_forces(law, points[i]);
    sliding[i] = apply_friction(law, points[i]) ? 1 : 0;
  }
  return solved;
}

// Q = AᵀA + λ_r,  g = Aᵀ(b + k_c d)
void RelaxedForces::take_target(const RelaxedLaw& law, double dt, double gravity, const ContactSpace& space,
                                const std::vector<RelaxedPoint>& points) {
  const int n = 3 * static_cast<int>(touching_.size());
  const double gain = law.model == RelaxedModel::hybrid ? 0.0 : law.options.compensation;
  target_.resize(n);
  for (int i = 0; i < n; ++i) {
    const RelaxedPoint& p = points[touching_[i / 3]];
    double back = gain * p.displacement[i % 3];
    if (i % 3 == 2 && is_buried(touching_[i / 3]))
      back = std::max(back, -std::sqrt(gravity * std::max(-p.displacement[2], 0.0)));
    target_[i] = space.a0[i] * dt + p.velocity[i % 3] + back;
  }
}

bool RelaxedForces::solve_inside(const RelaxedLaw& law, double dt, const ContactSpace& space,
                                 std::vector<RelaxedPoint>& points) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const int m = static_cast<int>(touching_.size()), n = 3 * m;
  problem_.G.storage = Delassus::Storage::dense;
  problem_.G.start.clear(), problem_.blocks.clear();
  for (int i = 0; i < m; ++i) {
    const RelaxedPoint& p = points[touching_[i]];
    problem_.blocks.push_back(Block::coulomb(3 * i, p.sliding ? p.mu_kinetic : p.mu_static));
    problem_.G.start.push_back(3 * i);
  }
  problem_.G.start.push_back(n);
  problem_.G.dense.resize(n * n);
  problem_.g.resize(n), problem_.compliance.resize(n), impulse_.resize(n);
  const Eigen::Map<const RowMajor> A(space.A.data(), n, n);
  Eigen::Map<RowMajor> Q(problem_.G.dense.data(), n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) Q(i, j) = Q(j, i) = law.energy ? 0.5 * (A(i, j) + A(j, i)) : A.row(i).dot(A.row(j));
    problem_.g[i] = law.energy ? target_[i] : A.row(i).dot(Eigen::Map<const Eigen::RowVectorXd>(target_.data(), n));
    problem_.compliance[i] = law.options.regularisation;
    impulse_[i] = 0.0;
  }
  problem_.law.kind = law.energy ? FrictionLaw::coulomb : FrictionLaw::convex;
  problem_.dt = dt;
  problem_.G.refresh_diagonal();
  const Report report = solver_->solve(problem_, Eigen::Map<Vec>(impulse_.data(), n));
  rounds_ += report.iterations;
  for (int i = 0; i < n; ++i) points[touching_[i / 3]].force[i % 3] = impulse_[i] / dt;
  return report.status == Status::converged;
}

bool RelaxedForces::solve_relaxed(const RelaxedLaw& law, double dt, double gravity, const ContactSpace& space,
                                  std::vector<RelaxedPoint>& points) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const int n = 3 * static_cast<int>(touching_.size());
  take_target(law, dt, gravity, space, points);
  if (law.inside) return solve_inside(law, dt, space, points);
  qp_.resize(n, 3);
  const Eigen::Map<const RowMajor> A(space.A.data(), n, n);
  Eigen::Map<RowMajor> Q(qp_.Q(), n, n);
  for (int i = 0; i < n; ++i)  // A is symmetric: rows serve as columns. Written out, Eigen's product would allocate
    for (int j = 0; j <= i; ++j)
      Q(i, j) = Q(j, i) = A.row(i).dot(A.row(j)) + (i == j ? law.options.regularisation : 0.0);
  for (int i = 0; i < n; ++i) qp_.g()[i] = A.row(i).dot(Eigen::Map<const Eigen::RowVectorXd>(target_.data(), n));
  const bool solved = law.omit ? qp_.solve_omitting() : qp_.solve();
  rounds_ += qp_.rounds();
  for (int i = 0; i < n; ++i) points[touching_[i / 3]].force[i % 3] = qp_.x()[i] / dt;
  return solved;
}

// vectors_ ← A⁺ · (−target) on the kept contacts.
void RelaxedForces::pseudo_inverse(const ContactSpace& space) {
  const int n = 3 * static_cast<int>(kept_.size()), rows = 3 * static_cast<int>(touching_.size());
  matrix_.resize(n * n), vectors_.assign(4 * n, 0.0), pair_.assign(2 * n, 0.0);
  for (int i = 0; i < n; ++i) {
    const int from = 3 * kept_[i / 3] + i % 3;
    vectors_[4 * i] = -target_[from];
    for (int j = 0; j < n; ++j) {
      const int to = 3 * kept_[j / 3] + j % 3;
      matrix_[i * n + j] = 0.5 * (space.A[from * rows + to] + space.A[to * rows + from]);
    }
  }
  modes_.enter(n, matrix_.data(), vectors_.data());
  double largest = 0.0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, modes_.eigenvalues()[i]);
  for (int i = 0; i < n; ++i) {
    const double value = modes_.eigenvalues()[i];
    pair_[2 * i] = value > kSingular * largest ? vectors_[4 * i] / value : 0.0;
  }
  modes_.leave(pair_.data());
}

void RelaxedForces::solve_macro(const RelaxedLaw& law, double dt, const ContactSpace& space,
                                std::vector<RelaxedPoint>& points) {
  const int m = static_cast<int>(touching_.size());
  target_.resize(3 * m);
  kept_.clear();
  for (int i = 0; i < m; ++i) {
    const RelaxedPoint& p = points[touching_[i]];
    for (int r = 0; r < 3; ++r) target_[3 * i + r] = space.a0[3 * i + r] * dt + p.velocity[r];
    target_[3 * i + 2] += law.options.normal_bias * p.displacement[2];
    kept_.push_back(i);
  }
  for (bool again = true; again && !kept_.empty();) {
    ++rounds_;
    pseudo_inverse(space);
    again = false;
    int left = 0;
    for (int i = 0; i < static_cast<int>(kept_.size()); ++i) {
      if (pair_[2 * (3 * i + 2)] < 0.0)
        again = true;
      else
        kept_[left++] = kept_[i];
    }
    if (again) kept_.resize(left);
  }
  for (int i = 0; i < static_cast<int>(kept_.size()); ++i)
    for (int r = 0; r < 3; ++r) points[touching_[kept_[i]]].force[r] = pair_[2 * (3 * i + r)] / dt;
}

}  // namespace stiction
