// SPDX-License-Identifier: BSD-2-Clause
// Geoms of an MJCF file: shape, place, mass, surface.
#pragma once

#include <stiction/geometry/shape.h>
#include <stiction/model/mjcf/mjcf_document.h>

#include <optional>

namespace stiction {

struct MjcfSurface {
  double friction = 1.0;  // sliding
  int condim = 3, priority = 0;
  auto operator<=>(const MjcfSurface&) const = default;
};

struct MjcfGeom {
  std::string name;
  Shape shape;
  Pose pose;             // in the body
  SolidInertia inertia;  // in the geom's frame; mass 0: none
  int contype = 1, conaffinity = 1, group = 0;
  MjcfSurface surface;
  bool collides() const { return contype != 0 || conaffinity != 0; }
};

class MjcfGeoms {
 public:
  explicit MjcfGeoms(const MjcfDocument& document);
  // `element` with its defaults resolved. Nothing if it neither collides nor counts for the mass: then meshes are not even
  // opened.
  std::optional<MjcfGeom> read(const Xml& element, bool with_mass, const std::string& place) const;

 private:
  Shape mesh_shape(const std::string& name, const std::string& place) const;
  void set_shape(const Xml& element, const std::string& place, MjcfGeom& geom) const;
  SolidInertia mass_of(const Xml& element, const MjcfGeom& geom, const std::string& place) const;

  const MjcfDocument& document_;
  std::map<std::string, Xml> meshes_;
};

}  // namespace stiction
