// SPDX-License-Identifier: BSD-2-Clause
// Shapes. Hulls and triangle meshes are files beside; heights of a field stand in the file, as doubles.
#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/triangle_mesh.h>
#include <stiction/model/mjcf_writer/mjcf_text.h>
#include <stiction/model/world/checks.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr double kPointRadius = 1e-6;  // of the ball that stands for a contact point [m]
constexpr double kFieldBase = 1.0;     // how far a height field reaches below its lowest point in MuJoCo [m]

// Every vertex lies on or behind every triangle.
bool is_convex(const TriangleMesh& mesh) {
  const double slack = 1e-9 * (mesh.box.hi - mesh.box.lo).norm();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const double offset = mesh.normals[t].dot(mesh.vertices[static_cast<std::size_t>(mesh.triangles[t][0])]);
    for (const Vec3& v : mesh.vertices)
      if (mesh.normals[t].dot(v) > offset + slack) return false;
  }
  return true;
}

std::string vertex_lines(const std::vector<Vec3>& vertices) {
  std::string out;
  for (const Vec3& v : vertices) out.append("v ").append(mjcf_numbers(v)).append("\n");
  return out;
}

std::string obj_of(const TriangleMesh& mesh) {
  std::string out = vertex_lines(mesh.vertices);
  for (const Eigen::Vector3i& t : mesh.triangles) {
    out += "f";
    for (const int i : t) out.append(" ").append(std::to_string(i + 1));
    out += "\n";
  }
  return out;
}

std::string obj_of(const ConvexMesh& hull) {
  std::string out = vertex_lines(hull.vertices);
  for (const ConvexMesh::Face& f : hull.faces) {
    out += "f";
    for (int i = 0; i < f.count; ++i)
      out.append(" ").append(std::to_string(hull.face_vertices[static_cast<std::size_t>(f.first + i)] + 1));
    out += "\n";
  }
  return out;
}

class GeomWriter {
 public:
  explicit GeomWriter(MjcfText& text) : text_(text) {}

  void write(std::size_t i) {
    const Geom& geom = text_.world.geoms[i];
    std::string& name = text_.geom_names[i];
    name = text_.name("geom", geom.name, text_.owner_of(geom.body));
    Xml element;
    element.set("name", name);
    element.set("type", "sphere");
    set_mjcf_pose(element, geom.placement);
    set_shape(geom, name, element);
    text_.parts_of(geom.body).geoms.push_back({"geom", std::move(element)});
  }

  MjcfMeshFiles files;

 private:
  void set_shape(const Geom& geom, const std::string& name, Xml& element) {
    const Shape& s = geom.shape;
    const auto set = [&element](const char* type, const Vec& size) {
      element.set("type", type);
      element.set("size", mjcf_numbers(size));
    };
    switch (s.kind) {
      case ShapeKind::point:
        text_.tell("written as a ball of 1e-6 m: contact points", name);
        return set("sphere", Vec::Constant(1, kPointRadius));
      case ShapeKind::sphere:
        return set("sphere", Vec::Constant(1, s.radius()));
      case ShapeKind::capsule:
        return set("capsule", Vec2(s.radius(), s.half_length()));
      case ShapeKind::cylinder:
        return set("cylinder", Vec2(s.radius(), s.half_length()));
      case ShapeKind::box:
        return set("box", s.size);
      case ShapeKind::half_space:
        return set("plane", Vec3(0.0, 0.0, 1.0));
      case ShapeKind::convex:
        element.set("type", "mesh");
        return element.set("mesh", mesh(s.convex.get(), name, obj_of(*s.convex), false));
      case ShapeKind::mesh:
        if (!is_convex(*s.mesh)) text_.tell("MJCF collides with the convex hull: triangle meshes", name);
        element.set("type", "mesh");
        return element.set("mesh", mesh(s.mesh.get(), name, obj_of(*s.mesh), true));
      case ShapeKind::heightfield:
        element.set("type", "hfield");
        return element.set("hfield", field(geom, name, element));
    }
  }

  // One asset per mesh, however many geoms have it.
  std::string mesh(const void* key, const std::string& geom, const std::string& obj, bool open) {
    if (const auto found = meshes_.find(key); found != meshes_.end()) return found->second;
    std::string file;
    for (const char c : geom)
      file += (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.') ? c : '_';
    const std::string name = text_.name("mesh", file);
    files[name + ".obj"] = obj;
    Xml element;
    element.set("name", name);
    element.set("file", name + ".obj");
    if (open) element.set("inertia", "shell");  // it may enclose no volume
    text_.assets.push_back({"mesh", std::move(element)});
    return meshes_[key] = name;
  }

  // MJCF counts heights from the lowest one.
  std::string field(const Geom& geom, const std::string& geom_name, Xml& element) {
    const Heightfield& h = *geom.shape.heightfield;
    const double low = h.heights.minCoeff(), range = h.heights.maxCoeff() - low;
    const std::string name = text_.name("hfield", geom_name);
    Xml asset;
    asset.set("name", name);
    asset.set("nrow", std::to_string(h.heights.rows()));
    asset.set("ncol", std::to_string(h.heights.cols()));
    asset.set(
        "size",
        mjcf_numbers((Vec(4) << 0.5 * h.size_x, 0.5 * h.size_y, range > 0.0 ? range : 1.0, kFieldBase).finished()));
    Vec heights(h.heights.size());
    for (Eigen::Index i = 0; i < h.heights.rows(); ++i)  // the first row is the far one
      heights.segment(i * h.heights.cols(), h.heights.cols()) = h.heights.row(h.heights.rows() - 1 - i).array() - low;
    asset.set("elevation", mjcf_numbers(heights));
    text_.assets.push_back({"hfield", std::move(asset)});
    Pose lifted = geom.placement;
    lifted.translation += lifted.rotation.col(2) * low;
    element.erase_attribute("pos"), element.erase_attribute("quat");
    set_mjcf_pose(element, lifted);
    return name;
  }

  MjcfText& text_;
  std::map<const void*, std::string> meshes_;
};

}  // namespace

MjcfMeshFiles write_mjcf_meshes(MjcfText& text) {
  GeomWriter writer(text);
  for (std::size_t i = 0; i < text.world.geoms.size(); ++i) writer.write(i);
  return std::move(writer.files);
}

}  // namespace stiction
