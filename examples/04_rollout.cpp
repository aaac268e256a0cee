// SPDX-License-Identifier: BSD-2-Clause
// Sixteen runs of a quadruped with different joint targets on two threads, and the same bits on one.
#include <stiction/scene/catalog.h>
#include <stiction/scene/core/scene.h>

#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
  const stiction::Scene scene = stiction::make_scene("anymal_stand");
  stiction::Settings settings;
  settings.dt = scene.dt;
  const stiction::Simulator sim = make_simulator(scene, settings);
  const stiction::World& world = sim.world();
  const int batch = 16, steps = 200, size = world.nq + world.nv, joints = world.ntau;
  const auto& posture = sim.state().pd.target;

  std::vector<double> start, targets, states(batch * steps * size), alone(steps * size);
  for (int b = 0; b < batch; ++b) {
    start.insert(start.end(), sim.state().q.begin(), sim.state().q.end());
    start.insert(start.end(), sim.state().v.begin(), sim.state().v.end());
    for (int i = 0; i < steps * joints; ++i) targets.push_back(posture[i % joints] + 0.01 * b);
  }

  stiction::RolloutInput input{batch, steps, start.data(), nullptr, targets.data(), nullptr};
  rollout(sim, input, 2, states.data());
  for (int b = 0; b < batch; b += 5)
    std::printf("bent by %.2f rad: height after %d steps %.6f m\n", 0.01 * b, steps,
                states[((b + 1) * steps - 1) * size + 2]);

  input.batch = 1, input.targets = targets.data() + 7 * steps * joints;
  rollout(sim, input, 1, alone.data());
  return std::equal(alone.begin(), alone.end(), states.begin() + 7 * steps * size) ? 0 : 1;  // the same bits
}
