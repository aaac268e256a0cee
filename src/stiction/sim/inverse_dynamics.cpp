// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/contact/match.h>
#include <stiction/dynamics/kernels/free_rotation.h>
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/model/world/checks.h>
#include <stiction/sim/inverse_dynamics.h>
#include <stiction/sim/simulator_impl.h>
#include <stiction/solver/local/inverse_contact.h>
#include <stiction/step/core/smooth_forces.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kSameRate = 1e-12;  // round-off of the step
constexpr int kLooks = 3;            // as in the step
constexpr double kStill = 1e-12;     // relative change of ẑ between rounds: round-off of loops, divided by R

void check_simulator(const Simulator& simulator) {
  const Settings& settings = simulator.settings();
  const LawInfo& info = find_law(settings.law);
  if (info.family != LawFamily::hard || (info.kind != FrictionLaw::coulomb && info.kind != FrictionLaw::convex))
    throw InvalidInput("inverse_dynamics: law '" + settings.law + "' has none here, expected 'coulomb' or 'convex'");
  if (settings.stepper != "semi_implicit")
    throw InvalidInput("inverse_dynamics: stepper '" + settings.stepper + "' has none here, expected 'semi_implicit'");
  if (!simulator.world().cuts.empty())
    throw InvalidInput("inverse_dynamics: coordinates are '" + settings.coordinates +
                       "', expected 'minimal'; minimal_state() gives q and v of a simulator of that kind");
}

void check_input(const World& world, const VecRef& v_ref, const InverseOptions& o) {
  check_size("inverse_dynamics.v_ref", v_ref.size(), world.nv);
  check_finite("inverse_dynamics.v_ref", v_ref);
  if (!(o.compliance > 0.0) || !std::isfinite(o.compliance))
    throw InvalidInput("inverse_dynamics.compliance is " + text(o.compliance) +
                       ", expected a number > 0: without compliance the velocity does not tell the impulse");
  if (o.max_rounds < 2)
    throw InvalidInput("inverse_dynamics.max_rounds is " + std::to_string(o.max_rounds) + ", expected at least 2");
}

// Face velocities at the end of the step to internal ones: the base's linear part is given in the axes after the turn.
void to_internal(const Layout& layout, double dt, double* v) {
  for (const BodyPlan& plan : layout.bodies) {
    if (plan.code != JointCode::root_free) continue;
    const Vec3 turn = dt * Eigen::Map<const Vec3>(v + plan.v + 3);
    const double angle = turn.norm();
    if (!(angle > 0.0)) continue;
    Eigen::Map<Vec3> linear(v + plan.v);
    linear = (Eigen::AngleAxisd(angle, turn / angle) * Vec3(linear)).eval();
  }
}

// c* of row r. Contacts and limits have it exactly, so that rounds with the same c* give the same bits.
double reference(const BlockSpec& spec, const RowBlock& rows, int r) {
  if (spec.source == RowSource::loop) return rows.free[r] - spec.g[r];
  return r == rows.rows - 1 ? spec.reference : 0.0;
}

// y = L̂ x and x = L̂ᵀ y over the packed rows.
void multiply_lower(const Layout& layout, const Kinematics& k, int nv, const double* x, double* y) {
  for (int j = 0; j < nv; ++j) {
    const double* row = k.factor.data() + layout.row[j];
    const int* chain = layout.chain.data() + layout.chain_of[j];
    y[j] = 0.0;
    for (int d = 0; d <= layout.depth[j]; ++d) y[j] += row[d] * x[chain[d]];
  }
}

void multiply_transposed(const Layout& layout, const Kinematics& k, int nv, const double* y, double* x) {
  std::fill(x, x + nv, 0.0);
  for (int j = 0; j < nv; ++j) {
    const double* row = k.factor.data() + layout.row[j];
    const int* chain = layout.chain.data() + layout.chain_of[j];
    for (int d = 0; d <= layout.depth[j]; ++d) x[chain[d]] += row[d] * y[j];
  }
}

}  // namespace

InverseDynamics::InverseDynamics(const Simulator& simulator)
    : world_(simulator.shared_world()), model_(simulator.shared_model()) {
  check_simulator(simulator);
  work_.resize(*world_, model_->layout);
  for (std::vector<double>* x : {&target_, &wanted_, &smooth_, &free_, &held_}) x->resize(world_->nv);
}

// The gyroscopic moment of the step; and if the body ends as one that no moment acted on, it has turned as such a one does.
void InverseDynamics::turn_free_body(const Tree& tree, const State& state, const VecRef& v_ref) {
  const int w = tree.v + 3;
  FreeRotation motion;
  if (!free_moment(model_->layout.bodies[tree.first_body], Mat3::Identity(), state.v.segment<3>(w), model_->dt,
                   work_.kinematics.bias.data() + w, motion))
    return;
  if ((v_ref.segment<3>(w) - motion.rate).norm() > kSameRate * motion.rate.norm()) return;
  Eigen::Map<Vec3>(target_.data() + tree.v) = motion.turn * Vec3(v_ref.segment<3>(tree.v));
}

// Everything but contacts: M and its factor, the smooth forces without motors, z = L̂(v_ref − v).
void InverseDynamics::prepare(State& state, const VecRef& v_ref, const std::vector<Wrench>& wrenches) {
  const int nv = world_->nv;
  std::copy(v_ref.data(), v_ref.data() + nv, target_.begin());
  to_internal(model_->layout, model_->dt, target_.data());
  state.pd = PdGains{};
  std::copy(state.v.data(), state.v.data() + nv, work_.v.begin());
  fused_pass(*world_, model_->layout, state.q.data(), work_.v.data(), Purpose::step, work_.kinematics);
  for (const Tree& tree : world_->trees)
    if (tree.free_body) turn_free_body(tree, state, v_ref);
  const StepInput input{nullptr, wrenches.data(), static_cast<int>(wrenches.size()), state.ctrl.data(),
                        state.act.data()};
  smooth_forces(*world_, model_->layout, state.pd, input,
                {state.q.data(), work_.v.data(), model_->dt, model_->dt, model_->dt, true, true}, work_.kinematics,
                smooth_.data());
  for (const Tree& tree : world_->trees)
    if (!tree.free_body) factorise(model_->layout, tree, work_.kinematics);
  for (int i = 0; i < nv; ++i) work_.next[i] = target_[i] - work_.v[i];
  multiply_lower(model_->layout, work_.kinematics, nv, work_.next.data(), wanted_.data());
}

// The contacts that the step would have seen, v_ref being the velocity that it ends with.
void InverseDynamics::look(const State& state) {
  reset_look_ahead(*world_, work_.detection);
  const double margin = model_->hard().options.margin;
  for (int k = 1; k <= kLooks; ++k) {
    const std::size_t seen = work_.contacts.size();
    detect(*world_, model_->layout, model_->detection, work_.kinematics, model_->dt, margin, work_.detection,
           work_.contacts, state.contacts);
    match(model_->layout, work_.kinematics, state.contacts, work_.contacts);
    if (k > 1 && work_.contacts.size() == seen) return;
    if (!outran_look_ahead(*world_, model_->layout, model_->detection, work_.kinematics, work_.v.data(), target_.data(),
                           model_->dt, margin, work_.detection))
      return;
  }
}

// λ of every block, and Yᵀλ.
void InverseDynamics::find_impulses(const AssembleInput& in, const InverseOptions& options) {
  const Assembly& a = work_.assembly;
  lambda_.assign(kMostRows * a.specs.size(), 0.0);
  std::fill(held_.begin(), held_.end(), 0.0);
  for (std::size_t b = 0; b < a.specs.size(); ++b) {
    const RowBlock& rows = a.rows.blocks[b];
    const BlockSpec& spec = a.specs[b];
    double c[kMostRows];
    apply_rows(in.layout, a.rows, rows, wanted_.data(), c);
    for (int r = 0; r < rows.rows; ++r) c[r] += rows.before[r] - reference(spec, rows, r);
    const double R = spec.compliance > 0.0 ? spec.compliance : options.compliance;
    inverse_contact(spec.block, in.law.friction, c, options.compliance, R, lambda_.data() + kMostRows * b);
    add_impulse(in.layout, a.rows, rows, lambda_.data() + kMostRows * b, held_.data());
  }
}

// Pairs with restitution that receive an impulse while they approach rebound, as in the step.
bool InverseDynamics::arm(const AssembleInput& in) {
  bool any = false;
  const Islands& islands = work_.assembly.islands;
  for (int island = 0; model_->rebounds && island < islands.count(); ++island) {
    work_.lambda.clear();
    for (int k = islands.start[island]; k < islands.start[island + 1]; ++k) {
      const int block = islands.block[k];
      for (int r = 0; r < work_.assembly.rows.blocks[block].rows; ++r)
        work_.lambda.push_back(lambda_[kMostRows * block + r]);
    }
    any = arm_closed_contacts(in, island, work_.lambda.data(), work_.assembly) || any;
  }
  return any;
}

InverseSolution InverseDynamics::solve(const State& state_in, const VecRef& v_ref, const InverseOptions& options,
                                       const std::vector<Wrench>& wrenches) {
  check_input(*world_, v_ref, options);
  State state = state_in;
  check_state(*world_, state);
  prepare(state, v_ref, wrenches);
  look(state);
  const AssembleInput in{*world_,        model_->layout, work_.kinematics, model_->hard(), state,
                         work_.contacts, work_.v.data(), free_.data(),     model_->dt};
  std::fill(free_.begin(), free_.end(), 0.0);  // first guess: coasting
  InverseSolution out;
  out.status = Status::max_iterations;
  while (out.iterations < options.max_rounds && out.status != Status::converged) {
    ++out.iterations;
    assemble(in, work_.assembly);
    find_impulses(in, options);
    if (arm(in)) find_impulses(in, options);
    double moved = 0.0, size = 0.0;
    for (int i = 0; i < world_->nv; ++i) {
      const double next = wanted_[i] - held_[i];
      moved = std::max(moved, std::abs(next - free_[i]));
      size = std::max({size, std::abs(wanted_[i]), std::abs(held_[i])});
      free_[i] = next;
    }
    if (moved <= kStill * size) out.status = Status::converged;
  }
  collect(out);
  return out;
}

void InverseDynamics::collect(InverseSolution& out) const {
  const int nv = world_->nv;
  const double rate = 1.0 / model_->dt;
  out.generalised.resize(nv), out.constraint.resize(nv);
  multiply_transposed(model_->layout, work_.kinematics, nv, free_.data(), out.generalised.data());
  multiply_transposed(model_->layout, work_.kinematics, nv, held_.data(), out.constraint.data());
  out.constraint *= rate;
  out.generalised = rate * out.generalised - Eigen::Map<const Vec>(smooth_.data(), nv);
  out.tau.resize(world_->ntau), out.base_residual.resize(nv - world_->ntau);
  std::vector<char> joint(nv, 0);
  for (int i = 0; i < world_->ntau; ++i) {
    out.tau[i] = out.generalised[world_->tau_velocity[i]];
    joint[world_->tau_velocity[i]] = 1;
  }
  for (int i = 0, base = 0; i < nv; ++i)
    if (!joint[i]) out.base_residual[base++] = out.generalised[i];
  for (const Contact& c : work_.contacts)
    out.contacts.push_back({c.a, c.b, c.point, c.normal, c.gap, Vec3::Zero(), Vec3::Zero()});
  for (std::size_t b = 0; b < work_.assembly.specs.size(); ++b) {
    const BlockSpec& spec = work_.assembly.specs[b];
    if (spec.source != RowSource::contact) continue;
    InverseContact& contact = out.contacts[spec.index];
    const double *lambda = lambda_.data() + kMostRows * b, normal = lambda[spec.block.size - 1];
    contact.impulse = spec.block.size >= 3 ? Vec3(lambda[0], lambda[1], normal) : Vec3(0.0, 0.0, normal);
    contact.force = rate * (work_.contacts[spec.index].frame.transpose() * contact.impulse);
  }
}

InverseSolution inverse_dynamics(const Simulator& simulator, const VecRef& v_ref, const InverseOptions& options) {
  return InverseDynamics(simulator).solve(simulator.state(), v_ref, options);
}

}  // namespace stiction
