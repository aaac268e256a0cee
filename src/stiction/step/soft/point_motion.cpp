// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/step/soft/point_motion.h>

namespace stiction {
namespace {

// What the chain of body b looks like from the world.
struct Chain {
  Chain(const SoftContext& c, BodyId body)
      : plan(c.model.layout.bodies[body]),
        velocity(c.model.layout.chain.data() + plan.chain),
        base(c.work.kinematics.base[plan.tree].rotation),
        columns(c.work.kinematics.columns) {}
  Vec3 turning(int d) const { return base * columns[velocity[d]].ang; }

  const BodyPlan& plan;
  const int* velocity;
  const Mat3& base;
  const std::vector<Column>& columns;
};

Vec3 column_of(const double* motion, int nv, int j) { return {motion[j], motion[nv + j], motion[2 * nv + j]}; }

void add_rows(const SoftPoint& p, const Vec3& x, int nv, int j, double* rows) {
  const Vec3 y = p.frame * x;
  for (int r = 0; r < 3; ++r) rows[r * nv + j] += y[r];
}

bool flat(ShapeKind kind) {
  return kind == ShapeKind::half_space || kind == ShapeKind::box || kind == ShapeKind::convex ||
         kind == ShapeKind::mesh || kind == ShapeKind::heightfield;
}

Vec3 spin_of(const SoftContext& c, BodyId body) {
  const Pose& base = c.work.kinematics.base[c.model.layout.bodies[body].tree];
  return base.rotation * c.work.kinematics.bodies[body].w;
}

}  // namespace

PointMotion motion_of(const SoftContext& c, const SoftPoint& p, const std::vector<AnchorRecord>& records) {
  if (p.kind != SoftKind::contact) return PointMotion::fixed;
  const ContactKey& key = records[p.record].key;
  const ShapeKind ground = c.world.geoms[key.geom_a].shape.kind, body = c.world.geoms[key.geom_b].shape.kind;
  if (p.a != kWorldBody || p.b == kWorldBody) return PointMotion::unknown;
  if (body == ShapeKind::point) return flat(ground) ? PointMotion::fixed : PointMotion::unknown;
  if (ground != ShapeKind::half_space) return PointMotion::unknown;
  const bool known =
      body == ShapeKind::sphere || body == ShapeKind::capsule || body == ShapeKind::box || body == ShapeKind::convex;
  return known ? PointMotion::moves : PointMotion::unknown;
}

void motion_rows(const SoftContext& c, const SoftPoint& p, const std::vector<AnchorRecord>& records, const double* J,
                 double* out) {
  const Shape& shape = c.world.geoms[records[p.record].key.geom_b].shape;
  const bool round = shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::capsule;
  const double s = 0.5 * c.work.law.contacts[p.index].gap + (round ? shape.radius() : 0.0);
  const Vec3 n = p.frame.row(2);
  const int nv = c.world.nv;
  const Chain chain(c, p.b);
  std::fill_n(out, 3 * nv, 0.0);
  for (int d = 0; d < chain.plan.length; ++d) {
    const int j = chain.velocity[d];
    const Vec3 x = chain.turning(d).cross(s * n) - (0.5 * J[2 * nv + j]) * n;
    for (int r = 0; r < 3; ++r) out[r * nv + j] = x[r];
  }
}

void add_motion_velocity(const SoftContext& c, const SoftPoint& p, const double* motion, double* velocity_dq,
                         double* stretch_dq) {
  const int nv = c.world.nv;
  const Chain chain(c, p.b);
  const Vec3 w = spin_of(c, p.b), arm = p.met_b - p.point_b;
  for (int d = 0; d < chain.plan.length; ++d) {
    const int j = chain.velocity[d];
    add_rows(p, w.cross(column_of(motion, nv, j)), nv, j, velocity_dq);
    if (!p.known) continue;
    const Vec3 more = p.frame * chain.turning(d).cross(arm);
    stretch_dq[j] += more[0], stretch_dq[nv + j] += more[1];
  }
}

void add_motion_drift(const SoftContext& c, const SoftPoint& p, const double* motion, const Vec3& alpha, bool with_bias,
                      double* drift_dq) {
  const int nv = c.world.nv;
  const Chain chain(c, p.b);
  const Vec3 w = with_bias ? spin_of(c, p.b) : Vec3(Vec3::Zero());
  for (int d = 0; d < chain.plan.length; ++d) {
    const int j = chain.velocity[d];
    const Vec3 x = column_of(motion, nv, j);
    add_rows(p, alpha.cross(x) + w.cross(w.cross(x)), nv, j, drift_dq);
  }
}

void add_motion_force(const SoftContext& c, const SoftPoint& p, const double* motion, const Vec3& f, int stride,
                      double* dq) {
  const Chain chain(c, p.b);
  for (int e = 0; e < chain.plan.length; ++e) {
    const int j = chain.velocity[e];
    const Vec3 moment = column_of(motion, c.world.nv, j).cross(f);
    for (int d = 0; d < chain.plan.length; ++d)
      dq[static_cast<std::ptrdiff_t>(chain.velocity[d]) * stride + j] -= chain.turning(d).dot(moment);
  }
}

}  // namespace stiction
