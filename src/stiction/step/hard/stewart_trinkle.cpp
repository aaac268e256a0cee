// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/finite.h>
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/contact/match.h>
#include <stiction/dynamics/kernels/integrate.h>
#include <stiction/solver/catalog.h>
#include <stiction/step/core/bounded_correction.h>
#include <stiction/step/core/energy_guard.h>
#include <stiction/step/core/impulses.h>
#include <stiction/step/core/smooth_forces.h>
#include <stiction/step/hard/stewart_trinkle.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

constexpr int kRounds = 32;  // of active-set growth; every round adds a contact

// Velocities of floating bases and spherical joints from the axes at one configuration to those at another.
void change_axes(const Layout& layout, const double* from, const double* to, double* v) {
  for (const BodyPlan& plan : layout.bodies) {
    const bool base = plan.code == JointCode::root_free;
    if (!base && plan.code != JointCode::spherical) continue;
    const int turn = base ? plan.q + 3 : plan.q;
    const Quat relative = Eigen::Map<const Quat>(to + turn).conjugate() * Eigen::Map<const Quat>(from + turn);
    for (int i = plan.v; i < plan.v + plan.nv; i += 3)
      Eigen::Map<Vec3>(v + i) = relative._transformVector(Vec3(Eigen::Map<const Vec3>(v + i)));
  }
}

void require_word(const char* field, const std::string& word, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), word) == known.end())
    throw InvalidInput("stepper 'stewart_trinkle': " + unknown_name(field, word, known));
}

}  // namespace

void check_stewart_trinkle(const StewartTrinkleOptions& o) {
  require_word("version", o.version, {"linear", "nonlinear", "anitescu_potra"});
  require_word("restitution", o.restitution, {"newton", "poisson", "none"});
  require_word("stop", o.stop, {"change", "gap"});
  require_word("polygon", o.polygon, {"inscribed", "circumscribed"});
  check_options("stepper 'stewart_trinkle'", o);
  require_option(o.fixed_point_tolerance > 0.0, "stepper 'stewart_trinkle'", "fixed_point_tolerance",
                 o.fixed_point_tolerance, "a length > 0 m");
}

StewartTrinkleStepper::StewartTrinkleStepper(const StewartTrinkleOptions& options, const World& world,
                                             const SimulationModel& model)
    : options_(options),
      law_(model.hard()),
      directions_(parse_directions(options.directions, world, law_.friction, options.polygon == "inscribed")) {
  check_stewart_trinkle(options);
  const bool pyramid = law_.friction.kind == FrictionLaw::pyramid;
  if (!pyramid && (options.restitution == "poisson" || directions_.given()))
    throw InvalidInput(std::string("stepper 'stewart_trinkle': ") +
                       (directions_.given() ? "directions need" : "restitution 'poisson' needs") +
                       " the law 'pyramid', found '" + name(law_.friction.kind) + "'");
  for (const PairMaterial& m : world.pair_materials)
    if (std::isfinite(m.stiffness))
      throw InvalidInput("stepper 'stewart_trinkle': a material has stiffness " + std::to_string(m.stiffness) +
                         ", expected rigid contacts (leave stiffness away)");
  if (law_.from_file)
    throw InvalidInput(
        "stepper 'stewart_trinkle' has rigid contacts, but the law's softness is 'file'; take another stepper");
  rule_.gap = options.version == "anitescu_potra" ? GapRule::anitescu_potra : GapRule::linear;
  rule_.rebound = options.restitution == "newton"    ? Rebound::newton
                  : options.restitution == "poisson" ? Rebound::poisson
                                                     : Rebound::none;
  rule_.torsion = directions_.has_torsion();
  if (pyramid && options.polygon == "inscribed" && !directions_.given()) {
    rule_.friction_scale = std::cos(std::numbers::pi / law_.friction.facets);
    law_.friction.angle -= std::numbers::pi / law_.friction.facets;  // corners, not facets, at `angle`
  }
  fallback_ = make_solver(model.turns ? "pgs" : "sor", {{"max_iterations", 2000}});  // sor knows no spin and roll
  end_.resize(world, model.layout), bar_kinematics_.resize(world, model.layout);
  for (std::vector<double>* x : {&w_, &w_bar_, &end_v_, &start_v_}) x->resize(world.nv);
  end_q_.resize(world.nq);
}

AssembleInput StewartTrinkleStepper::assemble_input(const Call& c) const { return row_input(c.context, law_, c.state); }

// q̄ = q ⊕ dt w, and everything but contacts there: M, bias, forces, z. False if something is not finite.
bool StewartTrinkleStepper::linearise(const Call& c) {
  const World& world = c.context.world;
  const Layout& layout = c.layout();
  Workspace& work = c.work();
  std::copy_n(c.state.q.data(), world.nq, work.q.begin());
  std::copy(w_.begin(), w_.end(), w_bar_.begin());
  integrate(layout, c.dt(), work.q.data(), w_bar_.data());
  std::copy_n(c.state.v.data(), world.nv, work.v.begin());
  change_axes(layout, c.state.q.data(), work.q.data(), work.v.data());
  if (options_.version == "nonlinear") forward_kinematics(world, layout, work.q.data(), w_bar_.data(), bar_kinematics_);
  fused_pass(world, layout, work.q.data(), work.v.data(), Purpose::step, work.kinematics);
  work.flight.start(c.context, {work.v.data(), work.v.data(), 0.0, c.state.q.data(), work.q.data()});
  // implicit PD, servos and springs extrapolate from q to q̄ themselves
  const bool extrapolates = c.state.pd.implicit || !layout.driven.empty() || !layout.sprung.empty();
  const double* where = extrapolates ? c.state.q.data() : work.q.data();
  smooth_forces(world, layout, c.state.pd, c.input, {where, work.v.data(), c.dt(), c.dt(), c.dt(), true, true},
                work.kinematics, work.z.data());
  to_momentum(c.context);
  whiten(c.context);
  return all_finite(work.z) && all_finite(work.q);
}

void StewartTrinkleStepper::find_candidates(const Call& c) {
  Workspace& work = c.work();
  detect(c.context.world, c.layout(), c.model().detection, work.kinematics, c.dt(), law_.options.margin, work.detection,
         candidates_, c.state.contacts);
  match(c.layout(), work.kinematics, c.state.contacts, candidates_);
  untangle(c);
  for (Contact& contact : candidates_) fix_frame(contact);
}

// A = { carried an impulse in the last step } ∪ { g(q̄) < 0 }.
void StewartTrinkleStepper::start_active_set() {
  active_.clear();
  for (const Contact& c : candidates_)
    if (c.gap < 0.0 || (c.known && (c.flags & kOpen) == 0)) active_.push_back(c.key);
}

void StewartTrinkleStepper::select_active(const Call& c) {
  std::vector<Contact>& contacts = c.work().contacts;
  contacts.clear();
  for (const Contact& candidate : candidates_)
    if (std::binary_search(active_.begin(), active_.end(), candidate.key)) contacts.push_back(candidate);
}

// The prox method of the exact cone on the rows of work.problem.
Report StewartTrinkleStepper::solve_again(const Call& c, int island) {
  Workspace& work = c.work();
  ContactProblem& problem = work.problem;
  const FrictionLaw law = problem.law;
  island_problem(assemble_input(c), work.assembly, island, work.island, problem, work.lambda);
  problem.law = {FrictionLaw::coulomb};
  for (Block& b : problem.blocks) b.mu /= rule_.friction_scale;
  const Report report = fallback_->solve(problem, work.lambda.vec());
  problem.law = law;
  return report;
}

Report StewartTrinkleStepper::solve_once(const Call& c, int island, StepReport& report) {
  Workspace& work = c.work();
  const AssembleInput in = assemble_input(c);
  island_problem(in, work.assembly, island, work.island, work.problem, work.lambda);
  Report solve = directions_.given()
                     ? directed_.solve(in, work.assembly, island, work.problem, directions_, work.lambda.vec())
                     : c.context.solver.solve(work.problem, work.lambda.vec());
  add_effort(solve, report);
  if (solve.status != Status::converged && !directions_.given()) {
    kept_.resize(work.lambda.size());
    std::copy_n(work.lambda.data(), work.lambda.size(), kept_.data());
    const Report second = solve_again(c, island);
    add_effort(second, report);
    if (second.status == Status::converged)
      solve = second, ++report.fallbacks;
    else
      std::copy_n(kept_.data(), kept_.size(), work.lambda.data());
  }
  return solve;
}

void StewartTrinkleStepper::solve_island(const Call& c, int island, StepReport& report) {
  Workspace& work = c.work();
  const AssembleInput in = assemble_input(c);
  Report solve = solve_bounded(c.context, island, [&] { return solve_once(c, island, report); }, report);
  if (rule_.rebound == Rebound::poisson) {
    const Report second = directed_.decompress(in, work.assembly, island, work.problem, directions_, work.lambda.vec());
    report.iterations += second.iterations;
    if (second.status != Status::converged) solve.status = worse(solve.status, second.status);
  }
  // a ray is no broken step: the impulses are finite and the step is made
  if (solve.status == Status::numerical_failure && work.lambda.vec().allFinite()) solve.status = Status::stalled;
  add_verdict(solve, report);
  apply_island_impulses(in.layout, island, work.lambda.data(), work);
}

// Impulses and end velocity of the active contacts at the present q̄; end_v becomes v⁺ in the axes at q.
void StewartTrinkleStepper::solve(const Call& c, StepReport& report) {
  Workspace& work = c.work();
  select_active(c);
  const AssembleInput in = assemble_input(c);
  const Linearisation bar{bar_kinematics_, closed_};
  assemble_position_rows(in, rule_, options_.version == "nonlinear" ? &bar : nullptr, work.assembly);
  assemble_joints(in, work.assembly);
  clear_impulses(c.context, report);
  for (int island = 0; island < report.islands; ++island) solve_island(c, island, report);
  end_velocity(c.context);
  std::copy(work.next.begin(), work.next.end(), end_v_.begin());
  change_axes(c.layout(), work.q.data(), c.state.q.data(), end_v_.data());
}

// Solves at q̄; in the nonlinear version until q̄ = q⁺, or until the gaps are met. False if something is not finite.
bool StewartTrinkleStepper::fixed_point(const Call& c, StepReport& report) {
  solve(c, report);
  if (options_.version != "nonlinear") return all_finite(end_v_);
  for (int i = 1; i < options_.fixed_point_iterations; ++i) {
    double change = 0.0;
    for (std::size_t k = 0; k < w_.size(); ++k) change = std::max(change, std::abs(end_v_[k] - w_[k]));
    if (!all_finite(end_v_)) return false;
    if (c.dt() * change < options_.fixed_point_tolerance || (options_.stop == "gap" && gaps_are_met(c))) return true;
    std::copy(end_v_.begin(), end_v_.end(), w_.begin());
    if (!linearise(c)) return false;
    find_candidates(c);
    solve(c, report);
  }
  report.refuse(Status::max_iterations);
  return all_finite(end_v_);
}

StepReport StewartTrinkleStepper::step(const StepContext& context, const StepInput& input, State& state) {
  const Call c{context, input, state};
  const World& world = context.world;
  StepReport report = StepReport::of_one_step();
  reset_look_ahead(world, context.work.detection);
  for (int round = 0; round < kRounds; ++round) {
    if (round == 0 || options_.version == "nonlinear") {
      std::copy_n(state.v.data(), world.nv, w_.begin());
      if (!linearise(c)) return report.failed();
      find_candidates(c);
      if (round == 0) start_active_set();
      closed_.clear();
      for (const Contact& contact : candidates_)
        if (contact.gap <= 0.0) closed_.push_back(contact.key);
    }
    if (!fixed_point(c, report)) return report.failed();
    if (!grow(c, report)) break;
    if (round + 1 == kRounds) report.refuse(Status::max_iterations);
  }
  if (passed_through(c)) report.refuse(Status::stalled);
  const Workspace& work = context.work;
  if (!energy_is_explained(context, state, work.v.data(), work.next.data(), end_q_, start_v_, report)) return report;
  return commit(assemble_input(c), context.work, end_q_, start_v_, nullptr, state, report);
}

std::vector<ContactProblem> StewartTrinkleStepper::problems(const StepContext& context, const StepInput& input,
                                                            const State& state, bool keep_bodies) {
  if (directions_.given())
    throw InvalidInput("stepper 'stewart_trinkle': friction directions of your own have no form as a contact problem");
  State after = state;
  step(context, input, after);
  return island_problems(assemble_input({context, input, state}), keep_bodies, context.work);
}

}  // namespace stiction
