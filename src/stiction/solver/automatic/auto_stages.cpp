// SPDX-License-Identifier: BSD-2-Clause
// The stages of auto under Coulomb's law: two tables (when to enter, what to run at what price), and
// what leads from one to the other. auto_runs.cpp has what they run.
#include <stiction/solver/automatic/auto_solver.h>
#include <stiction/solver/core/work_estimate.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kNear = 1e4;          // in tolerances: from here the active set is known
constexpr double kCheapSweeps = 10.0;  // sweeps go first if this many cost less than a step of Newton
// In tolerances: what was solved and has not moved since. The iteration that is owed to every solve is then a step of the natural map, which
// leaves a solution as it is; a sweep would push it to the border of the tolerance, and a factor would not be worth its price.
constexpr double kSettled = 0.1, kGentle = 0.03;
// In tolerances: nearly at rest. Sweeps would end at the border of the tolerance, and the velocities that they leave keep a tower there for
// ever. Newton's method ends far inside; after two such steps nothing moves, and what follows has settled.
constexpr double kCalm = 100.0;
constexpr int kWarmSteps = 60;      // Newton steps from the impulses of the step before
constexpr int kInteriorRows = 600;  // from here on interior points have their turn sooner
constexpr int kBoundedRows = 600;   // more: a step of a simulation is solved at a bounded price
constexpr int kGraphRows = 1500;    // more: the contact graph has too much fill to be a last resort
constexpr int kCorrections = 5;     // of a recovered matrix

// Newton steps from nothing that cost about half of interior points: those factor twice and solve six times as much.
int cold_steps(double factor_work, double product_work) {
  return static_cast<int>(8.0 + 16.0 / (1.0 + factor_work / product_work));
}

}  // namespace

#define STICTION_PATHS(path) {path, "nsgs>" path, "nsgs>bodies>" path}

// From the best iterate of the sweeps: strong methods in the order of their price.
const AutoSolver::Stage AutoSolver::kContactSpace[] = {
    {STICTION_PATHS("ppa_newton"),
     [](auto& s, auto& t) {
       const int steps = s.options_.newton_steps, first = t.problem.rows() > kInteriorRows ? steps / 2 : steps;
       return s.run_newton(t.problem, s.best_.lambda(), {10.0, 1e-3, false, first});
     }},
    {STICTION_PATHS("ppa_newton>interior_point"),
     [](auto& s, auto& t) {
       s.prove_infeasible(t.problem);
       return !s.spent() && !t.after_bodies && s.run_interior(t.problem);
     }},
    {STICTION_PATHS("ppa_newton>interior_point>ppa_newton"),
     [](auto& s, auto& t) {
       return s.run_newton(t.problem, s.best_.lambda(), {10.0, 1e-1, false, 4 * s.options_.newton_steps});
     }},
    {STICTION_PATHS("ppa_newton>interior_point>stiff"),
     [](auto& s, auto& t) { return s.run_newton(t.problem, s.best_.lambda(), {100.0, 1e-3, true, 80}); }},
    {STICTION_PATHS("ppa_newton>interior_point>stiff>zero"),
     [](auto& s, auto& t) { return s.run_newton(t.problem, s.zero(t.problem), {100.0, 1e-1, false, 80}); }},
    {STICTION_PATHS("ppa_newton>interior_point>stiff>zero>homotopy"),
     [](auto& s, auto& t) { return s.run_homotopy(t.problem); }},
    {STICTION_PATHS("ppa_newton>interior_point>stiff>zero>homotopy"),
     [](auto& s, auto& t) { return s.run_newton(t.problem, s.best_.lambda(), {30.0, 1e-4, false, 100}); }},
    {STICTION_PATHS("ppa_newton>interior_point>stiff>zero>homotopy>apgd"),
     [](auto& s, auto& t) { return s.run_gradients(t.problem, true); }},
    {STICTION_PATHS("ppa_newton>interior_point>stiff>zero>homotopy>apgd>restarts"),
     [](auto& s, auto& t) { return s.run_restarts(t.problem); }},
    {STICTION_PATHS("ppa_newton>interior_point>stiff>zero>homotopy>apgd>restarts>apgd"),
     [](auto& s, auto& t) { return s.run_gradients(t.problem, false); }, [](auto& t) { return !t.after_bodies; }},
};

// From the guess, or from sweeps that gave up. A guess for many rows is a step of a simulation: run_warm() ends it.
const AutoSolver::Stage AutoSolver::kBodySpace[] = {
    {STICTION_PATHS("nsgs"),
     [](auto& s, auto& t) {
       s.best_.offer(t.problem, t.guess);
       const bool done = s.run_sweeps(t.problem, t.step_work);
       t.guess = s.best_.lambda();
       return done;
     },
     [](auto& t) { return t.cheap && !t.calm; }},
    {STICTION_PATHS("body_newton"), [](auto& s, auto& t) { return s.run_warm(t); },
     [](auto& t) { return t.warm && t.problem.rows() > kBoundedRows; }},
    {STICTION_PATHS("body_newton"),
     [](auto& s, auto& t) { return s.run_bodies(t.problem, t.guess, 1e4, kNewton.kappa_growth, 6); },
     [](auto& t) { return t.near; }},
    {STICTION_PATHS("body_newton>climb"),
     [](auto& s, auto& t) {
       // Where sweeps have stalled the wrong contacts carry the load: zero is the better start.
       return s.run_bodies(t.problem, t.swept ? s.zero(t.problem) : t.guess, t.swept ? 10.0 : kNewton.kappa,
                           kNewton.kappa_growth, t.climb_steps);
     }},
    {STICTION_PATHS("body_newton>climb>nsgs"), [](auto& s, auto& t) { return s.run_sweeps(t.problem, t.step_work); },
     [](auto& t) { return !t.cheap && !t.swept; }},
    {STICTION_PATHS("body_newton>climb>interior_point"), [](auto& s, auto& t) { return s.run_interior(t.problem); }},
    {STICTION_PATHS("body_newton>climb>interior_point"),
     [](auto& s, auto& t) { return s.prove_infeasible(t.problem), false; }},
    {STICTION_PATHS("body_newton>climb>interior_point>stiff"),
     [](auto& s, auto& t) { return s.run_bodies(t.problem, s.best_.lambda(), 1e3, kNewton.kappa_growth, 25); }},
    {STICTION_PATHS("body_newton>climb>interior_point>stiff"),
     [](auto& s, auto& t) { return s.run_bodies(t.problem, t.guess, 100.0, 10.0, 60); }},
    {STICTION_PATHS("body_newton>climb>interior_point>stiff>zero"),
     [](auto& s, auto& t) { return s.run_bodies(t.problem, s.zero(t.problem), kNewton.kappa, 3.0, 80); }},
    {STICTION_PATHS("body_newton>climb>interior_point>stiff>zero>restarts"),
     [](auto& s, auto& t) {
       for (const double kappa : {30.0, 1.0, 300.0})
         if (s.run_bodies(t.problem, s.best_.lambda(), kappa, 4.0, 60) || s.spent()) return true;
       return false;
     }},
    {STICTION_PATHS("body_newton>climb>interior_point>stiff>zero>restarts>apgd"),
     [](auto& s, auto& t) { return s.run_gradients(t.problem, true) || s.run_gradients(t.problem, false); }},
};

constexpr const char* kContactSpacePath[3] =
    STICTION_PATHS("body_newton>climb>interior_point>stiff>zero>restarts>apgd>contact_space");
#undef STICTION_PATHS

template <std::size_t N>
void AutoSolver::climb(const Stage (&stages)[N], Task& task) {
  for (const Stage& stage : stages) {
    if (stage.when && !stage.when(task)) continue;
    task.path = stage.path[task.origin];
    if (stage.run(*this, task) || spent()) return;
  }
}

void AutoSolver::climb_in_bodies(Task& t) {
  body_.prepare(t.problem);
  const double products = 20.0 * static_cast<double>(t.problem.G.body.values.size());
  const double factor = 2.0 * body_.factor_work();
  set_price(std::max(factor_price_, products + body_.factor_work()));
  t.step_work = factor + products;
  t.cheap = !t.swept && kCheapSweeps * sweep_work(t.problem) < t.step_work;
  if (t.ratio < 0.0) t.ratio = best_.judge(t.problem, t.guess).ratio;
  t.near = t.ratio < kNear;
  t.warm = !t.swept && std::any_of(t.guess, t.guess + t.problem.rows(), [](double x) { return x != 0.0; });
  t.calm = t.warm && t.problem.rows() > kBoundedRows && t.ratio < kCalm;
  t.climb_steps = t.warm ? kWarmSteps : cold_steps(factor, products);
  climb(kBodySpace, t);
}

Report AutoSolver::finish(const ContactProblem& problem, const char* path, VecOut lambda) {
  const bool out = remaining() <= 0 || best_.out_of_time();
  if (!best_.accepted() && !out) prove_infeasible(problem);
  const Status otherwise = infeasible_ ? Status::infeasible : (out ? Status::max_iterations : Status::stalled);
  Report report = best_.finish(problem, otherwise, path, lambda);
  add_counts(counts_, report);
  return report;
}

// What body space could not do, the contact graph may.
Report AutoSolver::finish_in_bodies(Task& t, VecOut lambda) {
  if (!best_.accepted()) best_.offer(t.problem, lambda.data());
  if (!best_.accepted() && !spent() && !bounded_ && t.problem.rows() <= kGraphRows) {
    condenser_.run(t.problem.G, condensed_.G);
    copy_all_but_matrix(t.problem, condensed_);
    Task graph{.problem = condensed_, .guess = nullptr, .origin = 1, .after_bodies = true};
    climb(kContactSpace, graph);
    t.path = kContactSpacePath[t.origin];
  }
  return finish(t.problem, t.path, lambda);
}

Report AutoSolver::solve_large(const ContactProblem& problem, VecOut lambda) {
  start(problem, lambda);
  if (!data_finite(problem)) return best_.finish(problem, kName, lambda);
  project_blocks(problem, lambda.data());
  const double ratio = best_.judge(problem, lambda.data()).ratio;
  if (problem.rows() > kBoundedRows && ratio <= kSettled) {
    ++counts_.iterations;
    interior_.natural_step(problem, kGentle, guess_from(problem, lambda.data()));
    if (best_.offer(problem, guess_.data())) return finish(problem, "natural_map", lambda);
  }
  Task task{.problem = problem, .guess = lambda.data(), .origin = 0, .ratio = ratio};
  climb_in_bodies(task);
  return finish_in_bodies(task, lambda);
}

// After the first sweeps, whose λ is the best so far.
Report AutoSolver::solve_strong(const ContactProblem& problem, const Report& warm, VecOut lambda) {
  best_.reset(problem, options_.judge_tolerance());
  best_.offer(problem, lambda.data());
  add_counts(warm, counts_);
  if (spent() || run_sweeps(problem, newton_work(problem)) || spent()) return finish(problem, "nsgs", lambda);
  Task task{.problem = problem, .guess = lambda.data(), .origin = 1, .swept = true};
  const bool small = problem.rows() <= kDenseRows;
  if (!small && prefers_body_space(problem)) {
    std::copy_n(best_.lambda(), problem.rows(), lambda.data());
    climb_in_bodies(task);
    return finish_in_bodies(task, lambda);
  }
  const char* path = "nsgs>bodies>nsgs";
  if (!small && (run_recovered(problem, path) || spent())) return finish(problem, path, lambda);
  climb(kContactSpace, task);
  return finish(problem, task.path, lambda);
}

// The same problem with G = F Fᵀ. F is exact to round-off only, so the solution is corrected: with the velocity error
// (G − F Fᵀ)λ in g, a fixed point solves the problem as given. True if the judge of that problem accepts.
bool AutoSolver::run_recovered(const ContactProblem& problem, const char*& path) {
  if (!recovery_.run(problem) || recovery_.problem().G.body.velocities > problem.rows() * 4 / 5) return false;
  const int n = problem.rows();
  ContactProblem& bodies = recovery_.problem();
  kept_.resize(n), error_.resize(n), product_.resize(n);
  for (int pass = 0; pass <= kCorrections && !spent(); ++pass) {
    std::copy_n(best_.lambda(), n, kept_.data());
    const double before = best_.ratio();
    problem.G.multiply(kept_.data(), error_.data(), scratch_);
    bodies.G.multiply(kept_.data(), product_.data(), scratch_);
    if (pass > 0)  // not at once: the correction leaves the range of F, which far from the solution costs Newton steps
      for (int i = 0; i < n; ++i) bodies.g[i] = problem.g[i] + (error_[i] - product_[i]);
    best_.reset(bodies, options_.judge_tolerance());
    best_.offer(bodies, kept_.data());
    Task task{.problem = bodies, .guess = kept_.data(), .origin = 2, .swept = pass == 0};
    climb_in_bodies(task);
    if (pass == 0) path = task.path;
    std::copy_n(best_.lambda(), n, error_.data());
    best_.reset(problem, options_.judge_tolerance());
    best_.offer(problem, kept_.data());
    if (best_.offer(problem, error_.data())) return true;
    if (!(best_.ratio() < 0.5 * before)) return false;
  }
  return best_.accepted();
}

}  // namespace stiction
