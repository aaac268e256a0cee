// SPDX-License-Identifier: BSD-2-Clause
// Time of one pair of hulls of 200 vertices: the narrow phase with and without memory (warm, cold), and Coal's distance
// alone, without the manifold. Lines: case, program, microseconds (lowest of several runs of the mean over all pairs), pairs
// with contact. `hull_pairs FOLDER` also writes the same pairs for MuJoCo, which bench/hull_pairs.py times.
#include <stiction/geometry/coal_bridge.h>
#include <stiction/geometry/narrow_phase.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "hull_pairs/pairs.h"

namespace {

constexpr int kPairs = 200, kRuns = 30;

template <class Run>
void print(const std::string& name, const char* program, const std::vector<stiction::bench::PlacedPair>& pairs,
           const Run& run) {
  double lowest = 1e9;
  int contacts = 0;
  for (int k = 0; k < kRuns; ++k) {
    contacts = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < pairs.size(); ++i) contacts += run(k, i) ? 1 : 0;
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
    lowest = std::min(lowest, time.count() / static_cast<double>(pairs.size()));
  }
  std::printf("%s %s %.3f %d\n", name.c_str(), program, lowest, contacts);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace stiction;
  const Shape a = bench::random_hull(1, {0.2, 0.14, 0.1}), b = bench::random_hull(2, {0.2, 0.2, 0.2});
  for (const bench::Case& c : bench::make_cases(a, b, kPairs)) {
    if (argc > 1) bench::write_mjcf(std::string(argv[1]) + "/" + c.name + ".xml", a, b, c);
    NarrowPhase narrow;
    narrow.expect(8 * kPairs);
    DistanceQuery coal;
    std::vector<ManifoldPoint> out;
    const auto collide = [&](std::size_t i, std::uint64_t id) {
      out.clear();
      narrow.collide(a, c.pairs[i].a, b, c.pairs[i].b, bench::kMargin, id, Vec3::Zero(), out);
      return !out.empty();
    };
    print(c.name, "stiction_warm", c.pairs, [&](int, std::size_t i) { return collide(i, i + 1); });
    print(c.name, "stiction_cold", c.pairs,
          [&](int run, std::size_t i) { return collide(i, i + 1 + (static_cast<std::uint64_t>(run + 1) << 40)); });
    print(c.name, "coal_distance", c.pairs, [&](int, std::size_t i) {
      return coal({&a, c.pairs[i].a, nullptr}, {&b, c.pairs[i].b, nullptr}).distance < bench::kMargin;
    });
  }
}
