// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/law/anchor_memory.h>
#include <stiction/law/contact_query.h>
#include <stiction/step/core/spring_energy.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stiction {
namespace {

// Of the speed of a fall by the overlap: friction after the normals may throw points out of it.
constexpr double kLeap = 3.0;

// Of one contact, along N and T.
struct SpringPair {
  double normal = 0.0, tangential = 0.0, damping = 0.0;
};

SpringPair springs_of(const SimulationModel& model, const PairMaterial& material) {
  if (const AnchoredOptions* o = model.anchored()) {
    const auto [k, b] = spring_of(material, *o);
    return {k, k * std::max(o->stiffness_ratio_t1, o->stiffness_ratio_t2), b};
  }
  if (const CompliantOptions* o = model.compliant()) {
    const auto [k, b] = spring_of(material, *o);
    return {k, k * o->stiffness_ratio, b};
  }
  const RelaxedOptions& o = model.relaxed()->options;
  if (model.relaxed()->model == RelaxedModel::micro) return {o.stiffness, 0.0, o.damping};
  if (model.relaxed()->model == RelaxedModel::hybrid) return {o.soft_stiffness, o.soft_stiffness, o.soft_damping};
  return {};
}

double limit_stiffness(const SimulationModel& model) {
  if (const AnchoredOptions* o = model.anchored()) return o->limit_stiffness;
  return model.relaxed() ? model.relaxed()->options.limit_stiffness : 0.0;
}

// r of (2) that the law itself asks for. More than the whole error in a step is never right.
double correction_rate(const SimulationModel& model) {
  if (model.relaxed() == nullptr) return 0.0;
  const RelaxedOptions& o = model.relaxed()->options;
  const double rate = model.relaxed()->model == RelaxedModel::proposed ? o.compensation
                      : model.relaxed()->model == RelaxedModel::macro  ? o.normal_bias
                                                                       : 0.0;
  return std::min(rate, 1.0 / model.dt);
}

// (1) of one contact; its displacement from the anchor goes into `error`.
double contact_energy(const World& world, const SimulationModel& model, const Contact& c, const AnchorRecord* known,
                      const Kinematics& k, double& error) {
  const PairMaterial& material = material_of(world, c);
  const SpringPair springs = springs_of(model, material);
  const Pose a = body_pose(model.layout, k, c.a), b = body_pose(model.layout, k, c.b);
  double depth = -c.gap, stretch = 0.0;
  if (const AnchoredOptions* o = model.anchored(); o != nullptr && !o->surface_anchoring)
    depth = known != nullptr ? known->rest_gap - c.gap : 0.0;
  if (known != nullptr) {
    const Mat3 frame = carried_frame(*known, a, c.normal);
    stretch = (frame.topRows<2>() * moved_apart(*known, a, b) - Eigen::Map<const Vec2>(known->stretch)).norm();
  }
  depth = std::max(depth, 0.0);
  const Vec3 point = acting_point(world, c);
  const double rate = c.normal.dot(relative_velocity(model.layout, k, c.a, point, c.b, point));
  const double force = std::max(0.0, springs.normal * depth - springs.damping * rate);
  if (springs.tangential > 0.0)
    stretch = std::min(stretch, std::max(material.mu, material.mu_static) * force / springs.tangential);
  error = std::max(error, std::hypot(depth, stretch));
  return 0.5 * springs.normal * depth * depth + 0.5 * springs.tangential * stretch * stretch;
}

}  // namespace

double spring_energy(const World& world, const SimulationModel& model, const State& start, const Kinematics& k,
                     double rate, Workspace& work) {
  GuardWork& guard = work.guard;
  detect_closed(world, model.layout, model.detection, k, guard.detection, guard.contacts);
  double sum = 0.0, error = 0.0;
  for (const Contact& c : guard.contacts)
    sum += contact_energy(world, model, c, find_record(start.anchors, c.key), k, error);
  if (model.compliant() == nullptr)  // whose limits and loops are rows
    for_each_passed_limit(world, model.layout, start.q.data(), [&](int, int, double, double gap) {
      sum += 0.5 * limit_stiffness(model) * gap * gap, error = std::max(error, -gap);
    });
  if (const AnchoredOptions* o = model.anchored())
    for (const AnchorRecord& r : start.anchors)
      if (r.key.geom_a == dry_joint_key(0).geom_a)
        sum += 0.5 * world.dry_friction[r.key.geom_b] / o->presliding * r.stretch[0] * r.stretch[0];
  for (const Loop& loop : world.loops) {
    if (model.anchored() == nullptr || !std::isfinite(loop.stiffness)) continue;
    const Pose a = body_pose(model.layout, k, loop.a), b = body_pose(model.layout, k, loop.b);
    const double apart = (b * loop.frame_b.translation - a * loop.frame_a.translation).norm();
    sum += 0.5 * loop.stiffness * apart * apart;  // a spring in every stepper: nobody asks it for a speed
  }
  const double mass = std::accumulate(work.tree_mass.begin(), work.tree_mass.end(), 0.0);
  double speed = std::max(rate, correction_rate(model)) * error;
  if (model.relaxed()) speed = std::max(speed, kLeap * std::sqrt(world.gravity.norm() * error));
  return sum + 0.5 * mass * speed * speed;
}

}  // namespace stiction
