// SPDX-License-Identifier: BSD-2-Clause
// Sites and sensors: what is measured, where, and what of the world it concerns. MuJoCo's names and definitions (docs/sensors.md);
// evaluation is sim/sensors.h. They take no part in the motion: a step does not look at them.
#pragma once

#include <stiction/base/types.h>

#include <string>
#include <vector>

namespace stiction {

// A volume in the frame of a site: what `touch` and `contact` look into.
struct Zone {
  enum Kind : std::uint8_t { sphere, capsule, ellipsoid, cylinder, box } kind = sphere;
  Vec3 size = Vec3::Constant(0.005);  // radius; radius, half length; semi-axes; radius, half length; half edges [m]
};

// A named frame of a body.
struct Site {
  std::string name;
  int robot = -1;  // index into World::robots, or −1
  int body = -1;   // BodyId
  Pose placement;  // in the body's frame
  Zone zone;
};

enum class SensorKind : std::uint8_t {
  accelerometer,
  gyro,
  velocimeter,
  magnetometer,
  force,
  torque,
  touch,
  rangefinder,
  contact,
  jointpos,
  jointvel,
  jointactuatorfrc,
  jointlimitpos,
  jointlimitvel,
  jointlimitfrc,
  ballquat,
  ballangvel,
  tendonpos,
  tendonvel,
  tendonactuatorfrc,
  tendonlimitpos,
  tendonlimitvel,
  tendonlimitfrc,
  actuatorpos,
  actuatorvel,
  actuatorfrc,
  framepos,
  framequat,
  framexaxis,
  frameyaxis,
  framezaxis,
  framelinvel,
  frameangvel,
  framelinacc,
  frameangacc,
  subtreecom,
  subtreelinvel,
  subtreeangmom,
  clock,
  e_potential,
  e_kinetic
};

// What a kind is about, and what a cutoff does to it.
enum class SensorObject : std::uint8_t { frame, joint, ball, tendon, actuator, subtree, contacts, world };
enum class SensorRange : std::uint8_t { real, positive, unit };  // unit: a direction or quaternion, never cut off

struct SensorInfo {
  SensorKind kind;
  const char* name;
  SensorObject object;
  int size;  // numbers; of contact: per slot, see sensor_size()
  SensorRange range;
  bool accelerates;  // needs forces and accelerations
};
const std::vector<SensorInfo>& sensor_kinds();
const SensorInfo& sensor_info(SensorKind kind);
const SensorInfo* find_sensor_kind(const std::string& name);  // null: there is no such kind

// A share of the mass of a body.
struct SensorPart {
  int body = -1;      // −1: it does not move
  bool whole = true;  // all that acts on the body acts on this part; else only contacts of the sensor's geoms do
  double mass = 0.0;
  Vec3 com = Vec3::Zero();        // in the body's frame [m]
  Mat3 about_com = Mat3::Zero();  // in body axes [kg m²]
};

// What `contact` reports per slot, in this order, and of which contacts.
struct ContactReading {
  enum Field : std::uint8_t { found, force, torque, dist, pos, normal, tangent, linvel, angvel };
  static constexpr int kFields = 9;
  enum Reduce : std::uint8_t { none, mindist, maxforce, netforce } reduce = none;
  std::uint32_t fields = 1;  // bit Field
  int slots = 1;
  bool first = false, second = false, inside = false;  // one of Sensor::geoms, of Sensor::others, in Sensor::zone
};
inline constexpr int kMostContactSlots = 10000;
const char* contact_field_name(int field);
int contact_field_size(int field);
// From their names: "found force dist", in this order; "maxforce". Throw InvalidInput.
std::uint32_t contact_fields(const std::string& words, const std::string& field);
ContactReading::Reduce contact_reduction(const std::string& word, const std::string& field);

struct Sensor {
  std::string name;
  int robot = -1;
  SensorKind kind = SensorKind::clock;
  int object = -1;  // body of the frame or of the joint, or number of the tendon or actuator
  Pose placement;   // of the frame in the body
  bool relative = false;
  int reference = -1;  // relative: the body whose frame …
  Pose reference_placement;
  std::vector<SensorPart>
      parts;  // force, torque, subtree…: the masses beyond the sensor; e_potential: those that stand still
  std::vector<int> geoms,
      others;  // force, torque: beyond the sensor; touch: that feel; rangefinder: not seen; contact: both sides
  Zone zone;
  ContactReading reading;
  Vec3 field{0.0, -0.5, 0.0};  // magnetometer, world axes
  double cutoff = 0.0;         // > 0: larger values are cut off
  double noise = 0.0;          // standard deviation
};
int sensor_size(const Sensor& sensor);

}  // namespace stiction
