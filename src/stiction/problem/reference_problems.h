// SPDX-License-Identifier: BSD-2-Clause
// Small contact problems with known answers, built from the mathematics: cube geometry → J, M → G = J M⁻¹ Jᵀ, g = J v_f.
// Used by the tests of every solver, by bench and by Python. Forces below are λ/dt in N, rows (T1, T2, N).
//
// rp0  one contact, G = diag(3.5, 3.5, 1), g = (0, 0, −0.00981), μ = 0.9:  λ = (0, 0, 0.00981) for every law
// rp1  sliding cube, μ = 0.9, dt 1 ms; rank G = 6 of 12, λ_max(G) = 14.876
//        law      ΣN          ΣT1, ΣT2                  ‖f‖₂                       angle(−λ_T, u_T)
//        coulomb  9.81        0.975000, −8.774999       9.038697 (minimum norm)    0
//        convex   656.3808    65.23662, −587.12959      604.7734                   0
//        raisim   9.81        0.91358, −8.21663         8.77684                    20.55°
//        pyramid  10.331303   9.298173, −9.298173       15.343828                  39.00°
// rp2  1000 kg cube on a 1 g cube: floor ΣN = 9810.00981, between the cubes 9810.00000, tangential 0; contacts 0-3 are
//      the floor's; rank 12 of 24, λ_max(G) = 2.498e4, smallest non-zero eigenvalue 2.9e-4
//      heavy_on_light is the same stack at another mass ratio: masses 1/√ratio and √ratio, floor ΣN = 9.81 (m₁ + m₂)
// rp3  cube at rest pulled with 1 N along T1, μ = 0.4: all stick; the minimum-norm λ = −G⁺g lies in the cone
// rp4  hard cases: a defined status, finite λ and an accepted residual are the answer
// Reference: Le Lidec et al., Contact Models in Robotics: a Comparative Analysis (2024) and its benchmark's problems.
#pragma once

#include <stiction/problem/contact_problem.h>

#include <cstdint>
#include <string>
#include <vector>

namespace stiction::reference {

// A rigid cube of side a = 0.2 m with four contact spheres of radius a/50 at its lower corners.
struct Cube {
  double mass = 1.0;             // [kg]; inertia m a²/6
  Vec3 velocity = Vec3::Zero();  // free velocity of the centre v_f, world axes [m/s]
  Vec3 spin = Vec3::Zero();      // [rad/s]
};

// Corner k of four, in the order (−,−), (+,−), (−,+), (+,+) times 0.1 m, and z below (or above) the centre.
Vec3 corner(int k, double z);
// Rows (T1, T2, N) of a point at r from the centre of a body with v = (linear, angular) in world axes; the frame is the
// world's turned by `turn` about z.
Eigen::Matrix<double, 3, 6> point_jacobian(const Vec3& r, double turn = 0.0);
// diag(m, m, m, I, I, I)⁻¹ of a cube.
Vec6 inverse_mass(const Cube& cube);

ContactProblem rp0(FrictionLaw law = {});
ContactProblem rp1(FrictionLaw law = {});
ContactProblem rp2(FrictionLaw law = {}, double dt = 1e-3, double floor_mu = 0.9, double between_mu = 0.95);
ContactProblem heavy_on_light(double ratio, FrictionLaw law = {}, double dt = 1e-3, double floor_mu = 0.9,
                              double between_mu = 0.95);
ContactProblem rp3(FrictionLaw law = {}, double dt = 1e-3, double pull = 1.0);  // [N]
Vec rp3_minimum_norm();  // −G⁺g of rp3() in closed form, as an impulse at dt = 1 ms

struct NamedProblem {
  std::string name;
  ContactProblem problem;
};
// rp2 with μ = 0 and μ = 1e-9, no contact, zero g, a duplicated contact (exactly singular 2-block G).
std::vector<NamedProblem> rp4(FrictionLaw law = {});

// Six contacts on two bodies of six velocities: J 18×12 and g uniform in [−1, 1], G = J diag(6×1/ρ, 6×1) Jᵀ + 1e-6 I with
// the mass ratio ρ. The set of 40 is seeds 0 … 39 at each of ρ ∈ {1, 1e2, 1e4}, μ ∈ {0, 0.001, 0.05, 0.6}.
ContactProblem random_six(std::uint64_t seed, double mass_ratio, double mu, FrictionLaw law = {});

}  // namespace stiction::reference
