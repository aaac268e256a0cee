// SPDX-License-Identifier: BSD-2-Clause
// MuJoCo scales the softness of a row with an inverse inertia at the reference position, whatever the pose is later:
//   joints     the diagonal of M⁻¹, averaged over the velocities of a ball or the halves of a free joint
//   bodies     a third of the trace of J M⁻¹ Jᵀ, J of the centre of mass (of the rotation); contacts and loops add those of both
#include <stiction/model/mjcf/mjcf_reference.h>
#include <stiction/model/mjcf/mjcf_softness.h>

#include <algorithm>

namespace stiction {
namespace {

template <class Values>
void read_numbers(const Xml& element, const char* name, const std::string& place, Values& to) {
  const auto given = attribute(element, name);
  if (!given) return;
  const std::vector<double> x = to_numbers(*given, place + " " + name);
  for (std::size_t i = 0; i < std::min(x.size(), static_cast<std::size_t>(to.size())); ++i)
    to[static_cast<int>(i)] = x[i];
}

Vec2 reference_of(const MjcfSurface& s) { return {s.solref[0], s.solref[1]}; }

// Inverse masses and inverse moments of inertia of the links, and inverse inertias of the velocities.
class Weights {
 public:
  explicit Weights(const MjcfModel& model) : model_(model), links_(model.robot.frames.size(), Vec2::Zero()) {
    if (model.robot.nv == 0) return;
    inverse_ = mjcf_inverse_mass(model);
    if (!inverse_.finite())
      for (auto& part : inverse_.parts) part.inverse.setZero();  // something without mass moves: rigid
    diagonal_ = inverse_.diagonal();
    for (const MjcfLink& link : model.links) links_[static_cast<std::size_t>(link.frame)] = of_link(link);
  }

  double velocity(const Body& body, int i) const {
    const int n = sizes(body.joint).nv, part = std::min(n, 3);  // linear and angular velocities of a free joint
    return diagonal_.segment(body.v + (i < part ? 0 : 3), part).mean();
  }
  // (linear, angular); zero where it stands still.
  Vec2 link(int index) const { return index < 0 ? Vec2::Zero() : links_[static_cast<std::size_t>(index)]; }

 private:
  Vec2 of_link(const MjcfLink& link) const {
    const Pose pose = mjcf_reference_pose(model_, link.body, link.placement);
    const Mat J = mjcf_point_jacobian(model_, link.body, pose * link.inertia.com, inverse_);
    const Mat A = J * inverse_.parts[inverse_.part_of[model_.robot.bodies[link.body].v]].inverse * J.transpose();
    return {A.diagonal().head<3>().mean(), A.diagonal().tail<3>().mean()};
  }

  const MjcfModel& model_;
  std::vector<Vec2> links_;
  MjcfInverseMass inverse_;
  Vec diagonal_;
};

void weigh_joints(const Weights& weights, RobotModel& robot) {
  for (const Body& body : robot.bodies)
    for (int i = 0; i < sizes(body.joint).nv; ++i)
      for (auto* list : {&robot.softness.limits, &robot.softness.friction})
        (*list)[static_cast<std::size_t>(body.v + i)].weight = weights.velocity(body, i);
}

}  // namespace

Softness read_softness(const Xml& element, const char* solref, const char* solimp, const std::string& place) {
  Softness out;
  out.given = true;
  read_numbers(element, solref, place, out.reference);
  read_numbers(element, solimp, place, out.impedance);
  return out;
}

double pyramid_scale(const MjcfDocument& document, int condim) {
  return document.options().pyramidal_cone && condim > 1 ? 1.0 / (document.options().impratio * (condim - 1)) : 0.0;
}

Softness mix_softness(const MjcfDocument& document, const MjcfSurface& a, const MjcfSurface& b) {
  constexpr double least = 1e-15;
  const bool equal = a.priority == b.priority;
  double share = a.priority > b.priority ? 1.0 : 0.0;  // of a
  if (equal && a.solmix >= least && b.solmix >= least)
    share = a.solmix / (a.solmix + b.solmix);
  else if (equal)
    share = a.solmix >= least ? 1.0 : b.solmix >= least ? 0.0 : 0.5;
  Softness out;
  out.given = true;
  const Vec2 first = reference_of(a), second = reference_of(b);
  if (!equal || (first[0] > 0.0 && second[0] > 0.0))
    out.reference = share * first + (1.0 - share) * second;
  else
    out.reference = first.cwiseMin(second);
  for (std::size_t i = 0; i < out.impedance.size(); ++i)
    out.impedance[i] = share * a.solimp[i] + (1.0 - share) * b.solimp[i];
  const int condim = equal ? std::max(a.condim, b.condim) : share == 1.0 ? a.condim : b.condim;
  out.pyramid = pyramid_scale(document, condim);
  return out;
}

void add_mjcf_softness(MjcfModel& model) {
  RobotModel& robot = model.robot;
  const Weights weights(model);
  weigh_joints(weights, robot);
  for (const GeomOrigin& origin : robot.origins) robot.softness.geoms.push_back(weights.link(origin.link)[0]);
  for (const MjcfModel::LoopEnds& ends : model.loop_ends) {
    Softness softness = ends.softness;
    const Vec2 sum = weights.link(ends.a) + weights.link(ends.b);
    softness.weight = sum[0], softness.angular_weight = ends.angular_scale * sum[1];
    robot.softness.loops.push_back(softness);
  }
  for (std::size_t i = 0; i < robot.couplings.size(); ++i) {
    Softness softness = model.coupling_softness[i];
    const Coupling& c = robot.couplings[i];
    if (c.tendon_a < 0) softness.weight = weights.velocity(robot.bodies[c.a], 0);
    if (c.b != kWorldBody) softness.weight += weights.velocity(robot.bodies[c.b], 0);
    robot.softness.couplings.push_back(softness);
  }
}

}  // namespace stiction
