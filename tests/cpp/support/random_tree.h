// SPDX-License-Identifier: BSD-2-Clause
// Random worlds for tests of kernels: a floating or fixed tree with joints of every kind in random order, then a free body.
#pragma once

#include <stiction/model/world/world.h>

#include <random>

namespace stiction::test {

class RandomTree {
 public:
  explicit RandomTree(int seed, int bodies = 9) : rng_(static_cast<unsigned>(seed)) {
    const bool floating = seed % 2 == 0;
    add_tree(bodies, floating);
    add_tree(1, true);  // a free body
    world.bodies.back().inertia.com.setZero();
    world.trees.back().free_body = true;
    world.armature = Vec::Zero(world.nv);
    world.joint_damping = world.dry_friction = world.armature;
    world.lower = Vec::Constant(world.nv, -kInfinity), world.upper = Vec::Constant(world.nv, kInfinity);
    world.effort_limit = world.actuation_upper = world.upper, world.actuation_lower = world.lower;
    world.stiffness = world.armature, world.spring_q = Vec::Zero(world.nq);
    world.gravity = {0.5, -1.0, -9.0};
    v = vector(world.nv);
    q.resize(world.nq);
    for (const Body& b : world.bodies) place(b);
  }

  Vec vector(int n) const {
    Vec x(n);
    for (double& value : x) value = uniform();
    return x;
  }
  Mat3 rotation() const { return Quat(Eigen::Vector4d(vector(4)).normalized()).toRotationMatrix(); }

  World world;
  Vec q, v;

 private:
  double uniform() const { return std::uniform_real_distribution<double>(-1.0, 1.0)(rng_); }
  int below(int n) const { return std::uniform_int_distribution<int>(0, n - 1)(rng_); }

  void add_tree(int bodies, bool floating) {
    Tree tree;
    tree.first_body = static_cast<int>(world.bodies.size()), tree.bodies = bodies;
    tree.q = world.nq, tree.v = world.nv, tree.floating = floating;
    const JointKind kinds[] = {JointKind::revolute,  JointKind::continuous,  JointKind::prismatic,
                               JointKind::spherical, JointKind::translation, JointKind::planar,
                               JointKind::free,      JointKind::revolute,    JointKind::revolute};
    for (int i = 0; i < bodies; ++i) {
      Body b;
      b.tree = static_cast<int>(world.trees.size());
      b.parent = i == 0 ? kWorldBody : tree.first_body + below(i);
      b.joint = i == 0 ? (floating ? JointKind::free : JointKind::revolute) : kinds[below(9)];
      b.axis = below(2) == 0 ? Vec3(Vec3::Unit(below(3))) : Vec3(vector(3).normalized());
      b.placement = {rotation(), 0.4 * vector(3)};
      const Mat3 root = Mat3::Identity() + 0.3 * Mat3(vector(9).reshaped(3, 3));
      b.inertia = {1.0 + 0.5 * uniform(), 0.2 * vector(3), 0.05 * root * root.transpose()};
      b.q = world.nq, b.v = world.nv;
      world.nq += sizes(b.joint).nq, world.nv += sizes(b.joint).nv;
      world.bodies.push_back(b);
    }
    tree.nq = world.nq - tree.q, tree.nv = world.nv - tree.v;
    world.trees.push_back(tree);
  }

  void place(const Body& b) {
    const JointSizes n = sizes(b.joint);
    q.segment(b.q, n.nq) = 0.5 * vector(n.nq);
    if (b.joint == JointKind::free) q.segment<4>(b.q + 3) = vector(4).normalized();
    if (b.joint == JointKind::spherical) q.segment<4>(b.q).normalize();
    if (b.joint == JointKind::continuous) q.segment<2>(b.q).normalize();
    if (b.joint == JointKind::planar) q.segment<2>(b.q + 2).normalize();
  }

  mutable std::mt19937_64 rng_;
};

}  // namespace stiction::test
