// SPDX-License-Identifier: BSD-2-Clause
// The part of derivatives.h that depends on an acceleration and on forces, for one or two of them at once.
#include <stiction/dynamics/derivatives/derivatives.h>
#include <stiction/dynamics/kernels/motion.h>

#include <algorithm>

namespace stiction {
namespace {

// Where an entry goes: one matrix per lane.
struct Lanes {
  double *first, *second;
  void put(std::ptrdiff_t i, double x) const { first[i] = x; }
  void put(std::ptrdiff_t i, const Pair& x) const { first[i] = x[0], second[i] = x[1]; }
};
inline double lanes(const double* a, double) { return *a; }
inline Pair lanes(const double* a, const Pair&) { return load_pair(a); }
inline Triple<double> lanes(const Vec3& f, const Vec3&, double) { return {f[0], f[1], f[2]}; }
inline Triple<Pair> lanes(const Vec3& f, const Vec3& g, const Pair&) {
  return {Pair{f[0], g[0]}, Pair{f[1], g[1]}, Pair{f[2], g[2]}};
}

// Acceleration of what carries the root: gravity, as if everything were thrown upwards.
Vec3 ground_acceleration(const World& world, const Pose& base, bool with_bias) {
  return with_bias ? Vec3(-(base.rotation.transpose() * world.gravity)) : Vec3(Vec3::Zero());
}

// F and X of every subtree.
template <class T>
void gather_forces(const World& world, const Layout& layout, const Kinematics& k, const PointForce* forces, int count,
                   Accelerations<T>& out) {
  std::fill(out.load.begin(), out.load.end(), typename Accelerations<T>::Load{});
  for (int i = 0; i < count; ++i) {
    if (forces[i].body == kWorldBody) continue;
    const Pose& base = k.base[layout.bodies[forces[i].body].tree];
    const Triple<T> f =
        lanes(base.rotation.transpose() * forces[i].force, base.rotation.transpose() * forces[i].second, T{});
    const Vec3 p = base.rotation.transpose() * (forces[i].point - base.translation);
    auto& load = out.load[forces[i].body];
    load.force += f;
    const T along = dot(p, f);  // Xᵀ = (p·F) 1 − p Fᵀ
    for (int r = 0; r < 3; ++r) load.leverage[r] += scaled(-p[r], f);
    load.leverage[0].x += along, load.leverage[1].y += along, load.leverage[2].z += along;
  }
  for (int i = static_cast<int>(world.bodies.size()) - 1; i >= 0; --i) {
    const int parent = layout.bodies[i].parent;
    if (parent == kWorldBody) continue;
    out.load[parent].force += out.load[i].force;
    for (int r = 0; r < 3; ++r) out.load[parent].leverage[r] += out.load[i].leverage[r];
  }
}

// ∂τ_i/∂q_j for j at or above i, ∂τ_j/∂q_i for j above i; the rows i of one body.
template <class T>
void position_block(const Layout& layout, const Kinematics& k, const DerivativeData& data, const Accelerations<T>& a,
                    const Vec3& ground, int body, int stride, const Lanes& out) {
  const BodyPlan& plan = layout.bodies[body];
  const BodyTangent& t = data.bodies[body];
  const auto& load = a.load[body];
  const int* chain = layout.chain.data() + plan.chain;
  const int above = plan.length - plan.nv;
  const T bias = first_lane<T>(a.with_bias ? 1.0 : 0.0);
  for (int i = plan.v; i < plan.v + plan.nv; ++i) {
    const VelocityTangent& x = data.velocities[i];
    const Column& s = k.columns[i];
    Triple<T> lever = cross(load.force, s.lin);
    lever += {dot(s.ang, load.leverage[0]), dot(s.ang, load.leverage[1]), dot(s.ang, load.leverage[2])};
    Twist<T> moved = inertia_times(t.subtree_mass, t.subtree_moment, t.subtree_inertia, a.psi[i]) +
                     cross_force(s, a.force[body]) + times(x.turning, bias);
    moved.ang += lever;
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * stride;
    const auto column = [&](int d) { return static_cast<std::ptrdiff_t>(chain[d]) * stride + i; };
    int first = 0;
    if (plan.floating && plan.code != JointCode::root_free) {  // unit columns: (2) is a copy, (1) gravity and forces
      first = 6;
      const Triple<T> turned = times(Vec3(x.inertial.lin.cross(ground)), bias) + lever;
      for (int d = 0; d < 3; ++d) out.put(row + chain[d], T{});
      out.put(row + chain[3], turned.x), out.put(row + chain[4], turned.y), out.put(row + chain[5], turned.z);
      out.put(column(0), moved.lin.x), out.put(column(1), moved.lin.y), out.put(column(2), moved.lin.z);
      out.put(column(3), moved.ang.x), out.put(column(4), moved.ang.y), out.put(column(5), moved.ang.z);
    }
    for (int d = first; d < plan.length; ++d) {
      const int j = chain[d];
      out.put(row + j, dot(x.inertial, a.psi[j]) + dot(k.columns[j].ang, lever) +
                           x.gyration.dot(data.velocities[j].psi_dot.ang) * bias);
      if (d < above) out.put(column(d), dot(k.columns[j], moved));
    }
  }
}

}  // namespace

template <class T>
void Accelerations<T>::resize(const World& world) {
  bodies.resize(world.bodies.size());
  force.resize(world.bodies.size());
  load.resize(world.bodies.size());
  psi.resize(world.nv);
}
template <class T>
void prepare_acceleration(const World& world, const Layout& layout, const Kinematics& k, const DerivativeData& data,
                          const double* a, int stride, bool with_bias, Accelerations<T>& out) {
  out.with_bias = with_bias;
  const T bias = first_lane<T>(out.with_bias ? 1.0 : 0.0);
  for (std::size_t i = 0; i < layout.bodies.size(); ++i) {  // down: A, ψ̈, own force
    const BodyPlan& plan = layout.bodies[i];
    const BodyTangent& t = data.bodies[i];
    Twist<T> parent{};
    if (plan.parent == kWorldBody)
      parent.lin = times(ground_acceleration(world, k.base[plan.tree], out.with_bias), bias);
    else
      parent = out.bodies[plan.parent];
    Twist<T> own = parent;
    for (int j = plan.v; j < plan.v + plan.nv; ++j)
      own += times(k.columns[j], lanes(a + static_cast<std::ptrdiff_t>(j) * stride, T{}));
    if (out.with_bias && plan.parent != kWorldBody) {  // V_λ × (S v); the root's parent is at rest
      const Column& carrier = data.bodies[plan.parent].velocity;
      own += times(cross_motion(carrier, t.velocity - carrier), bias);
    }
    out.bodies[i] = own;
    out.force[i] = inertia_times(t.mass, t.moment, t.inertia, own) + times(t.bias, bias);
    for (int j = plan.v; j < plan.v + plan.nv; ++j)
      out.psi[j] = cross_motion(parent, k.columns[j]) + times(data.velocities[j].psi_bias, bias);
  }
  for (std::size_t i = layout.bodies.size(); i-- > 0;) {
    const int parent = layout.bodies[i].parent;
    if (parent != kWorldBody) out.force[parent] += out.force[i];
  }
}

template <class T>
void inverse_dynamics_dq(const World& world, const Layout& layout, const Kinematics& k, const DerivativeData& data,
                         Accelerations<T>& a, const PointForce* forces, int count, int stride, double* dq,
                         double* second_dq) {
  gather_forces(world, layout, k, forces, count, a);
  for (int i = 0; i < static_cast<int>(layout.bodies.size()); ++i) {
    const Vec3 ground = ground_acceleration(world, k.base[layout.bodies[i].tree], a.with_bias);
    position_block(layout, k, data, a, ground, i, stride, Lanes{dq, second_dq});
  }
}

template struct Accelerations<double>;
template struct Accelerations<Pair>;
template void prepare_acceleration(const World&, const Layout&, const Kinematics&, const DerivativeData&, const double*,
                                   int, bool, AccelerationData&);
template void prepare_acceleration(const World&, const Layout&, const Kinematics&, const DerivativeData&, const double*,
                                   int, bool, AccelerationPair&);
template void inverse_dynamics_dq(const World&, const Layout&, const Kinematics&, const DerivativeData&,
                                  AccelerationData&, const PointForce*, int, int, double*, double*);
template void inverse_dynamics_dq(const World&, const Layout&, const Kinematics&, const DerivativeData&,
                                  AccelerationPair&, const PointForce*, int, int, double*, double*);

}  // namespace stiction
