// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/law/assemble.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

double drift_reference(const AssembleInput& in, double gap) {
  const LawOptions& o = in.law.options;
  if (gap > o.dead_band) return -(gap - o.dead_band) / in.dt;
  if (gap >= -o.dead_band) return 0.0;
  const double depth = -(gap + o.dead_band);
  return std::min({o.baumgarte * depth / in.dt, o.correction_speed, std::sqrt(in.world.gravity.norm() * depth)});
}

struct Spring {
  double reference, compliance;
};

// Implicit spring-damper over one step: f = −k (Φ + dt u) − d u.
Spring spring(double gap, double stiffness, double damping, double dt) {
  const double time = damping / stiffness;
  return {-gap / (dt + time), 1.0 / (dt * stiffness * (dt + time))};
}

void drop_last(RowSet& rows) {
  const RowBlock& last = rows.blocks.back();
  if (last.sides > 0) rows.values.resize(static_cast<std::size_t>(last.side[0].offset));
  rows.blocks.pop_back();
}

void set_g(const RowBlock& rows, BlockSpec& spec) {
  for (int r = 0; r < rows.rows; ++r) spec.g[r] = rows.free[r];
  spec.g[rows.rows - 1] -= spec.reference;
}

void add_contact(const AssembleInput& in, const RowContext& context, int index, Assembly& out) {
  const Contact& c = in.contacts[static_cast<std::size_t>(index)];
  const PairMaterial& material = in.world.material(static_cast<int>(c.key.geom_a), static_cast<int>(c.key.geom_b));
  const double mu = (c.flags & kStuck) != 0 ? material.mu_static : material.mu;
  const bool frictionless = material.mu == 0.0 && material.mu_static == 0.0;
  const RowBlock& rows = frictionless ? add_normal_row(context, c.a, c.b, c.point, c.normal, out.rows)
                                      : add_point_rows(context, c.a, c.b, c.point, c.frame, out.rows);
  const int n = rows.rows - 1;  // the normal row
  const bool closes = c.gap + in.dt * rows.free[n] < 0.0;
  const bool compliant = std::isfinite(material.stiffness);
  if (compliant && c.gap > 0.0 && !closes) {
    drop_last(out.rows);
    return;
  }
  BlockSpec& spec = out.specs.emplace_back();
  spec.block = frictionless ? Block::unilateral(0) : Block::coulomb(0, mu);
  spec.source = RowSource::contact;
  spec.index = index;
  spec.compliance = 0.0;
  if (compliant) {
    const Spring s = spring(c.gap, material.stiffness, material.damping, in.dt);
    spec.reference = s.reference, spec.compliance = s.compliance;
  } else {
    spec.reference = drift_reference(in, c.gap);
  }
  const bool fast = -rows.before[n] > in.law.options.restitution_threshold;
  if (material.restitution > 0.0 && (c.flags & kOpen) != 0 && closes && fast) {
    spec.reference = std::max(spec.reference, -material.restitution * rows.before[n]);
    spec.armed = true;
  }
  set_g(rows, spec);
  for (int r = 0; r < rows.rows; ++r) spec.guess[r] = in.dt * c.force[frictionless ? 2 : r];
}

void finish_loop(const AssembleInput& in, const Loop& loop, const Vec3& error, bool angular, int first_row,
                 Assembly& out) {
  const RowBlock& rows = out.rows.blocks.back();
  BlockSpec& spec = out.specs.emplace_back();
  spec.block = Block::bilateral(0, 3, angular);
  spec.source = RowSource::loop;
  spec.index = first_row;
  spec.reference = 0.0, spec.compliance = 0.0;
  Vec3 wanted = -in.law.options.baumgarte / in.dt * error;
  if (const double speed = wanted.norm(); speed > in.law.options.correction_speed)
    wanted *= in.law.options.correction_speed / speed;
  if (std::isfinite(loop.stiffness)) {
    const Spring s = spring(1.0, loop.stiffness, loop.damping, in.dt);
    wanted = s.reference * error, spec.compliance = s.compliance;
  }
  for (int r = 0; r < 3; ++r) {
    spec.g[r] = rows.free[r] - wanted[r];
    spec.guess[r] = in.dt * in.state.loop_force[first_row + r];
  }
}

Pose body_pose(const AssembleInput& in, BodyId body) {
  return body == kWorldBody ? Pose{} : in.kinematics.pose(in.layout, body);
}

// Rotation vector of R.
Vec3 rotation_vector(const Mat3& R) {
  const Eigen::AngleAxisd turn(R);
  return turn.angle() * turn.axis();
}

void add_loops(const AssembleInput& in, const RowContext& context, Assembly& out) {
  int row = 0;
  for (const Loop& loop : in.world.loops) {
    const Pose a = body_pose(in, loop.a) * loop.frame_a, b = body_pose(in, loop.b) * loop.frame_b;
    add_loop_rows(context, loop.a, a.translation, loop.b, b.translation, Mat3::Identity(), out.rows);
    finish_loop(in, loop, b.translation - a.translation, false, row, out);
    row += 3;
    if (loop.kind != Loop::weld) continue;
    add_angular_rows(context, loop.a, loop.b, Mat3::Identity(), out.rows);
    finish_loop(in, loop, rotation_vector(b.rotation * a.rotation.transpose()), true, row, out);
    row += 3;
  }
}

void add_limit(const AssembleInput& in, const RowContext& context, int body, int velocity, double sign, double gap,
               bool angular, Assembly& out) {
  const double ahead = std::max(in.law.options.margin, in.dt * std::abs(in.v[velocity]));
  if (gap > ahead) return;
  const RowBlock& rows = add_joint_row(context, body, velocity, sign, out.rows);
  BlockSpec& spec = out.specs.emplace_back();
  spec.block = Block::unilateral(0, angular);
  spec.source = RowSource::limit;
  spec.index = velocity;
  spec.reference = drift_reference(in, gap);
  spec.compliance = 0.0;
  set_g(rows, spec);
  spec.guess[0] = in.dt * std::max(0.0, sign * in.state.limit_force[velocity]);
}

void add_joint_blocks(const AssembleInput& in, const RowContext& context, Assembly& out) {
  for (const int body : in.layout.bounded) {
    const BodyPlan& plan = in.layout.bodies[static_cast<std::size_t>(body)];
    const bool angular = plan.code != JointCode::prismatic;
    for (int velocity = plan.v; velocity < plan.v + plan.nv; ++velocity) {
      if (plan.nv == 1 && !plan.continuous) {
        const double q = in.state.q[plan.q];
        if (std::isfinite(in.world.lower[velocity]))
          add_limit(in, context, body, velocity, 1.0, q - in.world.lower[velocity], angular, out);
        if (std::isfinite(in.world.upper[velocity]))
          add_limit(in, context, body, velocity, -1.0, in.world.upper[velocity] - q, angular, out);
      }
      if (const double friction = in.dt * in.world.dry_friction[velocity]; friction > 0.0) {
        const RowBlock& rows = add_joint_row(context, body, velocity, 1.0, out.rows);
        BlockSpec& spec = out.specs.emplace_back();
        spec.block = Block::box(0, -friction, friction, angular);
        spec.source = RowSource::joint_friction;
        spec.index = velocity;
        spec.reference = 0.0, spec.compliance = 0.0;
        set_g(rows, spec);
        spec.guess[0] = in.dt * in.state.friction_force[velocity];
      }
    }
  }
}

}  // namespace

void assemble(const AssembleInput& in, Assembly& out) {
  out.rows.clear();
  out.specs.clear();
  const RowContext context{in.layout, in.kinematics, in.v, in.z};
  for (int i = 0; i < static_cast<int>(in.contacts.size()); ++i) add_contact(in, context, i, out);
  if (!in.world.loops.empty()) add_loops(in, context, out);
  add_joint_blocks(in, context, out);
  out.islands.find(in.layout, static_cast<int>(in.world.trees.size()), out.rows);
}

bool arm_closed_contacts(const AssembleInput& in, int island, const double* lambda, Assembly& assembly) {
  bool any = false;
  int row = 0;
  for (int k = assembly.islands.start[static_cast<std::size_t>(island)];
       k < assembly.islands.start[static_cast<std::size_t>(island) + 1]; ++k) {
    const auto i = static_cast<std::size_t>(assembly.islands.block[static_cast<std::size_t>(k)]);
    BlockSpec& spec = assembly.specs[i];
    const RowBlock& rows = assembly.rows.blocks[i];
    const int n = rows.rows - 1;
    const double lambda_normal = lambda[row + n];
    row += rows.rows;
    if (spec.source != RowSource::contact || spec.armed) continue;
    const Contact& c = in.contacts[static_cast<std::size_t>(spec.index)];
    const PairMaterial& material = in.world.material(static_cast<int>(c.key.geom_a), static_cast<int>(c.key.geom_b));
    const bool fast = -rows.before[n] > in.law.options.restitution_threshold;
    if (!(material.restitution > 0.0 && (c.flags & kOpen) != 0 && fast && lambda_normal > 0.0)) continue;
    const double rebound = std::max(spec.reference, -material.restitution * rows.before[n]);
    spec.g[n] += spec.reference - rebound;
    spec.reference = rebound;
    spec.armed = any = true;
  }
  return any;
}

}  // namespace stiction
