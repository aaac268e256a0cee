// SPDX-License-Identifier: BSD-2-Clause
// MJCF by parts: mjcf_document.h (text), mjcf_geoms.h (shapes), and what is declared here.
#pragma once

#include <stiction/model/mjcf/mjcf_geoms.h>
#include <stiction/model/world/draft.h>

#include <set>

namespace stiction {

// A body of the file with its own mass: several may belong to one body of ours.
struct MjcfLink {
  BodyId body = kWorldBody;
  Pose placement;   // of the link in that body
  Inertia inertia;  // in the frame of the link
  int frame = 0;    // in RobotModel::frames
  double gravcomp = 0.0;
  std::optional<Mat3> axes = {};  // of the frame in which <inertial> gives a diagonal inertia, in the frame of the link
};

// What sensors need of a site.
struct MjcfSiteDetail {
  int link;  // in RobotModel::frames, −1 is the worldbody
  Zone zone;
};

struct MjcfModel {
  RobotModel robot;
  std::vector<std::pair<int, int>> masks;  // per geom: contype, conaffinity
  std::vector<MjcfSurface> surfaces;       // per geom
  std::vector<MjcfLink> links;
  std::vector<Frame> sites;
  std::vector<MjcfSiteDetail> site_details;  // per site
  std::vector<int> link_parents;             // per body of the file, as in RobotModel::frames; −1 is the worldbody
  std::vector<MjcfLink> static_links;        // read for sensors alone
  Vec reference;                             // nq: MuJoCo's qpos0
  struct SpringDamper {
    BodyId body;
    double time, ratio;
  };
  std::vector<SpringDamper> spring_dampers;
  // Per loop: the links that it holds (−1: static), how MuJoCo scales its angular rows.
  struct LoopEnds {
    int a, b;
    double angular_scale;
    Softness softness;
  };
  std::vector<LoopEnds> loop_ends;
  std::vector<Softness> coupling_softness;
  struct WrapGeom {
    std::string name;
    BodyId body;
    Pose placement;
    Shape shape;
  };
  std::vector<WrapGeom> wrap_geoms;  // that tendons go around
  struct FluidGeom {
    std::size_t link;  // in `links`
    Pose frame;        // in which the geom is placed, in the body
    Xml element;
    std::string place;
  };
  std::vector<FluidGeom> fluid_geoms;   // fluidshape="ellipsoid"
  std::vector<std::string> geom_names;  // per geom, as the file calls it
};

// Bodies, joints and geoms, depth first as MuJoCo numbers them.
MjcfModel read_mjcf_bodies(const MjcfDocument& document);
// Appends the joint that carries `body`, whose placement is that of the joint's frame at the reference position.
void append_mjcf_joint(const MjcfDocument& document, const Xml& joint, const std::string& type,
                       const std::string& place, MjcfModel& model, Body& body);
void append_mjcf_free(const MjcfDocument& document, const Xml& joint, const std::string& place, MjcfModel& model,
                      Body& body);
Inertia read_mjcf_inertial(const MjcfDocument& document, const Xml& element, const std::string& place);
void bound_mjcf_inertia(const MjcfCompiler& compiler, Inertia& inertia);  // boundmass, boundinertia, balanceinertia
// Geoms whose masks do not meet, <contact> with <exclude> and <pair>, and what happens where surfaces of the file meet.
void add_mjcf_contacts(const MjcfDocument& document, MjcfModel& model);
// Volume of a site and where it is, in the frame around it.
std::pair<Zone, Pose> read_mjcf_site(const MjcfDocument& document, const Xml& element, const std::string& place);
// <equality> of bodies, sites and joints.
void add_mjcf_equalities(const MjcfDocument& document, MjcfModel& model);
// <tendon>; what actuators and <equality> say about them.
void add_mjcf_tendons(const MjcfDocument& document, MjcfModel& model);
int find_mjcf_tendon(const MjcfModel& model, const std::string& name, const std::string& place);
double mjcf_tendon_length(const MjcfModel& model, const Tendon& tendon, const Vec& q);
Vec mjcf_tendon_jacobian(const MjcfModel& model, const Tendon& tendon);  // at the reference position
void add_mjcf_tendon_equality(const Xml& element, MjcfModel& model, const std::string& place);
// Springs by time constant, gravity compensation, fluid.
void add_mjcf_passive(const MjcfDocument& document, MjcfModel& model);
void add_mjcf_fluid(const MjcfDocument& document, MjcfModel& model);
// What the flags of <option> switch off; gravity and time step.
void apply_mjcf_options(const MjcfDocument& document, MjcfModel& model);
void add_mjcf_keyframes(const MjcfDocument& document, RobotModel& robot);
void add_mjcf_actuators(const MjcfDocument& document, MjcfModel& model);
void add_mjcf_sensors(const MjcfDocument& document, MjcfModel& model);
void add_mjcf_rotors(const MjcfDocument& document, MjcfModel& model);  // their inertia, as armature of the joints
// Softness of joints, geoms and equalities, scaled as MuJoCo does.
void add_mjcf_softness(MjcfModel& model);
// What the file holds and the engine does not: sentences.
void add_mjcf_left_out(const MjcfDocument& document, MjcfModel& model);
// Elements and attributes that nothing above reads, with their lines.
void tell_mjcf_unread(const MjcfDocument& document, RobotModel& robot);

}  // namespace stiction
