// SPDX-License-Identifier: BSD-2-Clause
// Minimal coordinates of a simulator with cut joints, and how far its loops have come apart.
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/contact/cut_joint.h>
#include <stiction/dynamics/contact/cut_state.h>
#include <stiction/sim/simulator_impl.h>

#include <algorithm>
#include <cmath>

namespace stiction {

std::pair<Vec, Vec> Simulator::minimal_state() const {
  const Impl& s = *impl_;
  if (s.world->cuts.empty()) return {s.state.q, s.state.v};
  std::pair<Vec, Vec> out;
  measure_minimal_state(*s.minimal, *s.world, s.state.q, s.state.v, out.first, out.second);
  return out;
}

void Simulator::set_minimal_state(const VecRef& q, const VecRef& v) {
  Impl& s = *impl_;
  State wanted = initial_state(*s.minimal);
  if (q.size() != wanted.q.size() || v.size() != wanted.v.size())
    throw InvalidInput("set_minimal_state: q and v have sizes " + std::to_string(q.size()) + " and " +
                       std::to_string(v.size()) + ", expected " + std::to_string(wanted.q.size()) + " and " +
                       std::to_string(wanted.v.size()));
  wanted.q = q, wanted.v = v;
  check_state(*s.minimal, wanted);
  if (s.world->cuts.empty())
    s.state.q = wanted.q, s.state.v = wanted.v;
  else
    place_cut_state(*s.minimal, *s.world, wanted.q, wanted.v, s.state.q, s.state.v);
}

Simulator::Drift Simulator::bilateral_drift() const {
  const Impl& s = *impl_;
  const Kinematics k = s.kinematics();
  Drift drift;
  for (const Loop& loop : s.world->loops) {
    if (std::isfinite(loop.stiffness)) continue;
    const LoopError error = loop_error(s.model->layout, k, loop);
    drift.position = std::max(drift.position, error.linear.norm());
    drift.angle = std::max(drift.angle, error.angular.norm());
  }
  return drift;
}

}  // namespace stiction
