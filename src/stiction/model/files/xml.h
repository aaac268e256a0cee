// SPDX-License-Identifier: BSD-2-Clause
// Reading XML for the loaders. Every complaint names the file, the element and what was wanted.
#pragma once

#include <stiction/base/types.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stiction {

// An element: attributes, children with their tags in the order of the file, text, and where it stands. Its own tag is kept by
// the element around it; a document is an element without attributes whose only child is the root.
class Xml {
 public:
  using Child = std::pair<std::string, Xml>;

  std::string& data() { return text_; }  // text between the tags, trimmed
  const std::string& data() const { return text_; }
  const std::vector<std::pair<std::string, std::string>>& attributes() const { return attributes_; }
  void set(const std::string& name, const std::string& value);  // adds or changes an attribute
  void erase_attribute(const std::string& name);
  void push_back(Child child) { children_.push_back(std::move(child)); }
  Xml& add_child(const std::string& tag, Xml element);
  void erase(const std::string& tag);  // all children of this tag
  bool empty() const { return attributes_.empty() && children_.empty(); }
  auto begin() const { return children_.begin(); }
  auto end() const { return children_.end(); }
  auto begin() { return children_.begin(); }
  auto end() { return children_.end(); }

  Xml without_children() const;  // attributes, text and place
  void stand_at(std::shared_ptr<const std::string> file, int line) { file_ = std::move(file), line_ = line; }
  int line() const { return line_; }  // 0 if it was not read from a file
  std::string place() const;          // "robot.xml:12", empty if it was not read from a file

 private:
  std::vector<std::pair<std::string, std::string>> attributes_;
  std::vector<Child> children_;
  std::string text_;
  std::shared_ptr<const std::string> file_;
  int line_ = 0;
};

std::string read_text_file(const std::string& path, const std::string& what);  // InvalidInput if it cannot be read
// InvalidInput with the line. Refused too: declarations of entities, and elements inside one another more than kXmlDepth times,
// and more elements than any robot has.
inline constexpr int kXmlDepth = 1000;
inline constexpr int kXmlElements = 500000;          // of a file
inline constexpr std::size_t kXmlAttributes = 1000;  // of an element: each is compared with all others
Xml parse_xml(const std::string& text, const std::string& file);
std::string write_xml(const Xml& tree);
const Xml& xml_root(const Xml& document, const char* tag, const std::string& file);  // InvalidInput if another root

std::vector<const Xml*> children(const Xml& element, const char* tag);
const Xml* child(const Xml& element, const char* tag);
Xml* child(Xml& element, const char* tag);
std::optional<std::string> attribute(const Xml& element, const char* name);
// `place` says where, for the message: "anymal.urdf: link 'base'".
std::string required(const Xml& element, const char* name, const std::string& place);
double to_number(const std::string& text, const std::string& field);
Vec to_vector(const std::string& text, int size, const std::string& field);
std::vector<double> to_numbers(const std::string& text, const std::string& field);  // as many as there are
Vec3 vec3_attribute(const Xml& element, const char* name, const Vec3& otherwise, const std::string& place);
Mat3 roll_pitch_yaw(const Vec3& rpy);                            // Rz(yaw) Ry(pitch) Rx(roll)
Pose urdf_origin(const Xml& element, const std::string& place);  // <origin xyz rpy>, identity if absent

}  // namespace stiction
