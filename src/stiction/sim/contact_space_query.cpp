// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/sim/contact_space_query.h>

namespace stiction {

ContactSpaceQuery::ContactSpaceQuery(const Simulator& simulator)
    : world_(simulator.shared_world()), model_(simulator.shared_model()), state_(simulator.state()) {
  if (!model_->relaxed()) throw InvalidInput("contact_space needs the law 'relaxed'");
  check_state(*world_, state_);
  work_.resize(*world_, model_->layout);
  space_.bodies.resize(*world_);
  evaluate_articulated(context(), state_.q.data(), state_.v.data(), space_);
  DetectionWork detection;
  std::vector<Contact> contacts;
  std::vector<RelaxedPoint> points;
  find_relaxed_points({*world_, model_->layout, model_->detection, *model_->relaxed(), work_.kinematics, model_->dt},
                      state_.anchors, detection, contacts, points);
  for (const RelaxedPoint& p : points)
    if (p.touching) space_.places.push_back(p.place);
  make_contact_space(context(), space_);
}

void ContactSpaceQuery::evaluate() {
  evaluate_articulated(context(), state_.q.data(), state_.v.data(), space_);
  make_contact_space(context(), space_);
}

ContactSpaceView ContactSpaceQuery::view() const {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto n = static_cast<Eigen::Index>(space_.a0.size());
  ContactSpaceView view;
  view.A = Eigen::Map<const RowMajor>(space_.A.data(), n, n);
  view.a0 = Eigen::Map<const Vec>(space_.a0.data(), n);
  view.J = Mat::Zero(n, world_->nv);
  Vec row(world_->nv);
  for (Eigen::Index i = 0; i < n; ++i) {  // the generalised force of a unit force is a row of J
    const ContactPlace& p = space_.places[i / 3];
    const Vec3 axis = p.frame.row(i % 3).transpose();
    row.setZero();
    add_point_force(context(), p.b, p.point, axis, row.data());
    add_point_force(context(), p.a, p.point, -axis, row.data());
    view.J.row(i) = row.transpose();
  }
  return view;
}

}  // namespace stiction
