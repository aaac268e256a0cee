// SPDX-License-Identifier: BSD-2-Clause
// Contact frames. Oracles: Eigen's smallest rotation between two vectors, and the angle by which parallel transport around a
// closed path turns a tangent: the area inside it.
#include <gtest/gtest.h>
#include <stiction/dynamics/contact/match.h>

#include <numbers>
#include <random>

namespace stiction {
namespace {

class Directions {
 public:
  Vec3 vector() { return {uniform(), uniform(), uniform()}; }
  Vec3 unit() { return vector().normalized(); }
  Mat3 frame() { return fresh_frame(unit(), Mat3::Identity()); }

 private:
  double uniform() { return std::uniform_real_distribution<double>(-1.0, 1.0)(rng_); }
  std::mt19937_64 rng_{1};
};

// Rows T1, T2, N: orthonormal and right-handed, T1 × T2 = N.
void expect_frame(const Mat3& frame, const Vec3& normal) {
  EXPECT_LE((frame * frame.transpose() - Mat3::Identity()).norm(), 1e-14);
  EXPECT_NEAR(frame.determinant(), 1.0, 1e-14);
  EXPECT_EQ(Vec3(frame.row(2)), normal);
}

TEST(FreshFrame, IsAFrame) {
  Directions d;
  for (int i = 0; i < 100; ++i) {
    const Vec3 normal = d.unit();
    expect_frame(fresh_frame(normal, d.frame().transpose()), normal);
  }
}

TEST(FreshFrame, FirstTangentIsTheFirstAxisMadeTangential) {
  const Vec3 normal = Vec3(0.3, -0.2, 0.9).normalized();
  const Vec3 wanted = (Vec3::UnitX() - normal * normal.x()).normalized();
  EXPECT_LE((Vec3(fresh_frame(normal, Mat3::Identity()).row(0)) - wanted).norm(), 1e-15);
}

TEST(FreshFrame, NormalAlongTheFirstAxisTakesTheSecond) {
  const Mat3 frame = fresh_frame(Vec3::UnitX(), Mat3::Identity());
  EXPECT_LE((Vec3(frame.row(0)) - Vec3::UnitY()).norm(), 1e-15);
  expect_frame(fresh_frame(-Vec3::UnitX(), Mat3::Identity()), -Vec3::UnitX());
}

// The frame belongs to the body: where body and normal turn by R, the frame turns by R.
TEST(FreshFrame, TurnsWithTheBody) {
  Directions d;
  for (int i = 0; i < 100; ++i) {
    const Mat3 R = d.frame(), axes = d.frame();
    const Vec3 normal = d.unit();
    EXPECT_LE((fresh_frame(R * normal, R * axes) - fresh_frame(normal, axes) * R.transpose()).norm(), 1e-13);
  }
}

TEST(TransportedFrame, SameNormalSameBits) {
  const Mat3 frame = Directions().frame();
  EXPECT_EQ(transported_frame(frame, frame.row(2)), frame);
}

TEST(TransportedFrame, IsTheSmallestRotation) {
  Directions d;
  for (int i = 0; i < 100; ++i) {
    const Mat3 old = d.frame();
    const Vec3 normal = d.unit();
    const Mat3 R = Quat::FromTwoVectors(Vec3(old.row(2)), normal).toRotationMatrix();
    const Mat3 found = transported_frame(old, normal);
    expect_frame(found, normal);
    EXPECT_LE((found - old * R.transpose()).norm(), 1e-12);
  }
}

// A normal that turns over leaves no smallest rotation; any frame will do, but a frame it has to be.
TEST(TransportedFrame, OppositeNormalStillGivesAFrame) {
  Directions d;
  for (int i = 0; i < 20; ++i) {
    const Mat3 old = d.frame();
    const Vec3 normal = (-Vec3(old.row(2)) + 1e-3 * i * d.vector()).normalized();
    expect_frame(transported_frame(old, normal), normal);
  }
}

// From pole to equator, a quarter along it, and back: the octant's area is π/2.
TEST(TransportedFrame, AroundAnOctantTurnsByAQuarter) {
  const Mat3 start = fresh_frame(Vec3::UnitZ(), Mat3::Identity());
  Mat3 frame = start;
  const Vec3 corners[] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  const int steps = 50;
  for (int side = 0; side < 3; ++side) {
    for (int i = 1; i <= steps; ++i) {
      const double angle = 0.5 * std::numbers::pi * i / steps;
      frame = transported_frame(frame, std::cos(angle) * corners[side] + std::sin(angle) * corners[side + 1]);
    }
  }
  const Vec3 t1 = frame.row(0);
  EXPECT_NEAR(std::atan2(t1.dot(Vec3(start.row(1))), t1.dot(Vec3(start.row(0)))), 0.5 * std::numbers::pi, 1e-13);
}

}  // namespace
}  // namespace stiction
