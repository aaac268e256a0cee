// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/contact/match.h>
#include <stiction/law/anchor_memory.h>
#include <stiction/law/catalog.h>
#include <stiction/law/contact_query.h>
#include <stiction/law/relaxed.h>
#include <stiction/law/tendon_blocks.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

Vec3 velocity_at(const RelaxedInput& in, const ContactPlace& c) {
  return relative_velocity(in.layout, in.kinematics, c.a, c.point, c.b, c.point);
}

// Tangential part of d for a contact that closed since the last step: (1 − s)(p − p_P), s the share of the way above the surface.
Vec2 fresh_displacement(const Mat3& frame, double gap, const Vec3& apart) {
  const double fallen = -frame.row(2).dot(apart), above = gap + fallen;
  if (!(fallen > 0.0) || !(above > 0.0)) return Vec2::Zero();
  return -gap / fallen * (frame.topRows<2>() * apart);
}

void add_point(const RelaxedInput& in, int index, const AnchorRecord* known, Contact& c,
               std::vector<RelaxedPoint>& points) {
  RelaxedPoint& p = points.emplace_back();
  p.contact = index;
  p.touching = c.gap <= 0.0;
  const Pose a = body_pose(in.layout, in.kinematics, c.a), b = body_pose(in.layout, in.kinematics, c.b);
  c.frame = known != nullptr ? carried_frame(*known, a, c.normal) : fresh_frame(c.normal, a.rotation);
  p.place = {c.a, c.b, c.point + 0.5 * c.gap * c.normal, c.frame};
  const PairMaterial& m = material_of(in.world, c);
  p.mu_kinetic = m.mu, p.mu_static = m.mu_static;
  Vec2 d = Vec2::Zero();
  if (known != nullptr && p.touching) {
    const Vec3 apart = moved_apart(*known, a, b);
    if ((known->flags & kAbove) != 0)
      d = fresh_displacement(c.frame, c.gap, apart);
    else
      d = c.frame.topRows<2>() * apart - Eigen::Map<const Vec2>(known->stretch);
    p.sliding = (known->flags & kSlipping) != 0;
  }
  p.displacement[0] = d[0], p.displacement[1] = d[1], p.displacement[2] = c.gap;
  Eigen::Map<Vec3>{p.velocity} = c.frame * velocity_at(in, p.place);
}

double fade(double slip_weight, double speed) { return -std::expm1(-slip_weight * speed); }

// f_T ← size against the slip; along f_T where nothing slips.
void set_kinetic(RelaxedPoint& p, double size) {
  const double speed = std::hypot(p.velocity[0], p.velocity[1]), pull = std::hypot(p.force[0], p.force[1]);
  const double* direction = speed >= 1e-12 ? p.velocity : p.force;
  const double length = speed >= 1e-12 ? -speed : pull;
  for (int r = 0; r < 2; ++r) p.force[r] = length == 0.0 ? 0.0 : size * direction[r] / length;
}

RelaxedModel read_model(const std::string& name) {
  if (name == "proposed") return RelaxedModel::proposed;
  if (name == "macro") return RelaxedModel::macro;
  if (name == "micro") return RelaxedModel::micro;
  if (name == "hybrid") return RelaxedModel::hybrid;
  throw InvalidInput(unknown_name("law 'relaxed': model", name, {"proposed", "macro", "micro", "hybrid"}));
}

bool has_option(RelaxedModel model, const std::string& option) {
  const auto any_of = [&](std::initializer_list<RelaxedModel> models) {
    return std::find(models.begin(), models.end(), model) != models.end();
  };
  if (option == "compensation" || option == "friction" || option == "norm") return any_of({RelaxedModel::proposed});
  if (option == "regularisation" || option == "unilateral")
    return any_of({RelaxedModel::proposed, RelaxedModel::hybrid});
  if (option == "release_weight") return model != RelaxedModel::micro;
  if (option == "normal_bias") return any_of({RelaxedModel::macro});
  if (option == "stiffness" || option == "damping") return any_of({RelaxedModel::micro});
  if (option == "soft_stiffness" || option == "soft_damping") return any_of({RelaxedModel::hybrid});
  return true;
}

void check_relaxed_world(const World& world) {
  refuse_tendon_rows(world, "relaxed");
  if (!world.couplings.empty())
    throw InvalidInput("law 'relaxed': the equality '" + world.couplings.front().name +
                       "' of joints has no form in this law; take a hard law");
  if (!world.loops.empty())
    throw InvalidInput("law 'relaxed': loop '" + world.loops.front().name +
                       "' has no form in this law; take a hard law or 'anchored'");
  for (Eigen::Index i = 0; i < world.dry_friction.size(); ++i)
    if (world.dry_friction[i] > 0.0)
      throw InvalidInput("law 'relaxed': velocity " + std::to_string(i) +
                         " has dry friction, which has no form in this law; take a hard law");
}

}  // namespace

RelaxedLaw make_relaxed(const World& world, const OptionMap& map) {
  RelaxedLaw law;
  RelaxedOptions& o = law.options;
  assign_options("law 'relaxed'", map, o);
  law.model = read_model(o.model);
  for (const auto& [name, value] : map)
    if (!has_option(law.model, name))
      throw InvalidInput("law 'relaxed': model '" + o.model + "' has no option '" + name + "'");
  if (o.unilateral != "exact" && o.unilateral != "omit")
    throw InvalidInput(unknown_name("law 'relaxed': unilateral", o.unilateral, {"exact", "omit"}));
  law.omit = o.unilateral == "omit";
  if (o.friction != "after" && o.friction != "inside")
    throw InvalidInput(unknown_name("law 'relaxed': friction", o.friction, {"after", "inside"}));
  if (o.norm != "velocity" && o.norm != "energy")
    throw InvalidInput(unknown_name("law 'relaxed': norm", o.norm, {"velocity", "energy"}));
  law.inside = o.friction == "inside", law.energy = o.norm == "energy";
  if (law.energy && !law.inside)
    throw InvalidInput("law 'relaxed': norm 'energy' needs friction 'inside', found '" + o.friction + "'");
  if (law.omit && law.inside)
    throw InvalidInput("law 'relaxed': unilateral 'omit' is of friction 'after' the problem, found 'inside'");
  check_options("law 'relaxed'", o);
  check_relaxed_world(world);
  return law;
}

void find_relaxed_points(const RelaxedInput& in, const std::vector<AnchorRecord>& memory, DetectionWork& detection,
                         std::vector<Contact>& contacts, std::vector<RelaxedPoint>& points) {
  reset_look_ahead(in.world, detection);
  detect(in.world, in.layout, in.detection, in.kinematics, in.dt, 0.0, detection, contacts);
  points.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i)
    add_point(in, static_cast<int>(i), find_record(memory, contacts[i].key), contacts[i], points);
}

void move_relaxed_points(const RelaxedInput& in, const std::vector<Contact>& contacts,
                         const std::vector<AnchorRecord>& records, const std::vector<RelaxedPoint>& start,
                         std::vector<RelaxedPoint>& points) {
  points.assign(start.begin(), start.end());
  for (RelaxedPoint& p : points) {
    const AnchorRecord& r = records[p.contact];
    const Pose a = body_pose(in.layout, in.kinematics, p.place.a), b = body_pose(in.layout, in.kinematics, p.place.b);
    const Vec3 apart = moved_apart(r, a, b);
    p.place.frame = Eigen::Map<const RowMat3>(r.frame) * a.rotation.transpose();
    p.place.point = b * Vec3(Eigen::Map<const Vec3>(r.point_b));
    const Vec3 moved = p.place.frame * apart;
    for (int k = 0; k < 2; ++k) p.displacement[k] = start[p.contact].displacement[k] + moved[k];
    p.displacement[2] = contacts[p.contact].gap + moved[2];
    Eigen::Map<Vec3>{p.velocity} = p.place.frame * velocity_at(in, p.place);
  }
}

void add_spring_forces(const RelaxedLaw& law, RelaxedPoint& p) {
  const RelaxedOptions& o = law.options;
  if (law.model == RelaxedModel::micro) {
    if (p.displacement[2] <= 0.0)
      p.force[2] += std::max(0.0, -o.stiffness * p.displacement[2] - o.damping * p.velocity[2]);
  } else if (law.model == RelaxedModel::hybrid) {
    for (int r = 0; r < 3; ++r) {
      const double f = -o.soft_stiffness * p.displacement[r] - o.soft_damping * p.velocity[r];
      p.force[r] += r == 2 ? std::max(0.0, f) : f;
    }
  }
}

bool apply_friction(const RelaxedLaw& law, RelaxedPoint& p) {
  const double normal = p.force[2], speed = std::hypot(p.velocity[0], p.velocity[1]);
  const double weight = fade(law.options.slip_weight, speed);
  if (law.model == RelaxedModel::micro) {
    set_kinetic(p, speed >= 1e-12 ? p.mu_kinetic * normal * weight : 0.0);
    return normal > 0.0 && speed >= 1e-12;
  }
  const double pull = std::hypot(p.force[0], p.force[1]);
  if (law.inside) {
    const double mu = p.sliding ? p.mu_kinetic : p.mu_static;
    if (normal > 0.0 && pull < (1.0 - 1e-6) * mu * normal) return false;
    const double share = mu > 0.0 ? p.mu_kinetic / mu : 0.0;
    for (int r = 0; r < 2; ++r) p.force[r] *= share;
    return true;
  }
  if (pull <= (p.sliding ? p.mu_kinetic : p.mu_static) * normal) return false;
  const bool begins = !p.sliding;
  set_kinetic(p, p.mu_kinetic * normal * (begins && !law.options.release_weight ? 1.0 : weight));
  return true;
}

void remember_points(const RelaxedInput& in, const std::vector<Contact>& contacts,
                     const std::vector<RelaxedPoint>& points, const std::vector<char>& sliding,
                     std::vector<AnchorRecord>& records) {
  records.clear();
  for (const RelaxedPoint& p : points) {
    const Contact& c = contacts[p.contact];
    const Pose a = body_pose(in.layout, in.kinematics, c.a), b = body_pose(in.layout, in.kinematics, c.b);
    AnchorRecord& r = records.emplace_back();
    r.key = c.key;
    r.flags = !p.touching ? kAbove : sliding[p.contact] ? kSlipping : 0;
    if (r.flags == 0) r.stretch[0] = -p.displacement[0], r.stretch[1] = -p.displacement[1];
    remember_place(a, b, p.place.frame, p.place.point, r);
  }
}

void add_limit_forces(const RelaxedInput& in, const double* q, const double* v, double* force) {
  const RelaxedOptions& o = in.law.options;
  for_each_passed_limit(in.world, in.layout, q, [&](int, int velocity, double sign, double gap) {
    const double rate = sign * v[velocity];
    force[velocity] += sign * std::max(0.0, -o.limit_stiffness * gap - o.limit_damping * rate);
  });
}

}  // namespace stiction
