// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/finite.h>
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/law/contact_query.h>
#include <stiction/law/contact_rows.h>
#include <stiction/step/core/impulses.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kStickSpeed = 1e-6;  // slower contacts count as stuck [m/s]

// Where the impulses of a block go: to its contact, loop, limit or joint.
void hand_out(const BlockSpec& spec, const RowBlock& rows, const double* lambda, Workspace& work) {
  switch (spec.source) {
    case RowSource::contact: {
      double* out = work.impulses.data() + 3 * spec.index;
      if (rows.rows == 3)
        std::copy(lambda, lambda + 3, out);
      else
        out[2] = lambda[rows.rows - 1];
      if (rows.rows <= 3) break;
      out[0] = lambda[0], out[1] = lambda[1];
      for (int r = 2; r + 1 < rows.rows; ++r)
        work.torques[3 * spec.index + turned_axis(spec.block, r)] = spec.block.arm(r) * lambda[r];
      break;
    }
    case RowSource::loop:
      std::copy(lambda, lambda + rows.rows, work.loop_impulse.data() + spec.index);
      break;
    case RowSource::limit:
      work.limit_impulse[spec.index] += spec.sign * lambda[0];
      break;
    case RowSource::joint_friction:
    case RowSource::motor:
      work.friction_impulse[spec.index] = lambda[0];
      break;
    case RowSource::tendon_limit:
      work.loop_impulse[spec.index] += spec.sign * lambda[0];
      break;
    case RowSource::tendon_friction:
    case RowSource::tendon_motor:
      work.loop_impulse[spec.index] = lambda[0];
      break;
    case RowSource::torsion:
      break;
  }
}

bool slips(const AssembleInput& in, const Workspace& work, std::size_t block) {
  double u[kMostRows];
  apply_rows(in.layout, work.assembly.rows, work.assembly.rows.blocks[block], work.whitened.data(), u);
  const RowBlock& rows = work.assembly.rows.blocks[block];
  return std::hypot(rows.before[0] + u[0], rows.before[1] + u[1]) > kStickSpeed;
}

// Of contacts with rows of spin or roll, in the order of the contacts, which is that of their keys.
void remember_torques(const AssembleInput& in, const Workspace& work, State& state) {
  state.torques.clear();
  if (work.torques.empty()) return;
  for (const BlockSpec& spec : work.assembly.specs) {
    if (spec.source != RowSource::contact || spec.block.kind != BlockKind::patch) continue;
    TorqueRecord& record = state.torques.emplace_back();
    record.key = work.contacts[spec.index].key;
    for (int r = 0; r < 3; ++r) record.torque[r] = work.torques[3 * spec.index + r] / in.dt;
  }
}

void remember_contacts(const AssembleInput& in, const Workspace& work, State& state) {
  state.contacts.resize(work.contacts.size());
  for (std::size_t i = 0; i < work.contacts.size(); ++i) {
    const Contact& c = work.contacts[i];
    ContactRecord& record = state.contacts[i];
    record.key = c.key;
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(record.frame) = c.frame;
    for (int r = 0; r < 3; ++r) record.force[r] = work.impulses[3 * i + r] / in.dt;
    record.flags = (record.force[2] > 0.0 ? 0 : kOpen) | kStuck | (c.flags & (kPauseBits | kFailBits));
  }
  remember_torques(in, work, state);
  for (std::size_t b = 0; b < work.assembly.specs.size(); ++b) {
    const BlockSpec& spec = work.assembly.specs[b];
    if (spec.source != RowSource::contact || spec.block.size < 3) continue;
    const Contact& c = work.contacts[spec.index];
    const PairMaterial& m = material_of(in.world, c);
    if (m.mu_static != m.mu && slips(in, work, b)) state.contacts[spec.index].flags &= ~kStuck;
  }
}

void remember_joints(const AssembleInput& in, const Workspace& work, State& state) {
  for (Eigen::Index i = 0; i < state.loop_force.size(); ++i)
    state.loop_force[i] = work.loop_impulse[static_cast<int>(i)] / in.dt;
  if (in.layout.bounded.empty() && in.world.cuts.empty()) {  // no joint has a limit, friction or a motor of rows
    state.limit_force.setZero(), state.friction_force.setZero();
    return;
  }
  for (int i = 0; i < in.world.nv && in.world.ntau > 0; ++i) {
    state.limit_force[i] = work.limit_impulse[i] / in.dt;
    state.friction_force[i] = work.friction_impulse[i] / in.dt;
  }
}

}  // namespace

void to_momentum(const StepContext& c) {
  Workspace& work = c.work;
  for (std::size_t i = 0; i < work.z.size(); ++i) work.applied[i] = work.z[i] + work.kinematics.bias[i];
  for (double& force : work.z) force *= c.model.dt;
}

void whiten(const StepContext& c, const char* held) {
  const Layout& layout = c.model.layout;
  Workspace& work = c.work;
  for (const Tree& tree : c.world.trees) {
    if (!tree.free_body) factorise(layout, tree, work.kinematics, held);
    solve_transposed(layout, tree, work.kinematics, work.z.data());
  }
}

AssembleInput row_input(const StepContext& c, const HardContact& law, const State& state,
                        const PositionTerms& positions) {
  const Workspace& w = c.work;
  return {c.world, c.model.layout, w.kinematics, law, state, w.contacts, w.v.data(), w.z.data(), c.model.dt, positions};
}

void add_effort(const Report& solve, StepReport& report) {
  report.iterations += solve.iterations, report.factorisations += solve.factorisations;
}

void add_verdict(const Report& solve, StepReport& report) {
  report.status = worse(report.status, solve.status);
  if (solve.status != Status::converged) report.unaccepted = 1;
  keep_largest(solve.own, report.own);
  keep_largest(solve.ncp, report.ncp);
}

void apply_island_impulses(const Layout& layout, int island, const double* lambda, Workspace& work) {
  const Islands& islands = work.assembly.islands;
  int row = 0;
  for (int k = islands.start[island]; k < islands.start[island + 1]; ++k) {
    const auto i = islands.block[k];
    const RowBlock& rows = work.assembly.rows.blocks[i];
    add_impulse(layout, work.assembly.rows, rows, lambda + row, work.whitened.data());
    hand_out(work.assembly.specs[i], rows, lambda + row, work);
    row += rows.rows;
  }
}

void block_impulse(const BlockSpec& spec, const RowBlock& rows, const Workspace& work, double* lambda) {
  switch (spec.source) {
    case RowSource::contact:
      if (rows.rows > 3) {
        std::copy_n(work.impulses.data() + 3 * spec.index, 2, lambda);
        lambda[rows.rows - 1] = work.impulses[3 * spec.index + 2];
        for (int r = 2; r + 1 < rows.rows; ++r)
          lambda[r] = work.torques[3 * spec.index + turned_axis(spec.block, r)] / spec.block.arm(r);
        break;
      }
      std::copy_n(work.impulses.data() + 3 * spec.index + (3 - rows.rows), rows.rows, lambda);
      break;
    case RowSource::loop:
      std::copy_n(work.loop_impulse.data() + spec.index, rows.rows, lambda);
      break;
    case RowSource::limit:  // of the two limits of a joint one at the most is reached
      lambda[0] = std::max(0.0, spec.sign * work.limit_impulse[spec.index]);
      break;
    case RowSource::joint_friction:
    case RowSource::motor:
      lambda[0] = work.friction_impulse[spec.index];
      break;
    case RowSource::tendon_limit:
      lambda[0] = std::max(0.0, spec.sign * work.loop_impulse[spec.index]);
      break;
    case RowSource::tendon_friction:
    case RowSource::tendon_motor:
      lambda[0] = work.loop_impulse[spec.index];
      break;
    case RowSource::torsion:
      lambda[0] = 0.0;
      break;
  }
}

std::vector<ContactProblem> island_problems(const AssembleInput& in, bool keep_bodies, Workspace& work) {
  std::vector<ContactProblem> out;
  work.island.keep_bodies = keep_bodies;
  Islands& islands = work.assembly.islands;
  for (int island = 0; island < islands.count(); ++island) {
    std::sort(islands.block.begin() + islands.start[island], islands.block.begin() + islands.start[island + 1]);
    island_problem(in, work.assembly, island, work.island, work.problem, work.lambda);
    out.push_back(work.problem);
  }
  work.island.keep_bodies = false;
  return out;
}

void end_velocity(const StepContext& c) {
  Workspace& work = c.work;
  std::copy(work.whitened.begin(), work.whitened.end(), work.next.begin());
  for (const Tree& tree : c.world.trees) solve_lower(c.model.layout, tree, work.kinematics, work.next.data());
  for (int i = 0; i < c.world.nv; ++i) work.next[i] += work.v[i];
}

StepReport commit(const AssembleInput& in, const Workspace& work, const std::vector<double>& q,
                  const std::vector<double>& v, const std::vector<AnchorRecord>* anchors, State& state,
                  StepReport& report) {
  if (!all_finite(v) || !all_finite(q)) return report.failed();
  if (anchors != nullptr)
    state.anchors.assign(anchors->begin(), anchors->end());
  else
    remember_contacts(in, work, state);
  remember_joints(in, work, state);
  std::copy(q.begin(), q.end(), state.q.data());
  std::copy(v.begin(), v.end(), state.v.data());
  state.time += in.dt;
  return report;
}

void TimeStepper::step_group(LaneWork&, std::span<StepLane> group) {
  for (StepLane& lane : group) lane.report = step(lane.context, *lane.input, *lane.state);
}

std::vector<ContactProblem> TimeStepper::problems(const StepContext&, const StepInput&, const State&, bool) {
  throw InvalidInput(
      "the law of this simulator gives forces, not contact problems; make a simulator with a hard law and copy q and "
      "v");
}

}  // namespace stiction
