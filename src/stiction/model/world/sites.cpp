// SPDX-License-Identifier: BSD-2-Clause
// Sites and sensors of a robot on their way into a world, and those that users add.
#include <stiction/model/world/world_builder_impl.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

int shifted(int number, int first) { return number < 0 ? number : number + first; }

void place(const Pose& robot, SensorPart& part) {
  part.com = robot * part.com;
  part.about_com = robot.rotation * part.about_com * robot.rotation.transpose();
}

SensorPart part_of(const Body& body, BodyId id) {
  return {id, true, body.inertia.mass, body.inertia.com, body.inertia.about_com};
}

// A body with all that hangs on it.
std::vector<BodyId> subtree(const World& world, BodyId root) {
  std::vector<BodyId> out;
  for (BodyId i = 0; i < static_cast<BodyId>(world.bodies.size()); ++i)
    for (BodyId above = i; above != kWorldBody; above = world.bodies[above].parent)
      if (above == root) {
        out.push_back(i);
        break;
      }
  return out;
}

std::vector<int> geoms_of(const World& world, const std::vector<BodyId>& bodies) {
  std::vector<int> out;
  for (std::size_t i = 0; i < world.geoms.size(); ++i)
    if (std::find(bodies.begin(), bodies.end(), world.geoms[i].body) != bodies.end())
      out.push_back(static_cast<int>(i));
  return out;
}

// Masses and geoms that the kind looks at, of whole bodies.
void find_parts(const World& world, Sensor& s) {
  if (s.kind == SensorKind::contact) {
    if (s.reading.first) s.geoms = geoms_of(world, {s.object});
    if (s.reading.second) s.others = geoms_of(world, {s.reference});
    return;
  }
  const bool beyond = s.kind == SensorKind::force || s.kind == SensorKind::torque;
  const bool masses = beyond || sensor_info(s.kind).object == SensorObject::subtree;
  const std::vector<BodyId> bodies = masses ? subtree(world, s.object) : std::vector<BodyId>{s.object};
  if (masses)
    for (const BodyId b : bodies) s.parts.push_back(part_of(world.bodies[b], b));
  if (beyond || s.kind == SensorKind::touch || s.kind == SensorKind::rangefinder) s.geoms = geoms_of(world, bodies);
}

void check_zone(const std::string& owner, const Zone& zone) {
  static constexpr int kSizes[] = {1, 2, 3, 2, 3};
  for (int i = 0; i < kSizes[zone.kind]; ++i) check_positive(owner + ".size[" + std::to_string(i) + "]", zone.size[i]);
}

}  // namespace

void append_sensors(World& w, const RobotModel& r, const FirstOfRobot& first, const Pose& pose) {
  for (Site s : r.sites) {
    if (s.body == kWorldBody) s.placement = pose * s.placement;
    s.body = shifted(s.body, first.body), s.robot = first.robot;
    w.sites.push_back(std::move(s));
  }
  for (Sensor s : r.sensors) {
    s.robot = first.robot;
    const SensorObject kind = sensor_info(s.kind).object;
    const bool of_body = kind != SensorObject::tendon && kind != SensorObject::actuator;
    if (of_body && s.object == kWorldBody) s.placement = pose * s.placement;
    if (s.relative && s.reference == kWorldBody) s.reference_placement = pose * s.reference_placement;
    s.object = shifted(s.object, kind == SensorObject::tendon     ? first.tendon
                                 : kind == SensorObject::actuator ? first.actuator
                                                                  : first.body);
    s.reference = shifted(s.reference, first.body);
    for (SensorPart& part : s.parts) {
      if (part.body == kWorldBody) place(pose, part);
      part.body = shifted(part.body, first.body);
    }
    for (std::vector<int>* list : {&s.geoms, &s.others})
      for (int& g : *list) g += first.geom;
    w.sensors.push_back(std::move(s));
  }
}

void complete_sensors(World& world) {
  for (Sensor& s : world.sensors)
    if (s.robot < 0) find_parts(world, s);
}

int WorldBuilder::add_site(const Site& site) {
  const std::string owner = impl_->owner("site", site.name);
  World& w = impl_->world;
  if (site.name.empty()) throw InvalidInput("site.name is empty; give it a name");
  for (const Site& s : w.sites)
    if (s.name == site.name) throw InvalidInput("site name '" + site.name + "' is already taken; give another name");
  check_body(w, owner + ".body", site.body, true);
  check_pose(owner + ".placement", site.placement);
  check_zone(owner, site.zone);
  w.sites.push_back(site);
  return static_cast<int>(w.sites.size()) - 1;
}

int WorldBuilder::add_sensor(const Sensor& sensor) {
  Sensor s = sensor;
  const SensorInfo& info = sensor_info(s.kind);
  const std::string owner = impl_->owner("sensor", s.name);
  World& w = impl_->world;
  if (s.name.empty()) {
    s.name = info.name;
    for (int i = 2; std::any_of(w.sensors.begin(), w.sensors.end(), [&](const Sensor& o) { return o.name == s.name; });
         ++i)
      s.name = std::string(info.name) + "_" + std::to_string(i);
  }
  for (const Sensor& other : w.sensors)
    if (other.name == s.name) throw InvalidInput("sensor name '" + s.name + "' is already taken; give another name");
  switch (info.object) {
    case SensorObject::tendon:
      check_index(owner + ".tendon", s.object, static_cast<int>(w.tendons.size()));
      break;
    case SensorObject::actuator:
      check_index(owner + ".actuator", s.object, static_cast<int>(w.actuators.size()));
      break;
    case SensorObject::joint:
    case SensorObject::ball: {
      check_body(w, owner + ".joint", s.object, false);
      const JointKind joint = w.bodies[s.object].joint;
      const bool ball = info.object == SensorObject::ball;
      if (ball ? joint != JointKind::spherical : sizes(joint).nv != 1)
        throw InvalidInput(owner + " is a " + info.name + " of the joint that carries '" + w.bodies[s.object].name +
                           "', expected " + (ball ? "a ball joint" : "a joint of one velocity"));
      break;
    }
    case SensorObject::subtree:
      check_body(w, owner + ".body", s.object, false);
      break;
    default:
      check_body(w, owner + ".body", s.object, s.kind != SensorKind::force && s.kind != SensorKind::torque);
  }
  check_pose(owner + ".placement", s.placement);
  if (s.relative) check_body(w, owner + ".reference", s.reference, true);
  check_not_negative(owner + ".cutoff", s.cutoff);
  check_not_negative(owner + ".noise", s.noise);
  check_finite(owner + ".field", s.field);
  if (s.kind == SensorKind::touch) check_zone(owner, s.zone);
  if (s.reading.slots < 1 || s.reading.slots > kMostContactSlots)
    throw InvalidInput(owner + ".num is " + std::to_string(s.reading.slots) + ", expected 1 to " +
                       std::to_string(kMostContactSlots));
  w.sensors.push_back(std::move(s));
  return static_cast<int>(w.sensors.size()) - 1;
}

}  // namespace stiction
