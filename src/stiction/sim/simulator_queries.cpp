// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/contact/cut_joint.h>
#include <stiction/dynamics/kernels/manifold.h>
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/law/catalog.h>
#include <stiction/model/world/checks.h>
#include <stiction/sim/simulator_impl.h>
#include <stiction/step/core/actuators.h>
#include <stiction/step/core/passive_forces.h>
#include <stiction/step/exponential/exponential_derivatives.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

const Frame& frame_at(const World& world, int frame) {
  if (frame < 0 || frame >= static_cast<int>(world.frames.size()))
    throw InvalidInput("frame is " + std::to_string(frame) + ", expected 0 to " +
                       std::to_string(static_cast<int>(world.frames.size()) - 1));
  return world.frames[frame];
}

Pose placed(const Layout& layout, const Kinematics& k, const Frame& frame) {
  return frame.body == kWorldBody ? frame.placement : k.pose(layout, frame.body) * frame.placement;
}

// What it is in the solution. The slip is that of the end of the step, at which a body that turns has carried the point on: a force
// within the cone sticks all the same.
ContactMode mode_of(const World& world, const Settings& settings, const ContactView& contact, const Vec3& impulse) {
  constexpr double kSlip = 1e-6, kWithin = 1e-6;
  if (impulse.z() <= 0.0) return ContactMode::open;
  if (contact.slip <= kSlip) return ContactMode::stick;
  const LawInfo& law = find_law(settings.law);
  const bool round = law.kind == FrictionLaw::coulomb || law.kind == FrictionLaw::convex;
  if (law.family != LawFamily::hard || !round || !contact.torque.isZero()) return ContactMode::slip;
  const double mu = world.material(contact.geom_a, contact.geom_b).mu;
  return impulse.head<2>().norm() < (1.0 - kWithin) * mu * impulse.z() ? ContactMode::stick : ContactMode::slip;
}

// Without a time step there are no implicit terms.
ForcePoint now(const State& s) { return {s.q.data(), s.v.data(), 0.0, 0.0, 0.0}; }

}  // namespace

Kinematics Simulator::Impl::kinematics() const {
  Kinematics k;
  k.resize(*world, model->layout);
  forward_kinematics(*world, model->layout, state.q.data(), state.v.data(), k);
  return k;
}

Kinematics Simulator::Impl::drifting_kinematics() const {
  Kinematics k;
  k.resize(*world, model->layout);
  fused_pass(*world, model->layout, state.q.data(), state.v.data(), Purpose::query, k);
  return k;
}

Vec Simulator::Impl::joint_positions() const {
  Vec out = Vec::Zero(world->ntau);
  for (const BodyPlan& plan : model->layout.bodies) {
    if (plan.code == JointCode::root_free || plan.nv != 1) continue;
    out[plan.tau] = plan.continuous ? std::atan2(state.q[plan.q + 1], state.q[plan.q]) : state.q[plan.q];
  }
  if (world->cuts.empty()) return out;
  const Kinematics k = kinematics();
  for (const CutJoint& joint : world->cuts) out[joint.tau] = cut_motion(*world, model->layout, k, joint).position;
  return out;
}

BodyId Simulator::Impl::engine_body(BodyId id) const {
  const int count = static_cast<int>(world->bodies.size());
  if (id < 0 || id >= count)
    throw InvalidInput("body is " + std::to_string(id) + ", expected a moving body, 0 to " + std::to_string(count - 1));
  if (world->public_id.empty()) return id;
  return static_cast<BodyId>(std::find(world->public_id.begin(), world->public_id.end(), id) -
                             world->public_id.begin());
}

Pose Simulator::pose(BodyId body) const {
  const BodyId id = impl_->engine_body(body);
  const Layout& layout = impl_->model->layout;
  Pose pose = impl_->kinematics().pose(layout, id);
  pose.translation += pose.rotation * impl_->world->bodies[id].link_origin;
  return pose;
}

Pose Simulator::frame_pose(int frame) const {
  const Frame& f = frame_at(*impl_->world, frame);
  const Layout& layout = impl_->model->layout;
  return placed(layout, impl_->kinematics(), f);
}

Mat Simulator::jacobian(int frame) const {
  const Frame& f = frame_at(*impl_->world, frame);
  const Layout& layout = impl_->model->layout;
  const Kinematics k = impl_->kinematics();
  return point_jacobian(*impl_->world, layout, k, f.body, placed(layout, k, f).translation);
}

Mat Simulator::mass_matrix() const {
  return stiction::mass_matrix(*impl_->world, impl_->model->layout, impl_->state.q);
}

Vec Simulator::bias() const { return bias_forces(*impl_->world, impl_->model->layout, impl_->state.q, impl_->state.v); }

Vec3 Simulator::com() const {
  const Layout& layout = impl_->model->layout;
  return centre_of_mass(layout, impl_->kinematics());
}

Vec6 Simulator::frame_velocity(int frame) const {
  const Frame& f = frame_at(*impl_->world, frame);
  const Layout& layout = impl_->model->layout;
  const Kinematics k = impl_->kinematics();
  return point_twist(layout, k, f.body, placed(layout, k, f).translation);
}

Vec6 Simulator::frame_drift(int frame) const {
  const Frame& f = frame_at(*impl_->world, frame);
  const Layout& layout = impl_->model->layout;
  const Kinematics k = impl_->drifting_kinematics();
  return point_drift(*impl_->world, layout, k, f.body, placed(layout, k, f).translation);
}

Mat Simulator::com_jacobian() const {
  const Layout& layout = impl_->model->layout;
  return centre_jacobian(*impl_->world, layout, impl_->kinematics());
}

Vec3 Simulator::com_drift() const {
  const Layout& layout = impl_->model->layout;
  return centre_drift(*impl_->world, layout, impl_->drifting_kinematics());
}

double Simulator::mass() const {
  double sum = 0.0;
  for (const BodyPlan& plan : impl_->model->layout.bodies) sum += plan.mass;
  return sum;
}

Vec Simulator::difference(const VecRef& q0, const VecRef& q1) const {
  check_size("difference.q0", q0.size(), impl_->world->nq);
  check_size("difference.q1", q1.size(), impl_->world->nq);
  Vec out(impl_->world->nv);
  tangent_between(impl_->model->layout, q0, q1, out);
  return out;
}

Vec Simulator::integrate(const VecRef& q, const VecRef& d) const {
  check_size("integrate.q", q.size(), impl_->world->nq);
  check_size("integrate.d", d.size(), impl_->world->nv);
  Vec out(impl_->world->nq);
  add_tangent(impl_->model->layout, q, d, out);
  return out;
}

Vec Simulator::interpolate(const VecRef& q0, const VecRef& q1, double part) const {
  return integrate(q0, part * difference(q0, q1));
}

Energy Simulator::energy() const {
  const World& world = *impl_->world;
  const Layout& layout = impl_->model->layout;
  const Kinematics k = impl_->kinematics();
  return {kinetic_energy(world, layout, k, impl_->state.v), potential_energy(world, layout, k)};
}

Vec6 Simulator::momentum() const {
  const Layout& layout = impl_->model->layout;
  return total_momentum(layout, impl_->kinematics());
}

std::vector<ContactView> Simulator::contacts() const {
  const Workspace& work = impl_->work;
  const Layout& layout = impl_->model->layout;
  const Kinematics now = impl_->kinematics();
  std::vector<ContactView> out;
  for (std::size_t i = 0; i < work.contacts.size(); ++i) {
    const Contact& c = work.contacts[i];
    const Vec3 impulse = Eigen::Map<const Vec3>(work.impulses.data() + 3 * i);
    // the speed that the step left, at the point where the contact was evaluated
    const Vec3 u = point_velocity(layout, now, c.b, c.point) - point_velocity(layout, now, c.a, c.point);
    ContactView view;
    view.body_a = impl_->world->public_body(c.a), view.body_b = impl_->world->public_body(c.b);
    view.geom_a = static_cast<int>(c.key.geom_a), view.geom_b = static_cast<int>(c.key.geom_b);
    view.point = c.point, view.normal = c.normal, view.gap = c.gap;
    if (const double margin = impl_->world->material(view.geom_a, view.geom_b).margin; margin != 0.0)
      view.gap += margin;
    view.force = c.frame.transpose() * impulse / impl_->settings.dt;
    view.torque = contact_torque(work, i, impl_->settings.dt);
    view.slip = (u - c.normal * c.normal.dot(u)).norm();
    view.mode = mode_of(*impl_->world, impl_->settings, view, impulse);
    out.push_back(view);
  }
  return out;
}

Vec6 Simulator::net_wrench(BodyId body) const {
  const BodyId id = impl_->engine_body(body);
  const Layout& layout = impl_->model->layout;
  const Vec3 centre = body_centre(layout, impl_->kinematics(), id);
  Vec6 sum = Vec6::Zero();
  for (const ContactView& c : contacts()) {
    const double sign = c.body_b == body ? 1.0 : c.body_a == body ? -1.0 : 0.0;
    sum.head<3>() += sign * c.force;
    sum.tail<3>() += sign * ((c.point - centre).cross(c.force) + c.torque);
  }
  return sum;
}

std::string friction_left_out(const World& world, const Settings& settings) {
  const LawInfo& law = find_law(settings.law);
  const bool round = law.kind == FrictionLaw::coulomb || law.kind == FrictionLaw::convex;
  if (!turns_resist(world) || (law.family == LawFamily::hard && round)) return "";
  return "law '" + settings.law +
         "' knows no friction of spin and roll: mu_torsion and mu_rolling of this world's materials have no effect; "
         "the "
         "laws 'coulomb' and 'convex' have it";
}

// What actuators, springs, dampers and so on do at the present state: the formulas without the implicit terms of a step.
Vec Simulator::actuator_forces() const {
  const Impl& s = *impl_;
  Vec out = Vec::Zero(static_cast<Eigen::Index>(s.world->actuators.size()));
  evaluate_actuators(*s.world, s.model->layout, s.input("tau", Vec()), s.state.q.data(), s.state.v.data(),
                     s.kinematics(), out.data());
  return out;
}

Vec Simulator::joint_actuation() const {
  const Impl& s = *impl_;
  Kinematics k = s.kinematics();
  Vec out = Vec::Zero(s.world->nv);
  add_actuator_forces(*s.world, s.model->layout, s.input("tau", Vec()), now(s.state), k, out.data());
  return out;
}

Vec Simulator::passive_forces() const {
  const Impl& s = *impl_;
  Kinematics k = s.kinematics();
  Vec out = Vec::Zero(s.world->nv);
  add_passive_forces(*s.world, s.model->layout, now(s.state), k, out.data());
  for (const BodyPlan& plan : s.model->layout.bodies)
    for (int i = plan.v; i < plan.v + plan.nv && plan.tau >= 0; ++i) out[i] -= s.world->joint_damping[i] * s.state.v[i];
  return out;
}

std::vector<ContactProblem> Simulator::problems(const VecRef& tau, bool keep_bodies) const {
  Workspace work;
  work.resize(*impl_->world, impl_->model->layout);
  State state = impl_->state;
  check_state(*impl_->world, state);
  return impl_->stepper->problems(impl_->context(work), impl_->input("tau", tau), state, keep_bodies);
}

void Simulator::step_derivatives(const VecRef& tau, StepDerivatives& out, double smooth) {
  Impl& s = *impl_;
  StepInput acting = s.input("step_derivatives.tau", tau);
  if (!(smooth >= 0.0) || !std::isfinite(smooth))
    throw InvalidInput("step_derivatives.smooth is " + text(smooth) +
                       ", expected a finite number of joules >= 0: a contact at gap d then carries the force smooth/d");
  if (smooth > 0.0 && s.model->anchored())
    throw InvalidInput(
        "step_derivatives.smooth: law 'anchored' has no contact problem to relax; take law 'coulomb' or 'convex' with "
        "semi_implicit or moreau");
  acting.relax = smooth;
  check_state(*s.world, s.state);
  if (!s.derivative_stepper)
    s.derivative_stepper = make_stepper(s.settings.stepper, s.settings.stepper_options, *s.world, *s.model);
  if (!s.derivative_work) {
    s.derivative_work = std::make_unique<Workspace>();
    s.derivative_work->resize(*s.world, s.model->layout);
  }
  if (!s.derivative_stepper->derivatives(s.context(*s.derivative_work), acting, s.state, out))
    throw InvalidInput("step_derivatives: stepper '" + s.settings.stepper +
                       "' has none; take 'semi_implicit' or 'moreau' with law 'coulomb' or 'convex', or 'exponential' "
                       "with law 'anchored'");
}

}  // namespace stiction
