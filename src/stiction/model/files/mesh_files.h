// SPDX-License-Identifier: BSD-2-Clause
// Finds the mesh files that robot descriptions name.
#pragma once

#include <string>
#include <vector>

namespace stiction {

// package://name/rest and model://name/rest are looked up in `package_dirs`, ROS_PACKAGE_PATH and the parents of
// `directory` (as dir/name/rest, or dir/rest if dir itself is called name); file:// and plain paths are taken relative
// to `directory`. InvalidInput names `place`, the file and where it was looked for.
std::string find_mesh(const std::string& uri, const std::string& directory,
                      const std::vector<std::string>& package_dirs, const std::string& place);

// load_mesh() of geometry/shape.h for files that nobody has looked at. COLLADA scenes whose parts contain one another, or that
// unfold to more than kMostMeshNodes of them, are refused: the library that reads them follows every reference.
inline constexpr double kMostMeshNodes = 1e5;
Shape read_mesh_file(const std::string& path, const Vec3& scale = Vec3::Ones());
void check_collada(const std::string& path);  // InvalidInput for such scenes
// PLY files whose header claims more than they hold, whatever their ending: the library takes that memory first.
void check_ply(const std::string& bytes, const std::string& path);

}  // namespace stiction
