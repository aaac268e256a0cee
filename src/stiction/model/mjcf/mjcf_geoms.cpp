// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/field.h>
#include <stiction/model/mjcf/mjcf.h>
#include <stiction/model/mjcf/mjcf_geoms.h>
#include <stiction/model/mjcf/mjcf_mass.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <numbers>

namespace stiction {
namespace {

int integer(const Xml& element, const char* name, int otherwise, const std::string& place) {
  const auto v = attribute(element, name);
  return v ? static_cast<int>(to_number(*v, place + " " + name)) : otherwise;
}

bool weightless(const Xml& element, const std::string& place) {
  for (const char* name : {"mass", "density"})  // mass= wins
    if (const auto v = attribute(element, name)) return to_number(*v, place + " " + name) == 0.0;
  return false;
}

Vec3 to_vec3(const std::vector<double>& x, std::size_t from) { return {x[from], x[from + 1], x[from + 2]}; }

}  // namespace

MjcfGeoms::MjcfGeoms(const MjcfDocument& document) : document_(document), assets_(document) {
  for (const Xml* contact : children(document.mujoco(), "contact"))
    for (const Xml* pair : children(*contact, "pair"))
      for (const char* side : {"geom1", "geom2"}) paired_.insert(attribute(*pair, side).value_or(""));
  paired_.erase("");
  for (const Xml* section : children(document.mujoco(), "tendon"))
    for (const Xml* spatial : children(*section, "spatial"))
      for (const Xml* geom : children(*spatial, "geom")) wrapped_.insert(attribute(*geom, "geom").value_or(""));
  wrapped_.erase("");
}

MjcfFit MjcfGeoms::fit_of(const Xml& element, const std::string& type, const std::string& place) const {
  const std::string mesh = required(element, "mesh", place);
  MjcfFit fit = fit_to_mesh(assets_.mesh(mesh, place), assets_.inertia_rule(mesh), type, document_.compiler().fit_aabb);
  fit.size *= to_number(attribute(element, "fitscale").value_or("1"), place + " fitscale");
  return fit;
}

void MjcfGeoms::set_shape(const Xml& element, const std::string& place, MjcfGeom& geom) const {
  const bool has_mesh = attribute(element, "mesh").has_value();
  const std::string type = attribute(element, "type").value_or("sphere");
  std::vector<double> size = to_numbers(attribute(element, "size").value_or(""), place + " size");
  const auto need = [&](std::size_t n) {
    if (size.size() < n)
      throw InvalidInput(place + " is a " + type + " with " + std::to_string(size.size()) + " sizes, expected " +
                         std::to_string(n));
  };
  const bool fitted = has_mesh && type != "mesh" && type != "plane" && type != "hfield";
  const auto ends = attribute(element, "fromto");
  const bool between =
      !fitted && ends && (type == "capsule" || type == "cylinder" || type == "box" || type == "ellipsoid");
  double half = 0.0;  // of the length between the ends
  if (between) {
    const Vec x = to_vector(*ends, 6, place + " fromto");
    const Vec3 axis = x.head<3>() - x.tail<3>();
    if (!(axis.norm() > 1e-12)) throw InvalidInput(place + " fromto has length zero");
    half = 0.5 * axis.norm();
    geom.pose = {turn_z_to(axis.normalized()), 0.5 * (x.head<3>() + x.tail<3>())};
  } else {
    geom.pose = document_.pose(element, place);
  }
  if (fitted) {
    const MjcfFit fit = fit_of(element, type, place);
    size = {fit.size.x(), fit.size.y(), fit.size.z()};
    geom.pose = geom.pose * fit.pose;
  }
  need(type == "plane" || type == "mesh" || type == "hfield" ? 0 : 1);
  const auto second = [&] { return between ? half : (need(2), size[1]); };
  const auto radii = [&]() -> Vec3 {
    if (between) return {size[0], size[0], half};  // a second size has no effect
    need(3);
    return to_vec3(size, 0);
  };
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
    geom.shape = assets_.mesh(required(element, "mesh", place), place);
  else if (type == "hfield")
    geom.shape = assets_.heightfield(required(element, "hfield", place), place);
  else
    throw InvalidInput(place + " is a " + type +
                       ", expected plane, sphere, capsule, cylinder, box, ellipsoid, mesh or hfield");
}

SolidInertia MjcfGeoms::mass_of(const Xml& element, const MjcfGeom& geom, const std::string& place) const {
  const std::string type = attribute(element, "type").value_or("sphere");
  if (type == "plane" || type == "hfield") return {};
  const bool ellipsoid = type == "ellipsoid" && geom.shape.kind == ShapeKind::convex;
  VolumeIntegrals integrals;
  const bool shell = attribute(element, "shellinertia").value_or("false") == "true";
  double volume = shell ? shell_area(geom.shape) : solid_volume(geom.shape);
  Vec3 radii = Vec3::Zero();
  if (type == "mesh") {
    try {
      integrals = mesh_integrals(geom.shape, shell ? "shell" : assets_.inertia_rule(required(element, "mesh", place)));
    } catch (const InvalidInput& e) {
      throw InvalidInput(place + ": " + e.what());
    }
    volume = integrals.volume;
  } else if (ellipsoid) {
    const Aabb box = bounds(geom.shape, {});  // the poles are corners
    radii = box.hi;
    volume = shell ? ellipsoid_area(radii) : 4.0 / 3.0 * std::numbers::pi * radii.prod();
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
  if (shell) return ellipsoid ? ellipsoid_shell_inertia(radii, mass) : shell_inertia(geom.shape, mass);
  return ellipsoid ? ellipsoid_inertia(radii, mass) : solid_inertia(geom.shape, mass);
}

std::optional<MjcfGeom> MjcfGeoms::read(const Xml& element, bool with_mass, const std::string& place) const {
  MjcfGeom geom;
  geom.name = attribute(element, "name").value_or("");
  geom.contype = integer(element, "contype", 1, place);
  geom.conaffinity = integer(element, "conaffinity", 1, place);
  geom.group = integer(element, "group", 0, place);
  geom.paired = paired_.contains(geom.name), geom.wrapped = wrapped_.contains(geom.name);
  const MjcfCompiler& c = document_.compiler();
  with_mass = with_mass && geom.group >= c.first_group && geom.group <= c.last_group && !weightless(element, place);
  if (!geom.collides() && !with_mass && !geom.wrapped) return std::nullopt;
  std::array<double, 3> friction{geom.surface.friction, geom.surface.torsion, geom.surface.rolling};
  if (const auto v = attribute(element, "friction"); v && to_numbers(*v, place + " friction").empty())
    throw InvalidInput(place + " friction is '" + *v + "', expected at least one number");
  read_list(element, "friction", place, friction);
  for (const double x : friction) check_not_negative(place + " friction", x);
  geom.surface.friction = friction[0], geom.surface.torsion = friction[1], geom.surface.rolling = friction[2];
  geom.surface.condim = integer(element, "condim", 3, place);
  geom.surface.priority = integer(element, "priority", 0, place);
  read_list(element, "solref", place, geom.surface.solref);
  read_list(element, "solimp", place, geom.surface.solimp);
  geom.surface.solmix = to_number(attribute(element, "solmix").value_or("1"), place + " solmix");
  geom.surface.margin = to_number(attribute(element, "margin").value_or("0"), place + " margin");
  set_shape(element, place, geom);
  if (with_mass) geom.inertia = mass_of(element, geom, place);
  return geom;
}

std::pair<Zone, Pose> read_mjcf_site(const MjcfDocument& document, const Xml& element, const std::string& place) {
  static const std::vector<std::string> kinds = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
  const std::string type = attribute(element, "type").value_or("sphere");
  Zone zone;
  std::size_t kind = 0;
  while (kind < kinds.size() && kinds[kind] != type) ++kind;
  if (kind == kinds.size()) throw InvalidInput(place + ": " + unknown_name("type of site", type, kinds));
  zone.kind = static_cast<Zone::Kind>(kind);
  const std::vector<double> size = to_numbers(attribute(element, "size").value_or(""), place + " size");
  for (std::size_t i = 0; i < std::min<std::size_t>(3, size.size()); ++i) zone.size[static_cast<int>(i)] = size[i];
  Pose pose = document.pose(element, place);
  if (const auto ends = attribute(element, "fromto"); ends && zone.kind != Zone::sphere) {
    const Vec x = to_vector(*ends, 6, place + " fromto");
    const Vec3 axis = x.head<3>() - x.tail<3>();
    if (!(axis.norm() > 1e-12)) throw InvalidInput(place + " fromto has length zero");
    pose = {turn_z_to(axis.normalized()), 0.5 * (x.head<3>() + x.tail<3>())};
    const bool round = zone.kind == Zone::capsule || zone.kind == Zone::cylinder;
    if (!round) zone.size[1] = zone.size[0];
    zone.size[round ? 1 : 2] = 0.5 * axis.norm();
  }
  static constexpr int used[] = {1, 2, 3, 2, 3};
  for (int i = 0; i < used[kind]; ++i) check_positive(place + " size", zone.size[i]);
  return {zone, pose};
}

}  // namespace stiction
