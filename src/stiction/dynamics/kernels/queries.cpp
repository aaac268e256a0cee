// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/motion.h>
#include <stiction/dynamics/kernels/queries.h>

namespace stiction {
namespace {

const Pose& base_of(const Layout& layout, const Kinematics& k, int body) { return k.base[layout.bodies[body].tree]; }

int bodies(const Layout& layout) { return static_cast<int>(layout.bodies.size()); }

}  // namespace

BodyMotion body_motion(const Layout& layout, const Kinematics& k, int body) {
  const BodyPlan& plan = layout.bodies[body];
  const BodyData& b = k.bodies[body];
  const Pose& base = base_of(layout, k, body);
  const Vec3 c = b.R * plan.com + b.p;
  const Vec3 spin = b.R * (unpacked(plan.inertia) * (b.R.transpose() * b.w));
  return {base * c, base.rotation * (b.v + b.w.cross(c)), base.rotation * b.w, base.rotation * spin, plan.mass};
}

Mat3 body_inertia(const Layout& layout, const Kinematics& k, int body) {
  const Mat3 R = base_of(layout, k, body).rotation * k.bodies[body].R;
  return R * unpacked(layout.bodies[body].inertia) * R.transpose();
}

Mat mass_matrix(const World& world, const Layout& layout, const VecRef& q) {
  Kinematics k;
  k.resize(world, layout);
  const Vec v = Vec::Zero(world.nv);
  fused_pass(world, layout, q.data(), v.data(), Purpose::query, k);
  Mat M = Mat::Zero(world.nv, world.nv);
  for (int j = 0; j < world.nv; ++j) {
    const double* row = k.factor.data() + layout.row[j];
    const int* chain = layout.chain.data() + layout.chain_of[j];
    for (int d = 0; d <= layout.depth[j]; ++d) M(j, chain[d]) = M(chain[d], j) = row[d];
  }
  return M;
}

Vec bias_forces(const World& world, const Layout& layout, const VecRef& q, const VecRef& v) {
  Kinematics k;
  k.resize(world, layout);
  fused_pass(world, layout, q.data(), v.data(), Purpose::query, k);
  Vec bias = Eigen::Map<const Vec>(k.bias.data(), world.nv);
  for (const Tree& tree :
       world.trees) {  // armature A of a floating base: ½ vᵀA v in body axes gives ω × A v and v × A v
    if (!tree.floating) continue;
    const Vec3 linear = v.segment<3>(tree.v), angular = v.segment<3>(tree.v + 3);
    const Vec3 momentum = world.armature.segment<3>(tree.v).cwiseProduct(linear);
    bias.segment<3>(tree.v) += angular.cross(momentum);
    bias.segment<3>(tree.v + 3) += linear.cross(momentum);
  }
  return bias;
}

Mat point_jacobian(const World& world, const Layout& layout, const Kinematics& k, int body, const Vec3& world_point) {
  Mat J = Mat::Zero(6, world.nv);
  if (body == kWorldBody) return J;
  const BodyPlan& plan = layout.bodies[body];
  const Pose& base = base_of(layout, k, body);
  const Vec3 p = base.rotation.transpose() * (world_point - base.translation);
  for (int d = 0; d < plan.length; ++d) {
    const int velocity = layout.chain[plan.chain + d];
    const Column& s = k.columns[velocity];
    J.block<3, 1>(0, velocity) = base.rotation * (s.lin + s.ang.cross(p));
    J.block<3, 1>(3, velocity) = base.rotation * s.ang;
  }
  return J;
}

TreeEnergy tree_energy(const World& world, const Layout& layout, const Kinematics& k, const Tree& tree,
                       const double* v) {
  const Pose& base = base_of(layout, k, tree.first_body);
  double twice = 0.0, mass = 0.0;
  Vec3 moment = Vec3::Zero();  // Σ m c, base axes
  for (int i = tree.first_body; i < tree.first_body + tree.bodies; ++i) {
    const BodyPlan& plan = layout.bodies[i];
    const BodyData& b = k.bodies[i];
    const Vec3 c = b.R * plan.com + b.p, own_spin = b.R.transpose() * b.w;
    twice += plan.mass * (b.v + b.w.cross(c)).squaredNorm() + own_spin.dot(packed_times(plan.inertia, own_spin));
    mass += plan.mass, moment += plan.mass * c;
  }
  const double potential = -world.gravity.dot(base.rotation * moment + mass * base.translation);
  for (int j = tree.v; j < tree.v + tree.nv; ++j) twice += world.armature[j] * v[j] * v[j];
  return {0.5 * twice, potential};
}

double kinetic_energy(const World& world, const Layout& layout, const Kinematics& k, const VecRef& v) {
  double energy = 0.0;
  for (const Tree& tree : world.trees) energy += tree_energy(world, layout, k, tree, v.data()).kinetic;
  return energy;
}

double potential_energy(const World& world, const Layout& layout, const Kinematics& k) {
  double energy = 0.0;
  for (int i = 0; i < bodies(layout); ++i)
    energy -= layout.bodies[i].mass * world.gravity.dot(body_centre(layout, k, i));
  return energy;
}

Vec3 centre_of_mass(const Layout& layout, const Kinematics& k) {
  Vec3 sum = Vec3::Zero();
  double mass = 0.0;
  for (int i = 0; i < bodies(layout); ++i) {
    const double m = layout.bodies[i].mass;
    sum += m * body_centre(layout, k, i), mass += m;
  }
  return mass > 0.0 ? Vec3(sum / mass) : sum;
}

Vec6 total_momentum(const Layout& layout, const Kinematics& k) {
  Vec6 sum = Vec6::Zero();
  for (int i = 0; i < bodies(layout); ++i) {
    const BodyMotion m = body_motion(layout, k, i);
    sum.head<3>() += m.mass * m.linear;
    sum.tail<3>() += m.spin_momentum + m.mass * m.centre.cross(m.linear);
  }
  return sum;
}

Vec3 body_centre(const Layout& layout, const Kinematics& k, int body) {
  const BodyData& b = k.bodies[body];
  return base_of(layout, k, body) * (b.R * layout.bodies[body].com + b.p);
}

Vec3 point_velocity(const Layout& layout, const Kinematics& k, int body, const Vec3& world_point) {
  if (body == kWorldBody) return Vec3::Zero();
  const Pose& base = base_of(layout, k, body);
  const BodyData& b = k.bodies[body];
  const Vec3 p = base.rotation.transpose() * (world_point - base.translation);
  return base.rotation * (b.v + b.w.cross(p));
}

Vec6 point_twist(const Layout& layout, const Kinematics& k, int body, const Vec3& world_point) {
  Vec6 out = Vec6::Zero();
  if (body == kWorldBody) return out;
  out.head<3>() = point_velocity(layout, k, body, world_point);
  out.tail<3>() = base_of(layout, k, body).rotation * k.bodies[body].w;
  return out;
}

Vec6 point_drift(const World& world, const Layout& layout, const Kinematics& k, int body, const Vec3& world_point) {
  Vec6 out = Vec6::Zero();
  if (body == kWorldBody) return out;
  const Pose& base = base_of(layout, k, body);
  const BodyData& b = k.bodies[body];
  const Vec3 p = base.rotation.transpose() * (world_point - base.translation);
  const Vec3 velocity = b.v + b.w.cross(p);
  out.head<3>() = base.rotation * (b.a + b.alpha.cross(p) + b.w.cross(velocity)) + world.gravity;
  out.tail<3>() = base.rotation * b.alpha;
  return out;
}

Mat centre_jacobian(const World& world, const Layout& layout, const Kinematics& k) {
  Mat J = Mat::Zero(3, world.nv);
  double mass = 0.0;
  for (int i = 0; i < bodies(layout); ++i) {
    const double m = layout.bodies[i].mass;
    if (m == 0.0) continue;
    J += m * point_jacobian(world, layout, k, i, body_centre(layout, k, i)).topRows<3>(), mass += m;
  }
  return mass > 0.0 ? Mat(J / mass) : J;
}

Vec3 centre_drift(const World& world, const Layout& layout, const Kinematics& k) {
  Vec3 sum = Vec3::Zero();
  double mass = 0.0;
  for (int i = 0; i < bodies(layout); ++i) {
    const double m = layout.bodies[i].mass;
    sum += m * point_drift(world, layout, k, i, body_centre(layout, k, i)).head<3>(), mass += m;
  }
  return mass > 0.0 ? Vec3(sum / mass) : sum;
}

}  // namespace stiction
