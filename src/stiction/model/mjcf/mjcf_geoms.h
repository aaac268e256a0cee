// SPDX-License-Identifier: BSD-2-Clause
// Geoms of an MJCF file: shape, place, mass, surface.
#pragma once

#include <stiction/geometry/shape.h>
#include <stiction/model/mjcf/mjcf_assets.h>

#include <array>
#include <optional>
#include <set>

namespace stiction {

// What the list does not reach keeps its value.
template <std::size_t n>
void read_list(const Xml& element, const char* name, const std::string& place, std::array<double, n>& to) {
  const auto given = attribute(element, name);
  if (!given) return;
  const std::vector<double> x = to_numbers(*given, place + " " + name);
  std::copy_n(x.begin(), std::min(n, x.size()), to.begin());
}

struct MjcfSurface {
  double friction = 1.0;                     // sliding
  double torsion = 0.005, rolling = 0.0001;  // [m]; act from condim 4 and 6 on
  int condim = 3, priority = 0;
  double margin = 0.0;  // [m]
  std::array<double, 2> solref{0.02, 1.0};
  std::array<double, 5> solimp{0.9, 0.95, 0.001, 0.5, 2.0};
  double solmix = 1.0;
  int own = 0;  // not 0: the geom is part of a <pair> and has a surface of its own
  auto operator<=>(const MjcfSurface&) const = default;
};

struct MjcfGeom {
  std::string name;
  Shape shape;
  Pose pose;             // in the body
  SolidInertia inertia;  // in the geom's frame; mass 0: none
  int contype = 1, conaffinity = 1, group = 0;
  MjcfSurface surface;
  bool paired = false;   // named by a <pair>
  bool wrapped = false;  // named by a <tendon>
  bool collides() const { return contype != 0 || conaffinity != 0 || paired; }
};

class MjcfGeoms {
 public:
  explicit MjcfGeoms(const MjcfDocument& document);
  // `element` with its defaults resolved. Nothing if it neither collides nor counts for the mass nor is part of a tendon: then meshes are
  // not even opened.
  std::optional<MjcfGeom> read(const Xml& element, bool with_mass, const std::string& place) const;

  const MjcfAssets& assets() const { return assets_; }

 private:
  MjcfFit fit_of(const Xml& element, const std::string& type, const std::string& place) const;
  void set_shape(const Xml& element, const std::string& place, MjcfGeom& geom) const;
  SolidInertia mass_of(const Xml& element, const MjcfGeom& geom, const std::string& place) const;

  const MjcfDocument& document_;
  MjcfAssets assets_;
  std::set<std::string> paired_, wrapped_;  // names of geoms in <contact><pair>, in <tendon><spatial>
};

}  // namespace stiction
