// SPDX-License-Identifier: BSD-2-Clause
// COLLADA files (.dae) are looked at before they are read: <instance_node url="#arm"/> puts a node where it stands, so that a
// few lines can contain themselves or unfold to billions of nodes. Lists of indices hold indices.
#include <stiction/base/invalid_input.h>
#include <stiction/model/files/mesh_files.h>
#include <stiction/model/files/xml.h>

#include <algorithm>
#include <map>

namespace stiction {
namespace {

class ColladaNodes {
 public:
  ColladaNodes(const Xml& document, const std::string& file) : file_(file) {
    collect(document);
    for (const Xml* node : nodes_) count(*node);
  }

 private:
  // The library that reads the file waits for ever for the next index where something else stands.
  void check_indices(const std::string& tag, const Xml& element) const {
    if (tag != "p" && tag != "vcount" && tag != "v") return;
    if (element.data().find_first_not_of("-0123456789 \t\r\n") != std::string::npos)
      throw InvalidInput(file_ + ", line " + std::to_string(element.line()) + ": <" + tag +
                         "> holds something else than indices");
  }

  // <vcount> says how many corners each polygon takes from <p>; the library trusts it.
  void check_polygons(const Xml& element) const {
    const Xml *counts = child(element, "vcount"), *corners = child(element, "p");
    if (counts == nullptr || corners == nullptr) return;
    const std::vector<double> given = to_numbers(corners->data(), file_ + " <p>");
    double sum = 0.0;
    for (const double n : to_numbers(counts->data(), file_ + " <vcount>")) sum = n >= 0.0 ? sum + n : kInfinity;
    if (!(sum <= static_cast<double>(given.size())))
      throw InvalidInput(file_ + ", line " + std::to_string(counts->line()) +
                         ": <vcount> asks for more corners than <p> has");
  }

  void collect(const Xml& element) {
    for (const auto& [tag, part] : element) {
      check_indices(tag, part);
      check_polygons(part);
      if (tag == "instance_controller")  // skins of skins may stand for themselves
        throw InvalidInput(file_ + ", line " + std::to_string(part.line()) +
                           ": a mesh that follows a skeleton is not read; save it without");
      if (tag == "node" || tag == "visual_scene") {  // a scene is a node to those who look for its name
        nodes_.push_back(&part);
        for (const char* key : {"id", "sid", "name"})
          if (const auto name = attribute(part, key)) named_.emplace(*name, &part);
      }
      collect(part);
    }
  }

  struct Size {
    double nodes = 0.0;  // that this one unfolds to
    int depth = 0;       // of nodes inside one another; 0 while it is being counted
  };

  Size count(const Xml& node, int around = 0) {
    const auto [at, is_new] = size_.try_emplace(&node);
    if (!is_new) {
      if (at->second.depth == 0) throw InvalidInput(file_ + ": node" + name_of(node) + " contains itself");
      return at->second;
    }
    Size all{1.0, 1};
    const auto add = [&](const Xml& inner) {
      if (around >= kXmlDepth) too_large(node);  // before the stack ends
      const Size s = count(inner, around + 1);
      all.nodes += s.nodes, all.depth = std::max(all.depth, s.depth + 1);
    };
    for (const auto& [tag, part] : node) {
      if (tag == "node") add(part);
      if (tag != "instance_node") continue;
      const std::string url = attribute(part, "url").value_or("");
      const auto found = named_.find(url.starts_with("#") ? url.substr(1) : url);
      if (found != named_.end()) add(*found->second);
    }
    if (!(all.nodes <= kMostMeshNodes && all.depth <= kXmlDepth)) too_large(node);
    return size_[&node] = all;
  }

  [[noreturn]] void too_large(const Xml& node) const {
    throw InvalidInput(file_ + ": node" + name_of(node) + " unfolds to more than " +
                       std::to_string(static_cast<int>(kMostMeshNodes)) + " nodes, or to more than " +
                       std::to_string(kXmlDepth) + " inside one another");
  }

  static std::string name_of(const Xml& node) {
    const auto id = attribute(node, "id");
    return id ? " '" + *id + "'" : "";
  }

  const std::string& file_;
  std::vector<const Xml*> nodes_;
  std::map<std::string, const Xml*> named_;
  std::map<const Xml*, Size> size_;
};

}  // namespace

void check_collada(const std::string& path) {
  const std::string file = "mesh file '" + path + "'";
  const Xml document = parse_xml(read_text_file(path, "mesh"), file);
  ColladaNodes(document, file);
}

}  // namespace stiction
