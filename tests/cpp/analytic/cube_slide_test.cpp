// SPDX-License-Identifier: BSD-2-Clause
// Oracles: a sliding cube stops on a straight line after Σ dt max(0, v0 − n μ g dt) = 126.9213 mm (coulomb); each axis of
// an aligned pyramid brakes on its own (pyramid); the convex relaxation launches it at μ v0/(1 + μ²) (convex).
#include <stiction/scene/friction/cube_slide.h>

#include "support/play.h"

namespace stiction::test {
namespace {

constexpr double kDt = 1e-3;
constexpr double kDegree = std::numbers::pi / 180.0;

struct Outcome {
  double along = 0.0, lateral = 0.0;  // where it ends, in the axes of v0 [m]
  double stop = 0.0;                  // last time at which the speed exceeds 1e-3 m/s [s]
  double lift = 0.0;                  // largest rise of the centre [m]
  double energy = 0.0;                // largest |½ m v² − ½ m (v0 − μ g t)²| [J]
  int unaccepted = 0;
};

Outcome slide(const std::string& law, double angle, const OptionMap& law_options) {
  const CubeSlide p{.angle = angle};
  Play play(cube_slide(p), settings_for(law, kDt, law_options));
  const Vec3 start = play.position(0);
  Outcome out;
  for (int n = 1; n <= 300; ++n) {
    play.step();
    const double speed = play.velocity(0).norm(), exact = cube_slide_speed(p, kDt, n);
    if (speed > 1e-3) out.stop = n * kDt;
    out.lift = worst(out.lift, play.position(0).z() - start.z());
    out.energy = worst(out.energy, std::abs(play.sim.energy().kinetic - 0.5 * p.mass * exact * exact));
  }
  const Vec3 d = play.position(0) - start;
  out.along = std::cos(angle) * d.x() + std::sin(angle) * d.y();
  out.lateral = -std::sin(angle) * d.x() + std::cos(angle) * d.y();
  out.unaccepted = play.unaccepted;
  return out;
}

const OptionMap kFidelity{{"baumgarte", 1e-4}, {"dead_band", 0.0}};

TEST(CubeSlide, ClosedFormIsThePublishedNumber) { EXPECT_NEAR(cube_slide_travel({}, kDt), 126.9213e-3, 1e-7); }

// Default settings: within 1 µm of the discrete closed form, straight to 1e-9 m.
TEST(CubeSlide, CoulombTravelsTheClosedForm) {
  for (const double degrees : {0.0, 30.0, 45.0, 77.0}) {
    const Outcome o = slide("coulomb", degrees * kDegree, {});
    EXPECT_NEAR(o.along, cube_slide_travel({}, kDt), 1e-6) << degrees;
    EXPECT_LE(std::abs(o.lateral), 1e-9) << degrees;
    EXPECT_EQ(o.unaccepted, 0) << degrees;
  }
}

// contact-models 14, tests 16 and 17.
TEST(CubeSlide, CoulombKeepsTheEnergyOfTheClosedForm) {
  for (const double degrees : {0.0, 30.0, 45.0}) {
    const Outcome o = slide("coulomb", degrees * kDegree, kFidelity);
    EXPECT_NEAR(o.stop, 0.254, 2e-3) << degrees;
    EXPECT_NEAR(o.along, 126.9e-3, 1e-3) << degrees;
    EXPECT_LE(std::abs(o.lateral), 1e-6) << degrees;
    EXPECT_LE(o.energy, 1e-8) << degrees;
    EXPECT_LE(o.lift, 1e-9) << degrees;
  }
}

TEST(CubeSlide, PyramidTurnsAsideUnlessAligned) {
  struct Row {
    double degrees, stop, along, lateral, tolerance;
  };
  for (const Row& row : {Row{0.0, 0.254, 126.9e-3, 0.0, 1e-6}, Row{30.0, 0.220, 98.2e-3, -20.2e-3, 5e-4},
                         Row{45.0, 0.180, 89.6e-3, 0.0, 1e-6}}) {
    const CubeSlide p{.angle = row.degrees * kDegree};
    const Outcome o = slide("pyramid", p.angle, kFidelity);
    EXPECT_NEAR(o.stop, row.stop, 2e-3) << row.degrees;
    EXPECT_NEAR(o.along, row.along, 1e-3) << row.degrees;
    EXPECT_NEAR(o.lateral, row.lateral, row.tolerance) << row.degrees;
    EXPECT_LE(o.lift, 1e-9) << row.degrees;
    const Vec2 exact = cube_slide_pyramid_travel(p, kDt);
    EXPECT_NEAR(o.along, std::cos(p.angle) * exact.x() + std::sin(p.angle) * exact.y(), 1e-6) << row.degrees;
  }
}

// The pyramid's basis is a parameter of the law: turning it with the velocity removes the bias.
TEST(CubeSlide, PyramidTurnedWithTheVelocityIsStraight) {
  OptionMap options = kFidelity;
  options["angle"] = 30.0 * kDegree;
  const Outcome o = slide("pyramid", 30.0 * kDegree, options);
  EXPECT_NEAR(o.along, cube_slide_travel({}, kDt), 1e-6);
  EXPECT_LE(std::abs(o.lateral), 1e-6);
}

TEST(CubeSlide, ConvexHopsAndLosesTheClosedForm) {
  const Outcome o = slide("convex", 30.0 * kDegree, kFidelity);
  EXPECT_NEAR(o.energy, 0.165, 0.01);
  EXPECT_NEAR(o.lift, 6.2e-3, 0.2e-3);
}

}  // namespace
}  // namespace stiction::test
