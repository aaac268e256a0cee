// SPDX-License-Identifier: BSD-2-Clause
// The whole engine: a ball falls 0.4 m and comes to rest on the ground.
// Truth: its centre ends one radius above the ground, and the ground carries its weight.
#include <stiction/model/world/world_builder.h>
#include <stiction/sim/simulator.h>

#include <cmath>
#include <cstdio>

int main() {
  using namespace stiction;
  constexpr double kRadius = 0.1, kMass = 2.0, kWeight = 9.81 * kMass;

  WorldBuilder builder;
  builder.add_ground();
  BodyOptions options;
  options.position = Vec3(0.0, 0.0, 0.5);
  const BodyId ball = builder.add_body(make_sphere(kRadius), kMass, options);

  Settings settings;
  settings.dt = 1e-3;
  Simulator simulator(builder.compile(), settings);
  const StepReport report = simulator.step(1000);

  const double height = simulator.pose(ball).translation.z();
  const double force = simulator.net_wrench(ball)[2];
  std::printf("%s: the ball rests at %.6f m and the ground carries %.6f N\n", name(report.status), height, force);

  const bool rests = std::abs(height - kRadius) <= 1e-5 && std::abs(force - kWeight) <= 1e-5 * kWeight;
  return report.status == Status::converged && rests ? 0 : 1;
}
