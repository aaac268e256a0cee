// SPDX-License-Identifier: BSD-2-Clause
// Oracle: a tower laid dry stands; no block moves by a millimetre. Steps that the judge did not accept are counted.
#include <stiction/scene/kapla.h>

#include "support/play.h"

namespace stiction::test {
namespace {

void expect_stands(double seconds) {
  Play play(kapla({}));
  const Vec start = play.sim.state().q;
  const int steps = static_cast<int>(std::lround(seconds / 1e-2));
  for (int n = 0; n < steps; ++n) play.step();
  EXPECT_LE(kapla_displacement(start, play.sim.state().q), 1e-3);
  ::testing::Test::RecordProperty("unaccepted", play.unaccepted);
  std::printf("  kapla: %d of %d steps not accepted, largest displacement %.3g m\n", play.unaccepted, steps,
              kapla_displacement(start, play.sim.state().q));
}

TEST(Kapla, Stands) { expect_stands(1.0); }

TEST(Kapla, StandsTenSecondsFull) {
  if (!full_run()) GTEST_SKIP() << "STICTION_FULL=1 runs it";
  expect_stands(10.0);
}

}  // namespace
}  // namespace stiction::test
