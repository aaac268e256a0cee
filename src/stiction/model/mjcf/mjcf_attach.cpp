// SPDX-License-Identifier: BSD-2-Clause
// <attach model="arm" body="base" prefix="left_"/>: the body of another file (<asset><model name file>) with all below it, and what
// that file says about its joints, bodies and geoms (contact, equality, actuator, tendon). Names get the prefix. The other file's
// defaults and units are put into its elements first; they have the class kAttached, which says nothing. Kinds of actuators share their
// defaults, so actuators keep their class, and the defaults of the other file come along under names of their own.
#include <stiction/base/field.h>
#include <stiction/base/missing_file.h>
#include <stiction/model/mjcf/mjcf_expand.h>
#include <stiction/model/world/checks.h>

#include <filesystem>
#include <numbers>
#include <set>
#include <sstream>

namespace stiction {
namespace {

namespace fs = std::filesystem;

constexpr int kMostNested = 20;

const std::set<std::string> kReferences = {
    "joint",   "joint1",  "joint2",  "jointinparent", "body",    "body1",   "body2",    "geom",      "geom1",
    "geom2",   "site",    "site1",   "site2",         "tendon",  "mesh",    "hfield",   "cranksite", "slidersite",
    "refsite", "tendon1", "tendon2", "sidesite",      "objname", "refname", "actuator", "subtree1",  "subtree2"};

class Part {
 public:
  Part(const MjcfDocument& part, const MjcfDocument& whole, std::string prefix, int number)
      : part_(part), whole_(whole), prefix_(std::move(prefix)), classes_(kAttachedClass + std::to_string(number)) {}

  // The body, or everything in the worldbody, as children of a <frame>.
  Xml frame(const std::string& body, const Xml& attach) {
    Xml out;
    bool found = false;
    for (const Xml* world : children(part_.mujoco(), "worldbody")) {
      if (body.empty())
        for (const auto& [tag, child] : *world) out.push_back({tag, copied(tag, child, "")}), found = true;
      else
        found = take(*world, body, "", out) || found;
    }
    if (!found)
      throw InvalidInput(attach.place() + ": <attach> names the body '" + body + "', which " + part_.file() +
                         " does not have");
    return out;
  }

  // Sections whose elements are about what was attached, and all assets.
  void add_sections(Xml& mujoco) {
    for (const auto& [section, element] : part_.mujoco()) {
      if (section == "asset") mujoco.push_back({section, assets(element)});
      if (section == "default") mujoco.push_back({section, defaults(element, "main")});
      if (section != "contact" && section != "equality" && section != "actuator" && section != "tendon" &&
          section != "sensor")
        continue;
      Xml kept = element.without_children();
      for (const auto& [tag, child] : element)
        if (is_about(child))
          kept.push_back({tag, section == "actuator" ? actuator(tag, child) : copied(tag, child, "")});
      if (kept.begin() != kept.end()) mujoco.push_back({section, kept});
    }
  }

 private:
  bool take(const Xml& element, const std::string& body, const std::string& childclass, Xml& out) {
    for (const auto& [tag, child] : element) {
      if (tag != "body" && tag != "frame") continue;
      if (tag == "body" && attribute(child, "name") == body) {
        Xml root = copied(tag, child, childclass);
        out.push_back({tag, root});
        return true;
      }
      if (take(child, body, attribute(child, "childclass").value_or(childclass), out)) return true;
    }
    return false;
  }

  Xml copied(const std::string& tag, const Xml& element, const std::string& childclass) {
    const bool holder = tag == "body" || tag == "frame";
    const std::string inner = attribute(element, "childclass").value_or(childclass);
    const Xml resolved = holder || tag == "inertial"
                             ? element
                             : part_.resolve(tag == "fixed" || tag == "spatial" ? "tendon" : tag, element, childclass);
    Xml out = resolved.without_children();
    for (const char* key : {"class", "childclass", "material"}) out.erase_attribute(key);
    for (const auto& [key, value] : resolved.attributes()) {
      if (!attribute(out, key.c_str())) continue;
      const bool named = key == "name" || (kReferences.contains(key) && value != "world");
      out.set(key, named && !value.empty() ? prefix_ + value : value);
      if (key == "name") names_.insert(value);
    }
    if (!holder && tag != "inertial") out.set("class", kAttachedClass);
    in_units(tag, resolved, out);
    for (const auto& [child_tag, child] : element) out.push_back({child_tag, copied(child_tag, child, inner)});
    return out;
  }

  std::string class_name(const std::string& name) const { return name == "main" ? classes_ : classes_ + "/" + name; }

  // A class and those in it; `otherwise`: the name of one that has none.
  Xml defaults(const Xml& element, const std::string& otherwise) const {
    Xml out;
    out.set("class", class_name(attribute(element, "class").value_or(otherwise)));
    for (const auto& [tag, child] : element)
      out.push_back({tag, tag == "default" ? defaults(child, otherwise) : child});
    return out;
  }

  Xml actuator(const std::string& tag, const Xml& element) {
    Xml out = copied(tag, element, "");
    const auto resolved = out.attributes();
    for (const auto& [key, value] : resolved)
      if (!attribute(element, key.c_str())) out.erase_attribute(key);  // that its class says
    out.set("class", class_name(attribute(element, "class").value_or("main")));
    return out;
  }

  // Angles as numbers of the whole file.
  void in_units(const std::string& tag, const Xml& element, Xml& out) const {
    if (attribute(element, "euler") || attribute(element, "axisangle")) {
      const Quat q(part_.pose(element, part_.file()).rotation);
      out.erase_attribute("euler"), out.erase_attribute("axisangle");
      out.set("quat", join_numbers((Vec(4) << q.w(), q.vec()).finished()));
    }
    const bool turns = tag == "joint" && attribute(element, "type").value_or("hinge") != "slide";
    if (!turns || part_.compiler().degrees == whole_.compiler().degrees) return;
    const double factor = part_.compiler().degrees ? std::numbers::pi / 180.0 : 180.0 / std::numbers::pi;
    for (const char* key : {"range", "ref", "springref"})
      if (const auto value = attribute(element, key)) {
        std::string scaled;
        std::istringstream in(*value);
        for (std::string word; in >> word;) scaled += text(factor * to_number(word, key)) + " ";
        out.set(key, scaled);
      }
  }

  Xml assets(const Xml& section) {
    Xml out = section.without_children();
    for (const auto& [tag, asset] : section) {
      if (tag != "mesh" && tag != "hfield") continue;
      Xml element = copied(tag, asset, "");
      if (const auto file = attribute(asset, "file")) {
        const MjcfCompiler& c = part_.compiler();
        const fs::path name = c.strip_path ? fs::path(*file).filename() : fs::path(*file);
        element.set("file", fs::absolute(fs::path(part_.directory()) / c.mesh_folder / name).string());
        if (!attribute(asset, "name")) element.set("name", prefix_ + fs::path(*file).stem().string());
      }
      out.push_back({tag, element});
    }
    return out;
  }

  // Whether all that it names was attached.
  bool is_about(const Xml& element) const {
    for (const auto& [key, value] : element.attributes())
      if (kReferences.contains(key) && value != "world" && !names_.contains(value)) return false;
    for (const auto& [tag, child] : element)
      if (!is_about(child)) return false;
    return true;
  }

  const MjcfDocument& part_;
  const MjcfDocument& whole_;
  std::string prefix_, classes_;
  std::set<std::string> names_;  // of what was attached, without the prefix
};

class Attacher {
 public:
  Attacher(const Xml& mujoco, const MjcfDocument& whole, int depth) : whole_(whole), depth_(depth) {
    for (const Xml* section : children(mujoco, "asset"))
      for (const Xml* model : children(*section, "model")) {
        const std::string file = required(*model, "file", model->place() + ": <model>");
        models_[attribute(*model, "name").value_or(fs::path(file).stem().string())] = file;
      }
  }

  Xml run(const Xml& mujoco) {
    Xml out = expand(mujoco);
    for (const auto& section : sections_) out.push_back(section);
    return out;
  }

 private:
  Xml expand(const Xml& element) {
    Xml out = element.without_children();
    for (const auto& [tag, child] : element) {
      if (tag == "attach")
        out.push_back({"frame", attached(child)});
      else
        out.push_back({tag, expand(child)});
    }
    return out;
  }

  Xml attached(const Xml& attach) {
    const std::string place = attach.place() + ": <attach>", name = required(attach, "model", place);
    if (depth_ >= kMostNested)
      throw InvalidInput(place + ": models are attached to one another more than " + std::to_string(kMostNested) +
                         " deep");
    const auto found = models_.find(name);
    if (found == models_.end()) {
      std::vector<std::string> known;
      for (const auto& [key, file] : models_) known.push_back(key);
      throw InvalidInput(place + ": " + unknown_name("model", name, known));
    }
    const fs::path path = fs::path(whole_.directory()) / found->second;
    if (!is_file(path.string()))
      throw MissingFile(place + " names the model '" + name + "', which was not found; looked for " + path.string());
    const MjcfDocument document(path.string(), depth_ + 1);
    Part part(document, whole_, attribute(attach, "prefix").value_or(""), attached_++);
    Xml frame = part.frame(attribute(attach, "body").value_or(""), attach);
    Xml more;
    part.add_sections(more);
    for (const auto& section : more) sections_.push_back(section);
    return frame;
  }

  const MjcfDocument& whole_;
  int depth_, attached_ = 0;
  std::map<std::string, std::string> models_;
  std::vector<Xml::Child> sections_;
};

}  // namespace

Xml attach_models(const Xml& mujoco, const MjcfDocument& whole, int depth) {
  return Attacher(mujoco, whole, depth).run(mujoco);
}

}  // namespace stiction
