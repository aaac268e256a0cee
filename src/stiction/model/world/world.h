// SPDX-License-Identifier: BSD-2-Clause
// The compiled, frozen world that a simulator runs: trees of bodies, collision geometry, materials, limits, loops.
// Made by WorldBuilder::compile(); immutable and shared by threads afterwards.
#pragma once

#include <stiction/base/types.h>
#include <stiction/geometry/shape.h>
#include <stiction/model/world/sensor.h>
#include <stiction/model/world/softness.h>

#include <limits>
#include <string>
#include <vector>

namespace stiction {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr int kWorldBody = -1;  // BodyId of everything that is static

using BodyId = int;

// q and v of each kind follow Pinocchio.
enum class JointKind : std::uint8_t {
  free,         // q = (x y z, qx qy qz qw), v = (linear, angular) in the body frame
  revolute,     // q = angle about `axis`, v = rate
  continuous,   // q = (cos, sin) of the angle about `axis`, v = rate
  prismatic,    // q = displacement along `axis`, v = rate
  spherical,    // q = (qx qy qz qw), v = angular velocity in the body frame
  translation,  // q = displacement (3), v = rate (3)
  planar,       // q = (x, y, cos, sin), v = (vx, vy, ωz) in the body frame
};

struct JointSizes {
  int nq, nv;
};
constexpr JointSizes sizes(JointKind k) {
  switch (k) {
    case JointKind::free:
      return {7, 6};
    case JointKind::revolute:
      return {1, 1};
    case JointKind::continuous:
      return {2, 1};
    case JointKind::prismatic:
      return {1, 1};
    case JointKind::spherical:
      return {4, 3};
    case JointKind::translation:
      return {3, 3};
    case JointKind::planar:
      return {4, 3};
  }
  return {0, 0};
}

struct Inertia {
  double mass = 0.0;              // [kg]
  Vec3 com = Vec3::Zero();        // centre of mass in the body frame [m]
  Mat3 about_com = Mat3::Zero();  // in body axes [kg m²]
};

// A moving body and the joint that carries it. Fixed joints do not appear: their links are merged into the parent.
// Composite joints appear as several bodies, the inner ones without mass.
struct Body {
  std::string name;
  BodyId parent = kWorldBody;  // smaller than the body's own id
  JointKind joint = JointKind::free;
  Vec3 axis = Vec3::UnitZ();  // revolute, continuous, prismatic: unit vector in the joint frame
  Pose placement;             // joint frame in the parent's frame (world for roots)
  Inertia inertia;
  int tree = 0;
  int q = 0, v = 0;  // first index in the world's q and v
  // Origin of the link in the body frame. Not zero only where cut_joints() put the body frame at the centre of mass.
  Vec3 link_origin = Vec3::Zero();
};

// What hangs on one root joint. Bodies and velocities of a tree are contiguous.
struct Tree {
  std::string name;
  int first_body = 0, bodies = 0;
  int q = 0, nq = 0, v = 0, nv = 0;
  bool floating = false;   // the root joint is free
  bool free_body = false;  // one floating body whose centre of mass is its origin: closed-form inverse inertia
  int robot = -1;          // index into World::robots, or −1 for a free body
};

struct Frame {
  std::string name;
  BodyId body = kWorldBody;
  Pose placement;  // in the body frame
};

// A state that the file names (MJCF <key>). Poses of free bases are where the robot was placed.
struct Keyframe {
  std::string name;
  double time = 0.0;  // [s]
  Vec q, v;           // of the robot, as in State
  Vec act, ctrl;      // of its actuators as the file gives them; empty if it gives none
};

struct Robot {
  std::string name;
  int first_body = 0, bodies = 0;
  int q = 0, nq = 0, v = 0, nv = 0, tau = 0, ntau = 0;
  bool self_collision = false;
  std::vector<std::string> joint_names;  // one per body, in order
  int first_frame = 0, frames = 0;       // links and fixed frames, in World::frames
  std::vector<Keyframe> keyframes;
};

struct Geom {
  std::string name;
  BodyId body = kWorldBody;
  Shape shape;
  Pose placement;  // in the body frame
  int material = 0;
};

// What happens where two materials meet.
struct PairMaterial {
  double mu = 0.8;                      // [-]
  double mu_static = 0.8;               // ≥ mu; holds while a contact is new or was stuck in the last step [-]
  double restitution = 0.0;             // Newton's e in [0, 1] [-]
  double stiffness = kInfinity;         // per contact point; infinite is rigid [N/m]
  double damping = 0.0;                 // per contact point [N s/m]
  double restitution_tangential = 0.0;  // of the slip, in [0, 1]; stepper `moreau` only [-]
  double margin = 0.0;                  // surfaces touch at this distance already: MuJoCo's margin − gap [m]
  double mu_torsion = 0.0;              // torque about the normal ≤ μ_torsion λ_N [m]; beside mu, in one cone (block.h)
  double mu_rolling = 0.0;              // torque about the tangents likewise [m]
};

// Whether some pair has friction of spin or roll.
struct World;
bool turns_resist(const World& world);

// Two frames held together. `point` holds positions (3 rows), `weld` also orientations (3 + 3 rows), `hinge` positions and the
// direction of the axis (3 + 2 rows), `slider` orientations and the positions across the axis (2 + 3 rows).
struct Loop {
  std::string name;
  enum Kind : std::uint8_t { point, weld, hinge, slider } kind = point;
  BodyId a = kWorldBody, b = kWorldBody;
  Pose frame_a, frame_b;                        // in the frames of a and b
  Vec3 axis = Vec3::UnitZ();                    // hinge, slider: unit vector in both frames
  double stiffness = kInfinity, damping = 0.0;  // finite: held by a spring-damper per row
};

// A joint that a loop holds instead of its tree (model/coordinates/cut_joints.h). Torque, PD, damping, rotor inertia, limits and dry
// friction go on acting on it. Up to three velocities; those that it has not are left at their defaults.
struct CutJoint {
  JointKind kind = JointKind::revolute;
  int loop = 0;  // a: parent, b: child, axis
  int tau = 0;   // first entry of tau
  // The child's root has six velocities and no motor of its own: State remembers limit and dry friction of joint velocity i in
  // the place of velocity slot + i, what damping and rotor inertia do in that of slot + 3 + i.
  int slot = 0;
  double lower = -kInfinity, upper = kInfinity;
  Vec3 damping = Vec3::Zero(), dry_friction = Vec3::Zero(), armature = Vec3::Zero();
  Vec3 effort_limit = Vec3::Constant(kInfinity);
};

// What drives a joint or a site. MuJoCo's model: with the length l and its rate l̇ of what is driven,
//   force = (gain₀ + gain₁ l + gain₂ l̇) u + bias₀ + bias₁ l + bias₂ l̇,     u = ctrl, or the activation where there is one
// within the force range. A joint of one velocity has l = gear q and gets gear·force; of a site l = 0, l̇ is what the gear sees of
// its twist, and the wrench gear·force (force, torque) acts in the axes of the site. A site that is seen from another one has the length
// gear · (position, rotation vector) in the axes of that one, where the opposite wrench acts; velocities that move both have no part in
// it. A tendon is driven as a joint of one velocity.
struct Actuator {
  std::string name;
  int robot = -1;
  enum Target : std::uint8_t {
    nothing,
    joint,
    joint_in_parent,
    site,
    tendon
  } target = nothing;        // nothing: it has no force
  BodyId body = kWorldBody;  // that the joint carries, or that has the site
  Pose placement;            // of the site in the body's frame
  Vec6 gear = Vec6::Zero();  // one, three or six numbers count, as the joint has velocities
  Vec3 gain = Vec3::Zero(), bias = Vec3::Zero();
  enum Dynamics : std::uint8_t { none, integrator, filter, filter_exact, constant } dynamics = none;
  double time_constant = 1.0;  // of the filters [s]
  int activation = -1;         // entry of State::act, −1: none
  Vec2 ctrl_range{-kInfinity, kInfinity}, force_range{-kInfinity, kInfinity}, act_range{-kInfinity, kInfinity};
  int tendon_index = -1;  // of World::tendons, where the target is one
  bool referred = false;  // the site is seen from another one:
  BodyId reference_body = kWorldBody;
  Pose reference;  // of that one in the frame of its body
};

// A fixed tendon: its length is L = Σ c_j q_j over joints of one velocity. A spatial one goes from site to site, straight or around a
// sphere or cylinder between them (model/tendons); pulleys divide the length of what follows. A spring and a damper pull along it, its
// range, dry friction and armature act on it as those of a joint act on q.
struct TendonJoint {
  BodyId body = kWorldBody;  // that the joint carries
  double coefficient = 0.0;
};
struct PathPoint {
  enum Kind : std::uint8_t { site, sphere, cylinder, pulley } kind = site;
  BodyId body = kWorldBody;
  Pose placement;      // in the body's frame; the axis of a cylinder is z
  double size = 1.0;   // radius [m], of a pulley its divisor
  bool sided = false;  // sphere, cylinder: the tendon keeps to the side of this point, or inside if the point is:
  BodyId side_body = kWorldBody;
  Vec3 side = Vec3::Zero();
};
struct Tendon {
  std::string name;
  std::vector<TendonJoint> joints;        // of a fixed one
  Vec2 range{-kInfinity, kInfinity};      // of L
  double stiffness = 0.0, damping = 0.0;  // [N/m, N s/m] where L is a length
  Vec2 spring = Vec2::Zero();             // between these lengths the spring is unloaded
  double dry_friction = 0.0, armature = 0.0;
  std::vector<PathPoint> path;  // of a spatial one
};

// Two joints of one velocity that move together, or one that stands still:  q_a − zero_a = Σ c_k (q_b − zero_b)^k. Or two tendons, or
// one, with their lengths in the place of q.
struct Coupling {
  std::string name;
  BodyId a = kWorldBody, b = kWorldBody;  // whose joints; b = kWorldBody: c₀ alone
  double zero_a = 0.0, zero_b = 0.0;
  std::vector<double> coefficients;  // c₀, c₁, …
  int tendon_a = -1, tendon_b = -1;  // not −1: in the place of a and b
};

// A share of a body's mass that gravity does not pull down: −mass · gravity acts at the point.
struct GravityCompensation {
  BodyId body = kWorldBody;
  double mass = 0.0;          // [kg]
  Vec3 point = Vec3::Zero();  // in the body's frame
};

// A part of a body that a fluid around it slows down (step/core/fluid_forces.h).
struct FluidPart {
  BodyId body = kWorldBody;
  Pose placement;                         // of its principal axes in the body's frame
  Vec3 size = Vec3::Zero();               // edges of the box, or semi-axes of the ellipsoid [m]
  double density = 0.0, viscosity = 0.0;  // [kg/m³], [Pa s]
  Vec3 wind = Vec3::Zero();               // world axes [m/s]
  bool ellipsoid = false;                 // of which:
  std::vector<double> coefficients;       // blunt drag, slender drag, angular drag, Kutta lift, Magnus lift
  Vec3 virtual_mass = Vec3::Zero(), virtual_inertia = Vec3::Zero();  // [kg], [kg m²]
};

struct World {
  std::vector<Body> bodies;
  std::vector<Tree> trees;
  std::vector<Robot> robots;
  std::vector<Geom> geoms;
  std::vector<Frame> frames;
  std::vector<Loop> loops;
  std::vector<CutJoint> cuts;  // none in minimal coordinates
  std::vector<Actuator> actuators;
  std::vector<Coupling> couplings;
  std::vector<Tendon> tendons;
  std::vector<GravityCompensation> gravity_compensation;
  std::vector<FluidPart> fluid;
  std::vector<BodyId> public_id;  // per body: its id before joints were cut; empty if none were
  std::vector<std::string> material_names;
  std::vector<PairMaterial> pair_materials;  // materials², row-major, symmetric
  std::vector<std::pair<int, int>>
      excluded_pairs;  // geoms (i < j) that never collide, sorted: filters, parent-child, self
  Vec3 gravity{0.0, 0.0, -9.81};
  double timestep = 0.0;  // the smallest that a file asks for, 0 if none does [s]

  int nq = 0, nv = 0, ntau = 0;   // ntau: velocities that are not those of a floating base or free body
  std::vector<int> tau_velocity;  // ntau: velocity index of each entry of tau, −1 if it belongs to a cut joint
  Vec q0, v0;                     // start, face convention (Pinocchio)
  // per velocity
  Vec lower, upper;                      // position limits of revolute and prismatic joints, ±∞ elsewhere [rad, m]
  Vec joint_damping;                     // viscous [N m s/rad, N s/m]
  Vec dry_friction;                      // Coulomb friction of the joint [N m, N]
  Vec armature;                          // reflected rotor inertia, added to the diagonal of M [kg m², kg]
  Vec effort_limit;                      // bound on |tau|, ∞ for none [N m, N]
  Vec stiffness;                         // of the joint's spring [N m/rad, N/m]
  Vec actuation_lower, actuation_upper;  // bounds on what actuators do at the joint, ±∞ for none [N m, N]
  Vec spring_q;                          // nq: where the springs are unloaded
  int activations = 0;                   // entries of State::act
  WorldSoftness softness;                // of MJCF files

  std::uint64_t fingerprint = 0;  // of everything above; blobs of another world are refused

  std::vector<Site> sites;
  std::vector<Sensor> sensors;  // they take no part in the motion

  const PairMaterial& material(int geom_a, int geom_b) const {
    const std::size_t n = material_names.size();
    return pair_materials[geoms[geom_a].material * n + geoms[geom_b].material];
  }
  const std::string& body_name(BodyId id) const;
  BodyId public_body(BodyId id) const { return id < 0 || public_id.empty() ? id : public_id[id]; }
};

}  // namespace stiction
