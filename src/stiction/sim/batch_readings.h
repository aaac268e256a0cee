// SPDX-License-Identifier: BSD-2-Clause
// What is measured in every environment of a batch at the end of each call of step(): sensors, and bodies: where they are, how they
// move and what touches them. Nothing here is state; the numbers are those that a simulator alone would give.
#pragma once

#include <stiction/sim/simulator.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace stiction {

struct Watched {
  bool sensors = false, bodies = false;
  std::optional<std::uint64_t> seed;  // noise of sensors; each environment has its own
};

class BatchReadings {
 public:
  // A row of bodies: origin, quaternion (x, y, z, w), centre of mass; velocity of the centre of mass, angular velocity; force of
  // contacts, and their torque about the centre of mass. World axes.
  static constexpr int kPose = 0, kCentre = 7, kVelocity = 10, kWrench = 16, kBodyWidth = 22;

  void watch(const Simulator& simulator, int n, const Watched& what);  // throws InvalidInput
  const Watched& watched() const { return what_; }
  bool any() const { return what_.sensors || what_.bodies; }

  // Environment i, whose state `own` has. stepped: `own` has just made its step; else contact forces are those that the state
  // remembers.
  void read(Simulator& own, int i, bool stepped);

  const double* sensors() const { return sensors_.data(); }
  const double* bodies() const { return bodies_.data(); }
  int sensor_width() const { return sensor_width_; }
  int body_count() const { return body_count_; }

 private:
  void read_bodies(const Simulator& own, double* row) const;

  Watched what_;
  std::vector<int> which_;  // all sensors
  std::vector<double> sensors_, bodies_;
  int sensor_width_ = 0, body_count_ = 0;
};

}  // namespace stiction
