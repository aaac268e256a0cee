// SPDX-License-Identifier: BSD-2-Clause
// The kernels of lane_kernels.h over vectors T of doubles, one lane per environment. Private to lanes_*.cpp.
//   h = Sᵀ ΣF,   M_ij = S_iᵀ I^c_j S_j,   M = L̂ᵀL̂
#pragma once

#include <stiction/dynamics/lanes/lane_body.h>

namespace stiction {
namespace {

// Numbers of a tree between its passes.
template <class T>
struct LaneScratch {
  LaneScratch(const LaneTree& tree, double* memory)
      : M(reinterpret_cast<T*>(memory)), z(M + tree.packed), h(z + tree.velocities), inverse(h + tree.velocities) {
    data = reinterpret_cast<LaneData<T>*>(inverse + tree.velocities);
  }
  static std::size_t size(const LaneTree& tree) {
    return static_cast<std::size_t>(tree.packed + 3 * tree.velocities) * sizeof(T) +
           static_cast<std::size_t>(tree.count) * sizeof(LaneData<T>);
  }
  T *M, *z, *h, *inverse;  // packed rows; per velocity
  LaneData<T>* data;       // per body
};

// Bias and packed row of a joint of one velocity.
template <class T>
inline void joint_rows(const LaneTree& tree, int i, const LaneScratch<T>& s) {
  const LaneBody& plan = tree.bodies[i];
  const LaneData<T>& b = s.data[i];
  s.h[plan.velocity] = dot_of(b.lin, b.f) + dot_of(b.ang, b.n);
  const Triple<T> f = scaled(b.mass, b.lin) + cross_of(b.ang, b.moment);
  const Triple<T> n = cross_of(b.moment, b.lin) + packed_product(b.inertia, b.ang);
  T* row = s.M + plan.row;
  if (tree.floating) row[0] = f.x, row[1] = f.y, row[2] = f.z, row[3] = n.x, row[4] = n.y, row[5] = n.z;
  for (int at = i; at > 0 || (at == 0 && !tree.floating); at = tree.bodies[at].parent) {
    const LaneData<T>& t = s.data[at];
    row[tree.bodies[at].depth] = dot_of(t.lin, f) + dot_of(t.ang, n);
    if (at == 0) break;
  }
  row[plan.depth] += spread<T>(plan.armature);
}

// The floating base: M is its composite inertia.
template <class T>
inline void base_rows(const LaneTree& tree, const LaneScratch<T>& s) {
  const LaneData<T>& b = s.data[0];
  T* M = s.M;
  s.h[0] = b.f.x, s.h[1] = b.f.y, s.h[2] = b.f.z, s.h[3] = b.n.x, s.h[4] = b.n.y, s.h[5] = b.n.z;
  const Triple<T>& c = b.moment;
  const T* I = b.inertia;
  const T o = T{};
  const T rows[21] = {b.mass, o,    b.mass, o,    o,    b.mass, o, -c.z, c.y,  I[0], c.z,
                      o,      -c.x, I[1],   I[3], -c.y, c.x,    o, I[2], I[4], I[5]};
  for (int i = 0; i < 21; ++i) M[i] = rows[i];
  for (int i = 0, at = 0; i < 6; ++i) at += i + 1, M[at - 1] += spread<T>(tree.armature[i]);
}

template <class T>
std::size_t lane_room(const LaneTree& tree) {
  return LaneScratch<T>::size(tree) / sizeof(double);
}

template <class T>
void lane_pass(const LaneTree& tree, const LaneMemory& m, double* scratch) {
  const LaneScratch<T> s(tree, scratch);
  LaneData<T>* data = s.data;
  data[0] = root_data<T>(tree, m);
  load(tree.bodies[0], data[0]);
  for (int i = 1; i < tree.count; ++i) {
    const LaneBody& plan = tree.bodies[i];
    const LaneData<T>& up = data[plan.parent];
    LaneData<T>& b = data[i];
    place(plan, m.q, up, b);
    move(gather<T>(m.v, plan.v), up, b);
    write_motion(plan, i, b, m);
    load(plan, b);
  }
  for (int i = tree.count - 1; i > 0; --i) {
    joint_rows(tree, i, s);
    const LaneData<T>& b = data[i];
    LaneData<T>& up = data[tree.bodies[i].parent];
    up.f += b.f, up.n += b.n, up.moment += b.moment, up.mass += b.mass;
    for (int c = 0; c < 6; ++c) up.inertia[c] += b.inertia[c];
  }
  if (tree.floating)
    base_rows(tree, s);
  else
    joint_rows(tree, 0, s);
  write_load(data[0], m);
  scatter_run(s.h, tree.velocities, m.bias, tree.v);
  scatter_run(s.M, tree.packed, m.factor, tree.row);
}

// target − position; the short way round for joints without end.
template <class T>
inline T position_error(const LaneBody& plan, const LaneMemory& m) {
  using namespace trigonometry;
  const T target = gather<T>(m.target, plan.tau);
  if (!plan.continuous) return target - gather<T>(m.q, plan.q);
  T error = target - polar_angle_of(gather<T>(m.q, plan.q + 1), gather<T>(m.q, plan.q));
  const T size = magnitude(error);
  for (int l = 0; l < width_of<T>; ++l)
    if (!(size[l] <= kPi)) [[unlikely]]
      error[l] = __builtin_remainder(error[l], 2.0 * kPi);
  return error;
}

// As add_joint_forces of smooth_forces.cpp.
template <class T>
void lane_drive(const LaneTree& tree, const LaneDrive& drive, const LaneMemory& m, double* scratch) {
  using trigonometry::choose;
  const LaneScratch<T> s(tree, scratch);
  for (int j = 0; j < tree.velocities; ++j) s.z[j] = -s.h[j];
  for (int i = 0; i < tree.count; ++i) {
    const LaneBody& plan = tree.bodies[i];
    if (plan.tau < 0) continue;
    const T rate = gather<T>(m.v, plan.v);
    T torque = drive.has_tau ? gather<T>(m.tau, plan.tau) : T{};
    T implicit = spread<T>(drive.damping_dt * plan.damping);
    if (drive.has_pd) {
      const T kp = gather<T>(m.kp, plan.tau), kd = gather<T>(m.kd, plan.tau);
      torque += kp * position_error<T>(plan, m) - kd * rate;
      if (drive.implicit_pd) {
        torque -= drive.reach * kp * rate;
        implicit += drive.dt * kd + drive.dt * drive.reach * kp;
      }
    }
    const T limit = spread<T>(plan.effort_limit);
    torque = choose(torque < -limit, -limit, choose(limit < torque, limit, torque));
    s.z[plan.velocity] += torque - plan.damping * rate;
    T& diagonal = s.M[plan.row + plan.depth];
    diagonal += implicit;
    scatter(diagonal, m.factor, tree.row + plan.row + plan.depth);
  }
  scatter_run(s.z, tree.velocities, m.z, tree.v);
}

template <class T>
void lane_whiten(const LaneTree& tree, const LaneMemory& m, double* scratch) {
  const LaneScratch<T> s(tree, scratch);
  const int n = tree.velocities;
  const auto diagonal = [&](int j) { return (j + 1 < n ? tree.rows[j + 1] : tree.packed) - 1; };
  for (int j = 0; j < n; ++j)
    s.M[diagonal(j)] = gather<T>(m.factor, tree.row + diagonal(j)), s.z[j] = gather<T>(m.z, tree.v + j);
  for (int j = n - 1; j >= 0; --j) {
    const int* chain = tree.chain + tree.chain_of[j];
    T* row = s.M + tree.rows[j];
    const int depth = diagonal(j) - tree.rows[j];
    const T scale = spread<T>(1.0) / root_of(row[depth]);
    const T own = s.z[j] * scale;
    s.inverse[j] = scale, s.z[j] = own;
    for (int d = 0; d <= depth; ++d) row[d] *= scale;
    for (int d = 0; d < depth; ++d) {
      T* target = s.M + tree.rows[chain[d]];
      const T factor = row[d];
      for (int e = 0; e <= d; ++e) target[e] -= factor * row[e];
      s.z[chain[d]] -= factor * own;
    }
  }
  scatter_run(s.inverse, n, m.inverse_diagonal, tree.v);
  scatter_run(s.z, n, m.z, tree.v);
  scatter_run(s.M, tree.packed, m.factor, tree.row);
}

template <class T>
constexpr LaneKernels lanes_named(const char* name) {
  return {name, width_of<T>, lane_room<T>, lane_pass<T>, lane_drive<T>, lane_whiten<T>};
}

}  // namespace
}  // namespace stiction
