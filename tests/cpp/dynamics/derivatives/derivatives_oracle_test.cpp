// SPDX-License-Identifier: BSD-2-Clause
// Oracle: Pinocchio's computeRNEADerivatives and computeABADerivatives on a quadruped, its spatial acceleration of the base
// converted to the classical one.
#include <gtest/gtest.h>
#include <stiction/dynamics/derivatives/forward_derivatives.h>
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/model/world/world_builder.h>

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/parsers/urdf.hpp>

#include "dynamics/rig.h"

namespace stiction {
namespace {

using test::relative, test::Rig, test::RowMat;

TEST(DerivativesOracle, QuadrupedAgreesWithPinocchio) {
  const std::string file = std::string(STICTION_SOURCE_DIR) + "/models/starleth.urdf";
  WorldBuilder builder;
  builder.add_urdf(file, {});
  const auto world = builder.compile();
  pinocchio::Model model;
  pinocchio::urdf::buildModel(file, pinocchio::JointModelFreeFlyer(), model);
  pinocchio::Data data(model);
  Rig rig(*world);
  const int nv = world->nv;
  std::srand(7);
  for (int round = 0; round < 5; ++round) {
    Vec q = world->q0, v = Vec::Random(nv), a = 3.0 * Vec::Random(nv);
    q = rig.moved(q, Vec::Random(nv));
    const Vec3 linear = v.head<3>(), w = v.segment<3>(3);
    Vec spatial = a;  // p̈ − ω × v
    spatial.head<3>() -= w.cross(linear);
    Mat by_velocity = Mat::Zero(nv, nv);  // ∂(spatial)/∂v at fixed classical acceleration
    for (int i = 0; i < 3; ++i) {
      by_velocity.col(i).head<3>() = -w.cross(Vec3(Vec3::Unit(i)));
      by_velocity.col(3 + i).head<3>() = linear.cross(Vec3(Vec3::Unit(i)));
    }
    Mat pin_dq = Mat::Zero(nv, nv), pin_dv = pin_dq, pin_da = pin_dq;
    pinocchio::computeRNEADerivatives(model, data, q, v, spatial, pin_dq, pin_dv, pin_da);
    const Mat M = mass_matrix(*world, rig.layout, q);
    pin_dv += (M * by_velocity).eval();
    rig.place(q, v);
    prepare_derivatives(*world, rig.layout, rig.k, rig.data);
    prepare_acceleration(*world, rig.layout, rig.k, rig.data, a.data(), 1, true, rig.acceleration);
    RowMat dq = RowMat::Zero(nv, nv), dv = RowMat::Zero(nv, nv);
    inverse_dynamics_dq(*world, rig.layout, rig.k, rig.data, rig.acceleration, nullptr, 0, nv, dq.data());
    inverse_dynamics_dv(rig.layout, rig.k, rig.data, nv, dv.data());
    EXPECT_LE(relative(dq, pin_dq), 1e-12);
    EXPECT_LE(relative(dv, pin_dv), 1e-12);

    // Forward dynamics: with τ = RNEA(q, v, a) the acceleration is a, and ∂a = −M⁻¹ ∂RNEA.
    const Vec tau = pinocchio::rnea(model, data, q, v, spatial);
    pinocchio::computeABADerivatives(model, data, q, v, tau, pin_dq, pin_dv, pin_da);
    pin_dv -= by_velocity;  // a = spatial + ω × v
    factorise(rig.layout, world->trees[0], rig.k);
    RowMat fq = dq, fv = dv;
    solve_mass_many(*world, rig.layout, rig.k, nv, nv, fq.data());
    solve_mass_many(*world, rig.layout, rig.k, nv, nv, fv.data());
    EXPECT_LE(relative(-fq, pin_dq), 1e-10);
    EXPECT_LE(relative(-fv, pin_dv), 1e-10);
  }
}

}  // namespace
}  // namespace stiction
