// SPDX-License-Identifier: BSD-2-Clause
// Inverse dynamics with contact: which joint torques, and which contact impulses, make the next step end at v_ref?
//   c = J v_ref − c*,   λ from c block by block with compliance R > 0              solver/local/inverse_contact.h
//   dt τ = M (v_ref − v) + dt h − Jᵀλ                                              the step's equation, solved for τ        (1)
// Detection, contact frames, friction, reference velocity c*, restitution, M and h are those of the simulator's own step
// at the present state. c* needs to know whether a gap closes within the step, hence the free velocity
// v_ref − M⁻¹Jᵀλ, which (1) is about to give: assembly and (1) are repeated until nothing changes, as a rule twice.
// In whitened form, M = L̂ᵀL̂:  z = L̂(v_ref − v),  free ẑ = z − Yᵀλ,  dt (τ − h) = L̂ᵀẑ.
//
// Why R: for rigid contacts the velocity does not tell the impulse (a resting body has u = 0 whatever it weighs). Contacts
// with a material stiffness bring their own R_N; every other row takes `compliance`. A forward step inverts exactly only if
// it was made with the same R on the same rows.
// Reference: Le Lidec et al., Contact Models in Robotics (2024), section on inverse dynamics; Todorov 2014.
#pragma once

#include <stiction/sim/simulator.h>
#include <stiction/step/core/simulation_model.h>

#include <vector>

namespace stiction {

struct InverseOptions {
  double compliance = 0.05;  // R of rows whose material is rigid [1/kg; 1/(kg m²) for angular rows]
  int max_rounds = 20;       // assemblies allowed
};

struct InverseContact {
  BodyId body_a, body_b;
  Vec3 point, normal;
  double gap;
  Vec3 impulse;  // (T1, T2, N) [N s]
  Vec3 force;    // on body_b, world axes [N]; the opposite acts on body_a
};

struct InverseSolution {
  Status status = Status::converged;  // max_iterations if c* did not settle
  int iterations = 0;                 // rounds of assembly
  Vec tau;                            // ntau: what step() wants, before effort limits [N m, N]
  Vec base_residual;  // nv − ntau: forces on floating bases that nobody supplies; zero if v_ref can be reached
  Vec generalised;    // nv: both, in the order of v
  Vec constraint;     // nv: Jᵀλ/dt of contacts, loops, limits and joint friction
  std::vector<InverseContact> contacts;
};

class InverseDynamics {
 public:
  // Takes world, law and dt of the simulator; refuses laws other than coulomb and convex.
  explicit InverseDynamics(const Simulator& simulator);

  // v_ref: nv, as sim.v will read after the step: bases in the axes they have then. PD gains of the state are left out:
  // tau is the whole motor torque. Damping of joints and `wrenches` act. Throws InvalidInput.
  InverseSolution solve(const State& state, const VecRef& v_ref, const InverseOptions& options = {},
                        const std::vector<Wrench>& wrenches = {});

 private:
  void prepare(State& state, const VecRef& v_ref, const std::vector<Wrench>& wrenches);
  void look(const State& state);
  void find_impulses(const AssembleInput& in, const InverseOptions& options);
  bool arm(const AssembleInput& in);
  void collect(InverseSolution& out) const;

  std::shared_ptr<const World> world_;
  std::shared_ptr<const SimulationModel> model_;
  Workspace work_;
  std::vector<double> target_, wanted_, smooth_, free_, held_;  // v_ref inside, z, τ − h without τ, ẑ, Yᵀλ
  std::vector<double> lambda_;                                  // 3 per block of the assembly
};

InverseSolution inverse_dynamics(const Simulator& simulator, const VecRef& v_ref, const InverseOptions& options = {});

}  // namespace stiction
