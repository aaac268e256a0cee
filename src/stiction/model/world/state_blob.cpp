// SPDX-License-Identifier: BSD-2-Clause
// The saved form of a State:  magic, version, fingerprint of the world, settings, hash of the rest, the rest.
// Numbers are written as they lie in memory (little-endian machines). A blob that was cut short, changed or made for
// another world is refused before anything is touched.
#include <stiction/base/byte_stream.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/world/state.h>

namespace stiction {
namespace {

static_assert(sizeof(ContactRecord) == 112, "a hole in ContactRecord would put undefined bytes into blobs and hashes");
static_assert(sizeof(TorqueRecord) == 40, "a hole in TorqueRecord would put undefined bytes into blobs and hashes");
static_assert(sizeof(AnchorRecord) == 176, "a hole in AnchorRecord would put undefined bytes into blobs and hashes");

constexpr std::uint64_t kStateMagic = 0x454e4f4954494353ULL;  // "SCITIONE"
constexpr std::uint32_t kStateVersion = 5;

// The one list of what is saved.
template <class Archive, class S>
void walk(const Archive& each, S& s) {
  for (auto* x : {&s.q, &s.v, &s.limit_force, &s.friction_force, &s.loop_force, &s.pd.kp, &s.pd.kd, &s.pd.target,
                  &s.ctrl, &s.act})
    each(*x);
  each(s.contacts);
  each(s.torques);
  each(s.anchors);
}

// The law and its options: everything before the stepper.
std::string law_part(const std::string& settings) { return settings.substr(0, settings.find('|')); }

void check_header(ByteReader& in, std::uint64_t fingerprint, const std::string& settings, bool other_stepper) {
  if (in.left() < sizeof kStateMagic || in.get<std::uint64_t>() != kStateMagic)
    throw InvalidInput("blob was not made by save(): its first bytes are not those of a saved state");
  if (const auto version = in.get<std::uint32_t>(); version != kStateVersion)
    throw InvalidInput("blob has format version " + std::to_string(version) + ", expected " +
                       std::to_string(kStateVersion));
  if (const auto found = in.get<std::uint64_t>(); found != fingerprint)
    throw InvalidInput("blob belongs to another world: its fingerprint is " + std::to_string(found) +
                       ", this world's is " + std::to_string(fingerprint) +
                       "; restore it into a simulator of the same world");
  if (const std::string found = in.get_text();
      other_stepper ? law_part(found) != law_part(settings) : found != settings)
    throw InvalidInput("blob was saved with settings '" + found + "', this simulator has '" + settings + "'");
  if (const auto found = in.get<std::uint64_t>(); found != in.hash_of_rest())
    throw InvalidInput("blob is damaged: its checksum does not match; save the state again");
}

}  // namespace

std::vector<std::byte> save(const State& s, std::uint64_t fingerprint, const std::string& settings) {
  ByteWriter rest;
  rest.put(s.time);
  rest.put(s.pd.active);
  rest.put(s.pd.implicit);
  walk([&rest](const auto& x) { rest.put(x); }, s);
  ByteWriter out;
  out.put(kStateMagic);
  out.put(kStateVersion);
  out.put(fingerprint);
  out.put(settings);
  out.put(hash_bytes(rest.bytes.data(), rest.bytes.size()));
  out.bytes.insert(out.bytes.end(), rest.bytes.begin(), rest.bytes.end());
  return std::move(out.bytes);
}

void restore(const std::vector<std::byte>& blob, std::uint64_t fingerprint, const std::string& settings, State& state,
             bool other_stepper) {
  ByteReader in(blob, "blob", "save the state again");
  check_header(in, fingerprint, settings, other_stepper);
  State read;
  read.time = in.get<double>();
  read.pd.active = in.get<unsigned char>() != 0;
  read.pd.implicit = in.get<unsigned char>() != 0;
  walk([&in](auto& x) { in.get(x); }, read);
  if (in.left() != 0)
    throw InvalidInput("blob has " + std::to_string(in.left()) + " bytes too many; save the state again");
  state = read;  // a copy: the vectors of `state` keep their capacity, a run that follows allocates nothing
}

}  // namespace stiction
