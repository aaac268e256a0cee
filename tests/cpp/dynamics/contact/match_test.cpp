// SPDX-License-Identifier: BSD-2-Clause
// The identity of contacts from step to step: same key, same contact; frame and force travel with it.
#include <gtest/gtest.h>

#include "dynamics/contact/contact_rig.h"

namespace stiction {
namespace {

using test::at, test::ContactRig;

// A box of one metre that lies on the ground: four contacts.
ContactRig box_on_ground() {
  WorldBuilder builder;
  builder.add_ground();
  builder.add_body(make_box({1, 1, 1}), 1.0, at({0, 0, 0.5}));
  return ContactRig(builder.compile());
}

// Forces that tell the contacts apart.
void mark_forces(std::vector<Contact>& contacts) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (int r = 0; r < 3; ++r) contacts[i].force[r] = 10.0 * static_cast<double>(i) + r;
    contacts[i].flags = i % 2 == 0 ? kStuck : 0;
  }
}

void meet(ContactRig& rig, const std::vector<ContactRecord>& memory) { match(rig.layout, rig.k, memory, rig.contacts); }

TEST(Match, NewContactsAreOpenStuckAndUnloaded) {
  ContactRig rig = box_on_ground();
  rig.look(1e-3, 1e-3);
  meet(rig, {});
  ASSERT_EQ(rig.contacts.size(), 4u);
  for (const Contact& c : rig.contacts) {
    EXPECT_FALSE(c.known);
    EXPECT_EQ(c.flags, kOpen | kStuck);
    EXPECT_EQ(Vec3(c.force[0], c.force[1], c.force[2]), Vec3(Vec3::Zero()));
    EXPECT_EQ(c.frame, fresh_frame(c.normal, Mat3::Identity()));
  }
}

TEST(Match, SameKeySameContact) {
  ContactRig rig = box_on_ground();
  rig.look(1e-3, 1e-3);
  meet(rig, {});
  mark_forces(rig.contacts);
  const auto memory = rig.records();
  rig.q[0] += 0.01;  // slides: the corners keep their features
  rig.look(1e-3, 1e-3);
  meet(rig, memory);
  ASSERT_EQ(rig.contacts.size(), memory.size());
  for (std::size_t i = 0; i < memory.size(); ++i) {
    EXPECT_TRUE(rig.contacts[i].known);
    EXPECT_EQ(rig.contacts[i].key, memory[i].key);
    EXPECT_EQ(rig.contacts[i].flags, memory[i].flags);
    for (int r = 0; r < 3; ++r) EXPECT_EQ(rig.contacts[i].force[r], memory[i].force[r]);
  }
}

// The box turns about the vertical: each corner keeps its key although another one is now where it was.
TEST(Match, CornersKeepTheirKeysWhileTheBodyTurns) {
  ContactRig rig = box_on_ground();
  rig.look(1e-3, 1e-3);
  const auto before = rig.contacts;
  const Quat turn(Eigen::AngleAxisd(0.5, Vec3::UnitZ()));
  rig.q.segment<4>(3) = turn.coeffs();
  rig.look(1e-3, 1e-3);
  ASSERT_EQ(rig.contacts.size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(rig.contacts[i].key, before[i].key);
    EXPECT_LE((rig.contacts[i].point - turn * before[i].point).norm(), 1e-12);
  }
}

TEST(Match, RecordsOfOtherContactsAreSkipped) {
  ContactRig rig = box_on_ground();
  rig.look(1e-3, 1e-3);
  meet(rig, {});
  mark_forces(rig.contacts);
  auto memory = rig.records();
  ContactRecord stranger = memory[1];
  stranger.key.feature += 1000, stranger.force[2] = -1.0;
  memory.insert(memory.begin(), ContactRecord{});  // smallest key of all
  memory.push_back(stranger);
  memory.erase(memory.begin() + 2);  // the second contact is forgotten
  rig.look(1e-3, 1e-3);
  meet(rig, memory);
  EXPECT_TRUE(rig.contacts[0].known);
  EXPECT_FALSE(rig.contacts[1].known);
  EXPECT_EQ(rig.contacts[1].force[2], 0.0);
  EXPECT_TRUE(rig.contacts[2].known);
  EXPECT_EQ(rig.contacts[2].force[2], 22.0);
  EXPECT_TRUE(rig.contacts[3].known);
}

// Two balls that circle each other: normal, frame and remembered force turn with the pair.
TEST(Match, FrameIsCarriedAlongWithATurningPair) {
  WorldBuilder builder;
  builder.add_body(make_sphere(0.5), 1.0, at({-0.5, 0, 0}));
  builder.add_body(make_sphere(0.5), 1.0, at({0.5, 0, 0}));
  ContactRig rig(builder.compile());
  rig.look(1e-3, 1e-3);
  meet(rig, {});
  ASSERT_EQ(rig.contacts.size(), 1u);
  rig.contacts[0].force[0] = 3.0, rig.contacts[0].force[2] = 4.0;
  const Mat3 first = rig.contacts[0].frame;
  const int steps = 40;
  for (int i = 1; i <= steps; ++i) {
    const auto memory = rig.records();
    const Quat turn(Eigen::AngleAxisd(1.2 * i / steps, Vec3::UnitZ()));
    rig.q.segment<3>(0) = turn * Vec3(-0.5, 0, 0), rig.q.segment<3>(7) = turn * Vec3(0.5, 0, 0);
    rig.q.segment<4>(3) = rig.q.segment<4>(10) = turn.coeffs();
    rig.look(1e-3, 1e-3);
    meet(rig, memory);
  }
  const Mat3 R = Eigen::AngleAxisd(1.2, Vec3::UnitZ()).toRotationMatrix();
  const Contact& c = rig.contacts[0];
  EXPECT_LE((c.frame - first * R.transpose()).norm(), 1e-12);
  const Vec3 force = c.frame.transpose() * Vec3(c.force[0], c.force[1], c.force[2]);
  EXPECT_LE((force - R * (first.transpose() * Vec3(3, 0, 4))).norm(), 1e-11);
}

// A new contact between two moving bodies takes its tangents from the first body.
TEST(Match, FreshFrameOfMovingBodies) {
  WorldBuilder builder;
  BodyOptions turned = at({0, 0, 0});
  turned.rotation = Quat(Eigen::AngleAxisd(0.7, Vec3::UnitZ()));
  builder.add_body(make_box({1, 1, 1}), 1.0, turned);
  builder.add_body(make_sphere(0.5), 1.0, at({0, 0, 1.0}));
  ContactRig rig(builder.compile());
  rig.look(1e-3, 1e-3);
  meet(rig, {});
  ASSERT_EQ(rig.contacts.size(), 1u);
  EXPECT_LE((Vec3(rig.contacts[0].frame.row(0)) - turned.rotation * Vec3::UnitX()).norm(), 1e-12);
}

}  // namespace
}  // namespace stiction
