// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/sim/contact_space_query.h>
#include <stiction/step/soft/contact_space.h>

#include <algorithm>
#include <ctime>

namespace stiction {
namespace {

double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Row by row: the generalised force of a unit force is a row of J.
Mat rows_of(const SoftContext& c, const std::vector<ContactPlace>& places) {
  Mat J = Mat::Zero(3 * static_cast<Eigen::Index>(places.size()), c.world.nv);
  Vec row(c.world.nv);
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    const ContactPlace& p = places[i / 3];
    const Vec3 axis = p.frame.row(i % 3).transpose();
    row.setZero();
    add_point_force(c, p.b, p.point, axis, row.data());
    add_point_force(c, p.a, p.point, -axis, row.data());
    J.row(i) = row.transpose();
  }
  return J;
}

}  // namespace

ContactSpaceView contact_space(const Simulator& simulator, int repeat) {
  const World& world = simulator.world();
  const Settings& settings = simulator.settings();
  if (settings.law != "relaxed") throw InvalidInput("contact_space needs the law 'relaxed'");
  if (repeat < 1) throw InvalidInput("contact_space.repeat is " + std::to_string(repeat) + ", expected at least 1");
  Machine machine(world, HardContact{}, settings.dt);
  machine.relaxed = make_relaxed(world, settings.law_options);
  State state = simulator.state();
  check_state(world, state);
  SoftWork work;
  work.resize(world, machine.layout);
  const StepInput none;
  const SoftContext c{world, machine, none, state.pd, work};
  ContactSpace space;
  space.bodies.resize(world);
  evaluate_articulated(c, state.q.data(), state.v.data(), space);
  DetectionWork detection;
  std::vector<Contact> contacts;
  std::vector<RelaxedPoint> points;
  find_relaxed_points({world, machine.layout, machine.detection, *machine.relaxed, work.kinematics, settings.dt},
                      state.anchors, detection, contacts, points);
  for (const RelaxedPoint& p : points)
    if (p.touching) space.places.push_back(p.place);
  make_contact_space(c, space);
  const double start = processor_time();
  for (int i = 0; i < repeat; ++i) {
    evaluate_articulated(c, state.q.data(), state.v.data(), space);
    make_contact_space(c, space);
  }
  ContactSpaceView view;
  view.seconds = (processor_time() - start) / repeat;
  const auto n = static_cast<Eigen::Index>(space.a0.size());
  view.A =
      Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(space.A.data(), n, n);
  view.a0 = Eigen::Map<const Vec>(space.a0.data(), n);
  view.J = rows_of(c, space.places);
  return view;
}

}  // namespace stiction
