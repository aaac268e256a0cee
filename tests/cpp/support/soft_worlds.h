// SPDX-License-Identifier: BSD-2-Clause
// Worlds for steppers on soft contacts: the planar arm of specification test 15, a quadruped on point feet, a mass on a floor.
#pragma once

#include <stiction/model/world/world_builder.h>
#include <stiction/sim/simulator.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>

namespace stiction::test {

// Uniform rods of .3, .3, .2 m and 1, .8, .5 kg in the plane z = 0, gravity along −y, the tip held 1 mm from where it is.
inline std::shared_ptr<const World> planar_arm(double stiffness = 1e4, double damping = 60.0) {
  const double length[3] = {0.3, 0.3, 0.2}, mass[3] = {1.0, 0.8, 0.5};
  std::ostringstream xml;
  xml.precision(17);
  xml << "<robot name='arm'><link name='world'/>";
  for (int i = 0; i < 3; ++i) {
    const double I = mass[i] * length[i] * length[i] / 12.0;
    xml << "<link name='l" << i << "'><inertial><origin xyz='" << 0.5 * length[i] << " 0 0'/><mass value='" << mass[i]
        << "'/><inertia ixx='" << I << "' iyy='" << I << "' izz='" << I
        << "' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        << "<joint name='j" << i << "' type='revolute'><parent link='"
        << (i == 0 ? "world" : "l" + std::to_string(i - 1)) << "'/><child link='l" << i << "'/><origin xyz='"
        << (i == 0 ? 0.0 : length[i - 1])
        << " 0 0'/><axis xyz='0 0 1'/><limit lower='-100' upper='100' effort='1000' velocity='1000'/></joint>";
  }
  xml << "</robot>";
  WorldBuilder builder;
  builder.gravity = {0.0, -9.81, 0.0};
  RobotOptions options;
  options.fixed = true;
  const int robot = builder.add_urdf_text(xml.str(), options);
  const double q[3] = {0.4, 0.7, -0.5};
  double angle = 0.0;
  Vec3 tip = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    builder.set_joint_position(robot, std::string("j").append(std::to_string(i)), q[i]);
    angle += q[i];
    tip += length[i] * Vec3(std::cos(angle), std::sin(angle), 0.0);
  }
  Loop hold;
  hold.name = "tip";
  hold.b = 2;
  hold.frame_b.translation = {length[2], 0.0, 0.0};
  hold.frame_a.translation = tip + Vec3(1e-3, -5e-4, 0.0);
  hold.stiffness = stiffness, hold.damping = damping;
  builder.add_loop(hold);
  return builder.compile();
}

// The quadruped of our own without collision shapes, standing on four points.
inline std::shared_ptr<const World> point_quadruped(double mu = 0.8, double stiffness = 1e5, double damping = 300.0) {
  std::ifstream file(std::string(STICTION_SOURCE_DIR) + "/models/quadruped_small.urdf");
  std::stringstream text;
  text << file.rdbuf();
  std::string xml = text.str();
  for (std::size_t from = 0; (from = xml.find("<collision", from)) != std::string::npos;)
    xml.erase(from, xml.find("</collision>", from) + 12 - from);
  WorldBuilder builder;
  MaterialValues floor;
  floor.mu = mu;
  builder.add_ground(floor);
  RobotOptions options;
  options.position = {0.0, 0.0, 0.32 * std::cos(0.8)};
  const int robot = builder.add_urdf_text(xml, options);
  for (const char* leg : {"FL", "FR", "HL", "HR"}) {
    builder.set_joint_position(robot, std::string(leg) + "_HFE", -0.8);
    builder.set_joint_position(robot, std::string(leg) + "_KFE", 1.6);
  }
  for (const Frame& frame : builder.draft().frames) {
    if (frame.name.find("_FOOT") == std::string::npos) continue;
    MaterialValues values;
    values.mu = mu;
    builder.add_contact_point(frame.body, frame.placement.translation, false, stiffness, damping, values);
  }
  return builder.compile();
}

// Masses of 1 kg side by side, each touching the floor z = 0 with a point at its centre.
inline std::shared_ptr<const World> point_masses(int count, double mu, double height) {
  WorldBuilder builder;
  MaterialValues values;
  values.mu = mu;
  builder.add_ground(values);
  for (int i = 0; i < count; ++i) {
    BodyOptions options;
    options.position = {0.0, static_cast<double>(i), height};
    options.inertia = 0.01 * Mat3::Identity();
    options.values = values;
    builder.add_body(make_point(), 1.0, options);
  }
  return builder.compile();
}

inline Settings soft(const std::string& stepper, double dt, const OptionMap& options = {}) {
  Settings s;
  s.law = "anchored", s.stepper = stepper, s.dt = dt, s.stepper_options = options;
  return s;
}

}  // namespace stiction::test
