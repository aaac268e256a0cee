// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/law/catalog.h>
#include <stiction/model/coordinates/cut_joints.h>
#include <stiction/model/world/checks.h>
#include <stiction/model/world/draft.h>
#include <stiction/problem/validate_problem.h>
#include <stiction/sim/simulator_impl.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/deadline.h>
#include <stiction/step/catalog.h>
#include <stiction/step/core/actuators.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// Of `auto` on one contact problem of a step: some tenths of a second, a second at the most.
constexpr double kSolveWork = 1e9;
constexpr int kSolveIterations = 20000;

// Doubles in full: two settings have the same text only if they are the same.
std::string describe(const OptionMap& options) {
  std::string result;
  for (const auto& [key, value] : options) {
    result += ";" + key + "=";
    std::visit(
        [&](const auto& x) {
          using T = std::decay_t<decltype(x)>;
          if constexpr (std::is_same_v<T, std::string>)
            result += x;
          else if constexpr (std::is_same_v<T, double>)
            result += text(x);
          else
            result += std::to_string(x);
        },
        value);
  }
  return result;
}

FrictionLaw friction_of(const Settings& settings) {
  const LawInfo& info = find_law(settings.law);
  if (info.family != LawFamily::hard) return {info.kind};
  return make_hard_contact(info, settings.law_options).friction;
}

bool is_text(const OptionMap& options, const char* name, const char* value) {
  const auto found = options.find(name);
  return found != options.end() && found->second == OptionValue(std::string(value));
}

void check_settings(const Settings& s) {
  if (!(s.dt > 0.0) || !std::isfinite(s.dt)) throw InvalidInput("dt is " + text(s.dt) + ", expected a step > 0 s");
  const LawInfo& law = find_law(s.law);
  if (s.coordinates != "minimal" && (law.family == LawFamily::anchored || law.family == LawFamily::relaxed))
    throw InvalidInput("law '" + s.law +
                       "' gives forces and holds no joint rigidly; take coordinates='minimal', found '" +
                       s.coordinates + "'");
  require_stepper(find_stepper(s.stepper), s.law, law.family);
  const FrictionLaw friction = friction_of(s);
  require_law(find_solver(s.solver), friction);
  if (friction.facets > kMostFacets)
    throw InvalidInput("law '" + s.law + "': facets is " + std::to_string(friction.facets) +
                       ", expected an even number from 4 to " + std::to_string(kMostFacets));
  const auto products = s.stepper_options.find("products");
  if (products != s.stepper_options.end() && products->second != OptionValue(-1) &&
      !is_text(s.stepper_options, "approximant", "dense"))
    throw InvalidInput("stepper_options.products caps the matrix products of approximant='dense', which is not chosen");
  if (law.family != LawFamily::hard && (s.solver != "auto" || !s.solver_options.empty()))
    throw InvalidInput("law '" + s.law +
                       "' gives its forces itself and needs no solver; leave solver and solver_options away");
  if (s.solver_options.count("time_limit"))
    throw InvalidInput(
        "solver_options.time_limit is not allowed inside a simulation: it would break repeatability; "
        "limit max_iterations instead");
}

}  // namespace

void check_size(const char* field, Eigen::Index found, int expected) {
  if (found != expected)
    throw InvalidInput(std::string(field) + " has size " + std::to_string(found) + ", expected " +
                       std::to_string(expected));
}

void check_finite(const char* field, const VecRef& x) {
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i])) throw InvalidInput(std::string(field) + "[" + std::to_string(i) + "] is not finite");
}

void check_fit(const World& world, const State& s) {
  const auto check = [](const char* field, const Vec& x, Eigen::Index expected) {
    check_size(field, x.size(), static_cast<int>(expected));
  };
  check("State.q", s.q, world.nq), check("State.v", s.v, world.nv);
  check("State.limit_force", s.limit_force, world.nv), check("State.friction_force", s.friction_force, world.nv);
  check("State.loop_force", s.loop_force, remembered_rows(world));
  check("State.ctrl", s.ctrl, static_cast<Eigen::Index>(world.actuators.size()));
  check("State.act", s.act, world.activations);
  if (!s.pd.active) return;
  for (const Vec* x : {&s.pd.kp, &s.pd.kd, &s.pd.target}) check("State.pd", *x, world.ntau);
}

std::string settings_text(const Settings& s) {
  return "law=" + s.law + describe(s.law_options) + "|stepper=" + s.stepper + describe(s.stepper_options) +
         "|dt=" + text(s.dt);
}

Simulator::Impl::Impl(std::shared_ptr<const World> world_in, const Settings& settings_in)
    : minimal(std::move(world_in)), world(minimal), settings(settings_in) {
  const LawFamily family = find_law(settings.law).family;
  if (settings.stepper == "auto") settings.stepper = usual_stepper(family);
  check_settings(settings);
  if (family == LawFamily::hard && turns_resist(*minimal) && friction_left_out(*minimal, settings).empty())
    require_patches(find_solver(settings.solver));
  if (const auto children = joints_to_cut(*minimal, settings.coordinates, settings.cut); !children.empty())
    world = cut_joints(*minimal, children);
  model = std::make_shared<SimulationModel>(*world, make_contact_law(*world, settings.law, settings.law_options),
                                            settings.dt);
  make_own();
  state = initial_state(*world);
  start = state;
}

Simulator::Impl::Impl(const Impl& other)
    : minimal(other.minimal),
      world(other.world),
      settings(other.settings),
      model(other.model),
      state(other.state),
      start(other.start) {
  make_own();
}

std::unique_ptr<Solver> Simulator::Impl::new_solver() const {
  OptionMap options = settings.solver_options;
  if (settings.solver == "auto")  // a step is solved at a bounded price
    options.try_emplace("max_iterations", kSolveIterations), options.try_emplace("work", kSolveWork);
  return make_solver(settings.solver, options);
}

void Simulator::Impl::make_own() {
  solver = new_solver();
  stepper = make_stepper(settings.stepper, settings.stepper_options, *world, *model);
  work.resize(*world, model->layout);
}

Simulator::Simulator(std::shared_ptr<const World> world, const Settings& settings)
    : impl_(std::make_unique<Impl>(std::move(world), settings)) {}
Simulator::Simulator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

Simulator Simulator::clone() const { return Simulator(std::make_unique<Impl>(*impl_)); }

const World& Simulator::world() const { return *impl_->world; }
std::shared_ptr<const World> Simulator::shared_world() const { return impl_->world; }
const World& Simulator::minimal_world() const { return *impl_->minimal; }
std::shared_ptr<const World> Simulator::shared_minimal_world() const { return impl_->minimal; }
std::shared_ptr<const SimulationModel> Simulator::shared_model() const { return impl_->model; }
const Settings& Simulator::settings() const { return impl_->settings; }
State& Simulator::state() { return impl_->state; }
const State& Simulator::state() const { return impl_->state; }

StepReport Simulator::step(int n) { return step(Vec(), n); }

StepReport Simulator::step(const VecRef& tau, int n) { return impl_->run(tau, nullptr, n); }

void Simulator::profile(bool on) { impl_->work.clock.start(on); }

std::vector<std::pair<std::string, double>> Simulator::stage_times() const {
  std::vector<std::pair<std::string, double>> out;
  const auto& spent = impl_->work.clock.spent();
  for (std::size_t i = 0; i < spent.size(); ++i) out.emplace_back(kStageNames[i], spent[i]);
  return out;
}

StepReport Simulator::follow(const VecRef& tau, const double* targets, int n) {
  const PdGains& pd = impl_->state.pd;
  if (!pd.active) throw InvalidInput("target is given but no PD gains are set; call set_pd first");
  if (n > 0) check_finite("target", Eigen::Map<const Vec>(targets, static_cast<Eigen::Index>(n) * impl_->world->ntau));
  return impl_->run(tau, targets, n);
}

StepInput Simulator::Impl::input(const char* field, const VecRef& tau) const {
  if (tau.size() != 0) check_size(field, tau.size(), world->ntau), check_finite(field, tau);
  return {tau.size() != 0 ? tau.data() : nullptr, wrenches.data(), static_cast<int>(wrenches.size()), state.ctrl.data(),
          state.act.data()};
}

// Solves end early enough for the rest of the step.
StepReport Simulator::Impl::step_in_time(const StepInput& acting) {
  using Clock = SolveDeadline::Clock;
  const std::chrono::duration<double> time(std::max(0.0, budget - after_solve));
  const SolveDeadline deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(time));
  const StepReport report = stepper->step(context(work), acting, state);
  after_solve = std::max(0.0, std::chrono::duration<double>(Clock::now() - deadline.solved()).count());
  return report;
}

StepReport Simulator::Impl::run(const VecRef& tau, const double* targets, int n) {
  if (n < 0) throw InvalidInput("n is " + std::to_string(n) + ", expected a number of steps >= 0");
  const StepInput acting = input("tau", tau);
  check_state(*world, state);
  StepReport report;
  for (int i = 0; i < n; ++i) {
    if (interrupted && interrupted()) break;
    if (targets != nullptr)
      std::copy_n(targets + static_cast<std::ptrdiff_t>(i) * world->ntau, world->ntau, state.pd.target.data());
    work.clock.begin();
    const StepReport one = budget > 0.0 ? step_in_time(acting) : stepper->step(context(work), acting, state);
    merge(report, one);
    if (one.not_made()) {
      work.contacts.clear(), work.impulses.clear(), work.torques.clear();  // they tell of steps that were made
      break;
    }
    advance_activations(*world, settings.dt, state.ctrl.data(), state.act.data());
    work.clock.lap(Stage::rest);
  }
  report.contacts = static_cast<int>(work.contacts.size());
  if (!minimal->sensors.empty() && n > 0) last = {report.steps > 0, tau, wrenches};
  wrenches.clear();
  return report;
}

void Simulator::set_pd(const VecRef& kp, const VecRef& kd, bool implicit) {
  const World& w = *impl_->world;
  check_size("kp", kp.size(), w.ntau), check_size("kd", kd.size(), w.ntau);
  check_finite("kp", kp), check_finite("kd", kd);
  for (Eigen::Index i = 0; i < kp.size(); ++i)
    if (kp[i] < 0.0 || kd[i] < 0.0)
      throw InvalidInput("kp and kd must be >= 0, entry " + std::to_string(i) + " is not");
  PdGains& pd = impl_->state.pd;
  if (!pd.active) pd.target = impl_->joint_positions();
  pd.active = true, pd.implicit = implicit;
  pd.kp = kp, pd.kd = kd;
}

void Simulator::set_pd(double kp, double kd, bool implicit) {
  const int n = impl_->world->ntau;
  set_pd(Vec::Constant(n, kp), Vec::Constant(n, kd), implicit);
}

void Simulator::set_target(const VecRef& target) {
  check_size("target", target.size(), impl_->world->ntau);
  check_finite("target", target);
  if (!impl_->state.pd.active) throw InvalidInput("target is given but no PD gains are set; call set_pd first");
  impl_->state.pd.target = target;
}

void Simulator::clear_pd() { impl_->state.pd = PdGains{}; }

void Simulator::apply_wrench(BodyId body, const Vec3& force, const Vec3& torque, std::optional<Vec3> point) {
  const BodyId id = impl_->engine_body(body);
  if (!force.allFinite() || !torque.allFinite() || (point && !point->allFinite()))
    throw InvalidInput("force, torque and point of apply_wrench must be finite");
  impl_->wrenches.push_back({id, force, torque, point.value_or(Vec3::Zero()), !point.has_value()});
}

void Simulator::clear_wrenches() { impl_->wrenches.clear(); }

void Simulator::set_start() { impl_->start = impl_->state; }
void Simulator::reset() {
  Impl& s = *impl_;
  s.state = s.start;
  s.wrenches.clear();
  s.last = {};
  s.work.contacts.clear(), s.work.impulses.clear(),
      s.work.torques.clear();  // nothing of the last step is left to be shown
  if (s.stepper->soft() != nullptr)
    s.stepper = make_stepper(s.settings.stepper, s.settings.stepper_options, *s.world, *s.model);
}

std::vector<std::byte> Simulator::save() const {
  return stiction::save(impl_->state, impl_->world->fingerprint, settings_text(impl_->settings));
}
void Simulator::restore(const std::vector<std::byte>& blob, bool other_stepper) {
  State read = impl_->state;
  stiction::restore(blob, impl_->world->fingerprint, settings_text(impl_->settings), read, other_stepper);
  check_fit(*impl_->world, read);
  impl_->state = read;
  impl_->last = {};
}
std::uint64_t Simulator::hash() const { return stiction::hash(impl_->state); }

}  // namespace stiction
