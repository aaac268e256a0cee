// SPDX-License-Identifier: BSD-2-Clause
// The sliding cube under pyramids of 4, 8, 16 and 32 facets, 30° off the axes: the price of exactness by facets. Oracle: the
// cone's straight line of 126.9 mm. The polygon lies around the disc, so that friction is up to 1/cos(π/K) too strong and
// sliding sticks to its corners: the drift to the side vanishes like 1/K, the missing travel like 1/K².
#include <stiction/scene/friction/cube_slide.h>

#include <cstdio>
#include <numbers>

#include "support/play.h"

namespace stiction::test {
namespace {

struct Slide {
  double along, lateral;
  long pivots;
  int unaccepted;
};

Slide slide(int facets, double angle) {
  const OptionMap law = {{"baumgarte", 1e-4}, {"dead_band", 0.0}, {"facets", facets}};
  Play play(cube_slide({.angle = angle}), settings_for("pyramid", 1e-3, law, "lemke"));
  const Vec3 start = play.position(0);
  play.run(300);
  const Vec3 d = play.position(0) - start;
  return {std::cos(angle) * d.x() + std::sin(angle) * d.y(), std::cos(angle) * d.y() - std::sin(angle) * d.x(),
          play.iterations, play.unaccepted};
}

TEST(Facets, DriftFallsWithTheirNumberAndTheCostRises) {
  double last = 1.0;
  std::printf("  facets  travel [mm]  drift [mm]  pivots\n");
  for (const int facets : {4, 8, 16, 32}) {
    const Slide s = slide(facets, std::numbers::pi / 6.0);
    std::printf("  %6d  %11.3f  %10.4f  %6ld\n", facets, 1e3 * s.along, 1e3 * s.lateral, s.pivots);
    EXPECT_EQ(s.unaccepted, 0) << facets;
    EXPECT_LT(std::abs(s.lateral), last) << facets;
    last = std::abs(s.lateral);
  }
  EXPECT_NEAR(slide(4, std::numbers::pi / 6.0).lateral, -20.2e-3, 5e-4);  // contact-models 14, test 16
}

}  // namespace
}  // namespace stiction::test
