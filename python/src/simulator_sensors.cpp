// SPDX-License-Identifier: BSD-2-Clause
// Sites, sensors and rays of a Simulator.
#include <algorithm>
#include <numeric>

#include "simulator.h"

namespace stiction::python {
namespace {

struct HitHandle {
  double distance;
  Vec3 point, normal;
  std::optional<BodyHandle> body;
  int geom;
};

using Readings = nb::typed<nb::dict, std::string, FloatArray>;

std::vector<int> chosen(const std::vector<std::string>& known, const std::optional<std::vector<std::string>>& names) {
  std::vector<int> out;
  if (!names) {
    out.resize(known.size());
    std::iota(out.begin(), out.end(), 0);
    return out;
  }
  for (const std::string& name : *names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) throw InvalidInput("sensors.names: " + unknown_name("sensor", name, known));
    out.push_back(static_cast<int>(found - known.begin()));
  }
  return out;
}

Readings sensors(PySimulator& s, const std::optional<std::vector<std::string>>& names, bool noise, std::uint64_t seed) {
  const std::vector<std::string> known = sensor_names(s.minimal_world());
  const std::vector<int> which = chosen(known, names);
  const std::optional<std::uint64_t> given = noise ? std::optional<std::uint64_t>(seed) : std::nullopt;
  const std::vector<Vec> values = s.run([&](Simulator& e) { return e.sensors(which, given); });
  Readings out;
  for (std::size_t i = 0; i < which.size(); ++i)
    out[known[static_cast<std::size_t>(which[i])].c_str()] = new_array(values[i]);
  return out;
}

// Geoms of a body or of a list of bodies.
std::vector<int> geoms_of(const World& world, const nb::object& bodies) {
  std::vector<BodyId> ids;
  if (bodies.is_none()) return {};
  if (nb::isinstance<nb::list>(bodies) || nb::isinstance<nb::tuple>(bodies))
    for (const nb::handle body : bodies) ids.push_back(read_body(world, body, "cast_ray.ignore"));
  else
    ids.push_back(read_body(world, bodies, "cast_ray.ignore"));
  std::vector<int> out;
  for (std::size_t i = 0; i < world.geoms.size(); ++i)
    if (std::find(ids.begin(), ids.end(), world.geoms[i].body) != ids.end()) out.push_back(static_cast<int>(i));
  return out;
}

std::optional<HitHandle> cast_ray(PySimulator& s, const ArrayLike& origin, const ArrayLike& direction,
                                  const BodiesLike& ignore, std::optional<double> farthest) {
  const Vec3 from = read_vec3(origin, "cast_ray.origin"), along = read_vec3(direction, "cast_ray.direction");
  const World& world = s.minimal_world();
  const std::vector<int> ignored = geoms_of(world, ignore);
  const auto hit = s.run([&](Simulator& e) { return e.cast_ray(from, along, ignored, farthest.value_or(kInfinity)); });
  if (!hit) return {};
  const bool moves = hit->body != kWorldBody;
  return HitHandle{hit->distance, hit->point, hit->normal,
                   moves ? std::optional<BodyHandle>(body_handle(world, hit->body)) : std::nullopt, hit->geom};
}

FloatArray of(const Vec3& x) { return new_array(x.data(), 3); }

}  // namespace

void bind_ray_hit(nb::module_& m) {
  nb::class_<HitHandle>(m, "RayHit", "Where a ray meets the first shape on its way.")
      .def_ro("distance", &HitHandle::distance, "from the origin of the ray [m]")
      .def_prop_ro(
          "point", [](const HitHandle& h) { return of(h.point); }, "in the world [m]")
      .def_prop_ro(
          "normal", [](const HitHandle& h) { return of(h.normal); }, "unit, out of the shape, world axes")
      .def_ro("body", &HitHandle::body, "the Body that it belongs to; None is static")
      .def_ro("geom", &HitHandle::geom, "number of the shape in sim.geoms")
      .def("__repr__", [](const HitHandle& h) {
        return "RayHit(distance=" + std::to_string(h.distance) +
               ", body=" + (h.body ? "'" + h.body->name + "'" : "None") + ")";
      });
}

void bind_simulator_sensors(SimulatorClass& c) {
  c.def("sensors", &sensors, "names"_a = nb::none(), nb::kw_only(), "noise"_a = false, "seed"_a = 0,
        "What the sensors read, {name: array}.\n\n"
        "Parameters\n----------\n"
        "names : which of sensor_names; None reads all of them\n"
        "noise : add Gaussian noise with the standard deviation of each sensor\n"
        "seed : the noise is a function of name, seed and sim.time alone: the same call gives the same numbers\n\n"
        "Positions and velocities are those of the present state. Accelerations and forces are those of the equation "
        "of\n"
        "motion at the present state, with the contact and joint forces, tau and wrenches of the last step. A sensor "
        "that\n"
        "is not read costs nothing.")
      .def_prop_ro(
          "sensor_names", [](PySimulator& s) { return sensor_names(s.minimal_world()); },
          "keys of sensors(), in the order of the files and of add_sensor")
      .def(
          "site_pose",
          [](PySimulator& s, const std::string& site) {
            const int i = read_site(s.minimal_world(), nb::str(site.c_str()), "site_pose.site");
            return new_pose(s.run([i](Simulator& e) { return e.site_pose(i); }));
          },
          "site"_a, "(position, quaternion xyzw) of a site, given by name (or \"robot/name\").")
      .def("cast_ray", &cast_ray, "origin"_a, "direction"_a, nb::kw_only(), "ignore"_a = nb::none(),
           "farthest"_a = nb::none(),
           "The first shape that a ray meets, from outside or inside, or None.\n\n"
           "Parameters\n----------\n"
           "origin : where it starts, world [m]\n"
           "direction : where it leads; its length does not matter\n"
           "ignore : a Body or a list of them whose shapes are looked through\n"
           "farthest : shapes beyond this distance are not seen [m]\n\n"
           "Shapes are those that collide. The ground and other half-spaces are seen from above, heightfields without\n"
           "their sides.");
}

}  // namespace stiction::python
