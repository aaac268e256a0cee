// SPDX-License-Identifier: BSD-2-Clause
// Python's `World`: edited freely, then compiled into a frozen World. Later edits do not reach a compiled world.
// Every method checks its arguments before it changes anything and throws InvalidInput naming field, value and fix.
#pragma once

#include <stiction/model/world/world.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stiction {

// Values that a surface names itself; the rest comes from the other side or from the defaults (docs/laws.md, Materials).
struct MaterialValues {
  std::optional<double> mu, mu_static, restitution, stiffness, damping;
  std::optional<double> restitution_tangential = std::nullopt;
  std::optional<double> margin = std::nullopt;  // of files alone
  std::optional<double> mu_torsion = std::nullopt, mu_rolling = std::nullopt;
};

struct BodyOptions {
  std::string name;
  Vec3 position = Vec3::Zero();
  Quat rotation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();          // world axes, of the centre of mass [m/s]
  Vec3 angular_velocity = Vec3::Zero();  // world axes [rad/s]
  std::optional<Mat3> inertia;           // about the centre of mass, body axes; of the solid shape unless given
  std::string material;                  // names a material; or
  MaterialValues values;                 // values of an anonymous one
};

struct RobotOptions {
  std::string name;
  Vec3 position = Vec3::Zero();
  Quat rotation = Quat::Identity();
  bool fixed = false;
  std::optional<bool>
      self_collision;  // links of one robot may touch; unless given: in MJCF, where the file has filters
  std::vector<std::string> package_dirs;  // where package:// is looked up, beside the file's own parents
  std::string material;
  MaterialValues values;
};

class WorldBuilder {
 public:
  WorldBuilder();
  ~WorldBuilder();
  WorldBuilder(const WorldBuilder&);
  WorldBuilder& operator=(const WorldBuilder&);

  Vec3 gravity{0.0, 0.0, -9.81};

  void add_material(const std::string& name, const MaterialValues& values);
  void set_material_pair(const std::string& a, const std::string& b, const MaterialValues& values);

  // Static geometry; returns the geom index.
  int add_ground(const MaterialValues& values = {}, const std::string& material = "");  // half-space z ≤ 0
  int add_static(const Shape& shape, const BodyOptions& options = {});
  // A free body of one shape (or several: a moving triangle mesh becomes a hull per connected part, see warnings()).
  BodyId add_body(const Shape& shape, double mass, const BodyOptions& options = {});
  // Attaches a further shape to a body (kWorldBody: static) without changing its mass.
  int add_geom(BodyId body, const Shape& shape, const Pose& placement, const BodyOptions& options = {});
  // A point that is tested against static geometry or, bilateral, held where it is now.
  int add_contact_point(BodyId body, const Vec3& offset, bool bilateral, std::optional<double> stiffness,
                        std::optional<double> damping, const MaterialValues& values = {});

  // Robots; return the robot index.
  int add_urdf(const std::string& path, const RobotOptions& options = {});
  int add_urdf_text(const std::string& xml, const RobotOptions& options = {});
  int add_sdf(const std::string& path, const RobotOptions& options = {});
  // Its <option gravity> becomes the world's if this is still the usual one.
  int add_mjcf(const std::string& path, const RobotOptions& options = {});

  // Sites and sensors; return their index. Names are unique; a sensor without one gets that of its kind. Masses and geoms beyond a
  // sensor are those of whole bodies.
  int add_site(const Site& site);
  int add_sensor(const Sensor& sensor);
  void add_loop(const Loop& loop);
  void exclude_pair(int geom_a, int geom_b);
  void exclude_bodies(BodyId a, BodyId b);
  // Start configuration of a robot's joints by name (position of 1-dof joints).
  void set_joint_position(int robot, const std::string& joint, double position);
  // Joint parameters by name; those absent are kept.
  struct JointValues {
    std::optional<double> lower, upper, damping, dry_friction, armature, effort_limit;
  };
  void set_joint_values(int robot, const std::string& joint, const JointValues& values);

  const World& draft() const;                        // what has been added so far (indices are final)
  const std::vector<std::string>& warnings() const;  // what was changed or left out while loading
  std::shared_ptr<const World> compile() const;      // throws InvalidInput naming what is wrong

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
