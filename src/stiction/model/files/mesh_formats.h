// SPDX-License-Identifier: BSD-2-Clause
// The two formats that nearly all robots' meshes have, read without a library: binary STL and Wavefront OBJ.
#pragma once

#include <stiction/base/types.h>

#include <optional>
#include <string>
#include <vector>

namespace stiction {

struct RawMesh {
  std::vector<Vec3> vertices;
  std::vector<Eigen::Vector3i> triangles;  // counter-clockwise seen from outside
};

// Nothing if these bytes are not of the format, or in a form of it that is not read here.
std::optional<RawMesh> read_binary_stl(const std::string& bytes);  // equal corners are one vertex
std::optional<RawMesh> read_obj(const std::string& text);  // polygons as fans; materials and normals are left out

}  // namespace stiction
