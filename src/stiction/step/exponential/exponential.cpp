// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/contact/pair_solve.h>
#include <stiction/dynamics/kernels/free_rotation.h>
#include <stiction/dynamics/kernels/integrate.h>
#include <stiction/dynamics/kernels/motion.h>
#include <stiction/model/world/checks.h>
#include <stiction/step/core/actuators.h>
#include <stiction/step/exponential/exponential.h>

#include <Eigen/LU>
#include <algorithm>
#include <bit>
#include <cmath>

namespace stiction {
namespace {

constexpr int kDeepest = 40;         // halvings that an integer of dyadic time can count
constexpr int kMostSubsteps = 4096;  // 2^12

// A dyadic piece of the step: [index, index + 1] · dt/2^depth.
struct Piece {
  int depth = 0;
  std::uint64_t index = 0;

  bool last() const { return index + 1 == std::uint64_t{1} << depth; }
  Piece half() const { return {depth + 1, 2 * index}; }
  // The largest piece that begins where this one ends, of depth `top` at least.
  Piece after(int top) const {
    Piece next{depth, index + 1};
    while (next.depth > top && next.index % 2 == 0) next = {next.depth - 1, next.index / 2};
    return next;
  }
};

AverageOptions average_options(const ExponentialOptions& o) {
  AverageOptions out;
  out.approximant = approximant_from("stepper_options", o.approximant);
  out.tolerance = o.tolerance, out.slip_continues = o.slip_continues, out.diagonal = o.diagonal;
  out.dense.products = o.products, out.dense.balance = o.balance;
  out.keep = o.refresh > 1;
  return out;
}

}  // namespace

void check_exponential(const std::string& owner, const MidpointOptions& o) {
  approximant_from(owner, o.approximant);
  check_options(owner, o);
  require_option(
      o.substeps >= 1 && o.substeps <= kMostSubsteps && std::has_single_bit(static_cast<unsigned>(o.substeps)), owner,
      "substeps", o.substeps, "a power of two from 1 to 4096");
  if (o.position != "double" && o.position != "single")
    throw InvalidInput(unknown_name(owner + ".position", o.position, {"double", "single"}));
}

ExponentialStepper::ExponentialStepper(const MidpointOptions& options, bool midpoint, const World& world,
                                       const Layout& layout)
    : options_(options), average_options_(average_options(options)), midpoint_(midpoint) {
  work_.resize(world, layout);
  plain_v_.resize(world.nv);
  pairs_.resize(2 * world.nv);
}

// Everything at the start of a part that does not depend on its length.
void ExponentialStepper::start(const SoftContext& c) {
  SoftWork& w = work_;
  evaluate_smooth(c, w.q.data(), w.v.data());
  find_points(c, w.q.data(), w.v.data(), w.memory, w.points, w.records);
  factorise_mass(c);
  whiten_forces(c);
  make_rows(c, w.v.data(), w.points);
  if (midpoint_) keep_start_axes(c);
}

void ExponentialStepper::averages(const SoftContext& c, double h, StepReport& report) {
  work_.averaged_over = h;
  const AverageReport found = average_forces(c, average_options_, h, average_work_, work_.points);
  report.exact_solves += found.exact_solves;
  if (!midpoint_) report.estimate = std::max(report.estimate, found.estimate);
}

// M⁻¹(u + Jᵀ proj λ̄) and M⁻¹(u + Jᵀ proj λ̿), side by side.
void ExponentialStepper::accelerations(const SoftContext& c) {
  SoftWork& w = work_;
  const Layout& layout = c.model.layout;
  const bool single = options_.position == "single";
  for (std::size_t i = 0; i < w.z.size(); ++i) pairs_[2 * i] = pairs_[2 * i + 1] = w.z[i];
  for (std::size_t i = 0; i < w.points.size(); ++i) {
    const SoftPoint& p = w.points[i];
    add_impulse_pair(layout, w.rows, w.rows.blocks[i], p.projected, single ? p.projected : p.double_projected,
                     pairs_.data());
  }
  for (const Tree& tree : c.world.trees) solve_lower_pair(layout, tree, w.kinematics, pairs_.data());
  for (std::size_t i = 0; i < w.z.size(); ++i)
    w.acceleration[i] = pairs_[2 * i], w.double_acceleration[i] = pairs_[2 * i + 1];
}

// Free bodies without contact turn as dynamics/kernels/free_rotation.h says: the explicit moment makes them explode. True if there
// are any.
bool ExponentialStepper::turn_free_bodies(const SoftContext& c, double h) {
  SoftWork& w = work_;
  bool any = false;
  for (const Tree& tree : c.world.trees) {
    if (!tree.free_body) continue;
    const auto holds = [&](const SoftPoint& p) { return p.a == tree.first_body || p.b == tree.first_body; };
    if (std::any_of(w.points.begin(), w.points.end(), holds)) continue;
    const BodyPlan& plan = c.model.layout.bodies[tree.first_body];
    const Vec3 rate = Eigen::Map<const Vec3>(w.v.data() + tree.v + 3);
    const Vec3 before = Eigen::Map<const Vec3>(w.kinematics.bias.data() + tree.v + 3);
    Vec3 moment = before;
    FreeRotation motion;
    if (!free_moment(plan, Mat3::Identity(), rate, h, moment.data(), motion)) continue;
    const Vec3 taken = h * (unpacked(plan.inertia).inverse() * before);  // what the explicit moment did to the rate
    Eigen::Map<Vec3>(w.next_v.data() + tree.v + 3) += motion.rate - rate + taken;
    Eigen::Map<Vec3>(w.mean.data() + tree.v + 3) += rotation_vector(motion.turn) / h - rate + 0.5 * taken;
    any = true;
  }
  return any;
}

// (1) from (q, v) with the accelerations, which are in the axes of the start.
void ExponentialStepper::move(const SoftContext& c, double h) {
  SoftWork& w = work_;
  for (std::size_t i = 0; i < w.v.size(); ++i) {
    w.next_v[i] = w.v[i] + h * w.acceleration[i];
    w.mean[i] = w.v[i] + 0.5 * h * w.double_acceleration[i];
  }
  if (!midpoint_) turned_ = turn_free_bodies(c, h);
  std::copy(w.q.begin(), w.q.end(), w.next_q.begin());
  advance(c.model.layout, h, w.mean.data(), w.next_q.data(), w.next_v.data());
}

void ExponentialStepper::advance_euler_like(const SoftContext& c, double h, StepReport& report) {
  averages(c, h, report);
  accelerations(c);
  move(c, h);
}

void ExponentialStepper::advance_midpoint(const SoftContext& c, double h, StepReport& report) {
  SoftWork& w = work_;
  if (options_.estimate || options_.error_tolerance > 0.0) {
    advance_euler_like(c, h, report);
    for (std::size_t i = 0; i < w.v.size(); ++i) plain_v_[i] = w.acceleration[i];
  }
  advance_euler_like(c, 0.5 * h, report);
  evaluate_smooth(c, w.next_q.data(), w.next_v.data());
  move_points(c, w.points, w.records);
  factorise_mass(c);
  whiten_forces(c);
  make_rows(c, w.next_v.data(), w.points);
  averages(c, h, report);
  accelerations(c);
  to_start_axes(c, w.acceleration.data());
  to_start_axes(c, w.double_acceleration.data());
  move(c, h);
  double error = 0.0;
  if (options_.estimate || options_.error_tolerance > 0.0)
    for (std::size_t i = 0; i < w.v.size(); ++i) error = std::max(error, h * std::abs(w.acceleration[i] - plain_v_[i]));
  part_error_ = error;
}

bool ExponentialStepper::contacts_change(const SoftContext& c) {
  SoftWork& w = work_;
  forward_kinematics(c.world, c.model.layout, w.next_q.data(), w.next_v.data(), w.kinematics_ahead);
  const AnchoredInput ahead{c.world,         c.model.layout, c.model.detection, *c.model.anchored(), w.kinematics_ahead,
                            w.next_q.data(), w.next_v.data()};
  return !same_contacts(ahead, w.points, w.records, w.ahead);
}

void ExponentialStepper::begin(const State& state) {
  std::copy(state.q.data(), state.q.data() + state.q.size(), work_.q.begin());
  std::copy(state.v.data(), state.v.data() + state.v.size(), work_.v.begin());
  work_.memory.assign(state.anchors.begin(), state.anchors.end());
  average_work_.kept.clear();
}

bool ExponentialStepper::derivatives(const StepContext& context, const StepInput& input, const State& state,
                                     StepDerivatives& out) {
  if (midpoint_) return false;
  const auto refuse = [](const std::string& what) { throw InvalidInput("step_derivatives: " + what); };
  refuse_drives(context.world, "step_derivatives");
  if (!context.world.dry_friction.isZero(0.0)) refuse("dry friction of joints has no derivative in this stepper");
  if (poles(average_options_.approximant).empty())
    refuse("approximant '" + options_.approximant + "' has no derivative; take 1/1, 2/2, 3/3, 1/2 or 2/3");
  if (options_.diagonal) refuse("the option diagonal has no derivative; leave it away");
  if (options_.slip_continues) refuse("the option slip_continues has no derivative; leave it away");
  if (options_.substeps > 1) refuse("a step in substeps has no derivative; take substeps=1 and a smaller dt");
  const SoftContext c{context.world, context.model, input, state.pd, work_};
  StepReport report = StepReport::of_one_step();
  begin(state);
  out.status = Status::numerical_failure;
  // [1/1] has one force for both: its two averages are equal.
  const bool single = options_.position == "single" || average_options_.approximant == Approximant::cayley_11;
  bool fresh = true, first = true;
  for (Piece piece;;) {  // as step() goes
    const double h = std::ldexp(context.model.dt, -piece.depth);
    if (fresh) start(c);
    advance_euler_like(c, h, report);
    if (!all_finite(work_.next_q) || !all_finite(work_.next_v)) return true;
    fresh = !(options_.switch_refinement && contacts_change(c) && 0.5 * h >= options_.smallest_step &&
              piece.depth < kDeepest);
    if (!fresh) {
      piece = piece.half();
      continue;
    }
    StepDerivatives& part = first ? out : part_;
    exponential_derivatives(c, {average_options_, average_work_, single, h}, tangent_, part);
    if (turned_) part.exact = false;  // the derivatives are those of explicit gyroscopic moments
    if (!first) {
      chain_.append(part, out);
      out.exact = false;  // when contacts switch is found by halving: a staircase, whose slope is in no part
    }
    first = false;
    if (piece.last()) break;
    piece = piece.after(0);
    if (++average_work_.kept.parts >= options_.refresh) average_work_.kept.clear();
    std::swap(work_.q, work_.next_q);
    std::swap(work_.v, work_.next_v);
    std::swap(work_.memory, work_.records);
  }
  out.status = Status::converged;
  return true;
}

StepReport ExponentialStepper::step(const StepContext& context, const StepInput& input, State& state) {
  SoftWork& w = work_;
  const double dt = context.model.dt;
  const SoftContext c{context.world, context.model, input, state.pd, w};
  begin(state);
  StepReport report = StepReport::of_one_step();
  report.substeps = 0;
  const int top = std::countr_zero(static_cast<unsigned>(options_.substeps));
  Piece piece{top, 0};
  bool fresh = true;  // the start of the part has not been evaluated
  for (;;) {
    const double h = std::ldexp(dt, -piece.depth);
    if (fresh) start(c);
    fresh = true;
    part_error_ = 0.0;
    if (midpoint_)
      advance_midpoint(c, h, report);
    else
      advance_euler_like(c, h, report);
    if (!all_finite(w.next_q) || !all_finite(w.next_v)) return report.failed();
    const bool switches = options_.switch_refinement && contacts_change(c);
    const bool inaccurate = options_.error_tolerance > 0.0 && !(part_error_ <= options_.error_tolerance);
    if ((switches || inaccurate) && 0.5 * h >= options_.smallest_step && piece.depth < kDeepest) {
      piece = piece.half();
      fresh = midpoint_;  // otherwise everything at the start is still there
      continue;
    }
    report.estimate = std::max(report.estimate, part_error_);
    ++report.substeps;
    report.switches += switches;
    keep_contacts(c, context.work, report);
    if (piece.last()) break;
    piece = piece.after(top);
    if (++average_work_.kept.parts >= options_.refresh) average_work_.kept.clear();
    std::swap(w.q, w.next_q);
    std::swap(w.v, w.next_v);
    std::swap(w.memory, w.records);
  }
  return commit(c, context.work, state, report);
}

}  // namespace stiction
