// SPDX-License-Identifier: BSD-2-Clause
// All that the future of a simulation depends on. Hashable, savable, bit-exact.
#pragma once

#include <stiction/model/world.h>

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
  Vec limit_force;                      // per velocity, of the lower (> 0) or upper (< 0) limit [N m, N]
  Vec friction_force;                   // per velocity, dry friction [N m, N]
  Vec loop_force;                       // per loop row [N, N m]
  PdGains pd;
};

State initial_state(const World& world);
// Throws InvalidInput naming the entry: wrong size, not finite, quaternion or (cos, sin) far from unit length (those
// within 1e-3 are normalised). Contacts in any other order than their keys' are sorted.
void check_state(const World& world, State& state);
std::uint64_t hash(const State& state);
// A blob carries the fingerprint; restoring it elsewhere is refused by name and changes nothing.
std::vector<std::byte> save(const State& state, std::uint64_t fingerprint, const std::string& settings);
void restore(const std::vector<std::byte>& blob, std::uint64_t fingerprint, const std::string& settings, State& state);

}  // namespace stiction
