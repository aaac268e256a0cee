// SPDX-License-Identifier: BSD-2-Clause
// The loop: one world, one triple law × solver × stepper, one state.
#pragma once

#include <stiction/model/world/state.h>
#include <stiction/problem/contact_mode.h>
#include <stiction/step/report/step_report.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stiction {

struct Settings {
  std::string law = "coulomb", solver = "auto", stepper = "auto";  // auto: the usual one of the law
  double dt = 1e-3;                                                // [s]
  OptionMap law_options, solver_options, stepper_options;
  std::string coordinates = "minimal";  // minimal, extended, maximal (model/coordinates/cut_joints.h)
  std::vector<std::string> cut;         // extended: joints to cut; empty takes those on the root links
};

struct ContactView {
  BodyId body_a, body_b;
  int geom_a, geom_b;
  Vec3 point, normal;
  double gap;   // [m] at the start of the last step
  Vec3 force;   // on body_b, world axes [N]
  Vec3 torque;  // on body_b at the point, world axes: friction of spin and roll [N m]
  double slip;  // tangential speed after the last step [m/s]
  ContactMode mode;
};

// A point of the law `anchored` in the last step, world axes.
struct AnchorView {
  BodyId body_a, body_b;
  int geom_a, geom_b;  // −1 for held points
  Vec3 point, velocity, anchor;
  Vec3 force;               // λ(q, v) at the start of the step, within its cone [N]
  Vec3 average, projected;  // over the step, before and after the cone map [N]
  Vec3 predicted;           // λ at the end of the step by the linear model; the average for other steppers [N]
  bool bilateral, slipping;
};

// Where a ray meets the first shape on its way.
struct RayContact {
  double distance;     // [m]
  Vec3 point, normal;  // world; the normal points out of the shape
  BodyId body;         // kWorldBody: static
  int geom;
};

struct Energy {
  double kinetic = 0.0, potential = 0.0;  // [J]
  double total() const { return kinetic + potential; }
};

struct StepDerivatives;  // step/report/step_derivatives.h
struct SimulationModel;  // step/core/simulation_model.h

class SensorMoment;  // sim/sensor_moment.h

// What of the world's friction the law of these settings leaves out, as a sentence; empty if nothing.
std::string friction_left_out(const World& world, const Settings& settings);

class Simulator {
 public:
  Simulator(std::shared_ptr<const World> world, const Settings& settings);  // throws InvalidInput
  ~Simulator();
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;
  Simulator clone() const;  // same world, model, settings and state; own workspace

  // The world that is stepped: with joints cut if the coordinates are not minimal. Body ids of the methods below are those of
  // minimal_world(), the one that was given.
  const World& world() const;
  std::shared_ptr<const World> shared_world() const;
  const World& minimal_world() const;
  std::shared_ptr<const World> shared_minimal_world() const;
  std::shared_ptr<const SimulationModel> shared_model() const;  // what never changes: clones have the same one
  const Settings& settings() const;
  State& state();  // q and v may be written to; step() checks them first
  const State& state() const;

  // tau: one entry per World::tau_velocity, or empty for zero; clamped to the effort limits. n steps with the same tau.
  // The state stays at its last good value if a step fails; the status says so.
  StepReport step(const VecRef& tau, int n = 1);
  StepReport step(int n = 1);
  // Asked before every step; true ends step() and follow() with the state of the last whole step. Clones have none.
  void set_interrupt(std::function<bool()> interrupted);
  // Time that a step may take [s], 0 for no limit: what the solver has found by then is the step, and unless the judge accepts it the
  // status is max_iterations. Steps that end by the clock do not repeat themselves: rollout() refuses them. Clones have none.
  void set_budget(double seconds);  // throws InvalidInput: negative, or a law that needs no solver
  double budget() const;
  // Threads that share out the islands of a step and the pairs of its detection, the calling one counted in; the bits do not
  // depend on their number. For many bodies: a round of threads costs some 10 µs. Steppers semi_implicit and moreau. Clones have one.
  void set_threads(int threads);  // throws InvalidInput
  int threads() const;
  // Time per stage of the steps since profile(true) [s]; other steppers than semi_implicit know `rest` alone.
  void profile(bool on);
  std::vector<std::pair<std::string, double>> stage_times() const;
  // As step(), the PD target changing with every step: targets is n × ntau, row-major. The last one stays.
  StepReport follow(const VecRef& tau, const double* targets, int n);
  // Joint PD, gains per entry of tau (or one number for all): tau += kp (target − q) − kd v.
  void set_pd(const VecRef& kp, const VecRef& kd, bool implicit = false);
  void set_pd(double kp, double kd, bool implicit = false);
  void set_target(const VecRef& target);  // one entry per entry of tau
  void clear_pd();
  // World axes, at `point` (world; the centre of mass if absent); lasts for one call of step().
  void apply_wrench(BodyId body, const Vec3& force, const Vec3& torque, std::optional<Vec3> point = std::nullopt);
  void clear_wrenches();  // drops those that wait for the next step

  // What is true at the present q and v (face conventions, Pinocchio).
  Pose pose(BodyId body) const;
  Pose frame_pose(int frame) const;
  Mat jacobian(int frame) const;  // 6 × nv, rows (linear, angular) in world axes at the frame's origin
  Mat mass_matrix() const;
  Vec bias() const;                      // C(q, v) v + gravity: Pinocchio's nonLinearEffects
  Vec actuator_forces() const;           // per actuator, within its force range [N, N m]
  Vec joint_actuation() const;           // nv: what the actuators do, at the present ctrl and act
  Vec passive_forces() const;            // nv: springs, dampers, gravity compensation, fluid; no dry friction
  Pose site_pose(int site) const;        // of World::sites
  Vec6 frame_velocity(int frame) const;  // jacobian(frame) v
  Vec6 frame_drift(int frame) const;     // J̇v: (classical linear, angular) acceleration, world axes, while v̇ = 0
  Vec3 com() const;                      // of all moving mass
  Mat com_jacobian() const;              // 3 × nv
  Vec3 com_drift() const;                // acceleration of com() while v̇ = 0
  double mass() const;                   // of all that moves [kg]
  Energy energy() const;
  Vec6 momentum() const;  // (linear, angular about the world's origin)
  Vec6 net_wrench(
      BodyId body) const;  // of the contacts of the last step on the body: (force, torque about its centre of mass)
  std::vector<ContactView> contacts() const;  // of the last step
  // What sensors of minimal_world() read (sim/sensor_moment.h says when), those of the list in its order. With a seed their noise
  // is added: a function of name, seed and time. Throws InvalidInput where accelerations are asked for in other coordinates than
  // minimal ones.
  std::vector<Vec> sensors(const std::vector<int>& which, std::optional<std::uint64_t> seed = std::nullopt) const;
  // Against all shapes but points and the geoms of the sorted list `ignored`; nothing beyond `farthest`. Throws InvalidInput.
  std::optional<RayContact> cast_ray(const Vec3& origin, const Vec3& direction, const std::vector<int>& ignored = {},
                                     double farthest = kInfinity) const;
  std::vector<AnchorView> anchors() const;  // of the last step, law `anchored` only (else empty)
  // Law `anchored`: forces of the active points at times from now on by the linear model of the exponential step, world axes,
  // times × points × 3, row-major; the state is not changed. Points are in the order of anchors() after a step from here.
  std::vector<Vec3> predict_forces(const VecRef& tau, const std::vector<double>& times) const;
  // dx⁺/dx and dx⁺/du of the step from here with pending wrenches; the state is not changed, and nothing is allocated from the
  // second call on. Steppers semi_implicit and moreau with laws coulomb and convex, exponential with law anchored; throws
  // InvalidInput for others.
  // smooth > 0 (hard laws): of the step whose contact problems are relaxed by so much [J] (solver/derivative/relaxed.h).
  void step_derivatives(const VecRef& tau, StepDerivatives& out, double smooth = 0.0);
  // Configurations on their manifold (dynamics/kernels/manifold.h: Pinocchio's SE(3) convention); the state plays no part.
  Vec difference(const VecRef& q0, const VecRef& q1) const;                // q1 ⊖ q0, nv
  Vec integrate(const VecRef& q, const VecRef& d) const;                   // q ⊕ d, nq
  Vec interpolate(const VecRef& q0, const VecRef& q1, double part) const;  // q0 ⊕ part (q1 ⊖ q0)
  // The contact problems of the next step from the present state, one per island, as the stepper solves them (a query: the
  // state is not changed). With wrenches that apply_wrench() left for it. keep_bodies: small problems in body space too.
  // Throws InvalidInput if the law gives forces.
  std::vector<ContactProblem> problems(const VecRef& tau, bool keep_bodies = false) const;

  // q and v in minimal coordinates: measured from the bodies, and set (contact memory and PD stay as they are).
  std::pair<Vec, Vec> minimal_state() const;
  void set_minimal_state(const VecRef& q, const VecRef& v);
  // How far rigid loops have come apart: largest distance [m] and largest angle [rad].
  struct Drift {
    double position = 0.0, angle = 0.0;
  };
  Drift bilateral_drift() const;

  // Back to the start, bit for bit: the state after construction, or the one at the last call of set_start(). Pending wrenches
  // and what contacts() shows of the last step are dropped.
  void reset();
  void set_start();  // the present state is what reset() goes back to

  std::vector<std::byte> save() const;
  // Throws InvalidInput if the blob is of another world, law, stepper or dt; the last two may differ if other_stepper.
  void restore(const std::vector<std::byte>& blob, bool other_stepper = false);
  std::uint64_t hash() const;

 private:
  friend class LentState;  // sim/batch_workers.h
  friend class BatchWorkers;
  friend class GroupRunner;      // sim/group_runner.h
  friend class BatchReadings;    // sim/batch_readings.h
  friend class BatchParameters;  // sim/batch_parameters.h
  friend class SensorMoment;
  struct Impl;
  explicit Simulator(std::unique_ptr<Impl> impl);
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
  std::function<bool()> interrupted = {};  // asked before every step, in the calling thread; true: all runs end there
};
std::vector<int> rollout(const Simulator& simulator, const RolloutInput& input, int threads, double* out);

}  // namespace stiction
