// SPDX-License-Identifier: BSD-2-Clause
// The moment at which sensors are read, each part computed when a sensor first asks for it.
//   M(q) v̇ = τ(q, v, ctrl, act) − h(q, v) + Jᵀf                                                                            (1)
// at the present q, v, ctrl and act; f are the contact, loop, limit and dry-friction forces of the last step, and tau and wrenches are
// those that the last step was given. Without a last step (a new simulator, after reset()) there are none of these; after restore() the
// contact forces are those that the state remembers, at the contacts of its configuration, and there is no tau. Nothing here is
// state: two simulators that made the same step read the same numbers.
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>
#include <stiction/sim/simulator_impl.h>

#include <optional>
#include <vector>

namespace stiction {

// A contact of the last step.
struct FeltContact {
  int geom_a, geom_b;
  BodyId a, b;
  Vec3 point;
  Mat3 frame;  // rows T1, T2, N in world axes; N points from a to b
  double gap;
  Vec3 force;   // on b, world axes [N]
  Vec3 torque;  // on b at the point, world axes [N m]
};

// What acts on a body from outside its tree's joints, world axes. geom −1: on the body as a whole.
struct Load {
  BodyId body;
  int geom;
  Vec3 force, torque, point;
};

class SensorMoment {
 public:
  // Worlds with cut joints are seen in minimal coordinates; forces and accelerations are then refused by sensors.cpp.
  explicit SensorMoment(const Simulator::Impl& simulator);

  const World& world() const { return *s_.minimal; }
  const Layout& layout() const { return own_layout_ ? *own_layout_ : s_.model->layout; }
  const Vec& q() const { return q_; }
  const Vec& v() const { return v_; }
  const State& state() const { return s_.state; }
  const Kinematics& kinematics() const { return k_; }

  const Kinematics& accelerations();  // by (1), see kernels/accelerations.h
  const std::vector<FeltContact>& contacts();
  const std::vector<Load>& loads();  // contacts, loops and wrenches
  const Vec& actuator_forces();      // per actuator
  const Vec& actuation();            // per velocity

 private:
  void add_contacts_of_last_step();
  void add_remembered_contacts();
  void add_loop_loads();
  void add_row_forces(Vec& force) const;  // limits, dry friction, couplings, tendons
  Vec solve_motion(Kinematics& k);
  StepInput input() const;

  const Simulator::Impl& s_;
  std::optional<Layout> own_layout_;
  Vec q_, v_;
  Kinematics k_;
  std::optional<Kinematics> accelerated_;
  std::optional<std::vector<FeltContact>> contacts_;
  std::optional<std::vector<Load>> loads_;
  std::optional<Vec> actuator_forces_, actuation_;
};

}  // namespace stiction
