// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/growing.h>
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/derivatives/forward_derivatives.h>
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/step/core/impulses.h>
#include <stiction/step/derivative/end_impulses.h>
#include <stiction/step/derivative/flight_tangents.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

int multiple_of_four(int n) { return (n + 3) & ~3; }

struct Sizes {
  int nv, ntau, columns;
  std::ptrdiff_t stride;
  Sizes(const World& world, int width)
      : nv(world.nv), ntau(world.ntau), columns(2 * world.nv + world.ntau), stride(width) {}
};

// Smooth forces and contact impulses as forces on points fixed to bodies, and ∂r/∂q of them.
void fill_positions(const VelocityStep& step, VelocityTangentWork& w, const RowInstant& rows, const ForceInstant& at) {
  const StepContext& c = step.c;
  const Layout& layout = c.model.layout;
  const int nv = c.world.nv;
  collect_loads(at, w.forces);
  collect_row_forces(rows, w.forces.forces);
  w.rate.resize(nv);
  for (int i = 0; i < nv; ++i) w.rate[i] = (step.next[i] - step.in.v[i]) / c.model.dt;
  const Kinematics& k = c.work.kinematics;
  prepare_acceleration(c.world, layout, k, w.data, w.rate.data(), 1, true, w.acceleration);
  inverse_dynamics_dq(c.world, layout, k, w.data, w.acceleration, w.forces.forces.data(),
                      static_cast<int>(w.forces.forces.size()), w.stride, w.block.data());
  for (int i = 0; i < step.input.wrench_count; ++i) {
    const Wrench& wrench = step.input.wrenches[i];
    if (wrench.body == kWorldBody) continue;
    add_couple_tangent(layout, k, wrench.body, wrench.torque, w.stride, w.block.data());
    if (!wrench.at_centre)
      add_fixed_point_tangent(layout, k, wrench.body, wrench.point, wrench.force, w.stride, w.block.data());
  }
}

// W of (2).
void whiten_columns(const VelocityStep& step, VelocityTangentWork& w) {
  const StepContext& c = step.c;
  const Sizes n(c.world, w.stride);
  const double dt = c.model.dt;
  for (int i = 0; i < n.nv; ++i) {
    double* row = w.block.data() + i * n.stride;
    for (int j = 0; j < 2 * n.nv; ++j) row[j] *= -dt;
  }
  for (int j = 0; j < n.ntau; ++j)
    if (const int velocity = c.world.tau_velocity[j]; velocity >= 0) w.block[velocity * n.stride + 2 * n.nv + j] = dt;
  solve_transposed_many(c.world, c.model.layout, c.work.kinematics, w.stride, w.stride, w.block.data());
}

// rows (of one block) += Y x, or x += Yᵀ rows.
template <class Use>
void for_entries(const Layout& layout, const RowSet& set, const RowBlock& block, const Use& use) {
  const int stride = row_stride(block.rows);
  for (int s = 0; s < block.sides; ++s) {
    const RowSide& side = block.side[s];
    const int* chain = layout.chain.data() + layout.bodies[side.body].chain;
    const double* y = set.values.data() + side.offset;
    for (int d = 0; d < side.length; ++d)
      for (int r = 0; r < block.rows; ++r) use(chain[d], r, y[stride * d + r]);
  }
}

void add_multiple(double a, const double* __restrict x, int n, double* __restrict y) {
  for (int j = 0; j < n; ++j) y[j] += a * x[j];
}

// dg of (3).
void fill_dg(const VelocityStep& step, VelocityTangentWork& w) {
  const Sizes n(step.c.world, w.stride);
  const Assembly& assembly = step.c.work.assembly;
  w.dg.assign(w.rows.rows * n.stride, 0.0);
  for (std::size_t b = 0; b < assembly.specs.size(); ++b) {
    double* first = w.dg.data() + w.rows.first[b] * n.stride;
    for_entries(step.c.model.layout, assembly.rows, assembly.rows.blocks[b], [&](int velocity, int r, double y) {
      add_multiple(y, w.block.data() + velocity * n.stride, n.columns, first + r * n.stride);
    });
  }
  for (int r = 0; r < w.rows.rows; ++r) {
    double* out = w.dg.data() + r * n.stride;
    add_multiple(1.0, w.rows.u_dq.data() + static_cast<std::ptrdiff_t>(r) * n.nv, n.nv, out);
    add_multiple(1.0 + w.rows.keep[r], w.rows.J.data() + static_cast<std::ptrdiff_t>(r) * n.nv, n.nv, out + n.nv);
  }
}

// dλ of one island; its blocks' modes go to `out`.
bool island_tangents(const VelocityStep& step, VelocityTangentWork& w, int island, StepDerivatives& out) {
  Workspace& work = step.c.work;
  Assembly& assembly = work.assembly;
  Islands& islands = assembly.islands;
  const Sizes n(step.c.world, w.stride);
  int row = w.factored ? work.problem.rows() : gather_island(step.c, step.in, island);
  const int first = islands.start[island], last = islands.start[island + 1];
  if (row == 0) return true;
  const double relax = step.input.relax;
  if (!w.factored && !w.solve.factor(work.problem, work.lambda.vec(), step.threshold)) return false;
  if (relax > 0.0 && !w.relaxed.solve(work.problem, relax, work.lambda.vec())) return false;
  w.column.resize(row), w.answer.resize(row);
  for (int j = 0; j < n.columns; ++j) {
    row = 0;
    bool any = false;
    for (int k = first; k < last; ++k) {
      const int b = islands.block[k];
      for (int r = 0; r < assembly.rows.blocks[b].rows; ++r, ++row) {
        w.column[row] = w.dg[(w.rows.first[b] + r) * n.stride + j];
        any = any || w.column[row] != 0.0;
      }
    }
    ContactTangent change;
    change.g = w.column.data();
    if (any && relax > 0.0)
      w.relaxed.change(w.column.data(), w.answer.data());
    else if (any)
      w.solve.jvp(change, w.answer.data(), nullptr);
    else
      std::fill(w.answer.begin(), w.answer.end(), 0.0);
    row = 0;
    for (int k = first; k < last; ++k) {
      const int b = islands.block[k];
      for (int r = 0; r < assembly.rows.blocks[b].rows; ++r, ++row)
        w.dlambda[(w.rows.first[b] + r) * n.stride + j] = w.answer[row];
    }
  }
  for (int k = first; k < last; ++k) {
    const int b = islands.block[k];
    const BlockTangent& t = w.solve.blocks()[k - first];
    out.rows[w.rows.place[b]].mode = t.mode;
    out.rows[w.rows.place[b]].border = t.boundary && relax == 0.0 ? BorderKind::mode
                                       : t.mode == BlockMode::open && w.rows.border[b] != BorderKind::energy
                                           ? BorderKind::none
                                           : w.rows.border[b];
  }
  out.velocity_unique = out.velocity_unique && (relax > 0.0 || w.solve.velocity_unique());
  return true;
}

// Contacts in their order, those without rows open; then the other blocks.
void list_rows(const Workspace& work, RowTangents& rows, StepDerivatives& out) {
  const std::size_t contacts = work.contacts.size();
  out.rows.assign(contacts, {});
  for (std::size_t i = 0; i < contacts; ++i) out.rows[i].index = static_cast<int>(i);
  rows.place.resize(work.assembly.specs.size());
  for (std::size_t b = 0; b < work.assembly.specs.size(); ++b) {
    const BlockSpec& spec = work.assembly.specs[b];
    if (spec.source == RowSource::contact) {
      rows.place[b] = spec.index;
      continue;
    }
    rows.place[b] = static_cast<int>(out.rows.size());
    out.rows.push_back({spec.source, spec.index, BlockMode::open, BorderKind::none});
  }
}

// dv⁺ of (2).
void solve_back(const VelocityStep& step, VelocityTangentWork& w) {
  const Sizes n(step.c.world, w.stride);
  const Assembly& assembly = step.c.work.assembly;
  for (std::size_t b = 0; b < assembly.specs.size(); ++b) {
    const double* first = w.dlambda.data() + w.rows.first[b] * n.stride;
    for_entries(step.c.model.layout, assembly.rows, assembly.rows.blocks[b], [&](int velocity, int r, double y) {
      add_multiple(y, first + r * n.stride, n.columns, w.block.data() + velocity * n.stride);
    });
  }
  solve_lower_many(step.c.world, step.c.model.layout, step.c.work.kinematics, w.stride, w.stride, w.block.data());
  for (int i = 0; i < n.nv; ++i) w.block[i * n.stride + n.nv + i] += 1.0;
}

// Motors that are about to be cut off are rows of their own.
void list_motors(const VelocityTangentWork& w, StepDerivatives& out) {
  for (std::size_t i = 0; i < w.forces.border.size(); ++i)
    if (w.forces.border[i] != 0)
      out.rows.push_back({RowSource::motor, static_cast<int>(i),
                          w.forces.motor_gain[i] != 0.0 ? BlockMode::stick : BlockMode::bound, BorderKind::motor});
}

}  // namespace

void find_end_velocity(const StepContext& c, VelocityTangentWork& w) {
  w.next.assign(c.work.whitened.begin(), c.work.whitened.end());
  for (const Tree& tree : c.world.trees) solve_lower(c.model.layout, tree, c.work.kinematics, w.next.data());
  for (int i = 0; i < c.world.nv; ++i) w.next[i] += c.work.v[i];
}

bool velocity_tangents(const VelocityStep& step, VelocityTangentWork& w, StepDerivatives& out) {
  const StepContext& c = step.c;
  const Layout& layout = c.model.layout;
  const Kinematics& k = c.work.kinematics;
  if (w.data.bodies.size() != c.world.bodies.size()) {
    w.data.resize(c.world);
    for (AccelerationData* a : {&w.acceleration, &w.after, &w.before}) a->resize(c.world);
  }
  w.stride = multiple_of_four(2 * c.world.nv + c.world.ntau);
  w.block.assign(static_cast<std::ptrdiff_t>(c.world.nv) * w.stride, 0.0);
  w.forces.resize(c.world);
  prepare_derivatives(c.world, layout, k, w.data);
  prepare_acceleration(c.world, layout, k, w.data, step.next, 1, false, w.after);
  prepare_acceleration(c.world, layout, k, w.data, step.in.v, 1, false, w.before);
  w.motions.find(c.world, c.model.detection, c.work.detection, c.work.contacts);
  const RowInstant rows{step.in,   c.work,     w.data,    w.after,   w.before,
                        step.next, step.touch, step.rule, w.motions, step.threshold};
  const ForceInstant at{c.world,    layout,     k,         w.data,        step.in.state.pd,
                        step.input, step.where, step.next, step.threshold};
  double *dq = w.block.data(), *dv = dq + c.world.nv;
  fill_positions(step, w, rows, at);
  inverse_dynamics_dv(layout, k, w.data, w.stride, dv);
  put_free_moments(step, w.stride, dv);
  add_force_tangents(at, w.stride, dq, dv, w.forces);
  row_tangents(rows, w.stride, dq, w.rows);
  whiten_columns(step, w);
  fill_dg(step, w);
  w.dlambda.assign(w.rows.rows * static_cast<std::ptrdiff_t>(w.stride), 0.0);
  out.exact = w.rows.exact && w.forces.exact && w.accepted;
  out.velocity_unique = true;
  list_rows(c.work, w.rows, out);
  for (int island = 0; island < c.work.assembly.islands.count(); ++island)
    if (!island_tangents(step, w, island, out)) return false;
  list_motors(w, out);
  solve_back(step, w);
  return true;
}

void hand_out_columns(const VelocityStep& step, const VelocityTangentWork& w, StepDerivatives& out) {
  const double* dx = w.dx.data();
  const Sizes n(step.c.world, w.stride);
  const int nu = static_cast<int>(step.c.world.actuators.size());
  out.by_all.resize(2 * n.nv, n.columns);
  out.ntau = n.ntau;
  out.anchor_rows.resize(0, n.columns), out.anchors_before.clear(), out.anchors_after.clear();
  out.by_target.resize(2 * n.nv, n.ntau);
  out.by_ctrl.resize(2 * n.nv, nu);
  out.by_ctrl.setZero();
  for (int i = 0; i < 2 * n.nv; ++i) {
    const double* row = dx + i * n.stride;
    double* all = out.by_all.data() + static_cast<std::ptrdiff_t>(i) * n.columns;
    std::copy_n(row, 2 * n.nv, all);
    for (int j = 0; j < n.ntau; ++j) {
      const int velocity = step.c.world.tau_velocity[j];
      all[2 * n.nv + j] = w.forces.motor_gain[velocity] * row[2 * n.nv + j];
      out.by_target(i, j) = w.forces.target_gain[velocity] * row[2 * n.nv + j];
    }
  }
  if (nu == 0) return;
  for (int j = 0; j < n.ntau; ++j)
    for (int a = 0; a < nu; ++a)
      if (w.forces.ctrl_velocity[a] == step.c.world.tau_velocity[j])
        for (int i = 0; i < 2 * n.nv; ++i) out.by_ctrl(i, a) = w.forces.ctrl_gain[a] * dx[i * n.stride + 2 * n.nv + j];
}

void refuse_step(const StepContext& c, const StepInput& input) {
  const HardContact& law = c.model.hard();
  if (law.friction.kind != FrictionLaw::coulomb && law.friction.kind != FrictionLaw::convex)
    throw InvalidInput(std::string("step_derivatives: law '") + name(law.friction.kind) +
                       "' has no derivative; take 'coulomb' or 'convex' with semi_implicit or moreau");
  if (law.from_file)
    throw InvalidInput(
        "step_derivatives: the law's softness='file' has no derivative; take softness='rigid' with semi_implicit or "
        "moreau");
  if (c.model.turns)
    throw InvalidInput(
        "step_derivatives: contacts with friction of spin and roll have no derivative; take mu_torsion=0 and "
        "mu_rolling=0 "
        "for all materials (add_mjcf and the like take both for a whole file)");
  refuse_forces(c.world, c.model.layout, input);
}

}  // namespace stiction
