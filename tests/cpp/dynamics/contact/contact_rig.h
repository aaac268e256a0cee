// SPDX-License-Identifier: BSD-2-Clause
// Worlds of free bodies with detection, for tests of what is seen and remembered.
#pragma once

#include <stiction/dynamics/contact/match.h>
#include <stiction/model/world/world_builder.h>

#include <memory>

namespace stiction::test {

struct ContactRig {
  explicit ContactRig(std::shared_ptr<const World> compiled)
      : world(std::move(compiled)), layout(*world), plan(*world), q(world->q0), v(world->v0) {
    k.resize(*world, layout);
    reset_look_ahead(*world, work);
  }
  void place() { fused_pass(*world, layout, q.data(), v.data(), Purpose::step, k); }
  const std::vector<Contact>& look(double dt, double margin) {
    place();
    detect(*world, layout, plan, k, dt, margin, work, contacts);
    return contacts;
  }
  bool outran(const Vec& after, double dt, double margin) {
    return outran_look_ahead(*world, layout, plan, k, v.data(), after.data(), dt, margin, work);
  }
  // What the step remembers of the present contacts.
  std::vector<ContactRecord> records() const {
    std::vector<ContactRecord> out;
    for (const Contact& c : contacts) {
      ContactRecord& r = out.emplace_back();
      r.key = c.key, r.flags = c.flags;
      Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(r.frame) = c.frame;
      std::copy(c.force, c.force + 3, r.force);
    }
    return out;
  }

  std::shared_ptr<const World> world;
  Layout layout;
  DetectionPlan plan;
  DetectionWork work;
  Kinematics k;
  Vec q, v;
  std::vector<Contact> contacts;
};

inline BodyOptions at(const Vec3& position, const Vec3& velocity = Vec3::Zero()) {
  BodyOptions body;
  body.position = position, body.velocity = velocity;
  return body;
}

}  // namespace stiction::test
