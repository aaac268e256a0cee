// SPDX-License-Identifier: BSD-2-Clause
// Own force and own inertia of bodies about the base origin: what every body adds to the composite ones (private to kinematics.cpp).
//   c = R com + p,    F = m (a + α × c + ω × (v + ω × c)),    N = I α + ω × Iω + c × F,    Ī = I + m (cᵀc − c cᵀ)
// Bodies do not see each other here, so two are done side by side: T is double for one body, Pair for two. The results are the same.
#pragma once

#include <stiction/dynamics/kernels/lanes.h>

#include <algorithm>
#include <type_traits>

namespace stiction {

template <class T>
inline T lanes_of(double a, double b) {
  if constexpr (std::is_same_v<T, double>)
    return a;
  else
    return T{a, b};
}
template <class T>
inline Triple<T> lanes_of(const Vec3& a, const Vec3& b) {
  return {lanes_of<T>(a[0], b[0]), lanes_of<T>(a[1], b[1]), lanes_of<T>(a[2], b[2])};
}
inline void put_lanes(double x, double& a, double&) { a = x; }
inline void put_lanes(Pair x, double& a, double& b) { a = x[0], b = x[1]; }
template <class T>
inline void put_lanes(const Triple<T>& x, Vec3& a, Vec3& b) {
  put_lanes(x.x, a[0], b[0]), put_lanes(x.y, a[1], b[1]), put_lanes(x.z, a[2], b[2]);
}

// Of bodies with mass; one body is given twice.
template <class T>
inline void force_and_inertia(const BodyPlan& plan_a, BodyData& a, const BodyPlan& plan_b, BodyData& b) {
  T own[6], I[6];
  for (int i = 0; i < 6; ++i) own[i] = lanes_of<T>(plan_a.inertia[i], plan_b.inertia[i]);
  Triple<T> R[3];
  for (int r = 0; r < 3; ++r)
    R[r] = {lanes_of<T>(a.R(r, 0), b.R(r, 0)), lanes_of<T>(a.R(r, 1), b.R(r, 1)), lanes_of<T>(a.R(r, 2), b.R(r, 2))};
  turn_packed(R, own, I);
  const Vec3 centre_a = a.R * plan_a.com + a.p, centre_b = b.R * plan_b.com + b.p;
  const Triple<T> c = lanes_of<T>(centre_a, centre_b);
  const Triple<T> w = lanes_of<T>(a.w, b.w), alpha = lanes_of<T>(a.alpha, b.alpha);
  const Triple<T> velocity = lanes_of<T>(a.v, b.v) + cross_of(w, c);
  const Triple<T> acceleration = lanes_of<T>(a.a, b.a) + cross_of(alpha, c) + cross_of(w, velocity);
  const T m = lanes_of<T>(plan_a.mass, plan_b.mass);
  const Triple<T> f{m * acceleration.x, m * acceleration.y, m * acceleration.z}, mc{m * c.x, m * c.y, m * c.z};
  put_lanes(f, a.f, b.f);
  put_lanes(packed_product(I, alpha) + cross_of(w, packed_product(I, w)) + cross_of(c, f), a.n, b.n);
  put_lanes(m, a.mass, b.mass), put_lanes(mc, a.moment, b.moment);
  const T about_origin[6] = {I[0] + mc.y * c.y + mc.z * c.z, I[1] - mc.x * c.y, I[2] - mc.x * c.z,
                             I[3] + mc.x * c.x + mc.z * c.z, I[4] - mc.y * c.z, I[5] + mc.x * c.x + mc.y * c.y};
  for (int i = 0; i < 6; ++i) put_lanes(about_origin[i], a.inertia[i], b.inertia[i]);
}

inline void no_force_and_inertia(BodyData& b) {
  b.f.setZero(), b.n.setZero(), b.moment.setZero();
  b.mass = 0.0;
  std::fill(b.inertia, b.inertia + 6, 0.0);
}

// Of `count` bodies that follow each other, without those to `skip` (per body, may be null).
inline void forces_and_inertias(const BodyPlan* plan, const char* skip, int count, BodyData* b) {
  const auto skipped = [&](int i) { return skip != nullptr && skip[i] != 0; };
  for (int i = 0; i < count; ++i) {
    if (skipped(i)) continue;
    if (plan[i].massless) {
      no_force_and_inertia(b[i]);
    } else if (i + 1 < count && !plan[i + 1].massless && !skipped(i + 1)) {
      force_and_inertia<Pair>(plan[i], b[i], plan[i + 1], b[i + 1]);
      ++i;
    } else {
      force_and_inertia<double>(plan[i], b[i], plan[i], b[i]);
    }
  }
}

}  // namespace stiction
