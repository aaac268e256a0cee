// SPDX-License-Identifier: BSD-2-Clause
// What WorldBuilder edits: a World that grows body by body, and what compile() needs beside it.
#pragma once

#include <stiction/model/world/materials.h>
#include <stiction/model/world/world.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace stiction {

// Where a geom comes from; decides who never collides with whom (exclusions.cpp).
struct GeomOrigin {
  int robot = -1;            // −1: added by itself
  int link = -1;             // link (frame) of the robot that carries it
  bool environment = false;  // static geom of a file that belongs to nobody (MJCF worldbody)
  bool pairs_only = false;   // collides with nothing but its partners in RobotModel::forced_geoms
};

// Surfaces that a file describes: `mu` where two of its materials meet.
struct FileMaterial {
  std::string name;
  MaterialValues values;
  Softness softness = {};
};
struct FileMaterialPair {
  int a, b;
  double mu, margin;
  double mu_torsion = 0.0, mu_rolling = 0.0;
  Softness softness = {};
};

// A robot as read from a file. Ids, q and v count from 0 within the robot; q0 places it at the origin.
struct RobotModel {
  std::string name;
  bool scene = false;  // MJCF: trees and static parts are things of their own that may collide with one another
  std::vector<Body> bodies;
  std::vector<std::string> joint_names;
  std::vector<Frame> frames;
  std::vector<Geom> geoms;
  std::vector<GeomOrigin> origins;
  std::vector<FileMaterial> materials;  // that the file names
  std::vector<int> material_of;         // per geom: which of them; empty: none
  std::vector<FileMaterialPair> material_pairs;
  std::vector<Loop> loops;
  std::vector<std::pair<int, int>> excluded_geoms;
  std::vector<std::pair<int, int>> forced_geoms;  // collide whatever the filters say (MJCF <pair>)
  bool parents_collide = false;                   // no filter between parent and child (MJCF flag filterparent)
  std::vector<Keyframe> keyframes;                // q of free bases as in the file
  std::optional<Vec3> gravity;                    // that the file asks for
  double timestep = 0.0;                          // likewise, 0 if it does not [s]
  int nq = 0, nv = 0;
  Vec q0;                                                                 // nq
  Vec lower, upper, joint_damping, dry_friction, armature, effort_limit;  // nv
  Vec stiffness, spring_q;                                                // nv, nq; empty: no springs
  Vec actuation_lower, actuation_upper;                                   // nv; empty: no bounds
  std::vector<Actuator> actuators;                                        // `activation` counts within the robot
  std::vector<Coupling> couplings;
  std::vector<Tendon> tendons;
  std::vector<GravityCompensation> gravity_compensation;
  std::vector<FluidPart> fluid;
  std::vector<Site> sites;
  std::vector<Sensor> sensors;  // all of their numbers count within the robot
  WorldSoftness softness;       // of geoms, limits, friction, loops and couplings; that of contacts is in the materials
  std::vector<std::string> warnings;
};

struct Draft {
  World world;
  MaterialTable materials;
  std::vector<std::string> warnings;
  std::vector<GeomOrigin> origins;             // per geom
  std::vector<bool> scene, parents_collide;    // per robot, see RobotModel
  std::set<std::pair<int, int>> forced_pairs;  // of geoms, (smaller, larger)
  std::vector<std::pair<int, int>> pair_filters;
  std::vector<std::pair<BodyId, BodyId>> body_filters;
  std::set<std::string> names;                                       // of free bodies and robots
  std::map<std::pair<std::string, std::string>, Softness> softness;  // of pairs of materials; of one and what has none
};

// All of these assume checked input.
int append_geom(Draft& draft, const Geom& geom, const GeomOrigin& origin);
BodyId append_free_body(Draft& draft, const Body& body, const Pose& pose, const Vec6& velocity);
int append_robot(Draft& draft, const RobotModel& robot, const Pose& pose, const RobotOptions& options);
// `wanted` if it is given and not taken (else InvalidInput), or the first free of base, base_2, base_3, …
// Actuators, tendons, couplings, gravity compensation and parts in a fluid of a robot, renumbered. `pose`: of the robot.
void append_drives(World& world, const RobotModel& robot, int robot_id, BodyId first_body, const Pose& pose);
// Its sites and sensors; the numbers are those of its first body and so on in the world.
struct FirstOfRobot {
  int robot, body, geom, tendon, actuator;
};
void append_sensors(World& world, const RobotModel& robot, const FirstOfRobot& first, const Pose& pose);
// Masses and geoms of sensors that users have added.
void complete_sensors(World& world);
void append_softness(Draft& draft, const RobotModel& robot, const std::string& prefix, bool surfaces);
// Lists of the right length, entries that no file speaks of rigid; nothing where no file says anything.
void complete_softness(const Draft& draft, World& world);
std::string unique_name(const Draft& draft, const std::string& what, const std::string& wanted,
                        const std::string& base);

Pose start_pose(const World& world, BodyId body);                     // at q0
Pose joint_pose(JointKind kind, const Vec3& axis, const double* q);   // motion of a joint from its frame
std::vector<std::pair<int, int>> excluded_pairs(const Draft& draft);  // sorted
std::uint64_t fingerprint(const World& world);
int loop_rows(const Loop& loop);
int remembered_rows(const World& world);  // of all loops and couplings, then kTendonRows per tendon
// Follows massless bodies without geometry upwards: what a link is attached to.
BodyId solid_parent(const World& world, const std::vector<bool>& has_geom, BodyId body);

// Robots from files (model/urdf, model/mjcf). Nothing is changed when a file is refused.
RobotModel load_urdf(const std::string& path, const RobotOptions& options);
RobotModel load_urdf_text(const std::string& xml, const RobotOptions& options);
RobotModel load_sdf(const std::string& path, const RobotOptions& options);
RobotModel load_mjcf(const std::string& path, const RobotOptions& options);
// Throws InvalidInput naming the link or joint; adds warnings where something is odd but can be simulated.
void check_masses(RobotModel& robot, const std::string& file);

}  // namespace stiction
