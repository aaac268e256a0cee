// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/kernels/tendons.h>
#include <stiction/law/joint_blocks.h>
#include <stiction/law/tendon_blocks.h>
#include <stiction/model/world/tendon.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

void add_tendon_limit(const AssembleInput& in, const RowContext& context, int tendon, double sign, double gap,
                      int memory, Assembly& out) {
  const TendonPlan& plan = in.layout.tendons[tendon];
  const TendonPart part{&tendon_terms(in.layout, in.kinematics, tendon), sign};
  const RowBlock& rows = add_tendon_row(context, plan.sides, part, {nullptr, 0.0}, out.rows);
  BlockSpec& spec = add_spec(out, Block::unilateral(0, plan.angular), RowSource::tendon_limit, memory);
  spec.reference = drift_reference(in, gap);
  spec.sign = sign;
  spec.correction[0] = std::max(0.0, spec.reference);
  set_g(rows, spec);
  spec.guess[0] = in.dt * std::max(0.0, sign * in.state.loop_force[memory]);
}

}  // namespace

RowBlock& add_tendon_equality_row(const AssembleInput& in, const RowContext& context, const Coupling& coupling,
                                  double slope, RowSet& rows) {
  const Layout& layout = in.layout;
  const auto terms = [&](int tendon) { return tendon < 0 ? nullptr : &tendon_terms(layout, in.kinematics, tendon); };
  return add_tendon_row(context, layout.coupling_sides[&coupling - in.world.couplings.data()],
                        {terms(coupling.tendon_a), 1.0}, {terms(coupling.tendon_b), -slope}, rows);
}

void add_tendon_blocks(const AssembleInput& in, const RowContext& context, Assembly& out) {
  const double* q = in.positions.q != nullptr ? in.positions.q : in.state.q.data();
  const int count = static_cast<int>(in.world.tendons.size());
  int memory = static_cast<int>(in.state.loop_force.size()) - kTendonRows * count;
  for (int i = 0; i < count; ++i, memory += kTendonRows) {
    const TendonPlan& plan = in.layout.tendons[i];
    const Tendon& t = in.world.tendons[i];
    if (plan.sides.count == 0) continue;
    const std::vector<TendonTerm>& terms = tendon_terms(in.layout, in.kinematics, i);
    const double length = tendon_length(in.layout, in.kinematics, i, q), rate = tendon_rate(terms, in.v);
    for (const double sign : {1.0, -1.0}) {
      const double gap = sign > 0.0 ? length - t.range[0] : t.range[1] - length;
      if (near(in, gap, rate)) add_tendon_limit(in, context, i, sign, gap, memory, out);
    }
    if (const double friction = in.dt * t.dry_friction; friction > 0.0) {
      const RowBlock& rows = add_tendon_row(context, plan.sides, {&terms, 1.0}, {nullptr, 0.0}, out.rows);
      BlockSpec& spec =
          add_spec(out, Block::box(0, -friction, friction, plan.angular), RowSource::tendon_friction, memory + 1);
      set_g(rows, spec);
      spec.guess[0] = in.dt * in.state.loop_force[memory + 1];
    }
    const double D = in.kinematics.tendon_inertia[i];
    if (!(D > 0.0)) continue;
    const RowBlock& rows = add_tendon_row(context, plan.sides, {&terms, 1.0}, {nullptr, 0.0}, out.rows);
    BlockSpec& spec = add_spec(out, Block::bilateral(0, 1, plan.angular), RowSource::tendon_motor, memory + 2);
    spec.reference = rows.before[0], spec.compliance = 1.0 / D;
    set_g(rows, spec);
    spec.guess[0] = in.dt * in.state.loop_force[memory + 2];
  }
}

void refuse_tendon_rows(const World& world, const char* law) {
  for (const Tendon& t : world.tendons)
    if (tendon_needs_rows(t))
      throw InvalidInput("law '" + std::string(law) + "': range, friction or armature of the tendon '" + t.name +
                         "' has no form in this law; take a hard law");
}

}  // namespace stiction
