// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/step/core/smooth_forces.h>
#include <stiction/step/soft/contact_space.h>

#include <algorithm>

namespace stiction {

void evaluate_articulated(const SoftContext& c, const double* q, const double* v, ContactSpace& space) {
  Kinematics& k = c.work.kinematics;
  fused_pass(c.world, c.model.layout, q, v, Purpose::articulated, k);
  smooth_forces(c.world, c.model.layout, c.pd, c.input, {q, v, c.model.dt, 0.0, c.model.dt, false}, k,
                c.work.force.data());
  space.bodies.prepare(c.world, c.model.layout, k);
}

void free_acceleration(const SoftContext& c, ContactSpace& space) {
  space.acceleration.assign(c.work.force.begin(), c.work.force.end());
  space.bodies.solve(c.model.layout, space.acceleration.data());
}

void make_contact_space(const SoftContext& c, ContactSpace& space) {
  free_acceleration(c, space);
  make_contact_rows(c, space);
}

void make_contact_rows(const SoftContext& c, ContactSpace& space) {
  const Layout& layout = c.model.layout;
  const Kinematics& k = c.work.kinematics;
  const std::size_t rows = 3 * space.places.size();
  space.A.resize(rows * rows), space.a0.resize(rows);
  space.bodies.contact_inertia(c.world, layout, k, space.places.data(), static_cast<int>(space.places.size()),
                               space.A.data());
  for (std::size_t i = 0; i < space.places.size(); ++i) {
    const ContactPlace& p = space.places[i];
    const Vec3 a = space.bodies.point_acceleration(layout, k, p.b, p.point) + point_drift(c, p.b, p.point) -
                   space.bodies.point_acceleration(layout, k, p.a, p.point) - point_drift(c, p.a, p.point);
    Eigen::Map<Vec3>{space.a0.data() + 3 * i} = p.frame * a;
  }
}

}  // namespace stiction
