// SPDX-License-Identifier: BSD-2-Clause
// Oracle: whatever the mass ratio, the floor carries (m1 + m2) g, nothing sinks and nothing moves.
#include <stiction/scene/friction/heavy_on_light.h>

#include "support/play.h"

namespace stiction::test {
namespace {

double floor_force(const Simulator& sim) {
  double sum = 0.0;
  for (const ContactView& c : sim.contacts())
    if (c.body_a == kWorldBody) sum += c.force.z();
  return sum;
}

void expect_stands(const HeavyOnLight& p, const Settings& settings) {
  Play play(heavy_on_light(p), settings);
  const Vec3 bottom = play.position(0), top = play.position(1);
  const double weight = heavy_on_light_floor_force(p);
  double error = 0.0, sinking = 0.0;
  for (int i = 0; i < 1000; ++i) {
    play.step();
    error = worst(error, std::abs(floor_force(play.sim) - weight) / weight);
    sinking = worst(sinking, worst((play.position(0) - bottom).norm(), (play.position(1) - top).norm()));
  }
  EXPECT_LE(error, 1e-6) << "ratio " << p.ratio << (p.boxes ? " boxes" : " spheres");
  EXPECT_LE(sinking, 1e-4) << "ratio " << p.ratio << (p.boxes ? " boxes" : " spheres");
  EXPECT_EQ(play.unaccepted, 0) << "ratio " << p.ratio << (p.boxes ? " boxes" : " spheres");
}

TEST(HeavyOnLight, FloorCarriesTheWeight) {
  for (const bool boxes : {false, true})
    for (const double ratio : {1.0, 1e2, 1e4, 1e6})
      expect_stands({.ratio = ratio, .boxes = boxes}, settings_for("coulomb", 1e-3));
}

TEST(HeavyOnLight, FloorCarriesTheWeightWithoutDriftCorrection) {
  expect_stands({}, settings_for("coulomb", 1e-3, {{"baumgarte", 0.0}}));
}

TEST(HeavyOnLight, ConvexLawAgreesAtRest) { expect_stands({}, settings_for("convex", 1e-3)); }

}  // namespace
}  // namespace stiction::test
