// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/missing_file.h>
#include <stiction/model/files/xml.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace stiction {
namespace {

// A path that is told: some are megabytes.
std::string shortened(const std::string& path) { return path.size() <= 300 ? path : path.substr(0, 300) + "…"; }

}  // namespace

std::string read_text_file(const std::string& path, const std::string& what) {
  std::error_code why;
  const bool there = path.find('\0') == std::string::npos && std::filesystem::exists(path, why);
  if (!there && why) throw InvalidInput(what + " file '" + shortened(path) + "' cannot be opened: " + why.message());
  if (!there) throw MissingFile(what + " file '" + shortened(path) + "' does not exist; check the path");
  if (!is_file(path)) throw InvalidInput(what + " file '" + path + "' is not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InvalidInput(what + " file '" + path + "' cannot be opened; check its permissions");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void Xml::set(const std::string& name, const std::string& value) {
  for (auto& [key, old] : attributes_)
    if (key == name) {
      old = value;
      return;
    }
  attributes_.emplace_back(name, value);
}

void Xml::erase_attribute(const std::string& name) {
  std::erase_if(attributes_, [&](const auto& a) { return a.first == name; });
}

Xml& Xml::add_child(const std::string& tag, Xml element) {
  children_.emplace_back(tag, std::move(element));
  return children_.back().second;
}

void Xml::erase(const std::string& tag) {
  std::erase_if(children_, [&](const Child& c) { return c.first == tag; });
}

Xml Xml::without_children() const {
  Xml out;
  out.attributes_ = attributes_, out.text_ = text_, out.file_ = file_, out.line_ = line_;
  return out;
}

std::string Xml::place() const { return file_ ? *file_ + ":" + std::to_string(line_) : std::string(); }

const Xml& xml_root(const Xml& document, const char* tag, const std::string& file) {
  if (const Xml* root = child(document, tag)) return *root;
  const std::string found = document.empty() ? "nothing" : "<" + document.begin()->first + ">";
  throw InvalidInput(file + " has " + found + " as its root, expected <" + tag + ">");
}

std::vector<const Xml*> children(const Xml& element, const char* tag) {
  std::vector<const Xml*> out;
  for (const auto& [name, node] : element)
    if (name == tag) out.push_back(&node);
  return out;
}

const Xml* child(const Xml& element, const char* tag) {
  for (const auto& [name, node] : element)
    if (name == tag) return &node;
  return nullptr;
}

Xml* child(Xml& element, const char* tag) {
  for (auto& [name, node] : element)
    if (name == tag) return &node;
  return nullptr;
}

std::optional<std::string> attribute(const Xml& element, const char* name) {
  for (const auto& [key, value] : element.attributes())
    if (key == name) return value;
  return std::nullopt;
}

std::string required(const Xml& element, const char* name, const std::string& place) {
  if (const auto value = attribute(element, name); value && !value->empty()) return *value;
  throw InvalidInput(place + " has no attribute '" + name + "'");
}

double to_number(const std::string& text, const std::string& field) {
  const std::size_t first = text.find_first_not_of(" \t\r\n+"), last = text.find_last_not_of(" \t\r\n");
  double x = 0.0;
  if (first != std::string::npos) {
    const auto [end, error] = std::from_chars(text.data() + first, text.data() + last + 1, x);
    if (error == std::errc{} && end == text.data() + last + 1 && std::isfinite(x)) return x;
  }
  throw InvalidInput(field + " is '" + text + "', expected a finite number");
}

std::vector<double> to_numbers(const std::string& text, const std::string& field) {
  std::istringstream in(text);
  std::vector<double> out;
  for (std::string word; in >> word;) out.push_back(to_number(word, field));
  return out;
}

Vec to_vector(const std::string& text, int size, const std::string& field) {
  const std::vector<double> values = to_numbers(text, field);
  if (static_cast<int>(values.size()) != size)
    throw InvalidInput(field + " is '" + text + "', expected " + std::to_string(size) + " numbers");
  return Eigen::Map<const Vec>(values.data(), size);
}

Vec3 vec3_attribute(const Xml& element, const char* name, const Vec3& otherwise, const std::string& place) {
  const auto value = attribute(element, name);
  return value ? Vec3(to_vector(*value, 3, place + " " + name)) : otherwise;
}

Mat3 roll_pitch_yaw(const Vec3& rpy) {
  return (Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vec3::UnitY()) *
          Eigen::AngleAxisd(rpy.x(), Vec3::UnitX()))
      .toRotationMatrix();
}

Pose urdf_origin(const Xml& element, const std::string& place) {
  const Xml* origin = child(element, "origin");
  if (!origin) return {};
  return {roll_pitch_yaw(vec3_attribute(*origin, "rpy", Vec3::Zero(), place + " <origin>")),
          vec3_attribute(*origin, "xyz", Vec3::Zero(), place + " <origin>")};
}

}  // namespace stiction
