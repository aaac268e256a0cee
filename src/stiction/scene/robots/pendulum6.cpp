// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/robots/pendulum6.h>

#include <sstream>

namespace stiction {
namespace {

constexpr double kLength = 0.1, kWidth = 0.04, kMass = 0.3;

std::string chain_text(int links) {
  constexpr double across = kMass / 12.0 * (kWidth * kWidth + kLength * kLength);
  constexpr double along = kMass / 6.0 * kWidth * kWidth;
  std::ostringstream xml;
  xml.precision(17);
  xml << "<robot name='pendulum'><link name='root'/>";
  for (int i = 1; i <= links; ++i) {
    xml << "<link name='link" << i << "'><inertial><origin xyz='0 0 " << -kLength / 2.0 << "'/><mass value='" << kMass
        << "'/><inertia ixx='" << across << "' ixy='0' ixz='0' iyy='" << across << "' iyz='0' izz='" << along
        << "'/></inertial></link>";
    xml << "<joint name='joint" << i << "' type='revolute'><parent link='"
        << (i == 1 ? "root" : "link" + std::to_string(i - 1)) << "'/><child link='link" << i << "'/><origin xyz='0 0 "
        << (i == 1 ? 0.0 : -kLength)
        << "'/><axis xyz='0 -1 0'/><limit lower='-1000' upper='1000' effort='1e9' velocity='1e9'/></joint>";
  }
  xml << "</robot>";
  return xml.str();
}

}  // namespace

Scene pendulum6(const Pendulum6& p) {
  check_parameters(p);
  check_parameters(p, "mu_static", p.mu_static, p.mu, 1e6);
  Scene scene;
  scene.duration = 5.0;
  MaterialValues ground = surface(p.mu);
  ground.mu_static = p.mu_static;
  scene.world.add_ground(ground);
  RobotOptions options;
  options.name = "pendulum";
  options.fixed = true;
  options.position = {0.0, 0.0, p.height};
  const int robot = scene.world.add_urdf_text(chain_text(p.links), options);
  scene.world.set_joint_position(robot, "joint1", p.angle);
  WorldBuilder::JointValues viscous;
  viscous.damping = p.viscosity;
  for (int i = 0; i < p.links; ++i) {
    scene.world.set_joint_values(robot, "joint" + std::to_string(i + 1), viscous);
    for (const double z : {0.0, -kLength})
      for (const double x : {-kWidth / 2.0, kWidth / 2.0})
        for (const double y : {-kWidth / 2.0, kWidth / 2.0})
          scene.world.add_contact_point(i, Vec3(x, y, z), false, std::nullopt, std::nullopt);
  }
  return scene;
}

}  // namespace stiction
