// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/missing_file.h>
#include <stiction/model/files/xml.h>

#include <boost/property_tree/xml_parser.hpp>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace stiction {

namespace tree = boost::property_tree;

std::string read_text_file(const std::string& path, const std::string& what) {
  if (!std::filesystem::exists(path)) throw MissingFile(what + " file '" + path + "' does not exist; check the path");
  if (!std::filesystem::is_regular_file(path)) throw InvalidInput(what + " file '" + path + "' is not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InvalidInput(what + " file '" + path + "' cannot be opened; check its permissions");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Xml parse_xml(const std::string& text, const std::string& file) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw InvalidInput(file + " is empty, expected XML");
  std::istringstream in(text);
  Xml document;
  try {
    tree::read_xml(in, document, tree::xml_parser::no_comments | tree::xml_parser::trim_whitespace);
  } catch (const tree::xml_parser_error& e) {
    throw InvalidInput(file + " is not well-formed XML: " + e.message() + " at line " + std::to_string(e.line()));
  }
  return document;
}

std::string write_xml(const Xml& document) {
  std::ostringstream out;
  tree::write_xml(out, document);
  return out.str();
}

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

std::optional<std::string> attribute(const Xml& element, const char* name) {
  if (const Xml* attributes = child(element, "<xmlattr>"))
    if (const Xml* value = child(*attributes, name)) return value->data();
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

Vec to_vector(const std::string& text, int size, const std::string& field) {
  std::istringstream in(text);
  std::vector<double> values;
  for (std::string word; in >> word;) values.push_back(to_number(word, field));
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
