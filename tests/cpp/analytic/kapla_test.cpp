// SPDX-License-Identifier: BSD-2-Clause
// Oracle: a tower laid dry stands; no block moves. Disturbed, it stays within what disturbed it. The judge accepts every
// step, also those in which a block slides off or tumbles. Times are measured by bench/solvers_in_simulation.py, not here.
#include <stiction/scene/stacks/kapla.h>

#include <random>

#include "support/play.h"

namespace stiction::test {
namespace {

constexpr double kStep = 1e-2;
constexpr int kTopBlocks = 9;

int steps_of(double seconds) { return static_cast<int>(std::lround(seconds / kStep)); }

void expect_stands(double seconds) {
  Play play(kapla({}));
  const Vec start = play.sim.state().q;
  play.run(steps_of(seconds));
  EXPECT_EQ(play.unaccepted, 0);
  EXPECT_LE(kapla_displacement(start, play.sim.state().q), 1e-6);
}

TEST(Kapla, Stands) { expect_stands(1.0); }

TEST(Kapla, StandsTenMinutesFull) {
  if (!full_run()) GTEST_SKIP() << "STICTION_FULL=1 runs it";
  expect_stands(600.0);
}

// A block of the top layer at 0.5 m/s along x or y, given once or kept for a second.
void expect_accepted_when_pushed(int axis, bool kept, double seconds) {
  Play play(kapla({}));
  const int block = static_cast<int>(play.sim.world().bodies.size()) - kTopBlocks + 1;
  for (int n = 0; n < steps_of(seconds); ++n) {
    if (n == 0 || (kept && n < 100)) play.sim.state().v[6 * block + axis] = 0.5;
    play.step();
  }
  EXPECT_EQ(play.unaccepted, 0) << "axis " << axis << " kept " << kept;
  EXPECT_TRUE(play.finite());
}

TEST(Kapla, EveryStepOfAPushedBlockIsAccepted) {
  expect_accepted_when_pushed(0, false, 0.3);
  expect_accepted_when_pushed(1, true, 0.3);
}

TEST(Kapla, EveryStepOfAPushedBlockIsAcceptedFull) {
  if (!full_run()) GTEST_SKIP() << "STICTION_FULL=1 runs it";
  for (const int axis : {0, 1})
    for (const bool kept : {false, true}) expect_accepted_when_pushed(axis, kept, 3.0);
}

// Uniform noise on every coordinate of every block: drift stays below ten times the noise; accepted from `settled` on.
void expect_stands_with_noise(double noise, double seconds, double settled) {
  Play play(kapla({}));
  std::mt19937_64 random(1);
  Vec& q = play.sim.state().q;
  for (int i = 0; i + 7 <= q.size(); i += 7)
    for (int k = 0; k < 3; ++k) q[i + k] += noise * (2.0 * static_cast<double>(random() >> 11) * 0x1.0p-53 - 1.0);
  const Vec start = q;
  play.run(steps_of(settled));
  const int early = play.unaccepted;
  play.run(steps_of(seconds - settled));
  EXPECT_EQ(play.unaccepted, early) << "noise " << noise;
  EXPECT_LE(kapla_displacement(start, play.sim.state().q), 10.0 * noise) << "noise " << noise;
}

TEST(Kapla, StandsWithNoise) { expect_stands_with_noise(1e-7, 0.3, 0.0); }

TEST(Kapla, StandsWithNoiseFull) {
  if (!full_run()) GTEST_SKIP() << "STICTION_FULL=1 runs it";
  for (const double noise : {1e-7, 1e-6, 1e-5, 1e-4}) expect_stands_with_noise(noise, 10.0, 3.0);
}

}  // namespace
}  // namespace stiction::test
