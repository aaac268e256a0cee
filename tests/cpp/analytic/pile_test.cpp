// SPDX-License-Identifier: BSD-2-Clause
// Oracle: bodies never overlap: the time mean of the sum of squared depths is 0 up to 1e-12 m². Depths are measured by
// the scene from the positions alone.
#include <stiction/scene/stacks/pile.h>

#include "support/play.h"

namespace stiction::test {
namespace {

double mean_overlap(double dt, double seconds, int& unaccepted) {
  Play play(pile({}), settings_for("coulomb", dt));
  const int steps = static_cast<int>(std::lround(seconds / dt));
  double sum = 0.0;
  for (int n = 0; n < steps; ++n) {
    play.step();
    sum += pile_overlap(play.sim.state().q);
  }
  unaccepted = play.unaccepted;
  EXPECT_TRUE(play.finite());
  return sum / steps;
}

TEST(Pile, MeasureSeesAnOverlap) {
  Vec q = Vec::Zero(14);
  q[2] = 0.1;
  q.segment<3>(7) = Vec3(0.0, 0.199, 0.098);
  EXPECT_NEAR(pile_overlap(q), std::pow(0.2 - std::hypot(0.199, 0.002), 2) + 4e-6, 1e-15);
}

TEST(Pile, SpheresDoNotOverlap) {
  int unaccepted = 0;
  EXPECT_LE(mean_overlap(1e-2, 3.0, unaccepted), 1e-12);
  EXPECT_EQ(unaccepted, 0);
  EXPECT_LE(mean_overlap(1e-3, 0.3, unaccepted), 1e-12);
  EXPECT_EQ(unaccepted, 0);
}

TEST(Pile, SpheresDoNotOverlapInTenSecondsFull) {
  if (!full_run()) GTEST_SKIP() << "STICTION_FULL=1 runs it";
  int unaccepted = 0;
  EXPECT_LE(mean_overlap(1e-2, 10.0, unaccepted), 1e-12);
  EXPECT_EQ(unaccepted, 0);
  EXPECT_LE(mean_overlap(1e-3, 10.0, unaccepted), 1e-12);
  EXPECT_EQ(unaccepted, 0);
}

}  // namespace
}  // namespace stiction::test
