// SPDX-License-Identifier: BSD-2-Clause
// Oracle: an overlap decays monotonically to the dead band, never faster than its cap, and does not overshoot.
//                                                                                 contact-models 14, test 27
#include <stiction/base/invalid_input.h>
#include <stiction/law/law.h>

#include "support/play.h"

namespace stiction::test {
namespace {

Scene sunken_ball(double depth) {
  Scene scene;
  scene.world.add_ground();
  BodyOptions ball;
  ball.position = {0.0, 0.0, 0.1 - depth};
  scene.world.add_body(make_sphere(0.1), 1.0, ball);
  return scene;
}

TEST(Drift, OverlapDecaysWithoutOvershoot) {
  for (const double depth : {1e-3, 1e-2}) {
    Play play(sunken_ball(depth), settings_for("coulomb", 1e-3));
    double gap = -depth;
    for (int n = 0; n < 500; ++n) {
      play.step();
      const double now = play.position(0).z() - 0.1;
      const double cap = std::min(1.0, std::sqrt(9.81 * std::max(0.0, -gap)));
      ASSERT_GE(now, gap - 1e-12) << n;
      ASSERT_LE(now, 1e-4) << n;
      ASSERT_LE((now - gap) / 1e-3, cap + 1e-9) << n;
      gap = now;
    }
    EXPECT_NEAR(gap, 0.0, 2e-6);
  }
}

// First step of a 1 mm overlap: the share Kb (depth − b) / dt, unless a cap is smaller.
TEST(Drift, EveryOptionOfTheReferenceVelocityChangesTheFirstStep) {
  const auto speed = [](double depth, const OptionMap& options) {
    Play play(sunken_ball(depth), settings_for("coulomb", 1e-3, options));
    play.step();
    return play.velocity(0).z();
  };
  EXPECT_NEAR(speed(1e-3, {}), std::sqrt(9.81 * (1e-3 - 1e-6)), 1e-9);  // 0.1/dt would be 0.0999 m/s > cap
  EXPECT_NEAR(speed(1e-3, {{"baumgarte", 0.01}}), 0.01 * (1e-3 - 1e-6) / 1e-3, 1e-9);
  EXPECT_NEAR(speed(1e-3, {{"baumgarte", 0.01}, {"dead_band", 1e-4}}), 0.01 * (1e-3 - 1e-4) / 1e-3, 1e-9);
  EXPECT_NEAR(speed(1e-3, {{"correction_speed", 0.02}}), 0.02, 1e-9);
  EXPECT_NEAR(speed(1e-3, {{"dead_band", 2e-3}}), 0.0, 1e-9);
}

// A pair is known within the margin: at rest 5 mm above the floor it is listed with 1 cm and not with 1 mm.
TEST(Drift, MarginDecidesWhichPairsAreKnown) {
  for (const double margin : {1e-3, 1e-2}) {
    Play play(sunken_ball(-5e-3), settings_for("coulomb", 1e-3, {{"margin", margin}}));
    play.step();
    EXPECT_EQ(play.sim.contacts().size(), margin > 5e-3 ? 1u : 0u);
  }
}

TEST(Drift, RestitutionThresholdDecidesWhoRebounds) {
  for (const double threshold : {0.5, 2.0}) {
    Scene scene;
    MaterialValues bouncy;
    bouncy.restitution = 1.0;
    scene.world.add_ground(bouncy);
    BodyOptions ball;
    ball.position = {0.0, 0.0, 0.1 + 1e-4};
    ball.velocity = {0.0, 0.0, -1.0};
    scene.world.add_body(make_sphere(0.1), 1.0, ball);
    Play play(scene, settings_for("coulomb", 1e-3, {{"restitution_threshold", threshold}}));
    play.step();
    EXPECT_NEAR(play.velocity(0).z(), threshold < 1.0 ? 1.0 : -(1e-4 - 1e-6) / 1e-3, 1e-9);
  }
}

TEST(Drift, WrongOptionsAreRefusedWithASentence) {
  const LawInfo& coulomb = find_law("coulomb");
  const std::vector<std::pair<const char*, double>> wrong{{"baumgarte", -0.1},       {"baumgarte", 1.5},
                                                          {"correction_speed", 0.0}, {"dead_band", -1e-6},
                                                          {"margin", -1.0},          {"restitution_threshold", -1.0}};
  for (const auto& [field, value] : wrong) {
    try {
      make_hard_contact(coulomb, {{field, value}});
      ADD_FAILURE() << field << " = " << value << " was accepted";
    } catch (const InvalidInput& e) {
      EXPECT_NE(std::string(e.what()).find(field), std::string::npos) << e.what();
    }
    EXPECT_THROW(make_hard_contact(coulomb, {{field, std::nan("")}}), InvalidInput) << field;
  }
  EXPECT_THROW(make_hard_contact(coulomb, {{"angle", 0.1}}), InvalidInput);
  EXPECT_THROW(find_law("colomb"), InvalidInput);
}

}  // namespace
}  // namespace stiction::test
