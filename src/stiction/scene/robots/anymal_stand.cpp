// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/find_named.h>
#include <stiction/scene/core/entry.h>
#include <stiction/scene/robots/anymal_stand.h>
#include <stiction/scene/robots/quadruped.h>

namespace stiction {
namespace {

struct Gait {
  const char* name;
  double amplitude, kp, kd;  // [rad] [N m/rad] [N m s/rad]
};
constexpr std::array<Gait, 4> kGaits{
    {{"static", 0.0, 40.0, 1.0}, {"moving", 0.1, 40.0, 1.0}, {"hopping", 0.3, 100.0, 2.0}, {"fallen", 0.3, 40.0, 1.0}}};

constexpr Posture kPosture{
    {{"LF", 0.03, 0.4, -0.8}, {"RF", -0.03, 0.4, -0.8}, {"LH", 0.03, -0.4, 0.8}, {"RH", -0.03, -0.4, 0.8}}};

}  // namespace

Scene anymal_stand(const AnymalStand& p) {
  check_parameters(p);
  const Gait& gait = find_named("anymal_stand.targets", kGaits, p.targets);
  Scene scene;
  scene.dt = 5e-3;
  scene.duration = 10.0;
  scene.kp = gait.kp;
  scene.kd = gait.kd;
  scene.world.add_ground(surface(p.mu));
  RobotOptions options;
  options.name = "anymal";
  options.position = {0.0, 0.0, 0.54};
  const int robot = scene.world.add_urdf(model_path("anymal_prim.urdf"), options);
  set_posture(scene.world, robot, kPosture);
  if (gait.amplitude > 0.0) scene.drive = swaying_targets(*scene.world.compile(), gait.amplitude, p.seed);
  return scene;
}

}  // namespace stiction
