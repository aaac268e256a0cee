// SPDX-License-Identifier: BSD-2-Clause
// World.add_site and World.add_sensor.
#include <algorithm>

#include "world.h"

namespace stiction::python {
namespace {

constexpr double kEverywhere = 1e6;  // radius of a zone that holds all contacts of a body [m]

// What names a frame: a Body, or the name of a site, a frame or a body.
class PlaceLike : public nb::object {
  static bool accept(nb::handle) { return true; }

 public:
  NB_OBJECT_DEFAULT(PlaceLike, nb::object, "Body | Robot | str | int | None", accept)
};

struct Place {
  BodyId body = kWorldBody;
  Pose placement;
  Zone zone{Zone::sphere, Vec3::Constant(kEverywhere)};
};

bool is_name(nb::handle value) { return nb::isinstance<nb::str>(value); }

bool names_body(const World& world, const std::string& name) {
  return std::any_of(world.bodies.begin(), world.bodies.end(), [&](const Body& b) { return b.name == name; });
}

Place read_place(const World& world, nb::handle value, const std::string& field) {
  if (!is_name(value)) return {read_body(world, value, field, true), {}};
  const std::string name = nb::cast<std::string>(value);
  std::vector<std::string> known;
  for (const Site& s : world.sites) known.push_back(s.name);
  for (const Frame& f : world.frames) known.push_back(f.name);
  for (const Body& b : world.bodies) known.push_back(b.name);
  const auto is = [&](int robot, const std::string& own) {
    return own == name || (robot >= 0 && world.robots[static_cast<std::size_t>(robot)].name + "/" + own == name);
  };
  for (const Site& s : world.sites)
    if (is(s.robot, s.name)) return {s.body, s.placement, s.zone};
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    const Robot& robot = world.robots[r];
    for (int i = robot.first_frame; i < robot.first_frame + robot.frames; ++i) {
      const Frame& f = world.frames[static_cast<std::size_t>(i)];
      if (is(static_cast<int>(r), f.name)) return {f.body, f.placement};
    }
  }
  if (names_body(world, name)) return {read_body(world, value, field), {}};
  throw InvalidInput(field + ": " + unknown_name("site, frame or body", name, known));
}

// A tendon or an actuator by name ("robot/name" too) or number.
template <class List>
int read_entry(const World& world, const List& list, const char* what, nb::handle value, const std::string& field) {
  int index = -1;
  std::vector<std::string> known;
  if (is_name(value)) {
    const std::string name = nb::cast<std::string>(value);
    for (const auto& entry : list) {
      known.push_back(entry.name);
      bool found = entry.name == name;
      if constexpr (std::is_same_v<List, std::vector<Actuator>>)
        found = found || (entry.robot >= 0 &&
                          world.robots[static_cast<std::size_t>(entry.robot)].name + "/" + entry.name == name);
      if (found) return static_cast<int>(known.size()) - 1;
    }
    throw InvalidInput(field + ": " + unknown_name(what, name, known));
  }
  if (nb::try_cast(value, index, false) && index >= 0 && index < static_cast<int>(list.size())) return index;
  throw InvalidInput(field + " is " + nb::cast<std::string>(nb::repr(value)).substr(0, 80) + ", expected the name of " +
                     (what[0] == 'a' ? "an " : "a ") + what);
}

void set_object(const World& world, nb::handle body, const Pose& offset, Sensor& s) {
  const std::string field = "add_sensor.body";
  switch (sensor_info(s.kind).object) {
    case SensorObject::joint:
    case SensorObject::ball:
      if (!is_name(body))
        throw InvalidInput(field + " is " + nb::cast<std::string>(nb::repr(body)).substr(0, 80) +
                           ", expected the name of a joint for a " + sensor_info(s.kind).name);
      s.object = read_joint(world, nb::cast<std::string>(body), -1, field);
      return;
    case SensorObject::tendon:
      s.object = read_entry(world, world.tendons, "tendon", body, field);
      return;
    case SensorObject::actuator:
      s.object = read_entry(world, world.actuators, "actuator", body, field);
      return;
    case SensorObject::world:
      if (!body.is_none())
        throw InvalidInput(field + " is given, expected none: a " + sensor_info(s.kind).name + " is about the world");
      return;
    default:
      break;
  }
  const Place place = read_place(world, body, field);
  s.object = place.body, s.placement = place.placement * offset, s.zone = place.zone;
}

Zone read_zone(const std::string& type, nb::handle size) {
  static const std::vector<std::string> kinds = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
  const auto found = std::find(kinds.begin(), kinds.end(), type);
  if (found == kinds.end()) throw InvalidInput("add_site.type: " + unknown_name("type of site", type, kinds));
  Zone zone;
  zone.kind = static_cast<Zone::Kind>(found - kinds.begin());
  double radius = 0.0;
  if (size.is_none()) return zone;
  if (nb::try_cast(size, radius, true)) {
    zone.size.setConstant(radius);
    return zone;
  }
  const Vec x = read_vector(size, "add_site.size");
  if (x.size() < 1 || x.size() > 3)
    throw InvalidInput("add_site.size has " + std::to_string(x.size()) + " numbers, expected 1 to 3");
  zone.size.head(x.size()) = x;
  return zone;
}

void add_sensor(WorldBuilder& w, const std::string& kind, const PlaceLike& body, const std::string& name,
                const ArrayLike& position, const ArrayLike& rotation, const PlaceLike& reference,
                const PlaceLike& other, double cutoff, double noise, const ArrayLike& field, const std::string& data,
                int num, const std::string& reduce) {
  const SensorInfo* info = find_sensor_kind(kind);
  if (info == nullptr) {
    std::vector<std::string> known;
    for (const SensorInfo& k : sensor_kinds()) known.emplace_back(k.name);
    throw InvalidInput("add_sensor.kind: " + unknown_name("kind of sensor", kind, known));
  }
  Sensor s;
  s.kind = info->kind, s.name = name;
  s.cutoff = cutoff, s.noise = noise;
  s.field = read_vec3(field, "add_sensor.field");
  const Pose offset{read_rotation(rotation, "add_sensor.rotation").toRotationMatrix(),
                    read_vec3(position, "add_sensor.position")};
  set_object(w.draft(), body, offset, s);
  const bool relative = s.kind >= SensorKind::framepos && s.kind <= SensorKind::frameangvel;
  if (!reference.is_none()) {
    if (!relative) throw InvalidInput("add_sensor.reference is given, but a " + kind + " has none; leave it away");
    const Place from = read_place(w.draft(), reference, "add_sensor.reference");
    s.relative = true, s.reference = from.body, s.reference_placement = from.placement;
  }
  if (s.kind == SensorKind::contact) {
    s.reading.first = !body.is_none(), s.reading.second = !other.is_none();
    if (!other.is_none()) s.reference = read_place(w.draft(), other, "add_sensor.other").body;
    s.reading.slots = num;
    s.reading.fields = contact_fields(data, "add_sensor.data");
    s.reading.reduce = contact_reduction(reduce, "add_sensor.reduce");
  } else if (!other.is_none()) {
    throw InvalidInput("add_sensor.other is given, but a " + kind + " has one side; leave it away");
  }
  w.add_sensor(s);
}

}  // namespace

void bind_world_sensors(WorldClass& world) {
  world
      .def(
          "add_site",
          [](WorldBuilder& w, const std::string& name, const BodyLike& body, const ArrayLike& position,
             const ArrayLike& rotation, const std::string& type, const ArrayLike& size) {
            w.add_site({name,
                        -1,
                        read_body(w.draft(), body, "add_site.body", true),
                        {read_rotation(rotation, "add_site.rotation").toRotationMatrix(),
                         read_vec3(position, "add_site.position")},
                        read_zone(type, size)});
          },
          "name"_a, "body"_a = nb::none(), nb::kw_only(), "position"_a = nb::make_tuple(0.0, 0.0, 0.0),
          "rotation"_a = nb::make_tuple(0.0, 0.0, 0.0, 1.0), "type"_a = "sphere", "size"_a = nb::none(),
          "A named frame of a body (None is the world), for site_pose and add_sensor.\n\n"
          "name is how they find it, position [m] and rotation (x, y, z, w) place it in the body's frame.\n"
          "type and size give it a volume, into which touch looks: sphere (radius), capsule and cylinder (radius, "
          "half\n"
          "length), ellipsoid (semi-axes), box (half edges) [m].")
      .def(
          "add_sensor", &add_sensor, "kind"_a, "body"_a = nb::none(), nb::kw_only(), "name"_a = "",
          "position"_a = nb::make_tuple(0.0, 0.0, 0.0), "rotation"_a = nb::make_tuple(0.0, 0.0, 0.0, 1.0),
          "reference"_a = nb::none(), "other"_a = nb::none(), "cutoff"_a = 0.0, "noise"_a = 0.0,
          "field"_a = nb::make_tuple(0.0, -0.5, 0.0), "data"_a = "found", "num"_a = 1, "reduce"_a = "none",
          "Measure something; sim.sensors() reads it.\n\n"
          "Parameters\n----------\n"
          "kind : MuJoCo's name, e.g. 'accelerometer', 'gyro', 'framepos', 'jointpos', 'touch', 'rangefinder'\n"
          "body : a Body, or the name of a site, frame or body; for kinds of joints, tendons and actuators their name\n"
          "name : key of sim.sensors(); the kind unless given\n"
          "position, rotation : of the sensor in that frame\n"
          "reference : what frame kinds are measured from, a Body or the name of a site, frame or body\n"
          "other : the second side of a contact sensor; None is anything\n"
          "cutoff : larger values are cut off, 0 for none\n"
          "noise : standard deviation, for sensors(noise=True)\n"
          "field : that a magnetometer feels, world axes\n"
          "data, num, reduce : what a contact sensor reports, of how many contacts, of which of them");
}

}  // namespace stiction::python
