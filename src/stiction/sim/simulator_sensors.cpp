// SPDX-License-Identifier: BSD-2-Clause
// Sites, sensors and rays of a Simulator.
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/model/world/checks.h>
#include <stiction/sim/sensors.h>

namespace stiction {
namespace {

void require_coordinates(const Sensor& s, const Settings& settings) {
  const bool contacts_only = s.kind == SensorKind::touch || s.kind == SensorKind::contact;
  if (!sensor_info(s.kind).accelerates || contacts_only) return;
  throw InvalidInput("sensor '" + s.name + "' (" + sensor_info(s.kind).name +
                     ") needs forces of joints, and coordinates are '" + settings.coordinates +
                     "'; take coordinates='minimal', or name the sensors to read");
}

}  // namespace

Pose Simulator::site_pose(int site) const {
  check_index("site", site, static_cast<int>(impl_->minimal->sites.size()));
  const Site& s = impl_->minimal->sites[static_cast<std::size_t>(site)];
  return s.body == kWorldBody ? s.placement : pose(s.body) * s.placement;
}

std::vector<Vec> Simulator::sensors(const std::vector<int>& which, std::optional<std::uint64_t> seed) const {
  const World& world = *impl_->minimal;
  for (const int i : which) check_index("sensor", i, static_cast<int>(world.sensors.size()));
  if (!impl_->world->cuts.empty())
    for (const int i : which) require_coordinates(world.sensors[static_cast<std::size_t>(i)], impl_->settings);
  SensorMoment moment(*impl_);
  std::vector<Vec> out;
  for (const int i : which) {
    const Sensor& sensor = world.sensors[static_cast<std::size_t>(i)];
    Vec& x = out.emplace_back(Vec::Zero(sensor_size(sensor)));
    read_sensor(sensor, moment, x.data());
    if (seed) add_noise(sensor, *seed, impl_->state.time, x.data());
    cut_off(sensor, x.data());
  }
  return out;
}

std::optional<RayContact> Simulator::cast_ray(const Vec3& origin, const Vec3& direction,
                                              const std::vector<int>& ignored, double farthest) const {
  check_finite(std::string("cast_ray.origin"), origin);
  check_finite(std::string("cast_ray.direction"), direction);
  if (!(direction.norm() > 0.0)) throw InvalidInput("cast_ray.direction is zero, expected a direction");
  if (!(farthest >= 0.0)) throw InvalidInput("cast_ray.farthest is " + text(farthest) + ", expected a length >= 0 [m]");
  const Ray ray{origin, direction.normalized()};
  const auto hit = stiction::cast_ray(*impl_->world, impl_->model->layout, impl_->kinematics(), ray, ignored, farthest);
  if (!hit) return {};
  const double distance = hit->hit.distance;
  return RayContact{distance, origin + distance * ray.direction, hit->hit.normal,
                    impl_->world->public_body(impl_->world->geoms[static_cast<std::size_t>(hit->geom)].body),
                    hit->geom};
}

}  // namespace stiction
