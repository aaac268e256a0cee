// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/model/mjcf_writer/mjcf_text.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stiction {
namespace {

constexpr std::size_t kShownNames = 6;

// Lines and two spaces per level: a file for people.
void indent(const std::string& tag, const Xml& element, int level, std::string& out) {
  Xml document;
  document.add_child(tag, element.without_children());
  std::string line = write_xml(document);
  line = line.substr(line.find('\n') + 1);  // without <?xml?>
  line.resize(line.rfind("></"));
  const std::string margin(2 * static_cast<std::size_t>(level), ' ');
  if (element.begin() == element.end()) {
    out += margin + line + "/>\n";
    return;
  }
  out += margin + line + ">\n";
  for (const auto& [name, part] : element) indent(name, part, level + 1, out);
  out += margin + "</" + tag + ">\n";
}

}  // namespace

MjcfText::MjcfText(const World& w, const std::filesystem::path& file)
    : world(w), path(file), parts_(w.bodies.size() + 1), merged_(w.bodies.size(), false) {
  find_merged();
  names_["body"].insert("world");  // what stands still
  compiler.set("angle", "radian");
  compiler.set("inertiafromgeom", "false");
  for (const Site& site : world.sites) {
    std::string called = name("site", site.name, site.robot >= 0 ? world.robots[site.robot].name : "");
    sites_.push_back({site.body, site.placement, site.zone, std::move(called)});
  }
  for (const Tendon& t : world.tendons) tendon_names.push_back(name("tendon", t.name));
  for (const Actuator& a : world.actuators)
    actuator_names.push_back(name("actuator", a.name, a.robot >= 0 ? world.robots[a.robot].name : ""));
  geom_names.resize(world.geoms.size());
}

// A massless body is a joint of the next one if it carries that alone, and nothing names it.
void MjcfText::find_merged() {
  const auto n = world.bodies.size();
  std::vector<int> children(n, 0);
  std::vector<bool> named(n, false);
  const auto note = [&named](BodyId b) {
    if (b != kWorldBody) named[static_cast<std::size_t>(b)] = true;
  };
  for (const Body& b : world.bodies)
    if (b.parent != kWorldBody) ++children[static_cast<std::size_t>(b.parent)];
  for (const Geom& g : world.geoms) note(g.body);
  for (const Frame& f : world.frames) note(f.body);
  for (const Site& s : world.sites) note(s.body);
  for (const Loop& l : world.loops) note(l.a), note(l.b);
  for (const FluidPart& f : world.fluid) note(f.body);
  for (const GravityCompensation& g : world.gravity_compensation) note(g.body);
  for (const Tendon& t : world.tendons)
    for (const PathPoint& p : t.path) note(p.body), note(p.side_body);
  for (const Actuator& a : world.actuators)
    if (a.target == Actuator::site) note(a.body), note(a.reference_body);
  for (const Sensor& s : world.sensors) {
    const SensorObject about = sensor_info(s.kind).object;
    if (about == SensorObject::frame || about == SensorObject::subtree || about == SensorObject::contacts)
      note(s.object);
    if (s.relative) note(s.reference);
  }
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const Body &b = world.bodies[i], &next = world.bodies[i + 1];
    const auto simple = [](JointKind k) { return sizes(k).nv == 1; };  // balls stand alone in MJCF
    merged_[i] = b.inertia.mass == 0.0 && b.inertia.about_com.isZero(0.0) && children[i] == 1 && !named[i] &&
                 next.parent == static_cast<BodyId>(i) && simple(b.joint) && simple(next.joint);
  }
}

BodyId MjcfText::written_parent(BodyId body) const {
  BodyId up = world.bodies[static_cast<std::size_t>(body)].parent;
  while (up != kWorldBody && is_merged(up)) up = world.bodies[static_cast<std::size_t>(up)].parent;
  return up;
}

std::string MjcfText::owner_of(BodyId body) const {
  if (body == kWorldBody) return "";
  const int robot = world.trees[static_cast<std::size_t>(world.bodies[static_cast<std::size_t>(body)].tree)].robot;
  return robot >= 0 ? world.robots[static_cast<std::size_t>(robot)].name : "";
}

std::string MjcfText::name(const std::string& kind, const std::string& wanted, const std::string& owner) {
  std::set<std::string>& taken = names_[kind];
  std::string out = wanted.empty() ? kind : wanted;
  if (taken.contains(out) && !owner.empty()) out = owner + "/" + out;
  const std::string base = out;
  for (int i = 2; taken.contains(out); ++i) out = base + "_" + std::to_string(i);
  taken.insert(out);
  const bool spoken_of = kind != "geom" && kind != "equality" && !wanted.empty();  // by somebody, perhaps
  if (out != wanted && spoken_of) tell("renamed, since names of MJCF must differ", kind + " " + wanted + " to " + out);
  return out;
}

std::string MjcfText::site_at(BodyId body, const Pose& pose, const std::string& hint, const Zone* zone) {
  for (const Placed& s : sites_) {
    const bool same_zone = zone == nullptr || (s.zone.kind == zone->kind && s.zone.size == zone->size);
    if (s.body == body && same_pose(s.pose, pose) && same_zone) return s.name;
  }
  sites_.push_back({body, pose, zone ? *zone : Zone{}, name("site", hint)});
  return sites_.back().name;
}

double MjcfText::start_of(BodyId body) const {
  const Body& b = world.bodies[static_cast<std::size_t>(body)];
  return b.joint == JointKind::continuous ? std::atan2(world.q0[b.q + 1], world.q0[b.q]) : world.q0[b.q];
}

void MjcfText::tell(const std::string& what, const std::string& of) {
  const auto found = std::find_if(told_.begin(), told_.end(), [&](const auto& t) { return t.first == what; });
  (found == told_.end() ? told_.emplace_back(what, std::vector<std::string>{}) : *found).second.push_back(of);
}

std::vector<std::string> MjcfText::sentences() const {
  std::vector<std::string> out;
  for (const auto& [what, names] : told_) {
    std::string line = what + ":";
    for (std::size_t i = 0; i < std::min(names.size(), kShownNames); ++i) line += (i == 0 ? " " : ", ") + names[i];
    if (names.size() > kShownNames) line += " and " + std::to_string(names.size() - kShownNames) + " more";
    out.push_back(std::move(line));
  }
  return out;
}

void MjcfText::add(BodyId body, Xml& around) const {
  const Parts& parts = parts_[static_cast<std::size_t>(body + 1)];
  Xml element = parts.element;
  for (const auto* list : {&parts.own, &parts.geoms, &parts.sites, &parts.others})
    for (const Xml::Child& child : *list) element.push_back(child);
  for (const BodyId child : parts.children) add(child, element);
  around.push_back({"body", std::move(element)});
}

// Several <worldbody>s, so that static geoms stand between the trees as they do in the world: contacts then have the same order.
void MjcfText::add_world(Xml& mujoco) const {
  const Parts& parts = parts_.front();
  std::vector<std::size_t> first(world.trees.size(), 0);  // geoms of each tree, and of none before it
  std::vector<std::size_t> still;
  for (std::size_t g = world.geoms.size(); g-- > 0;) {
    const BodyId body = world.geoms[g].body;
    if (body == kWorldBody)
      still.insert(still.begin(), g);
    else
      first[static_cast<std::size_t>(world.bodies[static_cast<std::size_t>(body)].tree)] = g;
  }
  Xml section;
  for (const auto* list : {&parts.sites, &parts.others})
    for (const Xml::Child& child : *list) section.push_back(child);
  bool bodies = false;
  std::size_t next = 0;
  const auto add_still = [&](std::size_t end) {
    for (; next < still.size() && still[next] < end; ++next) {
      if (bodies) mujoco.push_back({"worldbody", std::exchange(section, Xml{})}), bodies = false;
      section.push_back(parts.geoms[next]);
    }
  };
  for (const BodyId root : parts.children) {
    add_still(first[static_cast<std::size_t>(world.bodies[static_cast<std::size_t>(root)].tree)]);
    add(root, section);
    bodies = true;
  }
  add_still(world.geoms.size());
  mujoco.push_back({"worldbody", std::move(section)});
}

std::string MjcfText::whole() const {
  static constexpr const char* kZones[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
  MjcfText copy = *this;
  for (const Placed& s : sites_) {
    Xml site;
    site.set("name", s.name);
    set_mjcf_pose(site, s.pose);
    if (s.zone.kind != Zone::sphere) site.set("type", kZones[s.zone.kind]);
    if (s.zone.kind != Zone::sphere || s.zone.size != Zone{}.size) site.set("size", mjcf_numbers(s.zone.size));
    copy.parts_of(s.body).sites.push_back({"site", std::move(site)});
  }
  if (!flags.empty()) copy.option.push_back({"flag", flags});
  Xml mujoco;
  mujoco.set("model", path.stem().string());
  mujoco.push_back({"compiler", compiler});
  mujoco.push_back({"option", copy.option});
  if (!assets.empty()) mujoco.push_back({"asset", assets});
  copy.add_world(mujoco);
  const std::pair<const char*, const Xml*> sections[] = {{"contact", &contact},   {"tendon", &tendon},
                                                         {"equality", &equality}, {"actuator", &actuator},
                                                         {"sensor", &sensor},     {"keyframe", &keyframe}};
  for (const auto& [tag, section] : sections)
    if (!section->empty()) mujoco.push_back({tag, *section});
  std::string out = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
  indent("mujoco", mujoco, 0, out);
  return out;
}

std::string mjcf_numbers(const Vec& x) {
  std::string out;
  for (const double value : x) {
    if (!out.empty()) out += ' ';
    out += text(value);
  }
  return out;
}

void set_number(Xml& element, const char* key, double x, double usual) {
  if (x != usual) element.set(key, text(x));
}

void set_mjcf_pose(Xml& element, const Pose& pose) {
  if (!pose.translation.isZero(0.0)) element.set("pos", mjcf_numbers(pose.translation));
  if (pose.rotation == Mat3::Identity()) return;
  const Quat q = Quat(pose.rotation).normalized();
  element.set("quat", mjcf_numbers((Vec(4) << q.w(), q.vec()).finished()));
}

std::string joint_label(const MjcfText& text, BodyId body) {
  const std::string& known = text.joint_names[static_cast<std::size_t>(body)];
  return known.empty() ? text.world.bodies[static_cast<std::size_t>(body)].name : known;
}

bool same_pose(const Pose& a, const Pose& b) { return a.rotation == b.rotation && a.translation == b.translation; }

void set_softness(Xml& element, const Softness& s, const char* solref, const char* solimp) {
  if (!s.given) return;
  const Softness usual;
  if (s.reference != usual.reference) element.set(solref, mjcf_numbers(s.reference));
  if (s.impedance != usual.impedance)
    element.set(solimp,
                mjcf_numbers(Eigen::Map<const Vec>(s.impedance.data(), static_cast<Eigen::Index>(s.impedance.size()))));
}

}  // namespace stiction
