// SPDX-License-Identifier: BSD-2-Clause
// A world on its way into an MJCF file: names, places and sections, filled by one file per kind of element.
//
// Joints stand at the start: ref = q₀, and the pose of a body in its parent is that at q₀. So whoever reads the file starts where the
// world starts, and all forces that MuJoCo measures from its reference (springs, equalities) are written as numbers of their own.
// Bodies without mass that nothing hangs on but the next joint (all but the last joint of a body with several) become joints of the next.
#pragma once

#include <stiction/model/files/xml.h>
#include <stiction/model/world/world.h>

#include <filesystem>
#include <map>
#include <set>

namespace stiction {

class MjcfText {
 public:
  MjcfText(const World& world, const std::filesystem::path& path);

  const World& world;
  const std::filesystem::path path;

  // Per body of ours: what stands in the element of its body. kWorldBody is parts_of(kWorldBody).
  struct Parts {
    Xml element;  // name and pose
    std::vector<Xml::Child> own, geoms, sites, others;
    std::vector<BodyId> children;
  };
  Parts& parts_of(BodyId body) { return parts_[static_cast<std::size_t>(body + 1)]; }
  BodyId written_parent(BodyId body) const;  // past those that are joints of the next
  bool is_merged(BodyId body) const { return merged_[static_cast<std::size_t>(body)]; }

  std::vector<std::string> joint_names, geom_names, tendon_names,
      actuator_names;  // joints per body, geoms, …; empty: not written
  std::vector<std::string> body_names;
  std::vector<BodyId> order;  // bodies in the order of qpos
  Xml compiler, option, flags, assets, contact, equality, tendon, actuator, sensor, keyframe;

  // A name that no other element of this kind has; `owner` is put before it if it is taken.
  std::string name(const std::string& kind, const std::string& wanted, const std::string& owner = "");
  std::string owner_of(BodyId body) const;  // its robot
  // A site there, one of the world's or a new one. `zone`: null if its volume does not matter.
  std::string site_at(BodyId body, const Pose& pose, const std::string& hint, const Zone* zone = nullptr);
  double start_of(BodyId body) const;  // q₀ of a joint of one velocity
  // What is missing, of what.
  void tell(const std::string& what, const std::string& of);
  std::vector<std::string> sentences() const;
  std::string whole() const;  // the file

 private:
  struct Placed {
    BodyId body;
    Pose pose;
    Zone zone;
    std::string name;
  };
  void find_merged();
  void add(BodyId body, Xml& around) const;
  void add_world(Xml& mujoco) const;

  std::vector<Parts> parts_;
  std::vector<bool> merged_;
  std::vector<Placed> sites_;
  std::map<std::string, std::set<std::string>> names_;
  std::vector<std::pair<std::string, std::vector<std::string>>> told_;
};

// Attributes. What MJCF takes for granted is not written.
std::string mjcf_numbers(const Vec& x);
void set_number(Xml& element, const char* key, double x, double usual);
void set_mjcf_pose(Xml& element, const Pose& pose);
std::string joint_label(const MjcfText& text, BodyId body);  // for messages
bool same_pose(const Pose& a, const Pose& b);
void set_softness(Xml& element, const Softness& s, const char* solref, const char* solimp);

void write_mjcf_bodies(MjcfText& text);
void write_mjcf_joints(MjcfText& text, BodyId body, BodyId carrier, const Pose& to_carrier);
void write_mjcf_geoms(MjcfText& text);
void write_mjcf_contacts(MjcfText& text);
void write_mjcf_tendons(MjcfText& text);
void write_mjcf_equalities(MjcfText& text);
void write_mjcf_actuators(MjcfText& text);
void write_mjcf_sensors(MjcfText& text);
void write_mjcf_fluid(MjcfText& text);
void write_mjcf_keyframes(MjcfText& text);
double mjcf_length_at_start(const World& world, const Tendon& tendon);
// Mesh files that the geoms name: path and text.
using MjcfMeshFiles = std::map<std::string, std::string>;
MjcfMeshFiles write_mjcf_meshes(MjcfText& text);

}  // namespace stiction
