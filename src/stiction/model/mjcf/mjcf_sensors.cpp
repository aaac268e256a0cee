// SPDX-License-Identifier: BSD-2-Clause
// <sensor>, and the volumes of sites. Bodies of the file that have no joint are part of ours that carries them: what lies beyond a force
// sensor, or in a subtree, is listed link by link (Sensor::parts). Kinds without a form here are told with their lines.
#include <stiction/base/find_named.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf/mjcf_reference.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace stiction {
namespace {

const std::set<std::string> kSensorActs = {"name",     "class",    "site",   "objtype",  "objname", "reftype",
                                           "refname",  "joint",    "tendon", "actuator", "body",    "cutoff",
                                           "noise",    "user",     "geom1",  "geom2",    "body1",   "body2",
                                           "subtree1", "subtree2", "data",   "num",      "reduce"};

// A frame that a sensor is on or is measured from. False: told.
struct SensorFrame {
  BodyId body = kWorldBody;
  Pose placement;
  int link = -1;       // body of the file
  bool turned = true;  // its axes are known
};

class SensorReader {
 public:
  SensorReader(const MjcfDocument& document, MjcfModel& model) : document_(document), model_(model) {}

  void run() {
    for (const Xml* section : children(document_.mujoco(), "sensor"))
      for (const auto& [kind, element] : *section) add(kind, element);
    for (const auto& [what, found] : left_out_) {
      std::string names;
      for (const std::string& name : found.names) names += (names.empty() ? " " : ", ") + name;
      robot().warnings.push_back(found.place + ": left out: " + what + names);
    }
  }

 private:
  RobotModel& robot() { return model_.robot; }

  void add(const std::string& tag, const Xml& element) {
    const SensorInfo* info = find_sensor_kind(tag);
    const std::string given = attribute(element, "name").value_or("");
    const std::string called = given.empty() ? "line " + std::to_string(element.line()) : "'" + given + "'";
    if (info == nullptr) return leave_out("sensors of the kind " + tag, element, called);
    Sensor s;
    s.kind = info->kind;
    s.name = given.empty() ? name_for(tag, element) : given;
    const std::string place = element.place() + ": <" + tag + "> '" + s.name + "'";
    if (names_.contains(s.name)) throw InvalidInput(place + ": two sensors have this name; names must differ");
    s.cutoff = number(element, "cutoff", place), s.noise = number(element, "noise", place);
    s.field = document_.options().magnetic;
    if (!set_object(*info, element, place, s)) return leave_out("sensors of the kind " + tag, element, called);
    for (const auto& [key, value] : element.attributes())
      if (!kSensorActs.contains(key) && value.find_first_not_of("0. ") != std::string::npos)
        leave_out(key + " of sensors", element, called);
    if (!document_.options().sensor) return;
    names_.insert(s.name);
    robot().sensors.push_back(std::move(s));
  }

  void leave_out(const std::string& what, const Xml& element, const std::string& name) {
    auto& found = left_out_[what];
    if (found.names.empty()) found.place = element.place();
    found.names.push_back(name);
  }

  static double number(const Xml& element, const char* key, const std::string& place) {
    const double x = to_number(attribute(element, key).value_or("0"), place + " " + key);
    check_not_negative(place + " " + key, x);
    return x;
  }

  // kind_object, made different from the others by a number.
  std::string name_for(const std::string& tag, const Xml& element) {
    std::string base = tag;
    for (const char* key : {"site", "joint", "tendon", "actuator", "body", "objname"})
      if (const auto object = attribute(element, key)) base += "_" + *object;
    std::string name = base;
    for (int& i = last_number_.try_emplace(base, 1).first->second; names_.contains(name);)
      name = base + "_" + std::to_string(++i);
    return name;
  }

  bool set_object(const SensorInfo& info, const Xml& element, const std::string& place, Sensor& s) {
    switch (info.object) {
      case SensorObject::joint:
      case SensorObject::ball:
        return set_joint(info, element, place, s);
      case SensorObject::tendon:
        s.object = find_mjcf_tendon(model_, required(element, "tendon", place), place);
        return s.object >= 0;
      case SensorObject::actuator: {
        const Actuator& a =
            find_named("actuator", robot().actuators, required(element, "actuator", place), place + ": ");
        s.object = static_cast<int>(&a - robot().actuators.data());
        return true;
      }
      case SensorObject::subtree: {
        const SensorFrame frame = body_frame(required(element, "body", place), false, place);
        s.object = frame.body, s.placement = frame.placement;
        set_parts(beyond(frame.link), s);
        return true;
      }
      case SensorObject::contacts:
        return set_contact(element, place, s);
      case SensorObject::world:
        for (const MjcfLink& link : model_.static_links) s.parts.push_back(part(link, false));
        return true;
      case SensorObject::frame:
        return set_frame(element, place, s);
    }
    return false;
  }

  bool set_joint(const SensorInfo& info, const Xml& element, const std::string& place, Sensor& s) {
    const std::string joint = required(element, "joint", place);
    s.object = find_mjcf_joint(model_, joint, place);
    const JointKind kind = robot().bodies[s.object].joint;
    const bool ball = info.object == SensorObject::ball;
    if (ball ? kind == JointKind::spherical : sizes(kind).nv == 1) return true;
    const bool limit = s.kind == SensorKind::jointlimitpos || s.kind == SensorKind::jointlimitvel ||
                       s.kind == SensorKind::jointlimitfrc;
    if (limit && kind == JointKind::spherical) return false;  // MuJoCo has limits of ball joints
    throw InvalidInput(place + ": joint '" + joint + "' is not " + (ball ? "a ball joint" : "a hinge or a slide"));
  }

  bool set_frame(const Xml& element, const std::string& place, Sensor& s) {
    const bool by_type = attribute(element, "objtype").has_value();
    if (!by_type && !attribute(element, "site")) {
      if (attribute(element, "camera")) return false;
      throw InvalidInput(place + " names no object, expected site= or objtype= and objname=");
    }
    const auto frame = by_type ? object(element, "objtype", "objname", place)
                               : std::optional<SensorFrame>(site_frame(*attribute(element, "site"), place, s.zone));
    if (!frame) return false;
    const bool axes = s.kind >= SensorKind::framequat && s.kind <= SensorKind::framezaxis;
    if (axes && !frame->turned) return false;
    s.object = frame->body, s.placement = frame->placement;
    if (s.kind == SensorKind::rangefinder && attribute(element, "data").value_or("dist") != "dist") return false;
    if (s.kind == SensorKind::force || s.kind == SensorKind::torque) set_parts(beyond(frame->link), s);
    if (s.kind == SensorKind::touch || s.kind == SensorKind::rangefinder) s.geoms = geoms_of({frame->link});
    if (!attribute(element, "reftype")) return true;
    const auto from = object(element, "reftype", "refname", place);
    if (!from || !from->turned) return false;
    s.relative = true, s.reference = from->body, s.reference_placement = from->placement;
    return true;
  }

  std::optional<SensorFrame> object(const Xml& element, const char* type_key, const char* name_key,
                                    const std::string& place) {
    const std::string type = required(element, type_key, place), name = required(element, name_key, place);
    Zone ignored;
    if (type == "site") return site_frame(name, place, ignored);
    if (type == "body" || type == "xbody") return body_frame(name, type == "body", place);
    if (type == "geom") return geom_frame(name);
    if (type == "camera") return {};
    throw InvalidInput(place + " " + type_key + " is '" + type + "', expected site, body, xbody, geom or camera");
  }

  SensorFrame site_frame(const std::string& name, const std::string& place, Zone& zone) {
    const Frame& site = find_mjcf_site(model_, name, place);
    const MjcfSiteDetail& detail = model_.site_details[static_cast<std::size_t>(&site - model_.sites.data())];
    zone = detail.zone;
    return {site.body, site.placement, detail.link};
  }

  // The frame of a body, or that of its inertia.
  SensorFrame body_frame(const std::string& name, bool inertial, const std::string& place) {
    if (name == "world") return {};
    const auto count = static_cast<std::ptrdiff_t>(model_.link_parents.size());
    const std::vector<Frame> bodies(robot().frames.begin(), robot().frames.begin() + count);
    const int link = static_cast<int>(&find_named("body", bodies, name, place + ": ") - bodies.data());
    const Frame& frame = robot().frames[static_cast<std::size_t>(link)];
    SensorFrame out{frame.body, frame.placement, link};
    if (!inertial) return out;
    out.turned = false;
    for (const std::vector<MjcfLink>* list : {&model_.links, &model_.static_links})
      for (const MjcfLink& l : *list)
        if (l.frame == link) {
          out.placement = frame.placement * Pose{l.axes.value_or(Mat3::Identity()), l.inertia.com};
          out.turned = l.axes.has_value();
        }
    return out;
  }

  // Of geoms that collide; those of meshes have a frame of MuJoCo's own.
  std::optional<SensorFrame> geom_frame(const std::string& name) {
    for (std::size_t i = 0; i < robot().geoms.size(); ++i)
      if (model_.geom_names[i] == name) {
        const Geom& g = robot().geoms[i];
        if (g.shape.kind == ShapeKind::convex || g.shape.kind == ShapeKind::mesh) return {};
        return SensorFrame{g.body, g.placement, robot().origins[i].link};
      }
    return {};
  }

  // A body of the file and all that hangs on it; −1: everything.
  std::set<int> beyond(int link) const {
    std::set<int> out{link};
    for (int i = 0; i < static_cast<int>(model_.link_parents.size()); ++i)
      if (out.contains(model_.link_parents[static_cast<std::size_t>(i)])) out.insert(i);
    return out;
  }

  static SensorPart part(const MjcfLink& link, bool whole) {
    const Pose& p = link.placement;
    return {link.body, whole, link.inertia.mass, p * link.inertia.com,
            p.rotation * link.inertia.about_com * p.rotation.transpose()};
  }

  void set_parts(const std::set<int>& links, Sensor& s) {
    std::set<BodyId> cut;  // bodies of ours of which a part is on this side of the sensor
    for (const MjcfLink& link : model_.links)
      if (!links.contains(link.frame)) cut.insert(link.body);
    for (const std::vector<MjcfLink>* list : {&model_.links, &model_.static_links})
      for (const MjcfLink& link : *list)
        if (links.contains(link.frame)) s.parts.push_back(part(link, !cut.contains(link.body)));
    s.geoms = geoms_of(links);
  }

  std::vector<int> geoms_of(const std::set<int>& links) const {
    std::vector<int> out;
    for (std::size_t i = 0; i < model_.robot.origins.size(); ++i)
      if (links.contains(model_.robot.origins[i].link)) out.push_back(static_cast<int>(i));
    return out;
  }

  // One side of a contact sensor: geom1, body1 or subtree1; true if it is given.
  bool set_side(const Xml& element, const std::string& number, const std::string& place, std::vector<int>& geoms) {
    if (const auto name = attribute(element, ("geom" + number).c_str())) {
      for (std::size_t i = 0; i < model_.geom_names.size(); ++i)
        if (model_.geom_names[i] == *name) geoms.push_back(static_cast<int>(i));
      if (geoms.empty()) throw InvalidInput(place + ": " + unknown_name("colliding geom", *name, model_.geom_names));
      return true;
    }
    if (const auto name = attribute(element, ("body" + number).c_str()))
      return geoms = geoms_of({body_frame(*name, false, place).link}), true;
    if (const auto name = attribute(element, ("subtree" + number).c_str()))
      return geoms = geoms_of(beyond(body_frame(*name, false, place).link)), true;
    return false;
  }

  bool set_contact(const Xml& element, const std::string& place, Sensor& s) {
    ContactReading& r = s.reading;
    r.first = set_side(element, "1", place, s.geoms), r.second = set_side(element, "2", place, s.others);
    if (const auto site = attribute(element, "site")) {
      const SensorFrame frame = site_frame(*site, place, s.zone);
      s.object = frame.body, s.placement = frame.placement, r.inside = true;
    }
    r.slots = static_cast<int>(to_number(attribute(element, "num").value_or("1"), place + " num"));
    if (r.slots < 1 || r.slots > kMostContactSlots)
      throw InvalidInput(place + " num is " + std::to_string(r.slots) + ", expected 1 to " +
                         std::to_string(kMostContactSlots));
    r.fields = contact_fields(attribute(element, "data").value_or("found"), place + " data");
    r.reduce = contact_reduction(attribute(element, "reduce").value_or("none"), place + " reduce");
    return true;
  }

  struct LeftOut {
    std::string place;
    std::vector<std::string> names;
  };
  const MjcfDocument& document_;
  MjcfModel& model_;
  std::map<std::string, LeftOut> left_out_;
  std::set<std::string> names_;
  std::map<std::string, int> last_number_;  // that made a name differ
};

}  // namespace

void add_mjcf_sensors(const MjcfDocument& document, MjcfModel& model) { SensorReader(document, model).run(); }

}  // namespace stiction
