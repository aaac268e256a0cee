// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/hash.h>
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/sim/batch_readings.h>
#include <stiction/sim/sensor_moment.h>
#include <stiction/sim/sensors.h>

#include <algorithm>
#include <numeric>

namespace stiction {

void BatchReadings::watch(const Simulator& simulator, int n, const Watched& what) {
  const World& world = simulator.minimal_world();
  if (what.sensors && world.sensors.empty())
    throw InvalidInput("watch.sensors is true, but this world has no sensors; add them by World.add_sensor");
  which_.resize(what.sensors ? world.sensors.size() : 0);
  std::iota(which_.begin(), which_.end(), 0);
  sensor_width_ = 0;
  for (const int i : which_) sensor_width_ += sensor_size(world.sensors[static_cast<std::size_t>(i)]);
  body_count_ = what.bodies ? static_cast<int>(world.bodies.size()) : 0;
  const auto environments = static_cast<std::size_t>(n);
  sensors_.assign(environments * static_cast<std::size_t>(sensor_width_), 0.0);
  bodies_.assign(environments * static_cast<std::size_t>(body_count_ * kBodyWidth), 0.0);
  what_ = what;
}

void BatchReadings::read(Simulator& own, int i, bool stepped) {
  LastStep& last = own.impl_->last;
  if (stepped)
    last.made = true;  // a simulator without sensors does not note it
  else
    last = {};
  if (what_.sensors) {
    std::optional<std::uint64_t> seed;
    if (what_.seed) seed = Hash().add(*what_.seed).add(i).value();
    double* out = sensors_.data() + static_cast<std::ptrdiff_t>(i) * sensor_width_;
    for (const Vec& x : own.sensors(which_, seed)) out = std::copy_n(x.data(), x.size(), out);
  }
  if (what_.bodies) read_bodies(own, bodies_.data() + static_cast<std::ptrdiff_t>(i) * body_count_ * kBodyWidth);
}

void BatchReadings::read_bodies(const Simulator& own, double* row) const {
  SensorMoment moment(*own.impl_);
  const Layout& layout = moment.layout();
  const Kinematics& k = moment.kinematics();
  const auto at = [row](BodyId body, int offset) {
    return Eigen::Map<Vec3>(row + static_cast<std::ptrdiff_t>(body) * kBodyWidth + offset);
  };
  for (int b = 0; b < body_count_; ++b) {
    const Pose pose = k.pose(layout, b);
    const BodyMotion motion = body_motion(layout, k, b);
    at(b, kPose) = pose.translation;
    Eigen::Map<Eigen::Vector4d>(row + b * kBodyWidth + kPose + 3) = Eigen::Quaterniond(pose.rotation).coeffs();
    at(b, kCentre) = motion.centre;
    at(b, kVelocity) = motion.linear;
    at(b, kVelocity + 3) = motion.angular;
    at(b, kWrench).setZero();
    at(b, kWrench + 3).setZero();
  }
  for (const FeltContact& c : moment.contacts())
    for (const auto& [body, sign] : {std::pair(c.a, -1.0), std::pair(c.b, 1.0)}) {
      if (body == kWorldBody) continue;
      const Vec3 force = sign * c.force;
      at(body, kWrench) += force;
      at(body, kWrench + 3) += (c.point - Vec3(at(body, kCentre))).cross(force);
    }
}

}  // namespace stiction
