// SPDX-License-Identifier: BSD-2-Clause
// A robot from a URDF file under joint PD: an arm swings and pushes a box over the floor.
#include <stiction/model/world/world_builder.h>
#include <stiction/sim/simulator.h>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  stiction::WorldBuilder world;
  stiction::MaterialValues floor;
  floor.mu = 0.5;
  world.add_ground(floor);
  stiction::RobotOptions fixed;
  fixed.fixed = true, fixed.values.mu = 0.3;
  const int arm = world.add_urdf(argc > 1 ? argv[1] : STICTION_EXAMPLES "/arm.urdf", fixed);
  stiction::BodyOptions options;
  options.position = {0.45, 0.15, 0.05};
  options.values.mu = 0.5;
  const stiction::BodyId box = world.add_body(stiction::make_box({0.1, 0.1, 0.1}), 0.5, options);
  const auto& joints = world.draft().robots[arm].joint_names;
  std::printf("joints: %s %s\n", joints[0].c_str(), joints[1].c_str());
  int tip_frame = 0;
  while (world.draft().frames[tip_frame].name != "tip") ++tip_frame;

  stiction::Simulator sim(world.compile(), {});  // dt 1 ms
  sim.set_pd(60.0, 6.0);
  for (int k = 1; k <= 10; ++k) {
    sim.set_target(stiction::Vec2(0.1 * k, 0.0));  // the shoulder is asked to turn at 1 rad/s
    const stiction::StepReport report = sim.step(100);
    const stiction::Vec3 place = sim.pose(box).translation, tip = sim.frame_pose(tip_frame).translation;
    double push = 0.0;
    for (const stiction::ContactView& c : sim.contacts())
      if (c.body_a >= 0) push += c.force.dot(c.normal);  // between arm and box
    std::printf("t = %.1f s   tip (%.4f, %.4f) m   box (%.4f, %.4f) m   push %.3f N   %s\n", sim.state().time, tip.x(),
                tip.y(), place.x(), place.y(), push, name(report.status));
  }
  return sim.pose(box).translation.y() > 0.2 ? 0 : 1;
}
