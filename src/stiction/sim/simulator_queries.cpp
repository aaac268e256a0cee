// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/queries.h>
#include <stiction/sim/simulator_impl.h>

#include <cmath>

namespace stiction {
namespace {

Kinematics kinematics_of(const World& world, const Layout& layout, const State& state) {
  Kinematics k;
  k.resize(world, layout);
  forward_kinematics(world, layout, state.q.data(), state.v.data(), k);
  return k;
}

const Frame& frame_at(const World& world, int frame) {
  if (frame < 0 || frame >= static_cast<int>(world.frames.size()))
    throw InvalidInput("frame is " + std::to_string(frame) + ", expected 0 to " +
                       std::to_string(static_cast<int>(world.frames.size()) - 1));
  return world.frames[static_cast<std::size_t>(frame)];
}

void check_body(const World& world, BodyId body) {
  if (body < 0 || body >= static_cast<int>(world.bodies.size()))
    throw InvalidInput("body is " + std::to_string(body) + ", expected a moving body, 0 to " +
                       std::to_string(static_cast<int>(world.bodies.size()) - 1));
}

Pose placed(const Layout& layout, const Kinematics& k, const Frame& frame) {
  return frame.body == kWorldBody ? frame.placement : k.pose(layout, frame.body) * frame.placement;
}

}  // namespace

Vec joint_positions(const World& world, const Layout& layout, const State& state) {
  Vec out = Vec::Zero(world.ntau);
  int index = 0;
  for (const BodyPlan& plan : layout.bodies) {
    if (plan.code == JointCode::root_free) continue;
    if (plan.nv == 1) out[index] = plan.continuous ? std::atan2(state.q[plan.q + 1], state.q[plan.q]) : state.q[plan.q];
    index += plan.nv;
  }
  return out;
}

Pose Simulator::pose(BodyId body) const {
  check_body(*impl_->world, body);
  const Layout& layout = impl_->machine->layout;
  return kinematics_of(*impl_->world, layout, impl_->state).pose(layout, body);
}

Pose Simulator::frame_pose(int frame) const {
  const Frame& f = frame_at(*impl_->world, frame);
  const Layout& layout = impl_->machine->layout;
  return placed(layout, kinematics_of(*impl_->world, layout, impl_->state), f);
}

Mat Simulator::jacobian(int frame) const {
  const Frame& f = frame_at(*impl_->world, frame);
  const Layout& layout = impl_->machine->layout;
  const Kinematics k = kinematics_of(*impl_->world, layout, impl_->state);
  return point_jacobian(*impl_->world, layout, k, f.body, placed(layout, k, f).translation);
}

Mat Simulator::mass_matrix() const {
  return stiction::mass_matrix(*impl_->world, impl_->machine->layout, impl_->state.q);
}

Vec Simulator::bias() const {
  return bias_forces(*impl_->world, impl_->machine->layout, impl_->state.q, impl_->state.v);
}

Vec3 Simulator::com() const {
  const Layout& layout = impl_->machine->layout;
  return centre_of_mass(layout, kinematics_of(*impl_->world, layout, impl_->state));
}

Energy Simulator::energy() const {
  const World& world = *impl_->world;
  const Layout& layout = impl_->machine->layout;
  const Kinematics k = kinematics_of(world, layout, impl_->state);
  return {kinetic_energy(world, layout, k, impl_->state.v), potential_energy(world, layout, k)};
}

Vec6 Simulator::momentum() const {
  const Layout& layout = impl_->machine->layout;
  return total_momentum(layout, kinematics_of(*impl_->world, layout, impl_->state));
}

std::vector<ContactView> Simulator::contacts() const {
  const Workspace& work = impl_->work;
  const Layout& layout = impl_->machine->layout;
  const Kinematics now = kinematics_of(*impl_->world, layout, impl_->state);
  std::vector<ContactView> out;
  for (std::size_t i = 0; i < work.contacts.size(); ++i) {
    const Contact& c = work.contacts[i];
    const Vec3 impulse = Eigen::Map<const Vec3>(work.impulses.data() + 3 * i);
    // the speed that the step left, at the point where the contact was evaluated
    const Vec3 u = point_velocity(layout, now, c.b, c.point) - point_velocity(layout, now, c.a, c.point);
    ContactView view;
    view.body_a = c.a, view.body_b = c.b;
    view.geom_a = static_cast<int>(c.key.geom_a), view.geom_b = static_cast<int>(c.key.geom_b);
    view.point = c.point, view.normal = c.normal, view.gap = c.gap;
    view.force = c.frame.transpose() * impulse / impl_->settings.dt;
    view.slip = (u - c.normal * c.normal.dot(u)).norm();
    view.mode = impulse.z() <= 0.0 ? ContactMode::open : view.slip <= 1e-6 ? ContactMode::stick : ContactMode::slip;
    out.push_back(view);
  }
  return out;
}

Vec6 Simulator::net_wrench(BodyId body) const {
  check_body(*impl_->world, body);
  const Layout& layout = impl_->machine->layout;
  const Vec3 centre = body_centre(layout, kinematics_of(*impl_->world, layout, impl_->state), body);
  Vec6 sum = Vec6::Zero();
  for (const ContactView& c : contacts()) {
    const double sign = c.body_b == body ? 1.0 : c.body_a == body ? -1.0 : 0.0;
    sum.head<3>() += sign * c.force;
    sum.tail<3>() += sign * (c.point - centre).cross(c.force);
  }
  return sum;
}

std::vector<ContactProblem> Simulator::problems(const VecRef& tau, bool keep_bodies) const {
  const World& world = *impl_->world;
  if (tau.size() != 0 && tau.size() != world.ntau)
    throw InvalidInput("tau has size " + std::to_string(tau.size()) + ", expected " + std::to_string(world.ntau));
  Workspace work;
  work.resize(world, impl_->machine->layout);
  work.island.keep_bodies = keep_bodies;
  State state = impl_->state;
  check_state(world, state);
  StepInput input;
  input.tau = tau.size() != 0 ? tau.data() : nullptr;
  input.wrenches = impl_->wrenches.data();
  input.wrench_count = static_cast<int>(impl_->wrenches.size());
  return step_problems(world, *impl_->machine, input, work, state);
}

}  // namespace stiction
