// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/contact/match.h>
#include <stiction/law/anchor_memory.h>
#include <stiction/law/catalog.h>
#include <stiction/law/compliant.h>
#include <stiction/law/contact_query.h>

#include <cmath>

namespace stiction {
namespace {

struct Coefficients {
  double c_n, d_n, c_t, d_t, mu, mu_static;
};

Coefficients coefficients(const CompliantInput& in, const Contact& c) {
  const CompliantOptions& o = in.options;
  const PairMaterial& m = material_of(in.world, c);
  const auto [stiffness, damping] = spring_of(m, o);
  return {stiffness, damping, stiffness * o.stiffness_ratio, damping * o.damping_ratio, m.mu, m.mu_static};
}

// (1) to (4): the force of a contact with tangential displacement g_T; its slip state and, on sticking again, g_T change.
void force_law(const Coefficients& k, double stick_speed, const AnchorRecord* known, double gap, const Vec3& velocity,
               Vec2& displacement, CompliantPoint& out) {
  const Vec2 slip = velocity.head<2>();
  const double speed = slip.norm(), normal = std::max(-k.c_n * gap - k.d_n * velocity.z(), 0.0);
  Vec2 tangent = Vec2::Zero();
  const bool was_slipping = known != nullptr && (known->flags & kSlipping) != 0;
  out.slipping = was_slipping;
  if (was_slipping) {
    const double last = Eigen::Map<const Vec2>(known->force).norm();
    if (speed < stick_speed || last < k.mu * normal) {
      out.slipping = false;
      displacement.setZero();
    }
  } else {
    tangent = -k.c_t * displacement - k.d_t * slip;
    out.slipping = tangent.norm() >= k.mu_static * normal;
  }
  if (was_slipping || out.slipping) tangent = speed > 0.0 ? Vec2(-k.mu * normal / speed * slip) : Vec2(Vec2::Zero());
  out.force[0] = tangent[0], out.force[1] = tangent[1], out.force[2] = normal;
}

void add_contact(const CompliantInput& in, const AnchorRecord* known, Contact& c, std::vector<CompliantPoint>& points,
                 std::vector<AnchorRecord>& records) {
  CompliantPoint& p = points.emplace_back();
  p.point = acting_point(in.world, c);
  const Pose a = body_pose(in.layout, in.kinematics, c.a), b = body_pose(in.layout, in.kinematics, c.b);
  Vec2 displacement = Vec2::Zero();
  c.frame = known != nullptr ? carried_frame(*known, a, c.normal) : fresh_frame(c.normal, a.rotation);
  if (known != nullptr)
    displacement = c.frame.topRows<2>() * moved_apart(*known, a, b) - Eigen::Map<const Vec2>(known->stretch);
  const Vec3 velocity = c.frame * relative_velocity(in.layout, in.kinematics, c.a, p.point, c.b, p.point);
  force_law(coefficients(in, c), in.options.stick_speed, known, c.gap, velocity, displacement, p);
  AnchorRecord& record = records.emplace_back();
  record.key = c.key;
  record.flags = p.slipping ? kSlipping : 0;
  for (int r = 0; r < 2; ++r) record.stretch[r] = -displacement[r], record.force[r] = p.force[r];
  remember_place(a, b, c.frame, p.point, record);
}

}  // namespace

CompliantOptions make_compliant(const OptionMap& options) {
  CompliantOptions o;
  assign_options("law 'compliant'", options, o);
  check_options("law 'compliant'", o);
  return o;
}

void compliant_pass(const CompliantInput& in, const std::vector<AnchorRecord>& memory, DetectionWork& detection,
                    std::vector<Contact>& contacts, std::vector<CompliantPoint>& points,
                    std::vector<AnchorRecord>& records) {
  points.clear();
  records.clear();
  detect_closed(in.world, in.layout, in.detection, in.kinematics, detection, contacts);
  for (Contact& c : contacts) add_contact(in, find_record(memory, c.key), c, points, records);
}

}  // namespace stiction
