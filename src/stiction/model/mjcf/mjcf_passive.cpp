// SPDX-License-Identifier: BSD-2-Clause
// What acts without actuators: springs that are given by time constant and damping ratio, gravity compensation.
#include <stiction/model/mjcf/mjcf.h>
#include <stiction/model/mjcf/mjcf_reference.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr double kSmallest = 1e-15;

// springdamper = (T, ζ): with the inertia m that the joint sees at the reference position, k = m / (T ζ)² and d = 2 m / T.
void set_spring_dampers(MjcfModel& model) {
  if (model.spring_dampers.empty()) return;
  const Vec inverse = mjcf_inverse_mass(model).diagonal();
  for (const auto& [body, time, ratio] : model.spring_dampers) {
    const Body& b = model.robot.bodies[body];
    const int n = sizes(b.joint).nv;
    const double m = n / std::max(kSmallest, inverse.segment(b.v, n).sum());
    model.robot.stiffness.segment(b.v, n).setConstant(m / std::max(kSmallest, time * time * ratio * ratio));
    model.robot.joint_damping.segment(b.v, n).setConstant(2.0 * m / std::max(kSmallest, time));
  }
}

void add_compensation(MjcfModel& model) {
  for (const MjcfLink& link : model.links)
    if (link.gravcomp != 0.0 && link.inertia.mass > 0.0)
      model.robot.gravity_compensation.push_back(
          {link.body, link.gravcomp * link.inertia.mass, link.placement * link.inertia.com});
}

}  // namespace

void add_mjcf_passive(const MjcfDocument& document, MjcfModel& model) {
  set_spring_dampers(model);
  if (!document.options().spring) model.robot.stiffness.setZero();
  if (!document.options().damper) model.robot.joint_damping.setZero();
  add_compensation(model);
  add_mjcf_fluid(document, model);
}

}  // namespace stiction
