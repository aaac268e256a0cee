// SPDX-License-Identifier: BSD-2-Clause
// The loop: one world, one triple law × solver × stepper, one state.
#pragma once

#include <stiction/model/state.h>
#include <stiction/solver/solver.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stiction {

struct Settings {
  std::string law = "coulomb", solver = "auto", stepper = "semi_implicit";
  double dt = 1e-3;  // [s]
  OptionMap law_options, solver_options, stepper_options;
  std::string coordinates = "minimal";
};

// Of one step, or of n: the worst status, the largest residuals, summed iterations.
struct StepReport {
  Status status = Status::converged;
  int iterations = 0;
  int factorisations = 0;
  int steps = 0;       // steps made
  int unaccepted = 0;  // steps of which some island was not accepted by the judge
  int contacts = 0;    // contact points of the last step
  int islands = 0;     // islands of the last step
  Residual own, ncp;
  double penetration = 0.0;  // deepest overlap met [m]
};

enum class ContactMode : std::uint8_t { open, stick, slip };

struct ContactView {
  BodyId body_a, body_b;
  int geom_a, geom_b;
  Vec3 point, normal;
  double gap;   // [m] at the start of the last step
  Vec3 force;   // on body_b, world axes [N]
  double slip;  // tangential speed after the last step [m/s]
  ContactMode mode;
};

struct Energy {
  double kinetic = 0.0, potential = 0.0;  // [J]
  double total() const { return kinetic + potential; }
};

class Simulator {
 public:
  Simulator(std::shared_ptr<const World> world, const Settings& settings);  // throws InvalidInput
  ~Simulator();
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;
  Simulator clone() const;  // same world, settings and state; own workspace

  const World& world() const;
  std::shared_ptr<const World> shared_world() const;
  const Settings& settings() const;
  State& state();  // q and v may be written to; step() checks them first
  const State& state() const;

  // tau: one entry per World::tau_velocity, or empty for zero; clamped to the effort limits. n steps with the same tau.
  // The state stays at its last good value if a step fails; the status says so.
  StepReport step(const VecRef& tau, int n = 1);
  StepReport step(int n = 1);
  // As step(), the PD target changing with every step: targets is n × ntau, row-major. The last one stays.
  StepReport follow(const VecRef& tau, const double* targets, int n);
  // Joint PD, gains per entry of tau (or one number for all): tau += kp (target − q) − kd v.
  void set_pd(const VecRef& kp, const VecRef& kd, bool implicit = false);
  void set_pd(double kp, double kd, bool implicit = false);
  void set_target(const VecRef& target);  // one entry per entry of tau
  void clear_pd();
  // World axes, at `point` (world; the centre of mass if absent); lasts for one call of step().
  void apply_wrench(BodyId body, const Vec3& force, const Vec3& torque, std::optional<Vec3> point = std::nullopt);

  // What is true at the present q and v (face conventions, Pinocchio).
  Pose pose(BodyId body) const;
  Pose frame_pose(int frame) const;
  Mat jacobian(int frame) const;  // 6 × nv, rows (linear, angular) in world axes at the frame's origin
  Mat mass_matrix() const;
  Vec bias() const;  // C(q, v) v + gravity: Pinocchio's nonLinearEffects
  Vec3 com() const;  // of all moving mass
  Energy energy() const;
  Vec6 momentum() const;  // (linear, angular about the world's origin)
  Vec6 net_wrench(
      BodyId body) const;  // of the contacts of the last step on the body: (force, torque about its centre of mass)
  std::vector<ContactView> contacts() const;  // of the last step
  // The contact problems of the next step from the present state, one per island (a query: the state is not changed).
  // With wrenches that apply_wrench() left for it. keep_bodies: small problems in body space too.
  std::vector<ContactProblem> problems(const VecRef& tau, bool keep_bodies = false) const;

  std::vector<std::byte> save() const;
  void restore(
      const std::vector<std::byte>& blob);  // throws InvalidInput if it is of another world, law, stepper or dt
  std::uint64_t hash() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// states0: batch × (nq + nv) row-major start states with cold contact memory (or blobs, if given, one per row).
// controls: batch × steps × ntau, row-major, or null; targets likewise. out: batch × steps × (nq + nv).
// Same bits for any thread count and any place in the batch. Returns the number of unaccepted steps per batch entry.
struct RolloutInput {
  int batch = 0, steps = 0;
  const double* states = nullptr;
  const double* controls = nullptr;
  const double* targets = nullptr;
  const std::vector<std::vector<std::byte>>* blobs = nullptr;
};
std::vector<int> rollout(const Simulator& simulator, const RolloutInput& input, int threads, double* out);

}  // namespace stiction
