// SPDX-License-Identifier: BSD-2-Clause
// <collision> elements of a URDF. Primitives stay what they are; meshes of moving links become one convex hull per
// connected part (said in a warning), meshes fixed to the world stay triangles.
#include <stiction/base/invalid_input.h>
#include <stiction/model/files/mesh_files.h>
#include <stiction/model/urdf/urdf.h>
#include <stiction/model/world/checks.h>
#include <stiction/model/world/hulls.h>

#include <map>

namespace stiction {
namespace {

double positive(const Xml& element, const char* name, const std::string& place) {
  const double x = to_number(required(element, name, place), place + " " + name);
  check_positive(place + " " + name, x);
  return x;
}

struct Files {
  const std::string& directory;
  const std::vector<std::string>& package_dirs;
};

Shape read_shape(const Xml& geometry, const Files& files, const std::string& place) {
  for (const auto& [kind, element] : geometry) {
    const std::string here = place + " <" + kind + ">";
    if (kind == "sphere") return make_sphere(positive(element, "radius", here));
    if (kind == "capsule") return make_capsule(positive(element, "radius", here), positive(element, "length", here));
    if (kind == "cylinder") return make_cylinder(positive(element, "radius", here), positive(element, "length", here));
    if (kind == "box") {
      const Vec3 size = to_vector(required(element, "size", here), 3, here + " size");
      for (int i = 0; i < 3; ++i) check_positive(here + " size", size[i]);
      return make_box(size);
    }
    if (kind == "mesh") {
      const std::string file =
          find_mesh(required(element, "filename", here), files.directory, files.package_dirs, place);
      try {
        return read_mesh_file(file, vec3_attribute(element, "scale", Vec3::Ones(), here));
      } catch (const InvalidInput& e) {
        throw InvalidInput(place + ": " + e.what());
      }
    }
    throw InvalidInput(place + " is a <" + kind + ">, expected sphere, capsule, cylinder, box or mesh");
  }
  throw InvalidInput(place + " has an empty <geometry>");
}

}  // namespace

void add_collision_shape(const Shape& shape, const Geom& like, const GeomOrigin& origin, const std::string& place,
                         RobotModel& robot) {
  const bool hull = shape.kind == ShapeKind::mesh && like.body != kWorldBody;
  for (const Shape& part : hull ? moving_hulls(*shape.mesh, place, robot.warnings) : std::vector<Shape>{shape}) {
    robot.geoms.push_back(like);
    robot.geoms.back().shape = part;
    robot.origins.push_back(origin);
  }
}

void add_collision_geometry(const Xml& xml, const std::string& file, const std::string& directory,
                            const std::vector<std::string>& package_dirs, RobotModel& robot) {
  std::map<std::string, int> frames;  // a link and a fixed joint may share a name; links come first
  for (int i = 0; i < static_cast<int>(robot.frames.size()); ++i) frames.emplace(robot.frames[i].name, i);
  const Files files{directory, package_dirs};
  for (const Xml* link : children(xml, "link")) {
    const std::string name = required(*link, "name", file);
    int count = 0;
    for (const Xml* collision : children(*link, "collision")) {
      const std::string place = file + ": link '" + name + "' <collision>";
      const Xml* geometry = child(*collision, "geometry");
      if (!geometry) throw InvalidInput(place + " has no <geometry>");
      const int link_frame = frames.at(name);
      const Frame& frame = robot.frames[link_frame];
      Geom geom;
      geom.name = attribute(*collision, "name").value_or(name + "_" + std::to_string(count++));
      geom.body = frame.body;
      geom.placement = frame.placement * urdf_origin(*collision, place);
      add_collision_shape(read_shape(*geometry, files, place), geom, {-1, link_frame, false}, place, robot);
    }
  }
}

}  // namespace stiction
