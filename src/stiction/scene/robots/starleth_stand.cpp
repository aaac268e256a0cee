// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/robots/quadruped.h>
#include <stiction/scene/robots/starleth_stand.h>

#include <cmath>

namespace stiction {
namespace {

constexpr double kHip = 0.0685, kThigh = 0.2, kShank = 0.235;  // lengths of the links [m]

double shank_angle(double thigh) { return std::asin(kThigh * std::sin(thigh) / kShank); }  // β

// Radius of the foot spheres: the lowest that the robot has. 0 if its feet are points.
double foot_radius(const World& world) {
  double radius = 0.0;
  for (const Geom& geom : world.geoms)
    if (geom.body != kWorldBody && geom.shape.kind == ShapeKind::sphere) radius = geom.shape.radius();
  return radius;
}

}  // namespace

Scene starleth_stand(const StarlethStand& p) {
  check_parameters(p);
  const std::string file = model_path("starleth.urdf");
  RobotOptions options;
  options.name = "starleth";
  WorldBuilder trial;  // asks the model for the size of its feet before it is placed
  trial.add_urdf(file, options);
  options.position = {0.0, 0.0, starleth_height(p.thigh) + foot_radius(*trial.compile())};

  Scene scene;
  scene.duration = 2.0;
  scene.kp = p.kp;
  scene.kd = p.kd;
  scene.implicit_pd = true;
  scene.world.add_ground(surface(p.mu));
  const int robot = scene.world.add_urdf(file, options);
  const double knee = p.thigh + shank_angle(p.thigh);  // the shank's angle is relative to the thigh's
  set_posture(scene.world, robot,
              {{{"LF", 0.0, p.thigh, -knee},
                {"RF", 0.0, p.thigh, -knee},
                {"LH", 0.0, -p.thigh, knee},
                {"RH", 0.0, -p.thigh, knee}}});
  return scene;
}

double starleth_height(double thigh) { return kHip + kThigh * std::cos(thigh) + kShank * std::cos(shank_angle(thigh)); }

}  // namespace stiction
