// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/model/parameters/world_parameters.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

int count_bodies(const World& w) { return static_cast<int>(w.bodies.size()); }
int count_velocities(const World& w) { return w.nv; }
int count_actuators(const World& w) { return static_cast<int>(w.actuators.size()); }
int count_once(const World&) { return 1; }
int count_pairs(const World& w) {
  const auto m = static_cast<int>(w.material_names.size());
  return m * (m + 1) / 2;
}

// Pair number k of materials a ≤ b.
std::pair<std::size_t, std::size_t> materials_of(const World& w, int k) {
  const std::size_t m = w.material_names.size();
  std::size_t a = 0, left = static_cast<std::size_t>(k);
  for (; left >= m - a; ++a) left -= m - a;
  return {a, a + left};
}
template <class F>
void for_pair(World& w, int k, const F& f) {
  const auto [a, b] = materials_of(w, k);
  const std::size_t m = w.material_names.size();
  f(w.pair_materials[a * m + b]);
  if (a != b) f(w.pair_materials[b * m + a]);
}
const PairMaterial& pair_of(const World& w, int k) {
  const auto [a, b] = materials_of(w, k);
  return w.pair_materials[a * w.material_names.size() + b];
}

using Check = void (*)(const World&, const std::string&, const double*, int);
constexpr Check kNotNegative = [](const World&, const std::string& f, const double* x, int) {
  check_not_negative(f, x[0]);
};
constexpr Check kFinite = [](const World&, const std::string& f, const double* x, int) {
  for (int k = 0; k < 3; ++k) check_finite(f, x[k]);
};

bool free_body_of(const World& w, int body) {
  return w.trees[static_cast<std::size_t>(w.bodies[static_cast<std::size_t>(body)].tree)].free_body;
}

void check_mass(const World& w, const std::string& field, const double* x, int body) {
  if (w.bodies[static_cast<std::size_t>(body)].inertia.mass > 0.0) return check_positive(field, x[0]);
  if (x[0] != 0.0) throw InvalidInput(field + " is " + text(x[0]) + ", expected 0: this link has no mass in the world");
}
void check_com(const World& w, const std::string& field, const double* x, int body) {
  const Vec3 com(x[0], x[1], x[2]);
  check_finite(field, com);
  if (com != w.bodies[static_cast<std::size_t>(body)].inertia.com && free_body_of(w, body))
    throw InvalidInput(field + " is " + text(com) +
                       ", expected zero: the frame of a free body is at its centre of mass");
}
void check_moments(const World& w, const std::string& field, const double* x, int body) {
  const Mat3 inertia = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(x);
  if (inertia != w.bodies[static_cast<std::size_t>(body)].inertia.about_com) check_inertia(field, inertia);
}
void check_damping(const World& w, const std::string& field, const double* x, int v) {
  check_not_negative(field, x[0]);
  const bool driven = std::find(w.tau_velocity.begin(), w.tau_velocity.end(), v) != w.tau_velocity.end();
  if (!driven && (x[0] > 0.0) != (w.joint_damping[v] > 0.0))
    throw InvalidInput(field + " is " + text(x[0]) + ", expected " + text(w.joint_damping[v]) +
                       ": damping of a floating base can vary where the world has some, and not appear");
}
void check_static_friction(const World& w, const std::string& field, const double* x, int k) {
  check_not_negative(field, x[0]);
  if (pair_of(w, k).mu_static == pair_of(w, k).mu && x[0] != pair_of(w, k).mu_static)
    throw InvalidInput(field + " is " + text(x[0]) +
                       ", but the world makes no difference between mu and mu_static here; "
                       "set mu_static of the material above mu, or vary mu alone");
}
void check_share(const World&, const std::string& field, const double* x, int) {
  if (!(x[0] >= 0.0 && x[0] <= 1.0)) throw InvalidInput(field + " is " + text(x[0]) + ", expected 0 to 1");
}
void check_effort(const World&, const std::string& field, const double* x, int) {
  if (!(x[0] >= 0.0)) throw InvalidInput(field + " is " + text(x[0]) + ", expected >= 0, or infinity for none");
}

}  // namespace

const std::vector<ParameterKind>& parameter_kinds() {
  static const std::vector<ParameterKind> list = {
      {"gravity", "[m/s²], world axes", &count_once, 3, 1, [](const World& w, int, int k) { return w.gravity[k]; },
       kFinite, [](World& w, const World&, const double* x, int) { w.gravity = Vec3(x[0], x[1], x[2]); }},
      {"mass", "of each body [kg]; inertias stay", &count_bodies, 1, 1,
       [](const World& w, int b, int) { return w.bodies[b].inertia.mass; }, &check_mass,
       [](World& w, const World&, const double* x, int b) { w.bodies[b].inertia.mass = x[0]; }, true},
      {"com", "centre of mass of each body in its frame [m]", &count_bodies, 3, 1,
       [](const World& w, int b, int k) { return w.bodies[b].inertia.com[k]; }, &check_com,
       [](World& w, const World&, const double* x, int b) { w.bodies[b].inertia.com = Vec3(x[0], x[1], x[2]); }, true},
      {"inertia", "of each body about its centre of mass, in its axes [kg m²]", &count_bodies, 3, 3,
       [](const World& w, int b, int k) { return w.bodies[b].inertia.about_com(k / 3, k % 3); }, &check_moments,
       [](World& w, const World&, const double* x, int b) {
         w.bodies[b].inertia.about_com = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(x);
       },
       true},
      {"mu", "friction of each pair of materials [-]; mu_static follows where the world makes no difference",
       &count_pairs, 1, 1, [](const World& w, int k, int) { return pair_of(w, k).mu; }, kNotNegative,
       [](World& w, const World& from, const double* x, int k) {
         const PairMaterial& old = pair_of(from, k);
         const double rest = old.mu_static == old.mu ? x[0] : std::max(x[0], old.mu_static);
         for_pair(w, k, [&](PairMaterial& m) { m.mu = x[0], m.mu_static = rest; });
       },
       false, true},
      {"mu_static", "static friction of each pair of materials [-]; at least mu acts", &count_pairs, 1, 1,
       [](const World& w, int k, int) { return pair_of(w, k).mu_static; }, &check_static_friction,
       [](World& w, const World& from, const double* x, int k) {
         if (pair_of(from, k).mu_static == pair_of(from, k).mu) return;
         for_pair(w, k, [&](PairMaterial& m) { m.mu_static = std::max(x[0], m.mu); });
       },
       false, true},
      {"restitution", "of each pair of materials, 0 to 1 [-]", &count_pairs, 1, 1,
       [](const World& w, int k, int) { return pair_of(w, k).restitution; }, &check_share,
       [](World& w, const World&, const double* x, int k) {
         for_pair(w, k, [&](PairMaterial& m) { m.restitution = x[0]; });
       },
       false, true},
      {"contact_stiffness", "per point of each pair of materials, infinity for rigid [N/m]", &count_pairs, 1, 1,
       [](const World& w, int k, int) { return pair_of(w, k).stiffness; },
       [](const World&, const std::string& f, const double* x, int) { check_stiffness(f, x[0]); },
       [](World& w, const World&, const double* x, int k) {
         for_pair(w, k, [&](PairMaterial& m) { m.stiffness = x[0]; });
       },
       false, true},
      {"contact_damping", "likewise, where the contact is not rigid [N s/m]", &count_pairs, 1, 1,
       [](const World& w, int k, int) { return pair_of(w, k).damping; }, kNotNegative,
       [](World& w, const World&, const double* x, int k) {
         for_pair(w, k, [&](PairMaterial& m) { m.damping = x[0]; });
       },
       false, true},
      {"joint_damping", "viscous, per velocity [N m s/rad, N s/m]", &count_velocities, 1, 1,
       [](const World& w, int v, int) { return w.joint_damping[v]; }, &check_damping,
       [](World& w, const World&, const double* x, int v) { w.joint_damping[v] = x[0]; }},
      {"armature", "reflected rotor inertia, per velocity [kg m², kg]", &count_velocities, 1, 1,
       [](const World& w, int v, int) { return w.armature[v]; }, kNotNegative,
       [](World& w, const World&, const double* x, int v) { w.armature[v] = x[0]; }, true},
      {"effort_limit", "bound on |tau| and PD torques, per velocity [N m, N]", &count_velocities, 1, 1,
       [](const World& w, int v, int) { return w.effort_limit[v]; }, &check_effort,
       [](World& w, const World&, const double* x, int v) { w.effort_limit[v] = x[0]; }},
      {"actuator_gain", "of each actuator: constant, times its length, times its rate", &count_actuators, 3, 1,
       [](const World& w, int i, int k) { return w.actuators[i].gain[k]; }, kFinite,
       [](World& w, const World&, const double* x, int i) { w.actuators[i].gain = Vec3(x[0], x[1], x[2]); }},
      {"actuator_bias", "of each actuator, likewise", &count_actuators, 3, 1,
       [](const World& w, int i, int k) { return w.actuators[i].bias[k]; }, kFinite,
       [](World& w, const World&, const double* x, int i) { w.actuators[i].bias = Vec3(x[0], x[1], x[2]); }},
      {"motor_strength", "factor on gain, bias and force range of each actuator [-]", &count_actuators, 1, 1,
       [](const World&, int, int) { return 1.0; }, kNotNegative,
       [](World& w, const World& from, const double* x, int i) {
         w.actuators[i].gain *= x[0], w.actuators[i].bias *= x[0];
         for (int k = 0; k < 2; ++k)
           if (std::isfinite(from.actuators[i].force_range[k]))
             w.actuators[i].force_range[k] = x[0] * from.actuators[i].force_range[k];
       }},
  };
  return list;
}

std::vector<int> value_shape(const World& world, const ParameterKind& kind) {
  std::vector<int> out;
  if (kind.rows != &count_once) out.push_back(kind.rows(world));
  if (kind.across > 1) out.push_back(kind.across);
  if (kind.down > 1) out.push_back(kind.down);
  return out;
}

std::vector<std::string> column_names(const World& world, const ParameterKind& kind) {
  std::vector<std::string> out;
  for (int i = 0; i < kind.rows(world); ++i) {
    if (kind.rows == &count_bodies) out.push_back(world.bodies[i].name);
    if (kind.rows == &count_actuators) out.push_back(world.actuators[i].name);
    if (kind.rows == &count_pairs) {
      const auto [a, b] = materials_of(world, i);
      out.push_back(world.material_names[a] + "/" + world.material_names[b]);
    }
  }
  if (kind.rows == &count_velocities)
    for (const Body& b : world.bodies) out.insert(out.end(), sizes(b.joint).nv, b.name);
  return out;
}

}  // namespace stiction
