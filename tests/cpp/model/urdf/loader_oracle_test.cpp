// SPDX-License-Identifier: BSD-2-Clause
// Oracle: Pinocchio itself, which parses the same file with a free-flyer root. Names, sizes, masses, limits, and the place
// of every joint at the start.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/world/draft.h>

#include <filesystem>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/parsers/urdf.hpp>

namespace stiction {
namespace {

void compare(const std::string& file) {
  WorldBuilder builder;
  RobotOptions options;
  options.position = {0.3, -0.2, 0.7};
  options.rotation = Quat(Eigen::AngleAxisd(0.8, Vec3(1, -2, 0.5).normalized()));
  builder.add_urdf(file, options);
  const auto world = builder.compile();
  pinocchio::Model model;
  pinocchio::urdf::buildModel(file, pinocchio::JointModelFreeFlyer(), model);
  ASSERT_EQ(world->nq, model.nq);
  ASSERT_EQ(world->nv, model.nv);
  ASSERT_EQ(world->bodies.size() + 1, static_cast<std::size_t>(model.njoints));
  pinocchio::Data data(model);
  pinocchio::forwardKinematics(model, data, Eigen::Ref<const Vec>(world->q0));
  for (std::size_t i = 0; i < world->bodies.size(); ++i) {
    const Body& b = world->bodies[i];
    EXPECT_EQ(world->robots[0].joint_names[i], model.names[i + 1]);
    EXPECT_EQ(b.q, model.idx_qs[i + 1]);
    EXPECT_EQ(b.v, model.idx_vs[i + 1]);
    EXPECT_EQ(b.inertia.mass, model.inertias[i + 1].mass());
    const Pose pose = start_pose(*world, static_cast<BodyId>(i));
    EXPECT_LE((pose.translation - data.oMi[i + 1].translation()).norm(), 1e-13) << model.names[i + 1];
    EXPECT_LE((pose.rotation - data.oMi[i + 1].rotation()).norm(), 1e-13) << model.names[i + 1];
    if (b.joint == JointKind::revolute || b.joint == JointKind::prismatic) {
      const double lower = model.lowerPositionLimit[b.q], upper = model.upperPositionLimit[b.q];
      EXPECT_EQ(world->lower[b.v], lower <= -1e10 ? -kInfinity : lower);  // beyond 1e10 a number says "none"
      EXPECT_EQ(world->upper[b.v], upper >= 1e10 ? kInfinity : upper);
    }
  }
  EXPECT_EQ(world->joint_damping, model.damping);
}

TEST(LoaderOracle, ModelsOfOurOwn) {
  for (const char* name : {"starleth.urdf", "anymal_prim.urdf"}) {
    SCOPED_TRACE(name);
    compare(std::string(STICTION_SOURCE_DIR) + "/models/" + name);
  }
}

// Robots of example-robot-data; those that no simulator can run are refused by name, not by accident.
TEST(LoaderOracle, PublicRobots) {
  const std::filesystem::path robots = std::filesystem::path(STICTION_ROBOTS_DIR) / "robots";
  if (!std::filesystem::exists(robots)) GTEST_SKIP() << "example-robot-data is not installed";
  // romeo: fingers without mass; romeo_laas_small: negative moment of inertia; ur3: a file without links
  const std::vector<std::string> refused = {"romeo.urdf", "romeo_laas_small.urdf", "ur3.urdf"};
  int loaded = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(robots)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".urdf") continue;
    SCOPED_TRACE(name);
    if (std::find(refused.begin(), refused.end(), name) != refused.end()) {
      EXPECT_THROW(WorldBuilder().add_urdf(entry.path().string()), InvalidInput);
      continue;
    }
    EXPECT_NO_THROW(compare(entry.path().string()));
    ++loaded;
  }
  EXPECT_GE(loaded, 60);
}

}  // namespace
}  // namespace stiction
