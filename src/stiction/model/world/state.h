// SPDX-License-Identifier: BSD-2-Clause
// All that the future of a simulation depends on. Hashable, savable, bit-exact.
#pragma once

#include <stiction/model/world/world.h>

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

namespace stiction {

// Identity of a contact point from step to step.
struct ContactKey {
  std::uint32_t geom_a = 0, geom_b = 0, feature = 0;
  auto operator<=>(const ContactKey&) const = default;
};

// What a contact point remembers. Impulses are stored as forces, so that the step may change.
struct ContactRecord {
  ContactKey key;
  std::uint32_t flags = 0;  // kOpen, kStuck
  double frame[9] = {};     // rows T1, T2, N in world axes
  double force[3] = {};     // (T1, T2, N) [N]
};
inline constexpr std::uint32_t kOpen = 1;   // carried no normal force in the last step: armed for restitution
inline constexpr std::uint32_t kStuck = 2;  // slipped at most 1e-6 m/s in the last step: mu_static holds

// Torques of a contact with friction of spin and roll, remembered beside its force.
struct TorqueRecord {
  ContactKey key;
  std::uint32_t padding = 0;
  double torque[3] = {};  // about (T1, T2, N) [N m]
};

// What a point of the laws `anchored`, `relaxed` and `compliant` remembers of the last pass (law/…).
struct AnchorRecord {
  ContactKey key;
  std::uint32_t flags = 0;                  // kSlipping
  double frame[9] = {};                     // rows T1, T2, N in the axes of body a (world axes if static)
  double stretch[2] = {};                   // (p₀ − p) along T1 and T2 [m]
  double rest_gap = 0.0;                    // gap at which the normal spring is unloaded [m]
  double point_a[3] = {}, point_b[3] = {};  // where the contact point was, in the frames of a and b [m]
  double force[2] = {};                     // `compliant`: tangential force (T1, T2) [N]
};
inline constexpr std::uint32_t kSlipping =
    1;                                      // the tangential force was cut back to the cone; `compliant`: slip branch
inline constexpr std::uint32_t kAbove = 2;  // `relaxed`: near the surface, not touching it yet

// Joint PD inside the engine, one entry per entry of tau.
struct PdGains {
  bool active = false;
  bool implicit = false;  // gains enter the mass matrix: stable for stiff gains
  Vec kp, kd;
  Vec target;  // joint positions, one per entry of tau [rad, m]
};

struct State {
  double time = 0.0;                    // [s]
  Vec q, v;                             // face convention (Pinocchio)
  std::vector<ContactRecord> contacts;  // sorted by key
  std::vector<TorqueRecord> torques;    // sorted by key; of contacts with mu_torsion or mu_rolling
  std::vector<AnchorRecord> anchors;    // sorted by key; of soft contacts
  Vec limit_force;                      // per velocity, of the lower (> 0) or upper (< 0) limit [N m, N]
  Vec friction_force;                   // per velocity, dry friction [N m, N]
  Vec loop_force;  // per row of loops, of couplings, then of tendons (model/world/tendon.h) [N, N m]
  PdGains pd;
  Vec ctrl;  // per actuator: what it is asked for
  Vec act;   // activations of those actuators that have one
};

State initial_state(const World& world);
// Throws InvalidInput naming the entry: wrong size, not finite, quaternion or (cos, sin) far from unit length (those
// within 1e-3 are normalised). Contacts in any other order than their keys' are sorted.
void check_state(const World& world, State& state);
std::uint64_t hash(const State& state);
// A blob carries the fingerprint; restoring it elsewhere is refused by name and changes nothing.
std::vector<std::byte> save(const State& state, std::uint64_t fingerprint, const std::string& settings);
// `other_stepper`: only the law (settings up to the first '|') has to agree.
void restore(const std::vector<std::byte>& blob, std::uint64_t fingerprint, const std::string& settings, State& state,
             bool other_stepper = false);

}  // namespace stiction
