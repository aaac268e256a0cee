// SPDX-License-Identifier: BSD-2-Clause
// Oracle: central differences of the kernels themselves, on random trees with every kind of joint.
#include <gtest/gtest.h>
#include <stiction/dynamics/derivatives/integrate_derivatives.h>

#include "dynamics/rig.h"
#include "support/heap_count.h"
#include "support/random_tree.h"

namespace stiction {
namespace {

using test::difference, test::relative, test::Rig, test::RowMat, test::tangent_between;

TEST(Derivatives, RandomTreesAgreeWithDifferences) {
  for (int seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomTree random(seed);
    const World& world = random.world;
    Rig rig(world);
    const int nv = world.nv;
    const Vec &q = random.q, &v = random.v;
    const Vec a = random.vector(nv), b = random.vector(nv);
    const int body = static_cast<int>(world.bodies.size()) - 1, other = body / 2;
    const Vec3 local(0.1, -0.2, 0.15), force(3.0, -1.0, 5.0), other_force(-2.0, 0.5, 1.0);

    // Central differences of M a + h − Jᵀf.
    const auto inverse = [&](const Vec& q1, const Vec& v1, const Vec& acc, bool bias) {
      rig.place(q1, v1);
      const Vec h = Eigen::Map<const Vec>(rig.k.bias.data(), nv);
      Vec tau = mass_matrix(world, rig.layout, q1) * acc;
      tau -= rig.jacobian(q1, v1, body, local).transpose() * force;
      tau -= rig.jacobian(q1, v1, other, local).transpose() * other_force;
      return bias ? Vec(tau + h) : tau;
    };
    rig.place(q, v);
    prepare_derivatives(world, rig.layout, rig.k, rig.data);
    const PointForce forces[2] = {{body, rig.k.pose(rig.layout, body) * local, force},
                                  {other, rig.k.pose(rig.layout, other) * local, other_force}};
    RowMat dq = RowMat::Zero(nv, nv), linear = RowMat::Zero(nv, nv), dv = RowMat::Zero(nv, nv);
    prepare_acceleration(world, rig.layout, rig.k, rig.data, a.data(), 1, true, rig.acceleration);
    inverse_dynamics_dq(world, rig.layout, rig.k, rig.data, rig.acceleration, forces, 2, nv, dq.data());
    const PointRows rows{body, forces[0].point, random.rotation(), -1.0};
    RowMat J = RowMat::Zero(3, nv), u_dq = J, pi_dv = J, pi_dq = J, Ja_dq = J;
    add_point_motion(rig.layout, rig.k, rig.data, rows, nv, J.data(), u_dq.data(), pi_dv.data());
    add_point_acceleration(rig.layout, rig.k, rig.data, rig.acceleration, rows, nv, pi_dq.data());
    prepare_acceleration(world, rig.layout, rig.k, rig.data, b.data(), 1, false, rig.acceleration);
    inverse_dynamics_dq(world, rig.layout, rig.k, rig.data, rig.acceleration, forces, 2, nv, linear.data());
    add_point_acceleration(rig.layout, rig.k, rig.data, rig.acceleration, rows, nv, Ja_dq.data());
    inverse_dynamics_dv(rig.layout, rig.k, rig.data, nv, dv.data());

    // Both accelerations side by side.
    AccelerationPair two;
    two.resize(world);
    RowMat lanes(nv, 2), first = RowMat::Zero(nv, nv), second = first;
    lanes << a, b;
    PointForce both[2] = {forces[0], forces[1]};
    for (PointForce& f : both) f.second = f.force;
    prepare_acceleration(world, rig.layout, rig.k, rig.data, lanes.data(), 2, true, two);
    inverse_dynamics_dq(world, rig.layout, rig.k, rig.data, two, both, 2, nv, first.data(), second.data());
    EXPECT_LE(relative(first, dq), 1e-15);
    EXPECT_LE(relative(second, linear), 1e-15);

    EXPECT_LE(relative(dq, difference(nv, [&](const Vec& d) { return inverse(rig.moved(q, d), v, a, true); })), 1e-8);
    EXPECT_LE(relative(linear, difference(nv, [&](const Vec& d) { return inverse(rig.moved(q, d), v, b, false); })),
              1e-8);
    EXPECT_LE(relative(dv, difference(nv, [&](const Vec& d) { return inverse(q, v + d, a, true); })), 1e-8);
    const Mat3 A = rows.sign * rows.axes;
    EXPECT_LE(relative(J, A * rig.jacobian(q, v, body, local)), 1e-13);
    EXPECT_LE(
        relative(
            u_dq,
            difference(nv, [&](const Vec& d) { return Vec(A * rig.jacobian(rig.moved(q, d), v, body, local) * v); })),
        1e-8);
    EXPECT_LE(
        relative(
            Ja_dq,
            difference(nv, [&](const Vec& d) { return Vec(A * rig.jacobian(rig.moved(q, d), v, body, local) * b); })),
        1e-8);
    // A difference of a difference: a coarser step and tolerance.
    const auto pi = [&](const Vec& q1, const Vec& v1) {
      return Vec(A * (rig.jacobian(q1, v1, body, local) * a + rig.drift(q1, v1, body, local)));
    };
    EXPECT_LE(relative(pi_dq, difference(nv, [&](const Vec& d) { return pi(rig.moved(q, d), v); }, 1e-3)), 1e-5);
    EXPECT_LE(relative(pi_dv, difference(nv, [&](const Vec& d) { return pi(q, v + d); }, 1e-3)), 1e-5);
  }
}

// q⁺ = q ⊕ dt v and the change of axes, by q and by v.
TEST(Derivatives, AdvanceAgreesWithDifferences) {
  for (int seed = 0; seed < 16; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomTree random(seed);
    Rig rig(random.world);
    const int nv = random.world.nv;
    const double dt = seed % 3 == 0 ? 0.02 : 0.7;
    const auto step = [&](Vec q, Vec v) {
      integrate(rig.layout, dt, q.data(), v.data());
      return std::pair{q, v};
    };
    const auto [q1, v1] = step(random.q, random.v);
    RowMat dq = RowMat::Zero(nv, 2 * nv), dv = dq, dmean = dq;
    dmean.rightCols(nv).setIdentity();
    dv.rightCols(nv).setIdentity();
    advance_derivative(rig.layout, dt, random.v.data(), v1.data(), 2 * nv, 2 * nv, dmean.data(), 2 * nv, dv.data(),
                       dq.data());
    add_transport(rig.layout, dt, random.v.data(), 2 * nv, dq.data());
    const auto at_q = [&](const Vec& d) {
      return tangent_between(rig.layout, q1, step(rig.moved(random.q, d), random.v).first);
    };
    const auto at_v = [&](const Vec& d) { return tangent_between(rig.layout, q1, step(random.q, random.v + d).first); };
    EXPECT_LE(relative(dq.leftCols(nv), difference(nv, at_q)), 1e-9);
    EXPECT_LE(relative(dq.rightCols(nv), difference(nv, at_v)), 1e-9);
    EXPECT_LE(
        relative(dv.rightCols(nv), difference(nv, [&](const Vec& d) { return step(random.q, random.v + d).second; })),
        1e-9);
  }
}

TEST(Derivatives, NothingIsAllocated) {
  const test::RandomTree random(2);
  const World& world = random.world;
  Rig rig(world);
  const int nv = world.nv;
  RowMat out = RowMat::Zero(nv, nv), rows = RowMat::Zero(9, nv);
  rig.place(random.q, random.v);
  const PointForce force{2, Vec3(0.1, 0.2, 0.3), Vec3(1, 2, 3)};
  const PointRows point{2, force.point, Mat3::Identity(), 1.0};
  const test::HeapCount heap;
  prepare_derivatives(world, rig.layout, rig.k, rig.data);
  prepare_acceleration(world, rig.layout, rig.k, rig.data, random.v.data(), 1, true, rig.acceleration);
  inverse_dynamics_dq(world, rig.layout, rig.k, rig.data, rig.acceleration, &force, 1, nv, out.data());
  inverse_dynamics_dv(rig.layout, rig.k, rig.data, nv, out.data());
  add_point_motion(rig.layout, rig.k, rig.data, point, nv, rows.data(), rows.data() + 3 * nv, rows.data() + 6 * nv);
  add_point_acceleration(rig.layout, rig.k, rig.data, rig.acceleration, point, nv, rows.data());
  EXPECT_EQ(heap.count(), 0);
}

}  // namespace
}  // namespace stiction
