// SPDX-License-Identifier: BSD-2-Clause
// Queries of the law `anchored`: points of the last step, and forces to come.
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/model/world/checks.h>
#include <stiction/sim/simulator_impl.h>
#include <stiction/step/exponential/contact_averages.h>

#include <cmath>

namespace stiction {
namespace {

Vec3 to_world(const SoftPoint& p, const double* x) { return p.frame.transpose() * Eigen::Map<const Vec3>(x); }

AnchorView view_of(const SoftPoint& p, const std::vector<AnchorRecord>& records) {
  AnchorView view;
  view.body_a = p.a, view.body_b = p.b;
  view.geom_a = view.geom_b = -1;
  if (p.kind == SoftKind::contact) {
    const ContactKey& key = records[p.record].key;
    view.geom_a = static_cast<int>(key.geom_a), view.geom_b = static_cast<int>(key.geom_b);
  }
  view.point = p.point_b;
  view.velocity = to_world(p, p.velocity);
  view.anchor = p.point_b - to_world(p, p.displacement);
  view.force = to_world(p, p.force);
  view.average = to_world(p, p.average);
  view.projected = to_world(p, p.projected);
  view.predicted = to_world(p, p.predicted);
  view.bilateral = !p.unilateral(), view.slipping = p.slipping;
  return view;
}

}  // namespace

std::vector<AnchorView> Simulator::anchors() const {
  std::vector<AnchorView> out;
  const SoftWork* soft = impl_->stepper->soft();
  if (soft == nullptr) return out;
  SoftWork last;  // only what predictions need
  last.points = soft->points, last.rows = soft->rows, last.islands = soft->islands, last.beta = soft->beta;
  if (soft->averaged_over > 0.0) {
    const StepInput none;
    const SoftContext c{*impl_->world, *impl_->model, none, impl_->state.pd, last};
    AverageWork averages;
    predict_end(c, soft->averaged_over, averages, last.points);
  }
  for (const SoftPoint& p : last.points)
    if (!p.of_joint()) out.push_back(view_of(p, soft->records));
  return out;
}

std::vector<Vec3> Simulator::predict_forces(const VecRef& tau, const std::vector<double>& times) const {
  const Impl& s = *impl_;
  if (!s.model->anchored()) throw InvalidInput("predict_forces needs the law 'anchored'");
  StepInput acting = s.input("predict_forces.tau", tau);
  acting.wrench_count = 0;
  for (const double t : times)
    if (!(t >= 0.0) || !std::isfinite(t))
      throw InvalidInput("predict_forces.times has an entry " + text(t) + ", expected times >= 0 s");
  State state = s.state;
  check_state(*s.world, state);
  SoftWork work;
  work.resize(*s.world, s.model->layout);
  const SoftContext c{*s.world, *s.model, acting, state.pd, work};
  evaluate_smooth(c, state.q.data(), state.v.data());
  find_points(c, state.q.data(), state.v.data(), state.anchors, work.points, work.records);
  factorise_mass(c);
  whiten_forces(c);
  make_rows(c, state.v.data(), work.points);
  AverageWork averages;
  AverageOptions exact;
  exact.approximant = Approximant::exact;
  std::vector<Vec3> out;
  for (const double t : times) {
    if (t == 0.0) {  // what the pass found
      for (const SoftPoint& p : work.points)
        if (!p.of_joint()) out.push_back(to_world(p, p.force));
      continue;
    }
    average_forces(c, exact, t, averages, work.points);
    predict_end(c, t, averages, work.points);
    for (const SoftPoint& p : work.points)
      if (!p.of_joint()) out.push_back(to_world(p, p.predicted));
  }
  return out;
}

}  // namespace stiction
