// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/accelerations.h>

namespace stiction {

void add_accelerations(const World& world, const Layout& layout, const double* rate, Kinematics& k) {
  std::vector<Column> added(world.bodies.size());
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const BodyPlan& plan = layout.bodies[i];
    Column sum{Vec3::Zero(), Vec3::Zero()};
    if (plan.parent != kWorldBody) sum = added[static_cast<std::size_t>(plan.parent)];
    for (int j = plan.v; j < plan.v + plan.nv; ++j) {
      const Column& s = k.columns[static_cast<std::size_t>(j)];
      sum.lin += s.lin * rate[j], sum.ang += s.ang * rate[j];
    }
    k.bodies[i].a += sum.lin, k.bodies[i].alpha += sum.ang;
    added[i] = sum;
  }
}

Vec6 felt_acceleration(const World& world, const Layout& layout, const Kinematics& k, int body,
                       const Vec3& world_point) {
  Vec6 out = Vec6::Zero();
  if (body == kWorldBody) {
    out.head<3>() = -world.gravity;
    return out;
  }
  const Pose& base = k.base[static_cast<std::size_t>(layout.bodies[static_cast<std::size_t>(body)].tree)];
  const BodyData& b = k.bodies[static_cast<std::size_t>(body)];
  const Vec3 p = base.rotation.transpose() * (world_point - base.translation);
  out.head<3>() = base.rotation * (b.a + b.alpha.cross(p) + b.w.cross(b.v + b.w.cross(p)));
  out.tail<3>() = base.rotation * b.alpha;
  return out;
}

}  // namespace stiction
