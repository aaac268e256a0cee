// SPDX-License-Identifier: BSD-2-Clause
// What sensors read (docs/sensors.md has the definitions), and rays against all shapes of a world.
#pragma once

#include <stiction/geometry/ray.h>
#include <stiction/sim/sensor_moment.h>

namespace stiction {

// sensor_size() numbers. Before noise and cutoff.
void read_sensor(const Sensor& sensor, SensorMoment& moment, double* out);
void read_joint_sensor(const Sensor& sensor, SensorMoment& moment, double* out);
double read_tendon_sensor(const Sensor& sensor, SensorMoment& moment);
double read_actuator_sensor(const Sensor& sensor, SensorMoment& moment);
double energy_of_position(const Sensor& sensor, const SensorMoment& moment);
double energy_of_motion(const SensorMoment& moment);
void read_contact_sensor(const Sensor& sensor, SensorMoment& moment, double* out);
double read_touch(const Sensor& sensor, SensorMoment& moment);
// Gaussian, a function of the sensor's name, the seed and the time alone. Directions and quaternions turn by a random angle.
void add_noise(const Sensor& sensor, std::uint64_t seed, double time, double* x);
void cut_off(const Sensor& sensor, double* x);

struct GeomHit {
  RayHit hit;
  int geom;
};
// The first geom on the way, those in the sorted list `ignored` left out.
std::optional<GeomHit> cast_ray(const World& world, const Layout& layout, const Kinematics& k, const Ray& ray,
                                const std::vector<int>& ignored, double farthest);

}  // namespace stiction
