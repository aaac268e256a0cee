// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/tree_factor.h>
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
        out[2] = lambda[0];
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
    case RowSource::torsion:
      break;
  }
}

void solve_island(const AssembleInput& in, Solver& solver, bool rebounds, int island, Workspace& work,
                  StepOutcome& outcome) {
  island_problem(in, work.assembly, island, work.island, work.problem, work.lambda);
  Report report = solver.solve(work.problem, work.lambda.vec());
  outcome.iterations += report.iterations;
  outcome.factorisations += report.factorisations;
  if (rebounds && arm_closed_contacts(in, island, work.lambda.data(), work.assembly)) {
    island_problem(in, work.assembly, island, work.island, work.problem, work.lambda);
    report = solver.solve(work.problem, work.lambda.vec());
    outcome.iterations += report.iterations;
    outcome.factorisations += report.factorisations;
  }
  note_report(report, outcome);
  apply_island_impulses(in.layout, island, work);
}

}  // namespace

void whiten(const World& world, const Machine& machine, Workspace& work) {
  for (double& force : work.z) force *= machine.dt;
  for (const Tree& tree : world.trees) {
    if (!tree.free_body) factorise(machine.layout, tree, work.kinematics);
    solve_transposed(machine.layout, tree, work.kinematics, work.z.data());
  }
}

void keep_largest(const Residual& from, Residual& into) {
  const auto larger = [](double a, double& b) {
    if (a > b || std::isnan(a)) b = a;
  };
  larger(from.primal, into.primal), larger(from.dual, into.dual), larger(from.complementarity, into.complementarity);
  larger(from.signorini_power, into.signorini_power), larger(from.signorini_velocity, into.signorini_velocity);
  larger(from.natural, into.natural), larger(from.mdp_angle, into.mdp_angle), larger(from.mdp_defect, into.mdp_defect);
  larger(from.b3, into.b3), larger(from.b4, into.b4), larger(from.floor, into.floor), larger(from.ratio, into.ratio);
  larger(from.force_scale, into.force_scale), larger(from.velocity_scale, into.velocity_scale);
}

void note_report(const Report& report, StepOutcome& outcome) {
  outcome.status = worse(outcome.status, report.status);
  outcome.accepted = outcome.accepted && report.status == Status::converged;
  keep_largest(report.own, outcome.own);
  keep_largest(report.ncp, outcome.ncp);
}

void apply_island_impulses(const Layout& layout, int island, Workspace& work) {
  const Islands& islands = work.assembly.islands;
  int row = 0;
  for (int k = islands.start[island]; k < islands.start[island + 1]; ++k) {
    const auto i = islands.block[k];
    const RowBlock& rows = work.assembly.rows.blocks[i];
    add_impulse(layout, work.assembly.rows, rows, work.lambda.data() + row, work.whitened.data());
    hand_out(work.assembly.specs[i], rows, work.lambda.data() + row, work);
    row += rows.rows;
  }
}

void block_impulse(const BlockSpec& spec, const RowBlock& rows, const Workspace& work, double* lambda) {
  switch (spec.source) {
    case RowSource::contact:
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
    case RowSource::torsion:
      lambda[0] = 0.0;
      break;
  }
}

void clear_impulses(const World& world, Workspace& work) {
  work.impulses.assign(3 * work.contacts.size(), 0.0);
  if (!world.loops.empty()) std::fill(work.loop_impulse.begin(), work.loop_impulse.end(), 0.0);
  if (world.ntau == 0) return;
  std::fill(work.limit_impulse.begin(), work.limit_impulse.end(), 0.0);
  std::fill(work.friction_impulse.begin(), work.friction_impulse.end(), 0.0);
}

void solve_islands(const AssembleInput& in, Solver& solver, bool rebounds, Workspace& work, StepOutcome& outcome) {
  std::copy(work.z.begin(), work.z.end(), work.whitened.begin());
  clear_impulses(in.world, work);
  outcome.islands = work.assembly.islands.count();
  outcome.status = Status::converged, outcome.accepted = true;
  outcome.own = outcome.ncp = Residual{};
  for (int island = 0; island < outcome.islands; ++island) solve_island(in, solver, rebounds, island, work, outcome);
}

void island_problems(const AssembleInput& in, Workspace& work, std::vector<ContactProblem>& out) {
  out.clear();
  for (int island = 0; island < work.assembly.islands.count(); ++island) {
    island_problem(in, work.assembly, island, work.island, work.problem, work.lambda);
    out.push_back(work.problem);
  }
}

void end_velocity(const World& world, const Machine& machine, Workspace& work) {
  std::copy(work.whitened.begin(), work.whitened.end(), work.next.begin());
  for (const Tree& tree : world.trees) solve_lower(machine.layout, tree, work.kinematics, work.next.data());
  for (int i = 0; i < world.nv; ++i) work.next[i] += work.v[i];
}

namespace {

bool slips(const AssembleInput& in, const Workspace& work, std::size_t block) {
  double u[3];
  apply_rows(in.layout, work.assembly.rows, work.assembly.rows.blocks[block], work.whitened.data(), u);
  const RowBlock& rows = work.assembly.rows.blocks[block];
  return std::hypot(rows.before[0] + u[0], rows.before[1] + u[1]) > kStickSpeed;
}

}  // namespace

void remember_contacts(const AssembleInput& in, const Workspace& work, State& state) {
  state.contacts.resize(work.contacts.size());
  for (std::size_t i = 0; i < work.contacts.size(); ++i) {
    const Contact& c = work.contacts[i];
    ContactRecord& record = state.contacts[i];
    record.key = c.key;
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(record.frame) = c.frame;
    for (int r = 0; r < 3; ++r) record.force[r] = work.impulses[3 * i + r] / in.dt;
    record.flags = (record.force[2] > 0.0 ? 0 : kOpen) | kStuck;
  }
  for (std::size_t b = 0; b < work.assembly.specs.size(); ++b) {
    const BlockSpec& spec = work.assembly.specs[b];
    if (spec.source != RowSource::contact || spec.block.kind != BlockKind::coulomb) continue;
    const Contact& c = work.contacts[spec.index];
    const PairMaterial& m = in.world.material(static_cast<int>(c.key.geom_a), static_cast<int>(c.key.geom_b));
    if (m.mu_static != m.mu && slips(in, work, b)) state.contacts[spec.index].flags &= ~kStuck;
  }
}

void remember_joints(const AssembleInput& in, const Workspace& work, State& state) {
  for (Eigen::Index i = 0; i < state.loop_force.size(); ++i)
    state.loop_force[i] = work.loop_impulse[static_cast<int>(i)] / in.dt;
  for (int i = 0; i < in.world.nv && in.world.ntau > 0; ++i) {
    state.limit_force[i] = work.limit_impulse[i] / in.dt;
    state.friction_force[i] = work.friction_impulse[i] / in.dt;
  }
}

void Workspace::resize(const World& world, const Layout& layout) {
  kinematics.resize(world, layout);
  for (std::vector<double>* x : {&v, &next, &z, &whitened, &limit_impulse, &friction_impulse}) x->resize(world.nv);
  q.resize(world.nq);
  loop_impulse.resize(6 * world.loops.size());
}

}  // namespace stiction
