// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/contact/match.h>
#include <stiction/law/anchor_memory.h>
#include <stiction/law/anchored.h>
#include <stiction/law/catalog.h>
#include <stiction/law/contact_query.h>
#include <stiction/law/tendon_blocks.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

// Contacts that overlap, in key order.
void find_overlaps(const AnchoredInput& in, AnchoredWork& work) {
  detect_closed(in.world, in.layout, in.detection, in.kinematics, work.detection, work.contacts);
}

void set_material(const AnchoredInput& in, const Contact& c, bool was_slipping, SoftPoint& p) {
  const AnchoredOptions& o = in.options;
  const PairMaterial& m = material_of(in.world, c);
  const auto [k, b] = spring_of(m, o);
  p.stiffness[0] = k * o.stiffness_ratio_t1, p.stiffness[1] = k * o.stiffness_ratio_t2, p.stiffness[2] = k;
  p.damping[0] = b * o.damping_ratio_t1, p.damping[1] = b * o.damping_ratio_t2, p.damping[2] = b;
  p.mu_slip = m.mu;
  p.mu = was_slipping ? m.mu : m.mu_static;
}

// f = −K Δp − B ṗ, then (2): the clamped force, and the anchor of a slipping point.
void clamp_force(SoftPoint& p) {
  for (int r = 0; r < p.rows; ++r) p.force[r] = -p.stiffness[r] * p.displacement[r] - p.damping[r] * p.velocity[r];
  p.slipping = p.clipped = false;
  p.slip_scale = 1.0;
  if (p.kind == SoftKind::dry && std::abs(p.force[0]) > p.mu) {
    p.slipping = true;
    p.force[0] = std::copysign(p.mu, p.force[0]);
    p.displacement[0] = -p.force[0] / p.stiffness[0];
  }
  if (!p.unilateral()) return;
  double* f = p.force;
  const double normal = f[p.rows - 1];
  if (normal < 0.0) {
    std::fill(f, f + p.rows, 0.0);
    p.clipped = true;
    return;
  }
  if (p.rows == 1) return;
  const double tangent = std::sqrt(f[0] * f[0] + f[1] * f[1]);
  if (!(tangent > p.mu * normal)) return;
  p.slipping = true;
  p.mu = p.mu_slip;
  const double scale = p.slip_scale = std::min(1.0, p.mu * normal / tangent);
  for (int r = 0; r < 2; ++r) {
    f[r] *= scale;
    p.displacement[r] = -f[r] / p.stiffness[r];
  }
}

void add_contact(const AnchoredInput& in, int index, const AnchorRecord* known, const Contact& c,
                 std::vector<SoftPoint>& points, std::vector<AnchorRecord>& records) {
  SoftPoint& p = points.emplace_back();
  p.kind = SoftKind::contact, p.index = index, p.rows = 3, p.record = static_cast<int>(records.size());
  p.a = c.a, p.b = c.b;
  p.point_a = p.point_b = acting_point(in.world, c);
  const Pose a = body_pose(in.layout, in.kinematics, c.a), b = body_pose(in.layout, in.kinematics, c.b);
  AnchorRecord& record = records.emplace_back();
  record.key = c.key;
  p.known = known != nullptr;
  Vec2 stretch = Vec2::Zero();
  if (known != nullptr) {
    p.frame = carried_frame(*known, a, c.normal);
    p.met_b = b * Vec3(Eigen::Map<const Vec3>(known->point_b));
    const Vec3 apart = p.met_b - a * Vec3(Eigen::Map<const Vec3>(known->point_a));
    stretch = Eigen::Map<const Vec2>(known->stretch) - p.frame.topRows<2>() * apart;
    record.rest_gap = known->rest_gap;
  } else {
    p.frame = fresh_frame(c.normal, a.rotation);
    record.rest_gap = in.options.surface_anchoring ? 0.0 : c.gap;
  }
  set_material(in, c, known != nullptr && (known->flags & kSlipping) != 0, p);
  p.displacement[0] = -stretch[0], p.displacement[1] = -stretch[1], p.displacement[2] = c.gap - record.rest_gap;
  Eigen::Map<Vec3>{p.velocity} = p.frame * relative_velocity(in.layout, in.kinematics, p.a, p.point_a, p.b, p.point_b);
  clamp_force(p);
  record.flags = p.slipping ? kSlipping : 0;
  record.stretch[0] = -p.displacement[0], record.stretch[1] = -p.displacement[1];
  remember_place(a, b, p.frame, p.point_b, record);
}

void add_held_points(const AnchoredInput& in, std::vector<SoftPoint>& points) {
  for (std::size_t i = 0; i < in.world.loops.size(); ++i) {
    const Loop& loop = in.world.loops[i];
    SoftPoint& p = points.emplace_back();
    p.kind = SoftKind::held, p.index = static_cast<int>(i);
    p.a = loop.a, p.b = loop.b;
    p.point_a = body_pose(in.layout, in.kinematics, loop.a) * loop.frame_a.translation;
    p.point_b = body_pose(in.layout, in.kinematics, loop.b) * loop.frame_b.translation;
    p.frame.setIdentity();
    std::fill(p.stiffness, p.stiffness + 3, loop.stiffness);
    std::fill(p.damping, p.damping + 3, loop.damping);
    Eigen::Map<Vec3>{p.displacement} = p.point_b - p.point_a;
    Eigen::Map<Vec3>{p.velocity} = relative_velocity(in.layout, in.kinematics, p.a, p.point_a, p.b, p.point_b);
    clamp_force(p);
  }
}

void add_limits(const AnchoredInput& in, std::vector<SoftPoint>& points) {
  for_each_passed_limit(in.world, in.layout, in.q, [&](int body, int velocity, double sign, double gap) {
    SoftPoint& p = points.emplace_back();
    p.kind = SoftKind::limit, p.index = velocity, p.rows = 1, p.sign = sign;
    p.b = body;
    p.stiffness[0] = in.options.limit_stiffness, p.damping[0] = in.options.limit_damping;
    p.displacement[0] = gap;
    p.velocity[0] = sign * in.v[velocity];
    clamp_force(p);
  });
}

// The anchor of a joint is its stretch and the position at which it had that: the key is behind those of all contacts.
void add_dry_joints(const AnchoredInput& in, const std::vector<AnchorRecord>& memory, std::vector<SoftPoint>& points,
                    std::vector<AnchorRecord>& records) {
  for (const int body : in.layout.bounded) {
    const BodyPlan& plan = in.layout.bodies[body];
    if (plan.nv != 1 || !(in.world.dry_friction[plan.v] > 0.0)) continue;
    SoftPoint& p = points.emplace_back();
    p.kind = SoftKind::dry, p.index = plan.v, p.rows = 1, p.b = body;
    p.record = static_cast<int>(records.size());
    p.mu = p.mu_slip = in.world.dry_friction[plan.v];
    p.stiffness[0] = p.mu / in.options.presliding;
    p.damping[0] = p.stiffness[0] * in.options.presliding_time;
    p.velocity[0] = in.v[plan.v];
    AnchorRecord& record = records.emplace_back();
    record.key = dry_joint_key(plan.v);
    record.rest_gap = joint_position(plan, in.q);
    const AnchorRecord* known = find_record(memory, record.key);
    p.known = known != nullptr;
    if (known != nullptr) {
      double way = record.rest_gap - known->rest_gap;
      if (plan.continuous) way = std::remainder(way, 2.0 * std::numbers::pi);
      p.displacement[0] = way - known->stretch[0];
    }
    clamp_force(p);
    record.flags = p.slipping ? kSlipping : 0;
    record.stretch[0] = -p.displacement[0];
  }
}

void check_dry_joints(const World& world) {
  for (const Body& body : world.bodies)
    for (int v = body.v; v < body.v + sizes(body.joint).nv; ++v)
      if (world.dry_friction[v] > 0.0 && sizes(body.joint).nv != 1)
        throw InvalidInput("law 'anchored': velocity " + std::to_string(v) + " has dry joint friction " +
                           text(world.dry_friction[v]) +
                           " in a joint of several axes; this law knows that of revolute and prismatic joints: set "
                           "dry_friction=0, or take a hard law");
}

void check_world(const World& world) {
  refuse_tendon_rows(world, "anchored");
  check_dry_joints(world);
  if (!world.couplings.empty())
    throw InvalidInput("law 'anchored': the equality '" + world.couplings.front().name +
                       "' of joints has no form in this law; take a hard law");
  for (const Loop& loop : world.loops) {
    if (loop.kind != Loop::point)
      throw InvalidInput("law 'anchored': loop '" + loop.name +
                         "' holds orientations; soft loops hold points only: give three points instead");
    if (!std::isfinite(loop.stiffness))
      throw InvalidInput("law 'anchored': loop '" + loop.name +
                         "' is rigid; give it a finite stiffness (and damping), or take a hard law");
  }
}

}  // namespace

AnchoredOptions make_anchored(const World& world, const OptionMap& options) {
  AnchoredOptions out;
  assign_options("law 'anchored'", options, out);
  check_options("law 'anchored'", out);
  check_world(world);
  return out;
}

void anchored_pass(const AnchoredInput& in, const std::vector<AnchorRecord>& memory, AnchoredWork& work,
                   std::vector<SoftPoint>& points, std::vector<AnchorRecord>& records) {
  points.clear();
  records.clear();
  find_overlaps(in, work);
  for (std::size_t i = 0; i < work.contacts.size(); ++i) {
    Contact& c = work.contacts[i];
    add_contact(in, static_cast<int>(i), find_record(memory, c.key), c, points, records);
    c.frame = points.back().frame;
  }
  if (!in.world.loops.empty()) add_held_points(in, points);
  if (in.layout.bounded.empty()) return;
  add_limits(in, points);
  add_dry_joints(in, memory, points, records);
}

void cone_map(const SoftPoint& p, const double* f, double* out) {
  std::copy(f, f + p.rows, out);
  if (p.kind == SoftKind::dry) out[0] = std::clamp(f[0], -p.mu, p.mu);
  if (!p.unilateral()) return;
  const double normal = f[p.rows - 1];
  if (normal < 0.0) {
    std::fill(out, out + p.rows, 0.0);
    return;
  }
  if (p.rows == 1) return;
  const double tangent = std::sqrt(f[0] * f[0] + f[1] * f[1]);
  if (!(tangent > p.mu * normal)) return;
  const double scale = std::min(1.0, p.mu_slip * normal / tangent);
  out[0] *= scale, out[1] *= scale;
}

bool same_contacts(const AnchoredInput& in, const std::vector<SoftPoint>& points,
                   const std::vector<AnchorRecord>& records, AnchoredWork& work) {
  find_overlaps(in, work);
  std::size_t contacts = 0;
  const SoftPoint* limit = points.data();
  for (const SoftPoint& p : points) contacts += p.kind == SoftKind::contact;
  if (work.contacts.size() != contacts) return false;
  for (std::size_t i = 0; i < contacts; ++i)
    if (work.contacts[i].key != records[i].key) return false;
  limit += contacts + in.world.loops.size();
  const SoftPoint* end = points.data() + points.size();
  while (end != limit && (end - 1)->kind == SoftKind::dry) --end;
  bool same = true;
  for_each_passed_limit(in.world, in.layout, in.q, [&](int, int velocity, double sign, double) {
    same = same && limit != end && limit->index == velocity && limit->sign == sign;
    if (limit != end) ++limit;
  });
  return same && limit == end;
}

}  // namespace stiction
