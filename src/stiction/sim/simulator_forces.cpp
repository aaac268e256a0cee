// SPDX-License-Identifier: BSD-2-Clause
// What actuators, springs, dampers and so on do at the present state: the formulas without the implicit terms of a step.
#include <stiction/law/catalog.h>
#include <stiction/sim/simulator_impl.h>
#include <stiction/step/core/actuators.h>
#include <stiction/step/core/passive_forces.h>

namespace stiction {

std::string friction_left_out(const World& world, const Settings& settings) {
  const LawInfo& law = find_law(settings.law);
  const bool round = law.kind == FrictionLaw::coulomb || law.kind == FrictionLaw::convex;
  if (!turns_resist(world) || (law.family == LawFamily::hard && round)) return "";
  return "law '" + settings.law +
         "' knows no friction of spin and roll: mu_torsion and mu_rolling of this world's materials have no effect; the "
         "laws 'coulomb' and 'convex' have it";
}

namespace {

// Without a time step there are no implicit terms.
ForcePoint now(const State& s) { return {s.q.data(), s.v.data(), 0.0, 0.0, 0.0}; }

}  // namespace

Vec Simulator::actuator_forces() const {
  const Impl& s = *impl_;
  Vec out = Vec::Zero(static_cast<Eigen::Index>(s.world->actuators.size()));
  evaluate_actuators(*s.world, s.model->layout, s.input("tau", Vec()), s.state.q.data(), s.state.v.data(),
                     s.kinematics(), out.data());
  return out;
}

Vec Simulator::joint_actuation() const {
  const Impl& s = *impl_;
  Kinematics k = s.kinematics();
  Vec out = Vec::Zero(s.world->nv);
  add_actuator_forces(*s.world, s.model->layout, s.input("tau", Vec()), now(s.state), k, out.data());
  return out;
}

Vec Simulator::passive_forces() const {
  const Impl& s = *impl_;
  Kinematics k = s.kinematics();
  Vec out = Vec::Zero(s.world->nv);
  add_passive_forces(*s.world, s.model->layout, now(s.state), k, out.data());
  for (const BodyPlan& plan : s.model->layout.bodies)
    for (int i = plan.v; i < plan.v + plan.nv && plan.tau >= 0; ++i) out[i] -= s.world->joint_damping[i] * s.state.v[i];
  return out;
}

}  // namespace stiction
