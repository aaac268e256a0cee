// SPDX-License-Identifier: BSD-2-Clause
// contact-models 14, test 23 on the sliding cube, and figure 10: the regularised convex law launches the cube a little less
// high than the rigid one (6.2 mm), and no line search stalls at a tight tolerance.
#include <stiction/scene/friction/cube_slide.h>

#include "support/play.h"

namespace stiction::test {
namespace {

struct Launch {
  double peak = 0.0;  // [m]
  double iterations_per_step = 0.0;
};

Launch launch(const OptionMap& options) {
  Play play(cube_slide({}), settings_for("convex", 1e-3, {{"baumgarte", 1e-4}, {"dead_band", 0.0}}, "newton", options));
  const double start = play.position(0).z();
  Launch out;
  for (int n = 0; n < 300; ++n) {
    play.step();
    out.peak = worst(out.peak, play.position(0).z() - start);
  }
  out.iterations_per_step = static_cast<double>(play.iterations) / 300.0;
  return out;
}

TEST(NewtonSlide, PeaksOfTheThreeRules) {
  EXPECT_NEAR(launch({{"regularisation", std::string("contactbench")}}).peak, 5.59e-3, 0.1e-3);
  EXPECT_NEAR(launch({{"regularisation", std::string("drake")}}).peak, 5.87e-3, 0.1e-3);
  EXPECT_NEAR(launch({{"regularisation", std::string("mujoco")}}).peak, 6.19e-3, 0.1e-3);
  EXPECT_NEAR(launch({{"regularisation", std::string("mujoco")}, {"d", 0.95}}).peak, 5.48e-3, 0.1e-3);
}

TEST(NewtonSlide, NeitherLineSearchStalls) {
  for (const char* search : {"exact", "armijo"})
    for (const double tolerance : {1e-8, 1e-9}) {
      const Launch l = launch({{"line_search", std::string(search)}, {"tolerance", tolerance}});
      EXPECT_LE(l.iterations_per_step, 20.0) << search << " " << tolerance;
      std::printf("  %s at %g: %.1f iterations per step\n", search, tolerance, l.iterations_per_step);
    }
}

}  // namespace
}  // namespace stiction::test
