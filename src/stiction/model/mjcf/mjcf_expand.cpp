// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/missing_file.h>
#include <stiction/model/mjcf/mjcf_expand.h>
#include <stiction/model/world/checks.h>

#include <filesystem>
#include <set>

namespace stiction {
namespace {

namespace fs = std::filesystem;

constexpr int kMostReplicas = 100000;
constexpr double kMostElements = 1e6;  // of all copies of a file

class Includes {
 public:
  Includes(std::string directory, std::string file) : directory_(std::move(directory)), file_(std::move(file)) {}

  Xml expand(const Xml& element, const fs::path& folder) {
    Xml out = element.without_children();
    for (const auto& [tag, part] : element) {
      if (tag != "include") {
        out.push_back({tag, expand(part, folder)});
        continue;
      }
      const fs::path name = find(part, folder);
      for (const auto& [child_tag, child] : expand(read(name, part), name.parent_path()))
        out.push_back({child_tag, child});
    }
    return out;
  }

 private:
  // The name relative to the main file's folder.
  fs::path find(const Xml& include, const fs::path& folder) const {
    const fs::path name = required(include, "file", include.place() + ": <include>");
    for (const fs::path& tried : {name, folder / name})
      if (is_file((fs::path(directory_) / tried).string())) return tried;
    throw MissingFile(file_ + " includes '" + name.string() + "', which was not found; looked for " +
                      (fs::path(directory_) / name).string());
  }

  Xml read(const fs::path& name, const Xml& include) {
    const fs::path path = fs::path(directory_) / name;
    if (!seen_.insert(path.lexically_normal().string()).second)
      throw InvalidInput(include.place() + " includes '" + name.string() + "' twice; once is enough");
    const Xml document = parse_xml(read_text_file(path.string(), "MJCF"), name.string());
    if (document.begin() == document.end())
      throw InvalidInput(name.string() + " has no element as its root; nothing can be included");
    return document.begin()->second;  // of any name, as in MuJoCo
  }

  std::string directory_, file_;
  std::set<std::string> seen_;
};

std::string padded(int i, int digits) {
  std::string out = std::to_string(i);
  return std::string(static_cast<std::size_t>(std::max(0, digits - static_cast<int>(out.size()))), '0') + out;
}

class Replicates {
 public:
  explicit Replicates(const MjcfDocument& document) : document_(document) {}

  Xml unroll(const Xml& element) {
    Xml out = element.without_children();
    for (const auto& [tag, part] : element) {
      if (tag == "replicate")
        add_frames(part, out);
      else
        out.push_back({tag, unroll(part)});
    }
    return out;
  }

 private:
  void add_frames(const Xml& replicate, Xml& out) {
    const std::string place = replicate.place() + ": <replicate>";
    const double given = to_number(required(replicate, "count", place), place + " count");
    if (!(given >= 0.0 && made_ + given <= kMostReplicas))
      throw InvalidInput(place + " count is " + text(given) + ", expected from 0 to " + std::to_string(kMostReplicas) +
                         " copies in the whole file");
    const int count = static_cast<int>(given);
    made_ += count;
    const Xml copied = unroll(replicate);
    elements_ += count * elements_of(copied);
    if (!(elements_ <= kMostElements))
      throw InvalidInput(place + " count is " + text(given) + ": its copies have " + text(elements_) +
                         " elements in all, expected at most " + text(kMostElements));
    Xml motion;
    if (const auto offset = attribute(replicate, "offset")) motion.set("pos", *offset);
    if (const auto euler = attribute(replicate, "euler")) motion.set("euler", *euler);
    const Pose step = document_.pose(motion, place);
    const int digits = static_cast<int>(std::to_string(std::max(count - 1, 0)).size());
    Pose pose;
    for (int i = 0; i < count; ++i, pose = pose * step) {
      const Quat q(pose.rotation);
      Xml frame;
      frame.set("pos", join_numbers(pose.translation));
      frame.set("quat", join_numbers((Vec(4) << q.w(), q.vec()).finished()));
      if (const auto name = attribute(replicate, "childclass")) frame.set("childclass", *name);
      for (const auto& [tag, child] : copied) frame.push_back({tag, child});
      for (auto& [tag, child] : frame) add_suffix(child, attribute(replicate, "sep").value_or("") + padded(i, digits));
      out.push_back({"frame", std::move(frame)});
    }
  }

  static double elements_of(const Xml& element) {
    double n = 1.0;
    for (const auto& [tag, part] : element) n += elements_of(part);
    return n;
  }

  static void add_suffix(Xml& element, const std::string& suffix) {
    if (const auto name = attribute(element, "name")) element.set("name", *name + suffix);
    for (auto& [tag, part] : element) add_suffix(part, suffix);
  }

  const MjcfDocument& document_;
  int made_ = 0;
  double elements_ = 0.0;  // of the copies made so far
};

}  // namespace

std::string join_numbers(const Vec& x) {
  std::string out;
  for (const double value : x) {
    if (!out.empty()) out += ' ';
    out += text(value);
  }
  return out;
}

Xml expand_includes(const Xml& mujoco, const std::string& directory, const std::string& file) {
  return Includes(directory, file).expand(mujoco, {});
}

Xml unroll_replicates(const Xml& mujoco, const MjcfDocument& document) { return Replicates(document).unroll(mujoco); }

}  // namespace stiction
