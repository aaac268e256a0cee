// SPDX-License-Identifier: BSD-2-Clause
// Sensors. In MJCF a sensor means a whole body with all its geoms, or all that hangs on it; one that means a part of them (a link of
// the file that it came from, which is merged with another one here) is left out and told.
#include <stiction/model/mjcf_writer/mjcf_text.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

class SensorWriter {
 public:
  explicit SensorWriter(MjcfText& text) : text_(text), w_(text.world) {}

  void write(const Sensor& s) {
    const SensorInfo& info = sensor_info(s.kind);
    Xml element;
    element.set("name",
                text_.name("sensor", s.name, s.robot >= 0 ? w_.robots[static_cast<std::size_t>(s.robot)].name : ""));
    if (!set_object(info, s, element))
      return text_.tell(std::string("left out: sensors that mean a part of a body, kind ") + info.name, s.name);
    set_number(element, "cutoff", s.cutoff, 0.0);
    set_number(element, "noise", s.noise, 0.0);
    if (s.kind == SensorKind::magnetometer) set_field(s);
    text_.sensor.push_back({info.name, std::move(element)});
  }

 private:
  bool set_object(const SensorInfo& info, const Sensor& s, Xml& element) {
    const auto object = static_cast<std::size_t>(s.object);
    switch (info.object) {
      case SensorObject::joint:
      case SensorObject::ball:
        return set(element, "joint", text_.joint_names[object]);
      case SensorObject::tendon:
        return set(element, "tendon", text_.tendon_names[object]);
      case SensorObject::actuator:
        return set(element, "actuator", text_.actuator_names[object]);
      case SensorObject::subtree:
        return whole_subtree(s) && set(element, "body", body_name(s.object));
      case SensorObject::contacts:
        return set_contact(s, element);
      case SensorObject::frame:
        return set_frame(s, element);
      case SensorObject::world:
        return s.kind != SensorKind::e_potential ||
               std::all_of(s.parts.begin(), s.parts.end(), [](const SensorPart& p) { return p.mass == 0.0; });
    }
    return false;
  }

  static bool set(Xml& element, const char* key, const std::string& value) {
    if (!value.empty()) element.set(key, value);
    return !value.empty();
  }

  std::string body_name(BodyId body) const {
    return body == kWorldBody ? "world" : text_.body_names[static_cast<std::size_t>(body)];
  }

  bool set_frame(const Sensor& s, Xml& element) {
    const bool beyond = s.kind == SensorKind::force || s.kind == SensorKind::torque;
    if (beyond && (!whole_subtree(s) || s.geoms != geoms_of(subtree(s.object)))) return false;
    if ((s.kind == SensorKind::touch || s.kind == SensorKind::rangefinder) && s.geoms != geoms_of({s.object}))
      return false;
    const std::string site =
        text_.site_at(s.object, s.placement, s.name + "_site", s.kind == SensorKind::touch ? &s.zone : nullptr);
    if (s.kind < SensorKind::framepos || s.kind > SensorKind::frameangacc) return set(element, "site", site);
    set(element, "objtype", "site"), set(element, "objname", site);
    if (!s.relative) return true;
    set(element, "reftype", "site");
    return set(element, "refname", text_.site_at(s.reference, s.reference_placement, s.name + "_reference"));
  }

  bool set_contact(const Sensor& s, Xml& element) {
    const ContactReading& r = s.reading;
    if (r.first && !set_side(s.geoms, "1", element)) return false;
    if (r.second && !set_side(s.others, "2", element)) return false;
    if (r.inside) set(element, "site", text_.site_at(s.object, s.placement, s.name + "_site", &s.zone));
    std::string fields;
    for (int f = 0; f < ContactReading::kFields; ++f)
      if ((r.fields >> f & 1U) != 0) fields.append(fields.empty() ? "" : " ").append(contact_field_name(f));
    static constexpr const char* kReduce[] = {"none", "mindist", "maxforce", "netforce"};
    element.set("num", std::to_string(r.slots));
    element.set("data", fields);
    element.set("reduce", kReduce[r.reduce]);
    return true;
  }

  // The geom, body or subtree that has these geoms.
  bool set_side(const std::vector<int>& geoms, const std::string& number, Xml& element) {
    if (geoms.empty()) return false;
    if (geoms.size() == 1)
      return set(element, ("geom" + number).c_str(), text_.geom_names[static_cast<std::size_t>(geoms[0])]);
    for (BodyId b = kWorldBody; b < static_cast<BodyId>(w_.bodies.size()); ++b) {
      if (b != kWorldBody && text_.is_merged(b)) continue;
      if (geoms_of({b}) == geoms) return set(element, ("body" + number).c_str(), body_name(b));
      if (b != kWorldBody && geoms_of(subtree(b)) == geoms)
        return set(element, ("subtree" + number).c_str(), body_name(b));
    }
    std::vector<int> all(w_.geoms.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    return geoms == all && set(element, ("subtree" + number).c_str(), "world");
  }

  // All bodies beyond, and they whole?
  bool whole_subtree(const Sensor& s) const {
    std::map<BodyId, double> masses;
    for (const SensorPart& p : s.parts) masses[p.body] += p.mass;
    double standing = 0.0;
    if (masses.contains(kWorldBody)) standing = masses[kWorldBody], masses.erase(kWorldBody);
    if (standing != 0.0) return false;
    for (const BodyId b : subtree(s.object)) {
      const double mass = w_.bodies[static_cast<std::size_t>(b)].inertia.mass;
      if (std::abs(masses[b] - mass) > 1e-9 * mass) return false;
      masses.erase(b);
    }
    return masses.empty();
  }

  std::vector<BodyId> subtree(BodyId root) const {
    std::vector<BodyId> out;
    for (BodyId i = 0; i < static_cast<BodyId>(w_.bodies.size()); ++i) {
      BodyId above = i;
      while (above != root && above != kWorldBody) above = w_.bodies[static_cast<std::size_t>(above)].parent;
      if (above == root) out.push_back(i);
    }
    return out;
  }

  std::vector<int> geoms_of(const std::vector<BodyId>& bodies) const {
    std::vector<int> out;
    for (std::size_t i = 0; i < w_.geoms.size(); ++i)
      if (std::find(bodies.begin(), bodies.end(), w_.geoms[i].body) != bodies.end()) out.push_back(static_cast<int>(i));
    return out;
  }

  // MJCF has one field for all.
  void set_field(const Sensor& s) {
    const std::string field = mjcf_numbers(s.field);
    if (const auto known = attribute(text_.option, "magnetic"); known && *known != field)
      return text_.tell("the field of another magnetometer is taken: magnetometers", s.name);
    text_.option.set("magnetic", field);
  }

  MjcfText& text_;
  const World& w_;
};

}  // namespace

void write_mjcf_sensors(MjcfText& text) {
  SensorWriter writer(text);
  for (const Sensor& s : text.world.sensors) writer.write(s);
}

}  // namespace stiction
