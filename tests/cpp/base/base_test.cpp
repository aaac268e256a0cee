// SPDX-License-Identifier: BSD-2-Clause
// Oracles: published outputs of splitmix64/xoshiro256++ recomputed here from the papers' recurrences, moments of the
// uniform distribution, a sequential loop for the thread pool, and hashes that must not change between machines.
#include <gtest/gtest.h>
#include <stiction/base/growing.h>
#include <stiction/base/hash.h>
#include <stiction/base/invalid_input.h>
#include <stiction/base/random.h>
#include <stiction/base/thread_pool.h>

#include <set>
#include <stdexcept>
#include <string>

namespace stiction {
namespace {

TEST(Hash, IsStableAndSeesEveryBit) {
  const double x[] = {1.0, -2.5, 0.0};
  const std::uint64_t reference = Hash().add(x, 3).value();
  EXPECT_EQ(reference, Hash().add(x, 3).value());
  std::set<std::uint64_t> seen{reference};
  for (int i = 0; i < 3; ++i)
    for (int bit = 0; bit < 64; ++bit) {
      double y[] = {x[0], x[1], x[2]};
      y[i] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(y[i]) ^ (std::uint64_t{1} << bit));
      seen.insert(Hash().add(y, 3).value());
    }
  EXPECT_EQ(seen.size(), 193u);
}

TEST(Hash, OrderLengthAndSignOfZeroMatter) {
  EXPECT_NE(Hash().add(1).add(2).value(), Hash().add(2).add(1).value());
  EXPECT_NE(Hash().add("ab").add("c").value(), Hash().add("a").add("bc").value());
  EXPECT_NE(Hash().add(0.0).value(), Hash().add(-0.0).value());
}

// Oracle: splitmix64 of seed 0 starts with 0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec
// (published); the first output of xoshiro256++ is rotl(s0 + s3, 23) + s0.
TEST(Random, StartsAsPublished) {
  const std::uint64_t s0 = 0xe220a8397b1dcdafULL, s3 = 0xf88bb8a8724c81ecULL;
  EXPECT_EQ(Random(0).bits(), std::rotl(s0 + s3, 23) + s0);
}

TEST(Random, UniformHasItsMomentsAndRepeats) {
  Random a(7), b(7), c(8);
  double mean = 0.0, square = 0.0;
  int different = 0;
  const int n = 200000;
  for (int i = 0; i < n; ++i) {
    const double x = a.uniform();
    ASSERT_TRUE(x >= 0.0 && x < 1.0);
    ASSERT_EQ(x, b.uniform());
    different += x != c.uniform();
    mean += x / n, square += x * x / n;
  }
  EXPECT_NEAR(mean, 0.5, 5.0 * std::sqrt(1.0 / 12.0 / n));  // five standard deviations
  EXPECT_NEAR(square, 1.0 / 3.0, 5.0 * std::sqrt(4.0 / 45.0 / n));
  EXPECT_GT(different, n - 10);
}

TEST(GrowingVec, KeepsItsStorageWhenItShrinks) {
  GrowingVec x;
  x.assign(100, 1.0);
  const double* place = x.data();
  x.resize(3);
  x.resize(100);
  EXPECT_EQ(x.data(), place);
}

TEST(ThreadPool, VisitsEveryIndexOnceOnItsOwnThread) {
  for (const int threads : {1, 2, 3, 5}) {
    ThreadPool pool(threads);
    for (const int n : {0, 1, 2, 17, 1000}) {
      std::vector<int> visits(static_cast<std::size_t>(n), 0), by(static_cast<std::size_t>(n), -1);
      pool.parallel_for(n, [&](int i, int thread) {
        ++visits[static_cast<std::size_t>(i)];
        by[static_cast<std::size_t>(i)] = thread;
      });
      for (int i = 0; i < n; ++i) {
        ASSERT_EQ(visits[static_cast<std::size_t>(i)], 1);
        ASSERT_EQ(by[static_cast<std::size_t>(i)], i % threads);
      }
    }
  }
}

TEST(ThreadPool, PassesExceptionsOnAndSurvivesThem) {
  ThreadPool pool(2);
  const auto fail = [](int i, int) {
    if (i == 3) throw std::runtime_error("three");
  };
  EXPECT_THROW(pool.parallel_for(10, fail), std::runtime_error);
  int sum[2] = {0, 0};
  pool.parallel_for(4, [&](int i, int thread) { sum[thread] += i; });
  EXPECT_EQ(sum[0] + sum[1], 6);
  EXPECT_THROW(ThreadPool(0), InvalidInput);
}

}  // namespace
}  // namespace stiction
