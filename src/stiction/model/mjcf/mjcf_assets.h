// SPDX-License-Identifier: BSD-2-Clause
// Meshes and height fields of an MJCF file.
#pragma once

#include <stiction/geometry/shape.h>
#include <stiction/model/mjcf/mjcf_document.h>

#include <optional>

namespace stiction {

class MjcfAssets {
 public:
  explicit MjcfAssets(const MjcfDocument& document);
  // `place` says who asks for it. Vertices are (x − refpos), turned back by refquat, then scaled.
  Shape mesh(const std::string& name, const std::string& place) const;
  // What a shape collides as: a mesh as its convex hull, if it has volume. Read and computed once for each mesh.
  Shape colliding(const Shape& shape) const;
  std::string inertia_rule(const std::string& mesh) const;  // of mesh_integrals()
  // Heights from 0 to the elevation of the asset. Files: PNG (grey values, first row at the far end of y), or MuJoCo's binary
  // format: int32 rows, int32 columns, float32 values, first row at the near end.
  Shape heightfield(const std::string& name, const std::string& place) const;

 private:
  Shape read_mesh(const std::string& name, const std::string& place) const;
  const Xml& find(const std::map<std::string, Xml>& assets, const char* what, const std::string& name,
                  const std::string& place) const;
  std::string path(const Xml& asset, const std::string& file, const std::string& place) const;

  const MjcfDocument& document_;
  std::map<std::string, Xml> meshes_, heightfields_;
  mutable std::map<std::string, Shape> shapes_;         // that were read, by name
  mutable std::map<const TriangleMesh*, Shape> hulls_;  // of those
};

// A primitive of the type box, sphere, capsule, cylinder or ellipsoid as large as a mesh: its half sizes, and its place in the
// mesh's frame. By the mesh's inertia (that of a box with the same moments), or by its bounding box in the principal axes.
struct MjcfFit {
  Vec3 size = Vec3::Zero();
  Pose pose;
};
MjcfFit fit_to_mesh(const Shape& mesh, const std::string& rule, const std::string& type, bool by_box);

}  // namespace stiction
