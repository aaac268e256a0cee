// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/automatic/auto_solver.h>
#include <stiction/solver/core/short_solve.h>
#include <stiction/solver/core/work_estimate.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

namespace {

constexpr int kLargeRows = 180;  // from here on a body-space problem goes to its Newton first
constexpr int kShortAdmm = 300, kProximalSteps = 1000;
constexpr int kJointRounds = 16;       // of an active set; most problems take one or two
constexpr int kSorSweeps = 200;        // cheap ones: as dear as 20 of nsgs
constexpr int kRowsPerSorSweep = 10;   // large problems may take more
constexpr int kTableauRows = 600;      // of a Lemke tableau: larger ones are slower than many sweeps
constexpr int kPivotRows = 1500;       // of dantzig, whose first pass costs n³
constexpr int kRelaxedSweeps = 20000;  // of the laws that relax Coulomb's: nothing was ever solved by more
constexpr int kBisectionSweeps = 400, kDampedSweeps = 2000;
constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr int kFactorRows = 600;  // up to here newton takes a dense factor per step (1000 rows: half a second each)

// Options of a stage; set(options) adds what is not shared.
template <class O, class Set>
O stage(const CommonOptions& common, int iterations, Set set) {
  O o = stage_options<O>(common, iterations);
  set(o);
  return o;
}

NsgsOptions sweeps(const CommonOptions& common, int iterations, int plain_sweeps) {
  return stage<NsgsOptions>(common, iterations,
                            [&](auto& o) { o.anderson = 5, o.test_interval = 5, o.plain_sweeps = plain_sweeps; });
}

// Anderson needs a few differences before it gains anything, and costs as much as a sweep of a robot's contacts: warm problems
// that plain sweeps solve at once are left alone (a swaying quadruped: 3.9 sweeps either way, and 8 % of a step saved).
constexpr int kPlainSweeps = 4;

// No contact approaches.
bool all_open(const ContactProblem& problem) {
  for (const Block& b : problem.blocks) {
    const bool contact = b.kind != BlockKind::bilateral && b.kind != BlockKind::box;
    if (!contact || !(problem.g[b.row + b.size - 1] >= 0.0)) return false;
  }
  return true;
}

}  // namespace

AutoSolver::AutoSolver(const Options& o)
    : Method(o),
      first_(sweeps(o, o.sweeps, kPlainSweeps)),
      more_(sweeps(o, o.max_iterations, 0)),
      pgs_(stage_options<PgsOptions>(o, 400)),
      accelerated_pgs_(
          stage<PgsOptions>(o, std::min(kRelaxedSweeps, o.max_iterations), [](auto& pgs) { pgs.anderson = 8; })),
      short_admm_(stage_options<AdmmOptions>(o, kShortAdmm)),
      admm_(stage_options<AdmmOptions>(o, o.max_iterations)),
      proximal_newton_(stage<NewtonOptions>(o, kProximalSteps, [](auto& newton) { newton.proximal = true; })),
      lemke_(std::make_unique<Lemke>(stage_options<LemkeOptions>(o, o.max_iterations)), o),
      dantzig_(stage_options<DantzigOptions>(o, o.max_iterations)),
      bisection_(stage_options<BisectionOptions>(o, std::min(kBisectionSweeps, o.max_iterations))),
      damped_bisection_(stage<BisectionOptions>(o, std::min(kDampedSweeps, o.max_iterations),
                                                [](auto& bisection) { bisection.alpha_min = 0.03; })),
      interior_(stage_options<InteriorPointOptions>(o, o.max_iterations)),
      apgd_(stage<ApgdOptions>(o, o.max_iterations, [](auto& apgd) { apgd.stall_window = 0; })),
      cold_(o.cold_start) {
  options_.cold_start = false;  // once: what an easy case has found is the guess of the stages
}

void AutoSolver::record(History* history) {
  history_ = history;
  for (Solver* stage :
       std::initializer_list<Solver*>{&first_, &more_, &interior_, &apgd_, &pgs_, &accelerated_pgs_, &short_admm_,
                                      &admm_, &proximal_newton_, &lemke_, &dantzig_, &bisection_, &damped_bisection_})
    stage->record(history);
}

Report AutoSolver::solve(const ContactProblem& problem, VecOut lambda) {
  if (cold_) lambda.setZero();
  if (problem.general) return lemke_.solve(problem, lambda);
  const bool joints = problem.blocks.size() > 1 && !has_patches(problem);
  if (joints && joints_.load(problem, lambda.data())) return solve_joints(problem, lambda);
  return solve_rows(problem, lambda);
}

// Joints around contacts: sweeps alone until the joints are settled, then whatever it takes. What the rounds leave undone is the
// guess of the other methods.
Report AutoSolver::solve_joints(const ContactProblem& problem, VecOut lambda) {
  Report total{}, contacts{};
  const bool coulomb = problem.law.kind == FrictionLaw::coulomb;
  for (int round = 0; round < kJointRounds && joints_.reduce(problem); ++round) {
    const ContactProblem& reduced = joints_.contacts();
    auto impulses = joints_.contact_impulses().vec();
    const bool sweep = coulomb && reduced.blocks.size() > 1;
    contacts = Report{};
    if (reduced.rows() > 0) contacts = sweep ? first_.solve(reduced, impulses) : solve_rows(reduced, impulses);
    add_counts(contacts, total);
    total.iterations += 1, total.factorisations += 1;
    if (joints_.expand(problem, round > kJointRounds / 2, lambda.data()) > 0) continue;
    if (sweep && contacts.status != Status::converged && contacts.status != Status::invalid_problem) {
      begin_general(reduced);
      contacts = solve_strong(reduced, Report{}, impulses);
      add_counts(contacts, total);
      if (joints_.expand(problem, round > kJointRounds / 2, lambda.data()) > 0) continue;
    }
    Report report = judged(problem, "joints", lambda);
    report.iterations = 0;
    add_counts(total, report);
    if (report.status == Status::converged) return report;
    break;
  }
  Report report = solve_rows(problem, lambda);
  add_counts(total, report);
  return report;
}

Report AutoSolver::solve_rows(const ContactProblem& problem, VecOut lambda) {
  if (problem.law.kind == FrictionLaw::coulomb)
    return problem.blocks.size() == 1 ? solve_one_block(problem, lambda) : solve_blocks(problem, lambda);
  start(problem, lambda);
  Report report = problem.law.kind == FrictionLaw::convex    ? solve_convex(problem, lambda)
                  : problem.law.kind == FrictionLaw::pyramid ? solve_pyramid(problem, lambda)
                                                             : solve_raisim(problem, lambda);
  if (report.status != Status::stalled && report.status != Status::max_iterations) return report;
  asked_ = infeasible_ = false;  // no law helps where no velocity keeps the contacts apart
  prove_infeasible(problem);
  if (infeasible_) report.status = Status::infeasible;
  return report;
}

// All contacts opening: λ = 0.
Report AutoSolver::solve_blocks(const ContactProblem& problem, VecOut lambda) {
  if (!all_open(problem)) return solve_closed(problem, lambda);
  lambda.setZero();
  Report report = judged(problem, "open", lambda);
  if (report.status != Status::converged) report = solve_closed(problem, lambda);
  return report;
}

Report AutoSolver::solve_closed(const ContactProblem& problem, VecOut lambda) {
  if (options_.time_limit <= 0.0 && sor_.load(problem)) return solve_frictionless(problem, lambda);
  return solve_general(problem, lambda);
}

void AutoSolver::begin_general(const ContactProblem& problem) {
  sweep_price_ = sweep_work(problem), factor_price_ = newton_work(problem);
  best_.begin_clock(options_, history_);
  counts_.iterations = counts_.factorisations = 0;
  core_loaded_ = asked_ = infeasible_ = bounded_ = false;
  short_steps_ = ShortSolve::newton_steps();
  set_price(factor_price_);
}

void AutoSolver::set_price(double factor_price) {
  factor_price_ = factor_price;
  allowed_work_ = options_.work;
  if (short_steps_ > 0.0)
    allowed_work_ = std::min(options_.work > 0.0 ? options_.work : kEndless, short_steps_ * factor_price_);
}

int AutoSolver::steps_left(int wanted) const {
  const int left = std::min(wanted, remaining());
  if (!(allowed_work_ > 0.0)) return left;
  return std::min(left, static_cast<int>(std::min(remaining() * sweep_price_ / factor_price_, 1e9)));
}

// Iterations that are left, as sweeps where the work is bounded.
int AutoSolver::remaining() const {
  const int left = options_.max_iterations - counts_.iterations;
  if (!(allowed_work_ > 0.0)) return left;
  const double used = counts_.iterations * sweep_price_ + counts_.factorisations * factor_price_;
  return std::min(left, static_cast<int>(std::clamp((allowed_work_ - used) / sweep_price_, 0.0, 1e9)));
}

Report AutoSolver::solve_general(const ContactProblem& problem, VecOut lambda) {
  begin_general(problem);
  if (has_patches(problem)) return solve_patches(problem, lambda);
  if (problem.rows() > kLargeRows && prefers_body_space(problem)) return solve_large(problem, lambda);
  Report report = first_.solve(problem, lambda);
  if (report.status != Status::converged && report.status != Status::invalid_problem)
    report = solve_strong(problem, report, lambda);
  return report;
}

// One block has a closed form, whatever the guess.
Report AutoSolver::solve_one_block(const ContactProblem& problem, VecOut lambda) {
  const Block& b = problem.blocks[0];
  if (b.kind == BlockKind::coulomb) {
    double w[9];
    std::copy_n(problem.G.diagonal_block(0), 9, w);
    for (int k = 0; k < 3; ++k) w[4 * k] += problem.R(k);
    LocalContact contact;
    contact.prepare(w, b.mu);
    double r[3];
    contact.solve(problem.g.data(), r);
    lambda = Vec3(r[0], r[1], r[2]);
  } else if (const double w = *problem.G.diagonal_block(0) + problem.R(0); b.kind == BlockKind::unilateral && w > 0.0) {
    lambda[0] = std::max(0.0, -problem.g[0] / w);
  } else {
    local_.prepare(problem, false);
    lambda.setZero();
    product_ = problem.g;  // u at λ = 0
    local_.solve_other(b, 0, 1.0, product_.data(), lambda.data());
  }
  Report report = judged(problem, "closed_form", lambda);
  if (report.status != Status::converged) report = solve_blocks(problem, lambda);
  return report;
}

// The λ of sweeps that do not suffice is the guess of the next stage.
Report AutoSolver::solve_frictionless(const ContactProblem& problem, VecOut lambda) {
  sor_.run(options_.judge_tolerance(),
           std::min(std::max(kSorSweeps, problem.rows() / kRowsPerSorSweep), options_.max_iterations), lambda.data());
  Report report = judged(problem, "sor", lambda);
  report.iterations = 0;
  if (report.status != Status::converged) report = solve_general(problem, lambda);
  report.iterations += sor_.sweeps();
  return report;
}

// Islands of one contact are the commonest of all: judged straight into the report.
Report AutoSolver::judged(const ContactProblem& problem, const char* path, const VecRef& lambda) {
  Report report{Status::converged, 1, 0, {}, {}, path};
  judge_into(problem, lambda, options_.judge_tolerance(), work_, report);
  return report;
}

// Each turn starts from the λ of the one before, until one is accepted.
Report AutoSolver::solve_in_turn(const ContactProblem& problem, std::initializer_list<Turn> turns, VecOut lambda) {
  Report report;
  const Turn* first = turns.begin();
  for (const Turn& turn : turns) {
    const Report before = report;
    if (turn.keeps) guess_from(problem, lambda.data());
    report = turn.method.solve(problem, lambda);
    if (&turn != first) add_counts(before, report);
    if (turn.path) report.path = turn.path;
    if (turn.keeps && !(report.own.ratio <= before.own.ratio)) {
      std::copy_n(guess_.data(), problem.rows(), lambda.data());
      report.own = before.own, report.ncp = before.ncp;
    }
    if (report.status == Status::converged || report.status == Status::invalid_problem || best_.out_of_time()) break;
  }
  return report;
}

Report AutoSolver::solve_convex(const ContactProblem& problem, VecOut lambda) {
  if (has_patches(problem)) return solve_patches(problem, lambda);
  const bool newton = problem.rows() <= kFactorRows || problem.G.storage == Delassus::Storage::body_space;
  if (!newton) return solve_in_turn(problem, {{pgs_, nullptr}, {admm_, "pgs>admm"}}, lambda);
  return solve_in_turn(problem,
                       {{pgs_, nullptr},
                        {short_admm_, "pgs>admm"},
                        {proximal_newton_, "pgs>admm>newton", true},
                        {admm_, "pgs>admm>newton>admm", true}},
                       lambda);
}

Report AutoSolver::solve_pyramid(const ContactProblem& problem, VecOut lambda) {
  if (problem.law.facets > 4) return lemke_.solve(problem, lambda);
  const auto contacts = std::count_if(problem.blocks.begin(), problem.blocks.end(),
                                      [](const Block& b) { return b.kind == BlockKind::coulomb; });
  const bool large = problem.rows() + 3 * contacts > kTableauRows;
  if (problem.rows() > kPivotRows || (large && options_.work > 0.0))  // of a step: no pivoting at n³
    return solve_in_turn(problem, {{pgs_, nullptr}, {accelerated_pgs_, "pgs>accelerated_pgs"}}, lambda);
  if (large)
    return solve_in_turn(
        problem,
        {{pgs_, nullptr}, {accelerated_pgs_, "pgs>accelerated_pgs"}, {dantzig_, "pgs>accelerated_pgs>dantzig", true}},
        lambda);
  return solve_in_turn(problem,
                       {{pgs_, nullptr},
                        {lemke_, "pgs>lemke"},
                        {accelerated_pgs_, "pgs>lemke>accelerated_pgs", true},
                        {dantzig_, "pgs>lemke>accelerated_pgs>dantzig", true}},
                       lambda);
}

}  // namespace stiction
