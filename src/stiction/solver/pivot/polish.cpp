// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/pivot/lemke.h>
#include <stiction/solver/pivot/polish.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace stiction {
namespace {

constexpr int kPasses = 50;
constexpr double kWorthwhile = 0.9;  // a pass that leaves more of the ratio is idle
constexpr int kIdlePasses = 3;       // idle passes in a row that end it
constexpr double kPolishTolerance = 1e-14;
constexpr int kQpIterations = 60;
constexpr double kSlides = 1e-6;  // relative distance to the pyramid's surface within which a contact counts as sliding
constexpr double kRoundOff = 1e-6;  // of what the judge allows: nothing left to polish

}  // namespace

Polisher::Polisher(const Tolerance& tolerance)
    : tolerance_(tolerance),
      lemke_(make_with_options<Lemke>(
          {{"tolerance", 1e-14}, {"force_tolerance", 0.0}, {"velocity_tolerance", 0.0}, {"power_tolerance", 0.0}})) {}

// a₁ of every contact: 45° before the direction of λ_T; later of λ_T − u_T/tr G_TT for those on the surface of the last pyramid.
void Polisher::choose_axes(const ContactProblem& p, const Vec& lambda, bool first) {
  u_ = G_ * lambda + p.g.vec();
  if (first) axes_.assign(p.blocks.size(), Vec2(1.0, 0.0));
  if (p.law.kind == FrictionLaw::pyramid) return;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    if (b.kind != BlockKind::coulomb) continue;
    Vec2 t = lambda.segment<2>(b.row);
    const Vec2 a = axes_[i], u = u_.segment<2>(b.row);
    const double reach = std::max(std::abs(a.dot(t)), std::abs(a.x() * t.y() - a.y() * t.x()));
    const bool slides = reach >= (1.0 - kSlides) * b.mu / std::numbers::sqrt2 * lambda[b.row + 2];
    const double stiffness = G_(b.row, b.row) + G_(b.row + 1, b.row + 1);
    if (!first && slides && stiffness > 0.0) t -= u / stiffness;
    if (!(t.norm() > 0.0)) t = Vec2(1.0, 0.0);
    t.normalize();
    axes_[i] = Vec2(t.x() + t.y(), t.y() - t.x()) / std::numbers::sqrt2;
  }
}

// x in the turned axes (a₁, a₂) of each contact, or back.
void Polisher::turn_vector(const ContactProblem& p, Vec& x, bool back) const {
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    if (p.blocks[i].kind != BlockKind::coulomb) continue;
    const Vec2 a = axes_[i], t = x.segment<2>(p.blocks[i].row);
    if (back)
      x.segment<2>(p.blocks[i].row) << a.x() * t.x() - a.y() * t.y(), a.y() * t.x() + a.x() * t.y();
    else
      x.segment<2>(p.blocks[i].row) << a.dot(t), a.x() * t.y() - a.y() * t.x();
  }
}

// The same problem in the turned axes, with R inside G and the inscribed pyramid as its law.
void Polisher::turn_problem(const ContactProblem& p) {
  const int n = p.rows();
  Mat G = G_;
  Vec column(n);
  for (int j = 0; j < n; ++j) column = G.col(j), turn_vector(p, column, false), G.col(j) = column;
  for (int i = 0; i < n; ++i) column = G.row(i), turn_vector(p, column, false), G.row(i) = column;
  Vec g = p.g.vec();
  turn_vector(p, g, false);
  const bool own = p.law.kind == FrictionLaw::pyramid;
  turned_.G = Delassus::from_dense(G, p.G.start);
  turned_.g = GrowingVec(g);
  turned_.blocks = p.blocks;
  turned_.compliance.clear();
  turned_.law = own ? p.law : FrictionLaw{FrictionLaw::pyramid};
  turned_.dt = p.dt;
  for (Block& b : turned_.blocks)
    if (!own) b.mu /= std::numbers::sqrt2;
}

// The convex law on (1), from trial_ to trial_.
bool Polisher::solve_program() {
  const ContactProblem& p = turned_;
  const int n = p.rows();
  const double infinity = std::numeric_limits<double>::infinity();
  int facets = 0;
  for (const Block& b : p.blocks) facets += b.kind == BlockKind::coulomb ? 4 : 0;
  qp_.resize(n, facets);
  std::fill_n(qp_.A(), facets * n, 0.0), std::fill_n(qp_.b(), facets, 0.0);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) qp_.H()[i * n + j] = 0.5 * (p.G.dense[i * n + j] + p.G.dense[j * n + i]);
    qp_.c()[i] = p.g[i];
    qp_.lo()[i] = -infinity, qp_.hi()[i] = infinity;
  }
  double* row = qp_.A();
  for (const Block& b : p.blocks) {
    if (b.kind == BlockKind::unilateral) qp_.lo()[b.row] = 0.0;
    if (b.kind == BlockKind::box) qp_.lo()[b.row] = b.lo, qp_.hi()[b.row] = b.hi;
    if (b.kind != BlockKind::coulomb) continue;
    for (const int axis : {0, 1})
      for (const double side : {-1.0, 1.0}) row[b.row + axis] = side, row[b.row + 2] = b.mu, row += n;
    if (b.mu == 0.0) qp_.lo()[b.row + 2] = 0.0;
  }
  qp_.prepare();
  const Vec zero = Vec::Zero(std::max(n, facets));
  qp_.start(trial_.data(), zero.data(), zero.data());
  const DenseQp::Outcome outcome = qp_.solve(kPolishTolerance, kQpIterations);
  factorisations_ += qp_.factorisations();
  trial_ = Eigen::Map<const Vec>(qp_.x(), n);
  return outcome != DenseQp::Outcome::failed;
}

// The pyramid law on (1), from trial_ to trial_. What lemke thinks of it does not matter: the judge decides.
bool Polisher::solve_complementarity() {
  const Report report = lemke_->solve(turned_, trial_);
  factorisations_ += report.factorisations;
  return report.status != Status::invalid_problem;
}

bool Polisher::make_pass(const ContactProblem& p, const Vec& lambda, bool first) {
  choose_axes(p, lambda, first);
  turn_problem(p);
  trial_ = lambda;
  turn_vector(p, trial_, false);
  if (!(p.law.kind == FrictionLaw::convex ? solve_program() : solve_complementarity())) return false;
  turn_vector(p, trial_, true);
  return trial_.allFinite();
}

Report Polisher::polish(const ContactProblem& p, VecOut lambda) {
  if (p.law.kind == FrictionLaw::raisim || has_patches(p)) return refuse("polish");
  if (!lambda.allFinite() || !data_finite(p)) return refuse("polish");
  G_ = p.G.densify();
  for (int r = 0; r < p.rows(); ++r) G_(r, r) += p.R(r);
  factorisations_ = 0;
  const auto judged = [&](const Vec& x) { return evaluate(p, x, p.law, true, tolerance_, work_, Detail::acceptance); };
  Vec best = lambda, now = lambda;
  Residual own = judged(best);
  int passes = 0, idle = 0;
  while (passes < kPasses && idle < kIdlePasses && !(own.ratio <= kRoundOff)) {
    if (!make_pass(p, now, passes++ == 0)) break;
    now = trial_;  // directions are followed through a pass that is worse; only the best is handed back
    const Residual after = judged(now);
    idle = after.ratio <= kWorthwhile * own.ratio ? 0 : idle + 1;
    if (after.ratio < own.ratio) best = now, own = after;
  }
  lambda = best;
  Report report;
  report.iterations = passes;
  report.factorisations = factorisations_;
  report.path = "polish";
  judge_into(p, lambda, tolerance_, work_, report);
  return report;
}

Report polish(const ContactProblem& problem, VecOut lambda, const Tolerance& tolerance) {
  return Polisher(tolerance).polish(problem, lambda);
}

}  // namespace stiction
