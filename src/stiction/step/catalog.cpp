// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/find_named.h>
#include <stiction/model/world/checks.h>
#include <stiction/step/catalog.h>
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

#include <algorithm>
#include <type_traits>

namespace stiction {
namespace {

using Families = std::vector<LawFamily>;
using Make = std::unique_ptr<TimeStepper> (*)(const std::string& owner, const OptionMap&, const World&,
                                              const SimulationModel&);

struct Entry : StepperInfo {
  Make make;
};

struct About {
  const char *name, *summary, *reference, *failure_modes;
};

// A stepper with options, made as Stepper(options, world, layout).
template <class Stepper, class Options>
Entry entry(const About& about, Families families) {
  return {{about.name, about.summary, about.reference, about.failure_modes, describe_options<Options>(),
           std::move(families)},
          [](const std::string& owner, const OptionMap& map, const World& world,
             const SimulationModel& model) -> std::unique_ptr<TimeStepper> {
            Options options;
            assign_options(owner, map, options);
            if constexpr (std::is_constructible_v<Stepper, Options, const World&, const Layout&>)
              return std::make_unique<Stepper>(options, world, model.layout);
            else
              return std::make_unique<Stepper>(options, world, model);
          }};
}

// The exponential steppers are one class; those of first order have fewer options.
template <class Options>
Entry exponential(const About& about) {
  return {{about.name,
           about.summary,
           about.reference,
           about.failure_modes,
           describe_options<Options>(),
           {LawFamily::anchored}},
          [](const std::string& owner, const OptionMap& map, const World& world,
             const SimulationModel& model) -> std::unique_ptr<TimeStepper> {
            MidpointOptions options;
            assign_options<Options>(owner, map, options);
            check_exponential(owner, options);
            return std::make_unique<ExponentialStepper>(options, std::is_same_v<Options, MidpointOptions>, world,
                                                        model.layout);
          }};
}

Entry semi_implicit(const About& about) {
  return {{about.name, about.summary, about.reference, about.failure_modes, {}, {LawFamily::hard}},
          [](const std::string& owner, const OptionMap& map, const World&,
             const SimulationModel&) -> std::unique_ptr<TimeStepper> {
            for (const auto& [key, value] : map) throw_unknown_option(owner, key, {});
            return std::make_unique<SemiImplicitStepper>();
          }};
}

const std::vector<Entry>& entries() {
  constexpr auto hard = LawFamily::hard, anchored = LawFamily::anchored;
  static const std::vector<Entry> list = {
      semi_implicit({"semi_implicit", "everything evaluated at q; v⁺ = v + M⁻¹(dt(τ − h) + Jᵀλ), then q⁺ = q ⊕ dt v⁺",
                     "Moreau 1988; Anitescu, Potra 1997; Le Lidec et al. 2024",
                     "first order; Coriolis forces within trees are those of the start of the step"}),
      entry<StewartTrinkleStepper, StewartTrinkleOptions>(
          {"stewart_trinkle",
           "impulses and positions obey the law together: 0 ≤ g(q̄) + n·(q⁺ − q̄) ⟂ λ_N ≥ 0, q̄ = q ⊕ dt v",
           "Stewart, Trinkle 1996, 2000; Anitescu, Potra 1997",
           "first order; K directions bias friction; the nonlinear version need not contract for large steps"},
          {hard}),
      entry<MoreauStepper, MoreauOptions>(
          {"moreau",
           "contacts closed at the midpoint q_M = q ⊕ dt/2 v; M, forces, J there; law on v⁺ + ε v; q⁺ = q_M ⊕ dt/2 v⁺",
           "Moreau 1988; Gehring, Diethelm, Siegwart, Nützi, Leine 2014",
           "no position term: overlaps stay unless `stabilise`; fast thin bodies pass through each other; first order "
           "across impacts"},
          {hard, LawFamily::compliant}),
      exponential<ExponentialOptions>(
          {"exponential",
           "soft contacts integrated by the exponential of their linear dynamics, the rest frozen over the step",
           "Hammoud, Olivieri, Righetti, Carpentier, Del Prete 2022",
           "first order; contacts that open or close within a step are seen at its end (switch_refinement)"}),
      exponential<MidpointOptions>(
          {"exponential_midpoint",
           "the exponential step with everything taken at the midpoint; an error estimate comes with it",
           "second-order variant of Hammoud et al. 2022", "twice the price; of first order across contact switches"}),
      entry<EulerStepper, EulerOptions>(
          {"euler", "explicit Euler on soft contacts in three forms", "Hammoud et al. 2022, baseline",
           "unstable above about 0.1 ms on stiff ground"},
          {anchored}),
      entry<Rk4Stepper, Rk4Options>(
          {"rk4", "the classic Runge-Kutta method on soft contacts", "Kutta 1901; Munthe-Kaas 1998 (turns = lie)",
           "explicit: unstable above about 0.3 ms on stiff ground; turns = mean is of order 2 where bodies turn "
           "freely"},
          {anchored}),
      entry<ImplicitEulerStepper, ImplicitEulerOptions>(
          {"implicit_euler", "implicit Euler on soft contacts by Newton's method with analytic derivatives",
           "Hammoud et al. 2022, baseline; derivatives beyond it",
           "first order; Newton may stall where contacts open or close (status, iterations)"},
          {anchored}),
      entry<RigidEulerStepper, RigidEulerOptions>(
          {"rigid_euler", "active points held at their anchors by equalities; Euler, midpoint or Runge-Kutta",
           "Hammoud et al. 2022, baseline", "no unilaterality, friction or impact law: for bilateral tests"},
          {anchored}),
      entry<RkGillStepper, RkGillOptions>(
          {"rk_gill",
           "Runge-Kutta-Gill with the forces of relaxed contact, held over the step or renewed at every stage",
           "Gill 1951; Wakisaka, Sugihara 2014",
           "first order across contacts; all contacts of the world are one dense problem"},
          {LawFamily::relaxed}),
  };
  return list;
}

}  // namespace

const std::vector<StepperInfo>& stepper_catalog() {
  static const std::vector<StepperInfo> catalog = [] {
    std::vector<StepperInfo> list;
    for (const Entry& e : entries()) list.push_back(e);
    return list;
  }();
  return catalog;
}

const StepperInfo& find_stepper(const std::string& name) { return find_named("stepper", entries(), name); }

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

std::unique_ptr<TimeStepper> make_stepper(const std::string& name, const OptionMap& options, const World& world,
                                          const SimulationModel& model) {
  for (const PairMaterial& m : world.pair_materials)
    if (m.restitution_tangential > 0.0 && name != "moreau")
      throw InvalidInput("stepper '" + name + "': a material has restitution_tangential " +
                         text(m.restitution_tangential) +
                         ", which only the stepper 'moreau' knows; leave it away or take that one");
  auto bare = find_named("stepper", entries(), name).make("stepper '" + name + "'", options, world, model);
  if (!model.anchored() || !model.anchored()->judge) return bare;
  return std::make_unique<JudgedStepper>(std::move(bare), world, model.layout);
}

}  // namespace stiction
