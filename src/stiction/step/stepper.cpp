// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/find_named.h>
#include <stiction/model/world/checks.h>
#include <stiction/step/classical/euler.h>
#include <stiction/step/classical/implicit_euler.h>
#include <stiction/step/classical/rigid_euler.h>
#include <stiction/step/classical/rk4.h>
#include <stiction/step/classical/rk_gill.h>
#include <stiction/step/exponential/exponential.h>
#include <stiction/step/hard/moreau.h>
#include <stiction/step/hard/semi_implicit.h>
#include <stiction/step/hard/stewart_trinkle.h>
#include <stiction/step/judged_stepper.h>
#include <stiction/step/stepper.h>

#include <algorithm>

namespace stiction {
namespace {

template <class Options>
Options read_options(const std::string& stepper, const OptionMap& map) {
  Options options;
  assign_options("stepper '" + stepper + "'", map, options);
  return options;
}

MidpointOptions read_exponential(const std::string& name, const OptionMap& map) {
  MidpointOptions options;
  const std::string owner = "stepper '" + name + "'";
  if (name == "exponential")
    assign_options<ExponentialOptions>(owner, map, options);
  else
    assign_options<MidpointOptions>(owner, map, options);
  check_exponential(owner, options);
  return options;
}

}  // namespace

const std::vector<StepperInfo>& stepper_catalog() {
  static const std::vector<StepperInfo> catalog = {
      {"semi_implicit",
       "everything evaluated at q; v⁺ = v + M⁻¹(dt(τ − h) + Jᵀλ), then q⁺ = q ⊕ dt v⁺",
       "Moreau 1988; Anitescu, Potra 1997; Le Lidec et al. 2024",
       "first order; explicit gyroscopic moments feed energy into fast asymmetric tops",
       {}},
      {"stewart_trinkle", "impulses and positions obey the law together: 0 ≤ g(q̄) + n·(q⁺ − q̄) ⟂ λ_N ≥ 0, q̄ = q ⊕ dt v",
       "Stewart, Trinkle 1996, 2000; Anitescu, Potra 1997",
       "first order; K directions bias friction; the nonlinear version need not contract for large steps",
       describe_options<StewartTrinkleOptions>()},
      {"moreau",
       "contacts closed at the midpoint q_M = q ⊕ dt/2 v; M, forces, J there; law on v⁺ + ε v; q⁺ = q_M ⊕ dt/2 v⁺",
       "Moreau 1988; Gehring, Diethelm, Siegwart, Nützi, Leine 2014",
       "no position term: overlaps stay unless `stabilise`; fast thin bodies pass through each other; first order "
       "across impacts",
       describe_options<MoreauOptions>(),
       {LawFamily::hard, LawFamily::compliant}},
      {"exponential",
       "soft contacts integrated by the exponential of their linear dynamics, the rest frozen over the step",
       "Hammoud, Olivieri, Righetti, Carpentier, Del Prete 2022",
       "first order; contacts that open or close within a step are seen at its end (switch_refinement)",
       describe_options<ExponentialOptions>(),
       {LawFamily::anchored}},
      {"exponential_midpoint",
       "the exponential step with everything taken at the midpoint; an error estimate comes with it",
       "second-order variant of Hammoud et al. 2022",
       "twice the price; of first order across contact switches",
       describe_options<MidpointOptions>(),
       {LawFamily::anchored}},
      {"euler",
       "explicit Euler on soft contacts in three forms",
       "Hammoud et al. 2022, baseline",
       "unstable above about 0.1 ms on stiff ground",
       describe_options<EulerOptions>(),
       {LawFamily::anchored}},
      {"rk4",
       "the classic Runge-Kutta method on soft contacts",
       "Kutta 1901; Munthe-Kaas 1998 (turns = lie)",
       "explicit: unstable above about 0.3 ms on stiff ground; turns = mean is of order 2 where bodies turn freely",
       describe_options<Rk4Options>(),
       {LawFamily::anchored}},
      {"implicit_euler",
       "implicit Euler on soft contacts by Newton's method with analytic derivatives",
       "Hammoud et al. 2022, baseline; derivatives beyond it",
       "first order; Newton may stall where contacts open or close (status, iterations)",
       describe_options<ImplicitEulerOptions>(),
       {LawFamily::anchored}},
      {"rigid_euler",
       "active points held at their anchors by equalities; Euler, midpoint or Runge-Kutta",
       "Hammoud et al. 2022, baseline",
       "no unilaterality, friction or impact law: for bilateral tests",
       describe_options<RigidEulerOptions>(),
       {LawFamily::anchored}},
      {"rk_gill",
       "Runge-Kutta-Gill with the forces of relaxed contact, held over the step or renewed at every stage",
       "Gill 1951; Wakisaka, Sugihara 2014",
       "first order across contacts; all contacts of the world are one dense problem",
       describe_options<RkGillOptions>(),
       {LawFamily::relaxed}},
  };
  return catalog;
}

const StepperInfo& find_stepper(const std::string& name) { return find_named("stepper", stepper_catalog(), name); }

bool StepperInfo::steps(LawFamily family) const {
  return std::find(families.begin(), families.end(), family) != families.end();
}

const char* usual_stepper(LawFamily family) {
  switch (family) {
    case LawFamily::anchored:
      return "exponential";
    case LawFamily::relaxed:
      return "rk_gill";
    case LawFamily::compliant:
      return "moreau";
    case LawFamily::hard:
      break;
  }
  return "semi_implicit";
}

namespace {

const char* mismatch(LawFamily law, const StepperInfo& stepper) {
  if (law == LawFamily::hard) return "the law gives contact problems, the stepper wants forces";
  if (stepper.steps(LawFamily::hard)) return "the law gives forces, the stepper wants impulses of a contact problem";
  return "the law gives forces of another kind than the stepper wants";
}

}  // namespace

void require_stepper(const StepperInfo& stepper, const std::string& law, LawFamily family) {
  if (stepper.steps(family)) return;
  std::string known;
  for (const StepperInfo& s : stepper_catalog())
    if (s.steps(family)) known += (known.empty() ? "" : ", ") + s.name;
  throw InvalidInput("stepper '" + stepper.name + "' does not step law '" + law + "': " + mismatch(family, stepper) +
                     "; steppers of this law: " + known);
}

namespace {

std::unique_ptr<TimeStepper> make_bare(const std::string& name, const OptionMap& options, const World& world,
                                       const SimulationModel& model) {
  const Layout& layout = model.layout;
  if (name == "stewart_trinkle")
    return std::make_unique<StewartTrinkleStepper>(read_options<StewartTrinkleOptions>(name, options), world, model);
  if (name == "moreau")
    return std::make_unique<MoreauStepper>(read_options<MoreauOptions>(name, options), world, layout);
  if (name == "exponential" || name == "exponential_midpoint")
    return std::make_unique<ExponentialStepper>(read_exponential(name, options), name != "exponential", world, layout);
  if (name == "euler") return std::make_unique<EulerStepper>(read_options<EulerOptions>(name, options), world, layout);
  if (name == "implicit_euler")
    return std::make_unique<ImplicitEulerStepper>(read_options<ImplicitEulerOptions>(name, options), world, layout);
  if (name == "rigid_euler")
    return std::make_unique<RigidEulerStepper>(read_options<RigidEulerOptions>(name, options), world, layout);
  if (name == "rk4") return std::make_unique<Rk4Stepper>(read_options<Rk4Options>(name, options), world, layout);
  if (name == "rk_gill") {
    const auto read = read_options<RkGillOptions>(name, options);
    return std::make_unique<RkGillStepper>(read, world, layout);
  }
  for (const auto& [key, value] : options) throw_unknown_option("stepper '" + name + "'", key, {});
  return std::make_unique<SemiImplicitStepper>();
}

}  // namespace

std::unique_ptr<TimeStepper> make_stepper(const std::string& name, const OptionMap& options, const World& world,
                                          const SimulationModel& model) {
  for (const PairMaterial& m : world.pair_materials)
    if (m.restitution_tangential > 0.0 && name != "moreau")
      throw InvalidInput("stepper '" + name + "': a material has restitution_tangential " +
                         text(m.restitution_tangential) +
                         ", which only the stepper 'moreau' knows; leave it away or take that one");
  auto bare = make_bare(name, options, world, model);
  if (!model.anchored() || !model.anchored()->judge) return bare;
  return std::make_unique<JudgedStepper>(std::move(bare), world, model.layout);
}

}  // namespace stiction
