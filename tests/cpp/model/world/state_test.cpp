// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/model/world/state.h>

#include "model/refusal.h"
#include "support/heap_count.h"

namespace stiction {
namespace {

const char* kSpinner = R"(<robot name="spinner">
  <link name="base"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="wheel"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="axle" type="continuous"><parent link="base"/><child link="wheel"/><axis xyz="0 1 0"/></joint>
</robot>)";

std::shared_ptr<const World> spinner() {
  WorldBuilder world;
  world.add_urdf_text(kSpinner);
  world.add_body(make_sphere(0.1), 1.0);
  return world.compile();
}

State busy_state(const World& world) {
  State s = initial_state(world);
  s.time = 1.25;
  s.v.setLinSpaced(-1.0, 1.0);
  s.contacts.resize(3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    s.contacts[i].key = {i, i + 1, 7 * i};
    s.contacts[i].flags = i;
    s.contacts[i].force[2] = 0.1 * i;
  }
  s.limit_force.setConstant(0.5);
  s.pd.active = true;
  s.pd.kp.setConstant(40.0);
  return s;
}

// Oracle: the state itself, bit for bit.
TEST(State, SaveAndRestoreAreBitExact) {
  const auto world = spinner();
  const State s = busy_state(*world);
  const auto blob = save(s, world->fingerprint, "coulomb dt=0.001");
  State t = initial_state(*world);
  EXPECT_NE(hash(s), hash(t));
  restore(blob, world->fingerprint, "coulomb dt=0.001", t);
  EXPECT_EQ(hash(s), hash(t));
  EXPECT_EQ(s.q, t.q);
  EXPECT_EQ(s.v, t.v);
  EXPECT_EQ(t.contacts.size(), 3u);
  EXPECT_EQ(save(t, world->fingerprint, "coulomb dt=0.001"), blob);
}

TEST(State, HashSeesEveryPart) {
  const auto world = spinner();
  const State s = busy_state(*world);
  const std::vector<std::function<void(State&)>> edits = {
      [](State& x) { x.time += 1e-15; },         [](State& x) { x.q[3] = -0.0; },
      [](State& x) { x.v[0] += 1e-15; },         [](State& x) { x.contacts[1].flags ^= 1; },
      [](State& x) { x.contacts.pop_back(); },   [](State& x) { x.limit_force[0] = 0.0; },
      [](State& x) { x.friction_force[2] = 1; }, [](State& x) { x.pd.active = false; },
      [](State& x) { x.pd.implicit = true; },    [](State& x) { x.pd.kd[0] = 1; },
      [](State& x) { x.pd.target[0] = 1; }};
  for (std::size_t i = 0; i < edits.size(); ++i) {
    State t = s;
    edits[i](t);
    EXPECT_NE(hash(s), hash(t)) << "edit " << i;
    State back = initial_state(*world);
    restore(save(t, 1, ""), 1, "", back);
    EXPECT_EQ(hash(t), hash(back)) << "edit " << i;
  }
}

TEST(State, WrongBlobsAreRefusedAndChangeNothing) {
  const auto world = spinner();
  const auto good = save(busy_state(*world), 11, "coulomb");
  State s = initial_state(*world);
  const auto before = hash(s);
  const auto refuse = [&](const std::vector<std::byte>& blob, std::uint64_t fingerprint, const std::string& settings,
                          const std::string& needle) {
    const std::string message = refusal([&] { restore(blob, fingerprint, settings, s); });
    EXPECT_NE(message.find(needle), std::string::npos) << message;
    EXPECT_EQ(hash(s), before);
  };
  refuse(good, 12, "coulomb", "another world");
  refuse(good, 11, "convex", "'coulomb'");
  refuse({}, 11, "coulomb", "not made by save");
  refuse(std::vector<std::byte>(500, std::byte{42}), 11, "coulomb", "not made by save");
  auto version = good;
  version[8] = std::byte{9};
  refuse(version, 11, "coulomb", "version 9");
  for (std::size_t n = 8; n < good.size(); n += 7)
    refuse(std::vector<std::byte>(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)), 11, "coulomb", "blob");
  for (std::size_t i = 0; i < good.size(); i += 5) {  // any flipped byte is noticed
    auto broken = good;
    broken[i] ^= std::byte{16};
    refuse(broken, 11, "coulomb", "blob");
  }
  auto longer = good;
  longer.push_back(std::byte{0});
  refuse(longer, 11, "coulomb", "blob");
}

TEST(State, CheckNamesTheEntry) {
  const auto world = spinner();
  const auto refuse = [&](const std::function<void(State&)>& edit, const std::vector<std::string>& needles) {
    State s = initial_state(*world);
    edit(s);
    const auto before = hash(s);
    const std::string message = refusal([&] { check_state(*world, s); });
    for (const auto& needle : needles) EXPECT_NE(message.find(needle), std::string::npos) << message;
    EXPECT_EQ(hash(s), before);
  };
  refuse([](State& s) { s.q[4] = std::nan(""); }, {"State.q[4]", "nan"});
  refuse([](State& s) { s.v[2] = kInfinity; }, {"State.v[2]", "inf"});
  refuse([](State& s) { s.q.conservativeResize(3); }, {"State.q has size 3", "expected 16"});
  refuse([](State& s) { s.v = Vec::Zero(99); }, {"State.v has size 99", "expected 13"});
  refuse([](State& s) { s.q.segment<4>(3) *= 1.1; }, {"State.q[3:7]", "base", "quaternion"});
  refuse([](State& s) { s.q.segment<2>(7).setZero(); }, {"State.q[7:9]", "wheel", "(cos, sin)"});
  refuse([](State& s) { s.time = std::nan(""); }, {"time"});
}

// Oracle: unit length; what is a unit vector already keeps its bits.
TEST(State, CheckNormalisesSmallErrors) {
  const auto world = spinner();
  State s = initial_state(*world);
  check_state(*world, s);
  EXPECT_EQ(s.q, world->q0);
  s.q.segment<4>(3) *= 1.0005;
  s.q.segment<2>(7) *= 0.9995;
  check_state(*world, s);
  EXPECT_NEAR(s.q.segment<4>(3).norm(), 1.0, 1e-15);
  EXPECT_NEAR(s.q.segment<2>(7).norm(), 1.0, 1e-15);
  const Vec q = s.q;
  check_state(*world, s);
  EXPECT_EQ(q, s.q);
}

// Oracle: the state whose contacts were in order from the start, bit for bit.
TEST(State, CheckSortsContacts) {
  const auto world = spinner();
  State sorted = busy_state(*world), turned = sorted;
  check_state(*world, sorted);
  EXPECT_EQ(hash(sorted), hash(busy_state(*world)));
  std::swap(turned.contacts[0], turned.contacts[2]);
  ASSERT_NE(hash(turned), hash(sorted));
  const test::HeapCount heap;
  check_state(*world, turned);
  if (test::kCountsAllocations) {
    EXPECT_EQ(heap.count(), 0);
  }
  EXPECT_EQ(hash(turned), hash(sorted));
}

}  // namespace
}  // namespace stiction
