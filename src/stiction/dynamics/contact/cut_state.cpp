// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/contact/cut_joint.h>
#include <stiction/dynamics/contact/cut_state.h>
#include <stiction/dynamics/kernels/queries.h>

#include <cmath>

namespace stiction {
namespace {

struct Placed {
  Placed(const World& world, const VecRef& q, const VecRef& v) : layout(world) {
    k.resize(world, layout);
    forward_kinematics(world, layout, q.data(), v.data(), k);
  }
  Layout layout;
  Kinematics k;
};

bool free_root(const Body& body) { return body.joint == JointKind::free && body.parent == kWorldBody; }

// A free joint's q and v: frame at `origin` (world) with the body's axes.
void write_free(const Placed& from, BodyId body, const Vec3& origin, double* q, double* v) {
  const Mat3 R = from.k.pose(from.layout, body).rotation;
  const Vec6 twist = point_twist(from.layout, from.k, body, origin);
  Eigen::Map<Vec3>{q} = origin;
  Eigen::Map<Quat> turn(q + 3);
  turn = Quat(R).normalized();
  Eigen::Map<Vec3>{v} = R.transpose() * twist.head<3>();
  Eigen::Map<Vec3>{v + 3} = R.transpose() * twist.tail<3>();
}

void write_joint(const CutJoint& joint, const CutMotion& m, double* q, double* v) {
  if (joint.kind == JointKind::spherical)
    Eigen::Map<Quat>{q} = Quat(Mat3(m.frame_a.rotation.transpose() * m.frame_b.rotation)).normalized();
  else if (joint.kind == JointKind::continuous)
    q[0] = std::cos(m.position), q[1] = std::sin(m.position);
  else
    q[0] = m.position;
  for (int i = 0; i < m.velocities; ++i) v[i] = m.rate[i];
}

}  // namespace

void measure_minimal_state(const World& minimal, const World& cut, const VecRef& q_cut, const VecRef& v_cut, Vec& q,
                           Vec& v) {
  q.resize(minimal.nq), v.resize(minimal.nv);
  const Placed placed(cut, q_cut, v_cut);
  for (int i = 0; i < static_cast<int>(cut.bodies.size()); ++i) {
    const Body& from = cut.bodies[i];
    const Body& to = minimal.bodies[cut.public_body(i)];
    if (from.joint != to.joint) continue;  // a cut joint
    const JointSizes n = sizes(to.joint);
    q.segment(to.q, n.nq) = q_cut.segment(from.q, n.nq), v.segment(to.v, n.nv) = v_cut.segment(from.v, n.nv);
    if (free_root(from) && !from.link_origin.isZero(0.0))
      write_free(placed, i, placed.k.pose(placed.layout, i) * from.link_origin, q.data() + to.q, v.data() + to.v);
  }
  for (const CutJoint& joint : cut.cuts) {
    const Body& to = minimal.bodies[cut.public_body(cut.loops[joint.loop].b)];
    write_joint(joint, cut_motion(cut, placed.layout, placed.k, joint), q.data() + to.q, v.data() + to.v);
  }
}

void place_cut_state(const World& minimal, const World& cut, const VecRef& q, const VecRef& v, Vec& q_cut, Vec& v_cut) {
  q_cut.resize(cut.nq), v_cut.resize(cut.nv);
  const Placed placed(minimal, q, v);
  for (int i = 0; i < static_cast<int>(cut.bodies.size()); ++i) {
    const Body& to = cut.bodies[i];
    const BodyId id = cut.public_body(i);
    const Body& from = minimal.bodies[id];
    const JointSizes n = sizes(to.joint);
    if (from.joint == to.joint && to.link_origin.isZero(0.0))
      q_cut.segment(to.q, n.nq) = q.segment(from.q, n.nq), v_cut.segment(to.v, n.nv) = v.segment(from.v, n.nv);
    else
      write_free(placed, id, placed.k.pose(placed.layout, id) * Vec3(-to.link_origin), q_cut.data() + to.q,
                 v_cut.data() + to.v);
  }
}

}  // namespace stiction
