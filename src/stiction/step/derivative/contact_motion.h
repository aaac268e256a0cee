// SPDX-License-Identifier: BSD-2-Clause
// How a contact's point p and normal n move when body b moves against body a by a small twist ξ = (t, r): the shift of the
// material of b at p, and the turn. Seen from a,
//   δp = P ξ,    δn = N ξ,    δΦ = n·t   (the gap of nearest points)                                                  (1)
// Closed forms, p being half way between the two surfaces:
//   a point x of b on the plane of a half-space: corners, vertices, centres of balls and of ends of capsules. With p = x + s n:
//     δx = t + r × (−s n),   δp = δx − ½ n (n·δx),   δn = 0                                                           (2)
//   two balls, centres D apart, c = c_b − p:   δn = (1 − n nᵀ)(t + r × c)/D,   δp = s_a δn + ½ n (n·(t + r × c)),
//     s_a from the centre of a to p                                                                                    (3)
// Every other pair: central differences of its own narrow phase along the six directions, in steps of 1e-5 of the smaller
// shape: twelve more looks at that pair, right to about 1e-9. Its gap as well: a point where a side cuts a tilted face slides along it. A point that is not there on both sides of a step (another
// corner takes its place) is differenced on one side, or taken as fixed to b, and is on a border.
#pragma once

#include <stiction/dynamics/contact/detect.h>

namespace stiction {

struct ContactMotion {
  Mat3 point_by_shift, point_by_turn;    // P
  Mat3 normal_by_shift, normal_by_turn;  // N
  Vec3 gap_by_shift, gap_by_turn;        // Φ: n and 0, but for points that are cut from tilted faces
  bool border = false;                   // the point comes or goes
};

class ContactMotions {
 public:
  // Of all contacts of a detection, in their order. Nothing is allocated once the largest set has been seen, but by pairs that Coal
  // looks at.
  void find(const World& world, const DetectionPlan& plan, const DetectionWork& detection,
            const std::vector<Contact>& contacts);
  const ContactMotion& of(std::size_t contact) const { return motions_[contact]; }

 private:
  void difference_pair(const World& world, const DetectionPlan& plan, const DetectionWork& detection,
                       const std::vector<Contact>& contacts, std::size_t first, std::size_t last);
  void add_difference(const std::vector<Contact>& contacts, std::size_t first, std::size_t last, int direction,
                      double step);
  const ManifoldPoint* look(const Contact& contact, int side) const;

  std::vector<ContactMotion> motions_;
  std::vector<ManifoldPoint> manifold_[2];
  NarrowPhase narrow_phase_;
};

}  // namespace stiction
