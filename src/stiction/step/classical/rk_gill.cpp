// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/law/anchor_memory.h>
#include <stiction/step/classical/rk_gill.h>

#include <algorithm>
#include <numbers>

namespace stiction {
namespace {

constexpr double kRoot = std::numbers::sqrt2;
constexpr std::uint32_t kBuried = 4;  // flag of an AnchorRecord beside those of model/world/state.h
// Slopes of the stages before, per stage, and the weights of all.
constexpr double kStage[4][3] = {{0.0, 0.0, 0.0},
                                 {0.5, 0.0, 0.0},
                                 {0.5 * (kRoot - 1.0), 0.5 * (2.0 - kRoot), 0.0},
                                 {0.0, -0.5 * kRoot, 1.0 + 0.5 * kRoot}};
constexpr double kWeight[4] = {1.0 / 6.0, (2.0 - kRoot) / 6.0, (2.0 + kRoot) / 6.0, 1.0 / 6.0};

RelaxedInput law_input(const SoftContext& c) {
  return {c.world, c.model.layout, c.model.detection, *c.model.relaxed(), c.work.kinematics, c.model.dt};
}

// y⁺ of (1). accelerate(stage, q, v, out) as in runge_kutta().
template <class Accelerate>
void gill(const SoftContext& c, const double* q, const double* v, StageWork& s, const Accelerate& accelerate) {
  SoftWork& w = c.work;
  const double h = c.model.dt;
  const std::size_t nv = c.world.nv, nq = c.world.nq;
  std::copy(v, v + nv, s.velocity[0].begin());
  accelerate(0, q, v, s.acceleration[0].data());
  keep_start_axes(c);
  for (std::size_t k = 1; k < 4; ++k) {
    for (std::size_t j = 0; j < nv; ++j) {
      double velocity = 0.0, acceleration = 0.0;
      for (std::size_t i = 0; i < k; ++i) {
        velocity += kStage[k][i] * s.velocity[i][j];
        acceleration += kStage[k][i] * s.acceleration[i][j];
      }
      w.mean[j] = velocity, s.velocity[k][j] = v[j] + h * acceleration;
    }
    std::copy(q, q + nq, s.q.begin());
    std::copy(s.velocity[k].begin(), s.velocity[k].end(), s.v.begin());
    advance(c.model.layout, h, w.mean.data(), s.q.data(), s.v.data());
    accelerate(static_cast<int>(k), s.q.data(), s.v.data(), s.acceleration[k].data());
    to_start_axes(c, s.acceleration[k].data());
  }
  for (std::size_t j = 0; j < nv; ++j) {
    w.next_v[j] = v[j], w.mean[j] = 0.0;
    for (std::size_t k = 0; k < 4; ++k)
      w.next_v[j] += h * kWeight[k] * s.acceleration[k][j], w.mean[j] += kWeight[k] * s.velocity[k][j];
  }
  std::copy(q, q + nq, w.next_q.begin());
  advance(c.model.layout, h, w.mean.data(), w.next_q.data(), w.next_v.data());
}

void add_forces(const SoftContext& c, const std::vector<RelaxedPoint>& points, double* force) {
  for (const RelaxedPoint& p : points) {
    const Vec3 f = p.place.frame.transpose() * Eigen::Map<const Vec3>(p.force);
    add_point_force(c, p.place.a, p.place.point, -f, force);
    add_point_force(c, p.place.b, p.place.point, f, force);
  }
}

}  // namespace

RkGillStepper::RkGillStepper(const RkGillOptions& options, const World& world, const SimulationModel& model) {
  if (options.forces != "held" && options.forces != "per_stage")
    throw InvalidInput(unknown_name("stepper 'rk_gill': forces", options.forces, {"held", "per_stage"}));
  per_stage_ = options.forces == "per_stage";
  const RelaxedLaw& law = *model.relaxed();
  if (!per_stage_ && law.model == RelaxedModel::proposed && law.options.compensation * model.dt > 2.0)
    throw InvalidInput(
        "law 'relaxed': compensation is " + std::to_string(law.options.compensation) + " 1/s with dt " +
        std::to_string(model.dt) +
        " s: contacts would overshoot and throw bodies; expected compensation * dt <= 2, smooth up to 0.343");
  work_.resize(world, model.layout);
  stages_.resize(world);
  space_.bodies.resize(world);
  held_.resize(world.nv);
}

// Contacts, their forces and what the next step remembers of them.
void RkGillStepper::start(const SoftContext& c, const State& state, StepReport& report) {
  const RelaxedInput in = law_input(c);
  find_relaxed_points(in, state.anchors, detection_, contacts_, points_);
  forces_.buried.assign(points_.size(), 0);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const AnchorRecord* known = find_record(state.anchors, contacts_[points_[i].contact].key);
    forces_.buried[i] = points_[i].touching && (known == nullptr || (known->flags & kBuried) != 0) ? 1 : 0;
  }
  if (!forces_.compute(c, space_, points_, sliding_)) report.refuse(Status::stalled);
  report.iterations += forces_.rounds();
  remember_points(in, contacts_, points_, sliding_, c.work.records);
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (forces_.buried[i] != 0) c.work.records[i].flags |= kBuried;
  std::fill(held_.begin(), held_.end(), 0.0);
  add_forces(c, points_, held_.data());
  mean_force_.assign(3 * points_.size(), 0.0);
}

void RkGillStepper::renew(const SoftContext& c, StepReport& report) {
  move_relaxed_points(law_input(c), contacts_, c.work.records, points_, stage_points_);
  if (!forces_.compute(c, space_, stage_points_, stage_sliding_)) report.refuse(Status::stalled);
  report.iterations += forces_.rounds();
}

// The force of the start; that on floating bases keeps its direction in the world.
void RkGillStepper::add_held(const SoftContext& c) {
  std::vector<double>& force = c.work.force;
  for (std::size_t t = 0; t < c.world.trees.size(); ++t) {
    const Tree& tree = c.world.trees[t];
    std::size_t v = tree.v;
    const std::size_t end = v + tree.nv;
    if (tree.floating) {
      const Mat3 turn = c.work.kinematics.base[t].rotation.transpose() * c.work.start_rotation[t];
      for (int part = 0; part < 2; ++part, v += 3)
        Eigen::Map<Vec3>{force.data() + v} += turn * Eigen::Map<const Vec3>(held_.data() + v);
    }
    for (; v < end; ++v) force[v] += held_[v];
  }
}

StepReport RkGillStepper::step(const StepContext& context, const StepInput& input, State& state) {
  SoftWork& w = work_;
  const SoftContext c{context.world, context.model, input, state.pd, w};
  StepReport report = StepReport::of_one_step();
  const auto accelerate = [&](int stage, const double* q, const double* v, double* out) {
    evaluate_articulated(c, q, v, space_);
    add_limit_forces(law_input(c), q, v, w.force.data());
    if (stage == 0) {
      keep_start_axes(c);
      start(c, state, report);
    } else if (per_stage_) {
      renew(c, report);
    }
    const std::vector<RelaxedPoint>& acting = stage == 0 || !per_stage_ ? points_ : stage_points_;
    for (std::size_t i = 0; i < 3 * points_.size(); ++i) mean_force_[i] += kWeight[stage] * acting[i / 3].force[i % 3];
    if (stage == 0 || !per_stage_)
      add_held(c);
    else
      add_forces(c, stage_points_, w.force.data());
    space_.bodies.solve(c.model.layout, w.force.data());
    std::copy(w.force.begin(), w.force.end(), out);
  };
  gill(c, state.q.data(), state.v.data(), stages_, accelerate);
  context.work.contacts.clear();
  for (const RelaxedPoint& p : points_)
    if (p.touching) context.work.contacts.push_back(contacts_[p.contact]);
  note_overlap(context.work.contacts, report);
  report = commit(c, context.work, state, report);
  show_forces(c, context.work);
  return report;
}

// Mean forces of the touching points, for queries.
void RkGillStepper::show_forces(const SoftContext& c, Workspace& shared) const {
  shared.impulses.clear();
  for (std::size_t i = 0; i < points_.size(); ++i)
    for (std::size_t r = 0; r < 3 && points_[i].touching; ++r)
      shared.impulses.push_back(c.model.dt * mean_force_[3 * i + r]);
}

}  // namespace stiction
