// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/tendons.h>
#include <stiction/model/tendons/path.h>

namespace stiction {
namespace {

// terms += n · ∂(velocity of the point)/∂v for the velocities behind the first `skip` of the chain of `body`.
void add_end(const Layout& layout, const Kinematics& k, const TendonPlan& plan, int body, const Vec3& point,
             const Vec3& n, int skip, std::vector<TendonTerm>& terms) {
  for_chain(layout, k, body, point, n, Vec3::Zero(), skip, [&](int velocity, double coefficient) {
    if (const int slot = plan.slots[velocity]; slot >= 0) terms[slot].coefficient += coefficient;
  });
}

}  // namespace

void place_tendons(const World& world, const Layout& layout, Kinematics& k) {
  const auto pose_of = [&](BodyId body) { return k.pose_of(layout, body); };
  for (std::size_t i = 0; i < layout.tendons.size(); ++i) {
    const TendonPlan& plan = layout.tendons[i];
    if (!plan.spatial) continue;
    std::vector<TendonTerm>& terms = k.tendon_terms[i];
    for (TendonTerm& x : terms) x.coefficient = 0.0;
    k.tendon_length[i] = walk_tendon(world.tendons[i], pose_of, [&](const TendonLine& line) {
      const double length = (line.b - line.a).norm();
      if (line.body_a == line.body_b || !(length > 0.0)) return;
      const Vec3 n = line.share / length * (line.b - line.a);
      const int skip = shared_chain(layout, line.body_a, line.body_b);
      add_end(layout, k, plan, line.body_b, line.b, n, skip, terms);
      add_end(layout, k, plan, line.body_a, line.a, -n, skip, terms);
    });
  }
}

}  // namespace stiction
