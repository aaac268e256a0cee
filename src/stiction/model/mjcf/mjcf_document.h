// SPDX-License-Identifier: BSD-2-Clause
// An MJCF file as text: includes and replicates written out, default classes, compiler settings, poses.
#pragma once

#include <stiction/model/files/xml.h>

#include <map>

namespace stiction {

struct MjcfCompiler {
  bool degrees = true, autolimits = true, strip_path = false, balance_inertia = false, fit_aabb = false;
  std::string euler = "xyz", mesh_folder;
  std::string inertia_from_geom = "auto";
  double least_mass = 0.0, least_inertia = 0.0;  // boundmass, boundinertia
  double total_mass = -1.0;                      // settotalmass; negative: as it is
  int first_group = 0, last_group = 5;           // geoms that count for the inertia
};

// <option> and its flags: what acts.
struct MjcfOptions {
  bool contact = true, limit = true, frictionloss = true, equality = true, actuation = true;
  bool spring = true, damper = true, filter_parent = true, clamp_ctrl = true;
  bool sensor = true;
  Vec3 magnetic{0.0, -0.5, 0.0};   // field that magnetometers feel, world axes
  bool pyramidal_cone = true;      // of MuJoCo's own contacts
  double impratio = 1.0;           // likewise
  std::optional<Vec3> gravity;     // [m/s²]
  std::optional<double> timestep;  // [s]
};

class MjcfDocument {
 public:
  explicit MjcfDocument(const std::string& path, int depth = 0);  // depth: of models that are attached to one another

  const Xml& mujoco() const { return mujoco_; }
  const std::string& file() const { return file_; }  // its name, for messages
  const std::string& directory() const { return directory_; }
  const MjcfCompiler& compiler() const { return compiler_; }
  const MjcfOptions& options() const { return options_; }

  // The element with the values of its class: that of its attribute `class`, or `childclass`, or the main one. A value of
  // the element wins over that of its class, this one over that of the class around it.
  Xml resolve(const std::string& tag, const Xml& element, const std::string& childclass) const;
  // pos and one of quat, axisangle, xyaxes, zaxis, euler; the identity if absent.
  Pose pose(const Xml& element, const std::string& place) const;
  double angle(double x) const;  // in radians

 private:
  void read_defaults(const Xml& element, const std::string& around);
  void read_compiler();
  void read_options();
  Mat3 rotation(const Xml& element, const std::string& place) const;

  using Values = std::map<std::string, std::string>;
  Xml mujoco_;
  std::string file_, directory_;
  MjcfCompiler compiler_;
  MjcfOptions options_;
  std::map<std::string, std::map<std::string, Values>> classes_;  // class → tag → values, inherited ones included
};

Mat3 turn_z_to(const Vec3& direction);  // the smallest rotation that maps z to it

}  // namespace stiction
