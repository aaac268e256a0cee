// SPDX-License-Identifier: BSD-2-Clause
// A box of half sizes s and mass m has the moments I_x = m/3 (s_y² + s_z²), …, so s_x² = 3 (I_y + I_z − I_x)/(2m).
#include <stiction/base/missing_file.h>
#include <stiction/base/principal_axes.h>
#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/triangle_mesh.h>
#include <stiction/model/files/mesh_files.h>
#include <stiction/model/files/png.h>
#include <stiction/model/mjcf/mjcf_assets.h>
#include <stiction/model/mjcf/mjcf_mass.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace stiction {
namespace {

namespace fs = std::filesystem;

std::vector<double> list(const Xml& element, const char* name, const std::string& place) {
  std::vector<double> out;
  std::istringstream in(attribute(element, name).value_or(""));
  for (std::string word; in >> word;) out.push_back(to_number(word, place + " " + name));
  return out;
}

std::vector<Vec3> triples(const std::vector<double>& x) {
  std::vector<Vec3> out;
  for (std::size_t i = 0; i + 2 < x.size(); i += 3) out.emplace_back(x[i], x[i + 1], x[i + 2]);
  return out;
}

const std::vector<Vec3>& corners(const Shape& mesh) {
  return mesh.kind == ShapeKind::convex ? mesh.convex->vertices : mesh.mesh->vertices;
}

Mat read_binary_heights(const std::string& bytes, const std::string& place) {
  std::int32_t size[2] = {0, 0};
  if (bytes.size() >= sizeof size) std::memcpy(size, bytes.data(), sizeof size);
  const bool sensible = size[0] > 1 && size[1] > 1 && 1.0 * size[0] * size[1] <= kMostHeights;
  const std::size_t count = sensible ? static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) : 0;
  if (!sensible || bytes.size() != sizeof size + count * sizeof(float))
    throw InvalidInput(place + " is not a height field: expected int32 rows, int32 columns and rows x columns float32");
  Mat out(size[0], size[1]);
  for (std::size_t i = 0; i < count; ++i) {
    float x = 0.0F;
    std::memcpy(&x, bytes.data() + sizeof size + i * sizeof x, sizeof x);
    out(static_cast<Eigen::Index>(i) / size[1], static_cast<Eigen::Index>(i) % size[1]) = static_cast<double>(x);
  }
  return out;
}

// MuJoCo's own mesh format: int32 numbers of vertices, normals, texture coordinates and faces; float32 vertices (3 each), normals
// (3), texture coordinates (2); int32 faces (3).
Shape read_msh(const std::string& path, const Vec3& scale, const Pose& back) {
  const std::string bytes = read_text_file(path, "mesh");
  std::int32_t n[4] = {0, 0, 0, 0};
  if (bytes.size() >= sizeof n) std::memcpy(n, bytes.data(), sizeof n);
  constexpr std::int32_t most = 100000000;
  const bool sensible =
      n[0] > 3 && n[0] < most && n[1] >= 0 && n[1] < most && n[2] >= 0 && n[2] < most && n[3] >= 0 && n[3] < most;
  const auto words = [&](int i, std::size_t each) { return static_cast<std::size_t>(n[i]) * each; };
  if (!sensible || bytes.size() != sizeof n + 4 * (words(0, 3) + words(1, 3) + words(2, 2) + words(3, 3)))
    throw InvalidInput("mesh file '" + path + "' is damaged: its size is not what its header says");
  const auto word = [&]<class T>(std::size_t i, T x) {
    std::memcpy(&x, bytes.data() + sizeof n + 4 * i, sizeof x);
    return x;
  };
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < words(0, 3); i += 3) {
    const auto at = [&](std::size_t k) { return static_cast<double>(word(i + k, 0.0F)); };
    points.push_back(scale.cwiseProduct(back * Vec3(at(0), at(1), at(2))));
  }
  std::vector<Eigen::Vector3i> faces;
  const std::size_t first = words(0, 3) + words(1, 3) + words(2, 2);
  for (std::size_t i = first; i < first + words(3, 3); i += 3) {
    const Eigen::Vector3i f(word(i, std::int32_t{}), word(i + 1, std::int32_t{}), word(i + 2, std::int32_t{}));
    if (f.minCoeff() < 0 || f.maxCoeff() >= n[0])
      throw InvalidInput("mesh file '" + path + "' is damaged: a face names a vertex that does not exist");
    faces.push_back(scale.prod() < 0.0 ? Eigen::Vector3i(f[1], f[0], f[2]) : f);
  }
  return faces.empty() ? make_convex(points) : make_mesh(points, faces);
}

}  // namespace

MjcfAssets::MjcfAssets(const MjcfDocument& document) : document_(document) {
  for (const Xml* section : children(document.mujoco(), "asset"))
    for (const auto& [tag, asset] : *section) {
      if (tag != "mesh" && tag != "hfield") continue;
      const Xml element = document.resolve(tag, asset, "");
      const std::string stem = fs::path(attribute(element, "file").value_or("")).stem().string();
      (tag == "mesh" ? meshes_ : heightfields_).emplace(attribute(element, "name").value_or(stem), element);
    }
}

const Xml& MjcfAssets::find(const std::map<std::string, Xml>& assets, const char* what, const std::string& name,
                            const std::string& place) const {
  const auto found = assets.find(name);
  if (found != assets.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [key, element] : assets) known.push_back(key);
  throw InvalidInput(place + ": " + unknown_name(what, name, known));
}

// In the folder of meshes; a file of an included one may also lie beside that.
std::string MjcfAssets::path(const Xml& asset, const std::string& file, const std::string& place) const {
  const MjcfCompiler& c = document_.compiler();
  const fs::path name = c.strip_path ? fs::path(file).filename() : fs::path(file), main(document_.directory());
  const fs::path usual = main / c.mesh_folder / name, beside = main / fs::path(asset.place()).parent_path() / name;
  for (const fs::path& tried : {usual, beside})
    if (is_file(tried.string())) return tried.string();
  throw MissingFile(place + ", which was not found; looked for " + usual.string());
}

Shape MjcfAssets::mesh(const std::string& name, const std::string& place) const {
  if (const auto known = shapes_.find(name); known != shapes_.end()) return known->second;
  return shapes_.emplace(name, read_mesh(name, place)).first->second;
}

Shape MjcfAssets::colliding(const Shape& shape) const {
  if (shape.kind != ShapeKind::mesh) return shape;
  const TriangleMesh* key = shape.mesh.get();
  if (const auto known = hulls_.find(key); known != hulls_.end()) return known->second;
  try {
    return hulls_.emplace(key, make_convex(shape.mesh->vertices)).first->second;
  } catch (const InvalidInput&) {  // flat: left to add_collision_shape()
    return hulls_.emplace(key, shape).first->second;
  }
}

Shape MjcfAssets::read_mesh(const std::string& name, const std::string& place) const {
  const Xml& mesh = find(meshes_, "mesh", name, place);
  const std::string here = document_.file() + ": mesh '" + name + "'";
  const Vec3 scale = vec3_attribute(mesh, "scale", Vec3::Ones(), here);
  Xml reference;
  if (const auto v = attribute(mesh, "refpos")) reference.set("pos", *v);
  if (const auto v = attribute(mesh, "refquat")) reference.set("quat", *v);
  const bool moved = !reference.empty();
  const Pose back = document_.pose(reference, here).inverse();
  const auto placed = [&](std::vector<Vec3> points) {
    for (Vec3& p : points) p = scale.cwiseProduct(moved ? Vec3(back * p) : p);
    return points;
  };
  if (const auto made = attribute(mesh, "builtin"); made && *made != "none")
    throw InvalidInput(here + " is made by MuJoCo (builtin=\"" + *made + "\"), which is not read; give it as a file");
  if (attribute(mesh, "vertex")) {
    const std::vector<Vec3> points = placed(triples(list(mesh, "vertex", here)));
    if (!attribute(mesh, "face")) return make_convex(points);
    std::vector<Eigen::Vector3i> faces;
    for (const Vec3& f : triples(list(mesh, "face", here))) {
      if (!(f.minCoeff() >= 0.0 && f.maxCoeff() < static_cast<double>(points.size())))
        throw InvalidInput(here + " face names a vertex that does not exist");
      faces.push_back(f.cast<int>());
    }
    return make_mesh(points, faces);
  }
  if (const auto made = attribute(mesh, "builtin"); made && *made != "none")
    throw InvalidInput(here + " is builtin='" + *made +
                       "', which is not read; save it as a file (MuJoCo: mj_saveLastXML) or give its vertices");
  const std::string file = path(mesh, required(mesh, "file", here), place + " names the mesh '" + name + "'");
  if (file.ends_with(".msh")) return read_msh(file, scale, back);
  if (!moved) return read_mesh_file(file, scale);
  const Shape plain = read_mesh_file(file);
  std::vector<Eigen::Vector3i> triangles = plain.mesh->triangles;
  if (scale.prod() < 0.0)  // mirrored: the other way round
    for (Eigen::Vector3i& t : triangles) std::swap(t[0], t[1]);
  return make_mesh(placed(plain.mesh->vertices), triangles);
}

std::string MjcfAssets::inertia_rule(const std::string& mesh) const {
  const auto found = meshes_.find(mesh);
  return found == meshes_.end() ? "legacy" : attribute(found->second, "inertia").value_or("legacy");
}

Shape MjcfAssets::heightfield(const std::string& name, const std::string& place) const {
  const Xml& field = find(heightfields_, "hfield", name, place);
  const std::string here = document_.file() + ": hfield '" + name + "'";
  const Vec size = to_vector(required(field, "size", here), 4, here + " size");
  Mat heights;
  if (const auto file = attribute(field, "file")) {
    const std::string found = path(field, *file, here + " names the file '" + *file + "'");
    const std::string bytes = read_text_file(found, "height field");
    heights = is_png(bytes) ? Mat(read_png_grey(bytes, found).colwise().reverse()) : read_binary_heights(bytes, found);
  } else {
    const auto count = [&](const char* key) { return to_number(required(field, key, here), here + " " + key); };
    const double rows = count("nrow"), cols = count("ncol");
    if (!(rows >= 2.0 && cols >= 2.0 && rows * cols <= kMostHeights) || rows != std::floor(rows) ||
        cols != std::floor(cols))
      throw InvalidInput(here + " has nrow and ncol of " + text(rows) + " and " + text(cols) +
                         ", expected whole numbers from 2 on, and at most " + text(kMostHeights) + " heights");
    heights = Mat::Zero(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(cols));
    const std::vector<double> given = list(field, "elevation", here);
    if (!given.empty() && given.size() != static_cast<std::size_t>(heights.size()))
      throw InvalidInput(here + " elevation has " + std::to_string(given.size()) + " numbers, expected " +
                         std::to_string(heights.size()));
    for (std::size_t i = 0; i < given.size(); ++i)  // the first row is the far one
      heights(heights.rows() - 1 - static_cast<Eigen::Index>(i) / heights.cols(),
              static_cast<Eigen::Index>(i) % heights.cols()) = given[i];
  }
  if (!heights.allFinite()) throw InvalidInput(here + " has heights that are not finite");
  const double low = heights.minCoeff(), range = heights.maxCoeff() - low;
  heights = range > 0.0 ? Mat((heights.array() - low) * (size[2] / range)) : Mat::Zero(heights.rows(), heights.cols());
  return make_heightfield(heights, 2.0 * size[0], 2.0 * size[1]);
}

MjcfFit fit_to_mesh(const Shape& mesh, const std::string& rule, const std::string& type, bool by_box) {
  const VolumeIntegrals integrals = mesh_integrals(mesh, rule);
  const SolidInertia solid = from_integrals(integrals, 1.0);
  const PrincipalAxes principal = principal_axes(solid.about_com);
  Mat3 axes = principal.axes.rowwise().reverse();  // the largest moment first
  if (axes.determinant() < 0.0) axes.col(0) = -axes.col(0);
  const Vec3 moments = principal.moments.reverse();
  MjcfFit out;
  out.pose = {axes, solid.com};
  Vec3 half = (1.5 * (Vec3::Constant(moments.sum()) - 2.0 * moments)).cwiseMax(0.0).cwiseSqrt();
  if (by_box) {
    Vec3 lo = Vec3::Constant(kInfinity), hi = -lo;
    for (const Vec3& corner : corners(mesh)) {
      const Vec3 x = axes.transpose() * (corner - solid.com);
      lo = lo.cwiseMin(x), hi = hi.cwiseMax(x);
    }
    half = 0.5 * (hi - lo);
    out.pose.translation += axes * (0.5 * (lo + hi));
  }
  const double around = by_box ? std::max(half.x(), half.y()) : 0.5 * (half.x() + half.y());
  out.size = half;
  if (type == "sphere") out.size.setConstant(by_box ? half.maxCoeff() : half.mean());
  if (type == "cylinder") out.size = {around, half.z(), 0.0};
  if (type == "capsule") out.size = {around, std::max(0.0, half.z() - (by_box ? around : 0.5 * around)), 0.0};
  return out;
}

}  // namespace stiction
