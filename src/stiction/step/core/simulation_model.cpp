// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/law/tendon_blocks.h>
#include <stiction/model/world/tendon.h>
#include <stiction/step/core/simulation_model.h>

#include <algorithm>

namespace stiction {

SimulationModel::SimulationModel(const World& world, ContactLaw contact_law, double step)
    : layout(world), detection(world), law(std::move(contact_law)), dt(step) {
  rebounds = std::any_of(world.pair_materials.begin(), world.pair_materials.end(),
                         [](const PairMaterial& m) { return m.restitution > 0.0; });
  turns = turns_resist(world);
  const auto* hard_law = std::get_if<HardContact>(&law);
  if (hard_law != nullptr && !hard_law->from_file) dry = dry_joints(world, layout);
  if (compliant() != nullptr) refuse_tendon_rows(world, "compliant");
  detection.any_direction = hard_law == nullptr || hard_law->friction.kind == FrictionLaw::convex;
}

void note_overlap(const std::vector<Contact>& contacts, StepReport& report) {
  for (const Contact& c : contacts) report.penetration = std::max(report.penetration, -c.gap);
}

void Workspace::resize(const World& world, const Layout& layout) {
  kinematics.resize(world, layout);
  guard.kinematics.resize(world, layout);
  for (std::vector<double>* x : {&v, &next, &z, &whitened, &limit_impulse, &friction_impulse}) x->resize(world.nv);
  q.resize(world.nq);
  mean.resize(world.nv), applied.resize(world.nv);
  loop_impulse.resize(6 * world.loops.size() + world.couplings.size() + kTendonRows * world.tendons.size());
  flight.resize(world);
  IslandScratch::resize(world);
  tree_mass.assign(world.trees.size(), 0.0);
  for (const BodyPlan& plan : layout.bodies) tree_mass[plan.tree] += plan.mass;
}

}  // namespace stiction
