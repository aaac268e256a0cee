// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/field.h>
#include <stiction/base/missing_file.h>
#include <stiction/model/mjcf/mjcf_geoms.h>
#include <stiction/model/mjcf/mjcf_mass.h>
#include <stiction/model/world/checks.h>

#include <filesystem>
#include <numbers>
#include <sstream>

namespace stiction {
namespace {

namespace fs = std::filesystem;

int integer(const Xml& element, const char* name, int otherwise, const std::string& place) {
  const auto v = attribute(element, name);
  return v ? static_cast<int>(to_number(*v, place + " " + name)) : otherwise;
}

// As many numbers as there are.
std::vector<double> numbers(const std::string& text, const std::string& field) {
  std::vector<double> out;
  std::istringstream in(text);
  for (std::string word; in >> word;) out.push_back(to_number(word, field));
  return out;
}

bool weightless(const Xml& element, const std::string& place) {
  for (const char* name : {"mass", "density"})  // mass= wins
    if (const auto v = attribute(element, name)) return to_number(*v, place + " " + name) == 0.0;
  return false;
}

Vec3 to_vec3(const std::vector<double>& x, std::size_t from) { return {x[from], x[from + 1], x[from + 2]}; }

}  // namespace

MjcfGeoms::MjcfGeoms(const MjcfDocument& document) : document_(document) {
  for (const Xml* asset : children(document.mujoco(), "asset"))
    for (const Xml* mesh : children(*asset, "mesh")) {
      const Xml element = document.resolve("mesh", *mesh, "");
      const auto file = attribute(element, "file");
      const std::string stem = file ? fs::path(*file).stem().string() : "";
      meshes_.emplace(attribute(element, "name").value_or(stem), element);
    }
}

Shape MjcfGeoms::mesh_shape(const std::string& name, const std::string& place) const {
  const auto found = meshes_.find(name);
  if (found == meshes_.end()) {
    std::vector<std::string> known;
    for (const auto& [mesh, element] : meshes_) known.push_back(mesh);
    throw InvalidInput(place + ": " + unknown_name("mesh", name, known));
  }
  const Xml& mesh = found->second;
  const std::string here = document_.file() + ": mesh '" + name + "'";
  const Vec3 scale = vec3_attribute(mesh, "scale", Vec3::Ones(), here);
  Xml reference;
  if (const auto v = attribute(mesh, "refpos")) reference.put("<xmlattr>.pos", *v);
  if (const auto v = attribute(mesh, "refquat")) reference.put("<xmlattr>.quat", *v);
  const Pose shift = document_.pose(reference, here).inverse();
  if (const auto given = attribute(mesh, "vertex")) {
    const std::vector<double> x = numbers(*given, here + " vertex");
    std::vector<Vec3> points;
    for (std::size_t i = 0; i + 2 < x.size(); i += 3) points.push_back(shift * scale.cwiseProduct(to_vec3(x, i)));
    return make_convex(points);
  }
  const std::string file = required(mesh, "file", here);
  const MjcfCompiler& c = document_.compiler();
  const fs::path name_of_file = c.strip_path ? fs::path(file).filename() : fs::path(file);
  const fs::path path = fs::path(document_.directory()) / c.mesh_folder / name_of_file;
  if (!fs::is_regular_file(path))
    throw MissingFile(place + " names the mesh '" + name + "', which was not found; looked for " + path.string());
  if (shift.translation.isZero(0.0) && shift.rotation.isIdentity(0.0)) return load_mesh(path.string(), scale);
  throw InvalidInput(here + " has refpos or refquat, which is read for meshes given by vertex only; move the geom");
}

void MjcfGeoms::set_shape(const Xml& element, const std::string& place, MjcfGeom& geom) const {
  const bool has_mesh = attribute(element, "mesh").has_value();
  const std::string type = attribute(element, "type").value_or("sphere");
  const std::vector<double> size = numbers(attribute(element, "size").value_or(""), place + " size");
  const auto need = [&](std::size_t n) {
    if (size.size() < n)
      throw InvalidInput(place + " is a " + type + " with " + std::to_string(size.size()) + " sizes, expected " +
                         std::to_string(n));
  };
  std::optional<double> half;
  if (const auto ends = attribute(element, "fromto");
      ends && (type == "capsule" || type == "cylinder" || type == "box" || type == "ellipsoid")) {
    const Vec x = to_vector(*ends, 6, place + " fromto");
    const Vec3 axis = x.head<3>() - x.tail<3>();
    if (!(axis.norm() > 1e-12)) throw InvalidInput(place + " fromto has length zero");
    half = 0.5 * axis.norm();
    geom.pose = {turn_z_to(axis.normalized()), 0.5 * (x.head<3>() + x.tail<3>())};
  } else {
    geom.pose = document_.pose(element, place);
  }
  need(type == "plane" || type == "mesh" ? 0 : 1);
  const auto second = [&] { return half ? *half : (need(2), size[1]); };
  const auto radii = [&]() -> Vec3 {
    if (half) return {size[0], size.size() > 1 ? size[1] : size[0], *half};
    need(3);
    return to_vec3(size, 0);
  };
  if (has_mesh && type != "mesh")
    throw InvalidInput(place + " fits a " + type + " to a mesh, which is not read; give its size and take out mesh=");
  if (type == "sphere")
    geom.shape = make_sphere(size[0]);
  else if (type == "capsule")
    geom.shape = make_capsule(size[0], 2.0 * second());
  else if (type == "cylinder")
    geom.shape = make_cylinder(size[0], 2.0 * second());
  else if (type == "box")
    geom.shape = make_box(2.0 * radii());
  else if (type == "ellipsoid")
    geom.shape = make_ellipsoid(radii());
  else if (type == "plane")
    geom.shape = make_half_space();
  else if (type == "mesh")
    geom.shape = mesh_shape(required(element, "mesh", place), place);
  else
    throw InvalidInput(place + " is a " + type + ", expected plane, sphere, capsule, cylinder, box, ellipsoid or mesh");
}

SolidInertia MjcfGeoms::mass_of(const Xml& element, const MjcfGeom& geom, const std::string& place) const {
  const std::string type = attribute(element, "type").value_or("sphere");
  if (type == "plane") return {};
  const bool ellipsoid = type == "ellipsoid" && geom.shape.kind == ShapeKind::convex;
  VolumeIntegrals integrals;
  double volume = solid_volume(geom.shape);
  Vec3 radii = Vec3::Zero();
  if (type == "mesh") {
    const Xml& mesh = meshes_.at(required(element, "mesh", place));
    try {
      integrals = mesh_integrals(geom.shape, attribute(mesh, "inertia").value_or("legacy"));
    } catch (const InvalidInput& e) {
      throw InvalidInput(place + ": " + e.what());
    }
    volume = integrals.volume;
  } else if (ellipsoid) {
    const Aabb box = bounds(geom.shape, {});  // the poles are corners
    radii = box.hi;
    volume = 4.0 / 3.0 * std::numbers::pi * radii.prod();
  }
  const auto given = attribute(element, "mass");
  double mass = 0.0;
  if (given) {
    mass = to_number(*given, place + " mass");
    check_not_negative(place + " mass", mass);
  } else {
    const double density = to_number(attribute(element, "density").value_or("1000"), place + " density");
    check_not_negative(place + " density", density);
    mass = density * volume;
  }
  if (!(mass > 0.0)) return {};
  if (type == "mesh") return from_integrals(integrals, mass);
  return ellipsoid ? ellipsoid_inertia(radii, mass) : solid_inertia(geom.shape, mass);
}

std::optional<MjcfGeom> MjcfGeoms::read(const Xml& element, bool with_mass, const std::string& place) const {
  MjcfGeom geom;
  geom.name = attribute(element, "name").value_or("");
  geom.contype = integer(element, "contype", 1, place);
  geom.conaffinity = integer(element, "conaffinity", 1, place);
  geom.group = integer(element, "group", 0, place);
  const MjcfCompiler& c = document_.compiler();
  with_mass = with_mass && geom.group >= c.first_group && geom.group <= c.last_group && !weightless(element, place);
  if (!geom.collides() && !with_mass) return std::nullopt;
  if (const auto v = attribute(element, "friction")) geom.surface.friction = numbers(*v, place + " friction").at(0);
  check_not_negative(place + " friction", geom.surface.friction);
  geom.surface.condim = integer(element, "condim", 3, place);
  geom.surface.priority = integer(element, "priority", 0, place);
  if (attribute(element, "shellinertia").value_or("false") == "true")
    throw InvalidInput(place + " asks for the inertia of a shell, which is not read; give the body an <inertial>");
  set_shape(element, place, geom);
  if (with_mass) geom.inertia = mass_of(element, geom, place);
  return geom;
}

}  // namespace stiction
