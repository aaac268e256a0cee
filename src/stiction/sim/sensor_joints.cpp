// SPDX-License-Identifier: BSD-2-Clause
// Sensors of joints, tendons and actuators, and energies.
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/dynamics/kernels/tendons.h>
#include <stiction/model/world/tendon.h>
#include <stiction/sim/sensors.h>
#include <stiction/step/core/actuators.h>
#include <stiction/step/core/passive_forces.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// How far beyond a limit, and how fast away from it; both zero within the range.
struct Beyond {
  double depth = 0.0, rate = 0.0;
};
Beyond beyond(double lower, double upper, double x, double rate) {
  if (x < lower) return {x - lower, rate};
  if (x > upper) return {upper - x, -rate};
  return {};
}

}  // namespace

void read_joint_sensor(const Sensor& s, SensorMoment& m, double* out) {
  const BodyPlan& plan = m.layout().bodies[static_cast<std::size_t>(s.object)];
  const double q = plan.nv == 1 ? joint_position(plan, m.q().data()) : 0.0, v = m.v()[plan.v];
  switch (s.kind) {
    case SensorKind::jointpos:
      out[0] = q;
      return;
    case SensorKind::jointvel:
      out[0] = v;
      return;
    case SensorKind::jointactuatorfrc:
      out[0] = m.actuation()[plan.v];
      return;
    case SensorKind::jointlimitpos:
      out[0] = beyond(m.world().lower[plan.v], m.world().upper[plan.v], q, v).depth;
      return;
    case SensorKind::jointlimitvel:
      out[0] = beyond(m.world().lower[plan.v], m.world().upper[plan.v], q, v).rate;
      return;
    case SensorKind::jointlimitfrc:
      out[0] = std::abs(m.state().limit_force[plan.v]);
      return;
    case SensorKind::ballquat:
      Eigen::Map<Eigen::Vector4d>{out} = m.q().segment<4>(plan.q).normalized();
      return;
    case SensorKind::ballangvel:
      Eigen::Map<Vec3>{out} = m.v().segment<3>(plan.v);
      return;
    default:
      return;
  }
}

double read_tendon_sensor(const Sensor& s, SensorMoment& m) {
  const auto index = static_cast<std::size_t>(s.object);
  const Tendon& tendon = m.world().tendons[index];
  const Kinematics& k = m.kinematics();
  const double length = tendon_length(m.layout(), k, s.object, m.q().data());
  const double rate = tendon_rate(tendon_terms(m.layout(), k, s.object), m.v().data());
  const Beyond limit = beyond(tendon.range[0], tendon.range[1], length, rate);
  switch (s.kind) {
    case SensorKind::tendonpos:
      return length;
    case SensorKind::tendonvel:
      return rate;
    case SensorKind::tendonlimitpos:
      return limit.depth;
    case SensorKind::tendonlimitvel:
      return limit.rate;
    case SensorKind::tendonlimitfrc: {
      const auto rows = static_cast<std::size_t>(m.state().loop_force.size());
      return std::abs(
          m.state().loop_force[static_cast<Eigen::Index>(rows - kTendonRows * (m.world().tendons.size() - index))]);
    }
    default: {
      double sum = 0.0;
      for (std::size_t i = 0; i < m.world().actuators.size(); ++i)
        if (m.world().actuators[i].target == Actuator::tendon && m.world().actuators[i].tendon_index == s.object)
          sum += m.actuator_forces()[static_cast<Eigen::Index>(i)];
      return sum;
    }
  }
}

double read_actuator_sensor(const Sensor& s, SensorMoment& m) {
  if (s.kind == SensorKind::actuatorfrc) return m.actuator_forces()[s.object];
  const Actuator& a = m.world().actuators[static_cast<std::size_t>(s.object)];
  const Transmission t = transmission(m.layout(), a, m.q().data(), m.v().data(), m.kinematics());
  return s.kind == SensorKind::actuatorpos ? t.length : t.rate;
}

// Weight of what moves and of what stands still, springs of joints and tendons.
double energy_of_position(const Sensor& s, const SensorMoment& m) {
  const World& w = m.world();
  double sum = potential_energy(w, m.layout(), m.kinematics());
  for (const SensorPart& part : s.parts) sum -= part.mass * w.gravity.dot(part.com);
  for (const int body : m.layout().sprung) {
    const BodyPlan& plan = m.layout().bodies[static_cast<std::size_t>(body)];
    const Vec6 x = spring_stretch(plan, w.spring_q.data() + plan.q, m.q().data() + plan.q);
    for (int i = 0; i < plan.nv; ++i) sum += 0.5 * w.stiffness[plan.v + i] * x[i] * x[i];
  }
  for (std::size_t i = 0; i < w.tendons.size(); ++i) {
    const double length = tendon_length(m.layout(), m.kinematics(), static_cast<int>(i), m.q().data());
    const double x = length - std::clamp(length, w.tendons[i].spring[0], w.tendons[i].spring[1]);
    sum += 0.5 * w.tendons[i].stiffness * x * x;
  }
  return sum;
}

double energy_of_motion(const SensorMoment& m) {
  const World& w = m.world();
  double sum = kinetic_energy(w, m.layout(), m.kinematics(), m.v());
  for (std::size_t i = 0; i < w.tendons.size(); ++i) {
    const double rate = tendon_rate(tendon_terms(m.layout(), m.kinematics(), static_cast<int>(i)), m.v().data());
    sum += 0.5 * w.tendons[i].armature * rate * rate;
  }
  return sum;
}

}  // namespace stiction
