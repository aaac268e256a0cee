// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/missing_file.h>
#include <stiction/geometry/shape.h>
#include <stiction/model/files/mesh_files.h>
#include <stiction/model/files/mesh_formats.h>
#include <stiction/model/files/xml.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

namespace stiction {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> package_roots(const fs::path& directory, const std::vector<std::string>& package_dirs) {
  std::vector<fs::path> roots(package_dirs.begin(), package_dirs.end());
  // ROS: folders of packages; ROS 2: prefixes, whose packages lie in share.
  for (const auto& [variable, inside] : {std::pair{"ROS_PACKAGE_PATH", ""}, {"AMENT_PREFIX_PATH", "share"}}) {
    const char* given = std::getenv(variable);
    std::istringstream list(given ? given : "");
    for (std::string dir; std::getline(list, dir, ':');)
      if (!dir.empty()) roots.push_back(fs::path(dir) / inside);
  }
  for (fs::path p = fs::absolute(directory).lexically_normal(); !p.empty(); p = p.parent_path()) {
    if (p.has_filename()) roots.push_back(p);
    if (p == p.parent_path()) break;
  }
  return roots;
}

// "package://name/rest" → (name, rest)
std::pair<std::string, std::string> split_package(const std::string& uri) {
  const std::string path = uri.substr(uri.find("://") + 3);
  const std::size_t slash = path.find('/');
  return slash == std::string::npos ? std::pair{path, std::string()}
                                    : std::pair{path.substr(0, slash), path.substr(slash + 1)};
}

// A clone may have any name: its package.xml says which package it is.
bool says_package(const fs::path& folder, const std::string& package) {
  const fs::path file = folder / "package.xml";
  if (!is_file(file.string())) return false;
  try {
    const Xml document = parse_xml(read_text_file(file.string(), "package"), "package.xml");
    const Xml* root = child(document, "package");
    const Xml* name = root ? child(*root, "name") : nullptr;
    return name && name->data() == package;
  } catch (const InvalidInput&) {
    return false;
  }
}

std::vector<fs::path> candidates(const std::string& uri, const fs::path& directory,
                                 const std::vector<std::string>& dirs) {
  if (uri.starts_with("file://")) return {uri.substr(7)};
  if (!uri.starts_with("package://") && !uri.starts_with("model://")) {
    const fs::path path(uri);
    return {path.is_absolute() ? path : directory / path};
  }
  const auto [package, rest] = split_package(uri);
  std::vector<fs::path> out;
  for (const fs::path& root : package_roots(directory, dirs)) {
    out.push_back(root / package / rest);
    if (root.filename() == package || says_package(root, package)) out.push_back(root / rest);
  }
  return out;
}

std::string ending_of(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

// Of the formats that the library knows, those that robots use: readers of others crash on what is broken.
constexpr std::string_view kEndings[] = {".stl", ".obj", ".dae", ".ply", ".off", ".gltf", ".glb"};

}  // namespace

std::string find_mesh(const std::string& uri, const std::string& directory,
                      const std::vector<std::string>& package_dirs, const std::string& place) {
  std::vector<fs::path> tried = candidates(uri, directory.empty() ? fs::path(".") : fs::path(directory), package_dirs);
  for (const fs::path& path : tried)
    if (is_file(path.string())) return path.string();
  std::string text = place + " names the mesh '" + uri + "', which was not found; looked for";
  constexpr std::size_t shown = 6;
  for (std::size_t i = 0; i < std::min(tried.size(), shown); ++i) text += (i == 0 ? " " : ", ") + tried[i].string();
  if (tried.size() > shown) text += " and " + std::to_string(tried.size() - shown) + " more places";
  throw MissingFile(
      text + ". Give the folder that holds the package in package_dirs, or in ROS_PACKAGE_PATH or AMENT_PREFIX_PATH");
}

Shape read_mesh_file(const std::string& path, const Vec3& scale) {
  const std::string ending = ending_of(path);
  const bool stl = ending == ".stl", obj = ending == ".obj";
  const bool readable = is_file(path) && scale.allFinite() && (scale.array() != 0.0).all();
  if (readable && std::find(std::begin(kEndings), std::end(kEndings), ending) == std::end(kEndings))
    throw InvalidInput("mesh file '" + path +
                       "' has an ending that is not read; expected .stl, .obj, .dae, .ply, .off, " + ".gltf or .glb");
  if (ending == ".dae" && readable) check_collada(path);
  if (!readable) return load_mesh(path, scale);
  const std::string bytes = read_text_file(path, "mesh");
  check_ply(bytes, path);
  if (!stl && !obj) return load_mesh(path, scale);
  std::optional<RawMesh> mesh = stl ? read_binary_stl(bytes) : read_obj(bytes);
  if (!mesh) return load_mesh(path, scale);
  for (Vec3& v : mesh->vertices) v = v.cwiseProduct(scale);
  if (scale.prod() < 0.0)  // mirrored: keep the outside outside
    for (Eigen::Vector3i& t : mesh->triangles) std::swap(t[1], t[2]);
  try {
    return make_mesh(mesh->vertices, mesh->triangles);
  } catch (const InvalidInput& e) {
    throw InvalidInput("mesh file '" + path + "': " + e.what());
  }
}

}  // namespace stiction
