// SPDX-License-Identifier: BSD-2-Clause
// The motion of contact points under contact forces f, at one (q, v), without a mass matrix (dynamics/kernels/articulated_body.h):
//   a = A f + a₀,   A = J M⁻¹ Jᵀ by unit forces,   a₀ = J M⁻¹(τ − h) + J̇v: the accelerations without contact          (1)
// Cost: O(bodies) for m contacts at hand, O(m · bodies + m²) in all.                          [Kokkevis 2004; Wakisaka14, (4), (5)]
#pragma once

#include <stiction/dynamics/kernels/articulated_body.h>
#include <stiction/step/soft/soft_dynamics.h>

#include <vector>

namespace stiction {

struct ContactSpace {
  ArticulatedBody bodies;
  std::vector<ContactPlace> places;
  std::vector<double> A;             // 3m × 3m, row-major
  std::vector<double> a0;            // 3m
  std::vector<double> acceleration;  // without contact, per velocity
};

// Kinematics, bias and articulated inertias at (q, v); the smooth forces are in c.work.force.
void evaluate_articulated(const SoftContext& c, const double* q, const double* v, ContactSpace& space);
// space.acceleration, after evaluate_articulated().
void free_acceleration(const SoftContext& c, ContactSpace& space);
// A and a₀ of space.places, after free_acceleration().
void make_contact_rows(const SoftContext& c, ContactSpace& space);
// Both.
void make_contact_space(const SoftContext& c, ContactSpace& space);

}  // namespace stiction
