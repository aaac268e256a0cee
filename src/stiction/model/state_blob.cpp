// SPDX-License-Identifier: BSD-2-Clause
// The saved form of a State:  magic, version, fingerprint of the world, settings, hash of the rest, the rest.
// Numbers are written as they lie in memory (little-endian machines). A blob that was cut short, changed or made for
// another world is refused before anything is touched.
#include <stiction/base/hash.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/state.h>

#include <bit>
#include <cstring>

namespace stiction {
namespace {

static_assert(std::endian::native == std::endian::little);
static_assert(sizeof(ContactRecord) == 112, "a hole in ContactRecord would put undefined bytes into blobs and hashes");

constexpr std::uint64_t kMagic = 0x454e4f4954494353ULL;  // "SCITIONE"
constexpr std::uint32_t kVersion = 1;

std::uint64_t hash_bytes(const std::byte* data, std::size_t n) {
  return Hash().add(std::string_view(reinterpret_cast<const char*>(data), n)).value();
}

class Writer {
 public:
  template <class T>
  void put(const T& x) {
    raw(&x, sizeof x);
  }
  void put(const std::string& s) { array(s.data(), s.size(), 1); }
  void put(const Vec& x) { array(x.data(), static_cast<std::size_t>(x.size()), sizeof(double)); }
  void put(const std::vector<ContactRecord>& x) { array(x.data(), x.size(), sizeof(ContactRecord)); }
  std::vector<std::byte> bytes;

 private:
  void raw(const void* data, std::size_t n) {
    const auto* p = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), p, p + n);
  }
  void array(const void* data, std::size_t count, std::size_t size) {
    put(static_cast<std::uint64_t>(count));
    if (count > 0) raw(data, count * size);
  }
};

class Reader {
 public:
  explicit Reader(const std::vector<std::byte>& bytes) : bytes_(bytes) {}
  template <class T>
  T get() {
    T x;
    std::memcpy(&x, take(sizeof x), sizeof x);
    return x;
  }
  std::string get_text() {
    const std::size_t n = count(1);
    return {reinterpret_cast<const char*>(take(n)), n};
  }
  void get(Vec& x) {
    const std::size_t n = count(sizeof(double));
    x.resize(static_cast<Eigen::Index>(n));
    if (n > 0) std::memcpy(x.data(), take(n * sizeof(double)), n * sizeof(double));
  }
  void get(std::vector<ContactRecord>& x) {
    const std::size_t n = count(sizeof(ContactRecord));
    x.resize(n);
    if (n > 0) std::memcpy(x.data(), take(n * sizeof(ContactRecord)), n * sizeof(ContactRecord));
  }
  std::size_t left() const { return bytes_.size() - at_; }
  std::uint64_t hash_of_rest() const { return hash_bytes(bytes_.data() + at_, left()); }

 private:
  const std::byte* take(std::size_t n) {
    if (n > left())
      throw InvalidInput("blob ends too early (" + std::to_string(bytes_.size()) + " bytes); save the state again");
    at_ += n;
    return bytes_.data() + (at_ - n);
  }
  std::size_t count(std::size_t size) {
    const auto n = get<std::uint64_t>();
    if (n > left() / size)
      throw InvalidInput("blob ends too early (" + std::to_string(bytes_.size()) + " bytes); save the state again");
    return static_cast<std::size_t>(n);
  }
  const std::vector<std::byte>& bytes_;
  std::size_t at_ = 0;
};

// The one list of what is saved.
template <class Archive, class S>
void walk(const Archive& each, S& s) {
  for (auto* x : {&s.q, &s.v, &s.limit_force, &s.friction_force, &s.loop_force, &s.pd.kp, &s.pd.kd, &s.pd.target})
    each(*x);
  each(s.contacts);
}

void check_header(Reader& in, std::uint64_t fingerprint, const std::string& settings) {
  if (in.left() < sizeof kMagic || in.get<std::uint64_t>() != kMagic)
    throw InvalidInput("blob was not made by save(): its first bytes are not those of a saved state");
  if (const auto version = in.get<std::uint32_t>(); version != kVersion)
    throw InvalidInput("blob has format version " + std::to_string(version) + ", expected " + std::to_string(kVersion));
  if (const auto found = in.get<std::uint64_t>(); found != fingerprint)
    throw InvalidInput("blob belongs to another world: its fingerprint is " + std::to_string(found) +
                       ", this world's is " + std::to_string(fingerprint) +
                       "; restore it into a simulator of the same world");
  if (const std::string found = in.get_text(); found != settings)
    throw InvalidInput("blob was saved with settings '" + found + "', this simulator has '" + settings + "'");
  if (const auto found = in.get<std::uint64_t>(); found != in.hash_of_rest())
    throw InvalidInput("blob is damaged: its checksum does not match; save the state again");
}

}  // namespace

std::vector<std::byte> save(const State& s, std::uint64_t fingerprint, const std::string& settings) {
  Writer rest;
  rest.put(s.time);
  rest.put(s.pd.active);
  rest.put(s.pd.implicit);
  walk([&rest](const auto& x) { rest.put(x); }, s);
  Writer out;
  out.put(kMagic);
  out.put(kVersion);
  out.put(fingerprint);
  out.put(settings);
  out.put(hash_bytes(rest.bytes.data(), rest.bytes.size()));
  out.bytes.insert(out.bytes.end(), rest.bytes.begin(), rest.bytes.end());
  return std::move(out.bytes);
}

void restore(const std::vector<std::byte>& blob, std::uint64_t fingerprint, const std::string& settings, State& state) {
  Reader in(blob);
  check_header(in, fingerprint, settings);
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
