// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/random.h>
#include <stiction/problem/reference_problems.h>

#include <cmath>
#include <numbers>

namespace stiction::reference {
namespace {

constexpr double kSide = 0.2, kHalf = 0.1, kRadius = kSide / 50.0, kGravity = 9.81;

ContactProblem from_jacobian(const Mat& J, const VecRef& inverse_mass, const VecRef& v_free, const VecRef& mu,
                             FrictionLaw law, double dt) {
  const Mat scaled = J * inverse_mass.cwiseSqrt().asDiagonal();  // exactly symmetric: G = (J M^(-1/2)) (J M^(-1/2))ᵀ
  return ContactProblem::from_dense(scaled * scaled.transpose(), J * v_free, mu, law, dt);
}

// One cube on the floor: 12×6.
Mat floor_jacobian(double turn) {
  Mat J(12, 6);
  for (int k = 0; k < 4; ++k) J.middleRows<3>(3 * k) = point_jacobian(corner(k, -(kHalf + kRadius)), turn);
  return J;
}

Vec6 velocity_of(const Cube& cube) {
  Vec6 v;
  v << cube.velocity, cube.spin;
  return v;
}

}  // namespace

Vec3 corner(int k, double z) { return {k % 2 == 0 ? -kHalf : kHalf, k / 2 == 0 ? -kHalf : kHalf, z}; }

Eigen::Matrix<double, 3, 6> point_jacobian(const Vec3& r, double turn) {
  Mat3 frame;  // rows T1, T2, N
  frame << std::cos(turn), std::sin(turn), 0.0, -std::sin(turn), std::cos(turn), 0.0, 0.0, 0.0, 1.0;
  Mat3 cross;  // cross · ω = r × ω
  cross << 0.0, -r.z(), r.y(), r.z(), 0.0, -r.x(), -r.y(), r.x(), 0.0;
  Eigen::Matrix<double, 3, 6> J;
  J << frame, -frame * cross;  // v + ω × r
  return J;
}

Vec6 inverse_mass(const Cube& cube) {
  const double inertia = cube.mass * kSide * kSide / 6.0;
  Vec6 w;
  w << Vec3::Constant(1.0 / cube.mass), Vec3::Constant(1.0 / inertia);
  return w;
}

ContactProblem rp0(FrictionLaw law) {
  return ContactProblem::from_dense(Vec3(3.5, 3.5, 1.0).asDiagonal(), Vec3(0.0, 0.0, -0.00981), Vec::Constant(1, 0.9),
                                    law, 1e-3);
}

ContactProblem rp1(FrictionLaw law) {
  const double turn = 1.5 * std::numbers::pi - std::atan(1.0 / 9.0);
  const Cube cube{1.0, {1.309154739, 0.0, -0.00981}, Vec3::Zero()};
  return from_jacobian(floor_jacobian(turn), inverse_mass(cube), velocity_of(cube), Vec::Constant(4, 0.9), law, 1e-3);
}

// Two cubes of masses 1/√ratio below and √ratio above fall freely for one step. The upper cube's spheres rest on the
// lower cube's: half a gap of two radii separates each centre from the point.
ContactProblem heavy_on_light(double ratio, FrictionLaw law, double dt, double floor_mu, double between_mu) {
  const Vec3 fall(0.0, 0.0, -kGravity * dt);
  const Cube lower{1.0 / std::sqrt(ratio), fall, Vec3::Zero()}, upper{std::sqrt(ratio), fall, Vec3::Zero()};
  Mat J = Mat::Zero(24, 12);
  J.topLeftCorner(12, 6) = floor_jacobian(0.0);
  for (int k = 0; k < 4; ++k) {
    J.block<3, 6>(12 + 3 * k, 0) = -point_jacobian(corner(k, kHalf + kRadius));
    J.block<3, 6>(12 + 3 * k, 6) = point_jacobian(corner(k, -(kHalf + kRadius)));
  }
  Vec w(12), v(12), mu(8);
  w << inverse_mass(lower), inverse_mass(upper);
  v << velocity_of(lower), velocity_of(upper);
  mu << Vec::Constant(4, floor_mu), Vec::Constant(4, between_mu);
  return from_jacobian(J, w, v, mu, law, dt);
}

ContactProblem rp2(FrictionLaw law, double dt, double floor_mu, double between_mu) {
  return heavy_on_light(1e6, law, dt, floor_mu, between_mu);
}

ContactProblem rp3(FrictionLaw law, double dt, double pull) {
  const Cube cube{1.0, {pull * dt, 0.0, -kGravity * dt}, Vec3::Zero()};
  return from_jacobian(floor_jacobian(0.0), inverse_mass(cube), velocity_of(cube), Vec::Constant(4, 0.4), law, dt);
}

// All points stick, so λ must stop the cube: Σλ = −p with p = dt (1, 0, −9.81), and no torque about the centre. Among
// those, minimum norm is λ = Jᵀ-range: an equal share of −p on each point plus normals that balance the torque of the
// tangential share acting 0.104 m below the centre: ΔN_k = −s x_k/(Σ x²) with s = 0.104 · 1 N · dt, Σ x² = 0.04 m²; of the
// fields that give a torque about y, x-proportional normals and z-constant tangents, the second is fixed by Σλ_T.
Vec rp3_minimum_norm() {
  const double dt = 1e-3, arm = kHalf + kRadius;
  Vec lambda(12);
  for (int k = 0; k < 4; ++k) {
    const double x = corner(k, 0.0).x();
    lambda.segment<3>(3 * k) = dt * Vec3(-0.25, 0.0, 0.25 * kGravity + arm * x / 0.04);
  }
  return lambda;
}

std::vector<NamedProblem> rp4(FrictionLaw law) {
  std::vector<NamedProblem> out;
  out.push_back({"frictionless", rp2(law, 1e-3, 0.0, 0.0)});
  out.push_back({"tiny_mu", rp2(law, 1e-3, 1e-9, 1e-9)});
  out.push_back({"no_contact", ContactProblem::from_dense(Mat(0, 0), Vec(0), Vec(0), law, 1e-3)});
  ContactProblem still = rp3(law);
  still.g.vec().setZero();
  out.push_back({"zero_g", still});
  const Mat3 block = (Mat3() << 3.5, 0.2, 0.1, 0.2, 3.0, -0.3, 0.1, -0.3, 1.0).finished();
  Mat G(6, 6);
  G << block, block, block, block;
  const Vec3 g(0.003, -0.002, -0.00981);
  out.push_back(
      {"duplicated", ContactProblem::from_dense(G, (Vec(6) << g, g).finished(), Vec::Constant(2, 0.5), law, 1e-3)});
  return out;
}

ContactProblem random_six(std::uint64_t seed, double mass_ratio, double mu, FrictionLaw law) {
  Random random(seed);
  const Mat J = random.uniform_matrix(18, 12, -1.0, 1.0);
  const Vec g = random.uniform_vector(18, -1.0, 1.0);
  Vec w = Vec::Ones(12);
  w.head(6).setConstant(1.0 / mass_ratio);
  const Mat scaled = J * w.cwiseSqrt().asDiagonal();
  const Mat G = scaled * scaled.transpose() + 1e-6 * Mat::Identity(18, 18);
  return ContactProblem::from_dense(G, g, Vec::Constant(6, mu), law, 1e-3);
}

}  // namespace stiction::reference
