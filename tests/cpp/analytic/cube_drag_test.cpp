// SPDX-License-Identifier: BSD-2-Clause
// Oracle: a cube pulled with F = k t sticks until t = μ m g / k and then follows m v̇ = k t − μ m g; step by step
// v ← max(0, v + dt (k t_n − μ m g)/m).                                         contact-models 14, test 19 (coulomb)
#include <stiction/scene/friction/cube_drag.h>

#include "support/play.h"

namespace stiction::test {
namespace {

TEST(CubeDrag, CoulombFollowsTheClosedForm) {
  const CubeDrag p;
  Play play(cube_drag(p));
  double slip_time = 0.0;
  for (int n = 1; n <= 1000; ++n) {
    play.step();
    const DragMotion exact = cube_drag_steps(p, 1e-3, n);
    ASSERT_NEAR(play.position(0).x(), exact.position, 1e-6) << n;
    ASSERT_NEAR(play.velocity(0).x(), exact.velocity, 1e-6) << n;
    if (slip_time == 0.0 && play.velocity(0).x() > 1e-3) slip_time = n * 1e-3;
  }
  EXPECT_NEAR(slip_time, 0.207, 2e-3);
  EXPECT_NEAR(play.position(0).x(), cube_drag_motion(p, 1.0).position, 5e-3);
  EXPECT_NEAR(play.velocity(0).x(), 6.453, 2e-3);
  EXPECT_LE(std::abs(play.position(0).y()), 1e-9);
  EXPECT_EQ(play.unaccepted, 0);
}

// The relaxation hovers at dt μ v while it slides; with the margin of the law it does not hop.
TEST(CubeDrag, ConvexHoversAtDtMuV) {
  Play play(cube_drag({}), settings_for("convex", 1e-3, {{"margin", 0.1}}));
  const double rest = play.position(0).z();
  play.run(1000);
  EXPECT_NEAR(play.position(0).z() - rest, 1e-3 * 0.4 * play.velocity(0).x(), 0.01 * 1e-3 * 0.4 * 6.5);
}

}  // namespace
}  // namespace stiction::test
