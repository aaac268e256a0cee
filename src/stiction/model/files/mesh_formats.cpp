// SPDX-License-Identifier: BSD-2-Clause
// Binary STL: 80 bytes, uint32 n, then n times float32 normal, three corners (3 each), uint16 of no meaning.
// OBJ: lines "v x y z" and "f i j k …", where a corner is i, i/t, i//n or i/t/n, counted from 1, or from the end if negative.
#include <stiction/model/files/mesh_formats.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_map>

namespace stiction {
namespace {

using Corner = std::array<float, 3>;

struct CornerHash {
  std::size_t operator()(const Corner& c) const {
    std::uint64_t h = 0;
    for (const float x : c) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &x, sizeof bits);
      h = (h ^ bits) * 0x9E37'79B9'7F4A'7C15u, h ^= h >> 29;
    }
    return h;
  }
};

constexpr std::string_view kBlank = " \t\r";

std::string_view next_word(std::string_view& line) {
  const std::size_t begin = line.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return line = {};
  const std::size_t end = std::min(line.find_first_of(kBlank, begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

template <class T>
bool parse(std::string_view word, T& out) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  return error == std::errc() && end == word.data() + word.size();
}

bool read_vertex(std::string_view line, RawMesh& mesh) {
  Vec3& v = mesh.vertices.emplace_back();
  for (int k = 0; k < 3; ++k)
    if (!parse(next_word(line), v[k])) return false;
  return true;
}

bool read_face(std::string_view line, RawMesh& mesh) {
  const int count = static_cast<int>(mesh.vertices.size());
  int first = -1, last = -1;
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    int i = 0;
    if (!parse(word.substr(0, word.find('/')), i)) return false;
    i = i < 0 ? count + i : i - 1;
    if (i < 0 || i >= count) return false;
    if (first < 0)
      first = i;
    else if (last < 0)
      last = i;
    else
      mesh.triangles.emplace_back(first, last, i), last = i;
  }
  return last >= 0;
}

}  // namespace

std::optional<RawMesh> read_binary_stl(const std::string& bytes) {
  constexpr std::size_t kHead = 80, kEach = 50, kNormal = 12;
  std::uint32_t n = 0;
  if (bytes.size() < kHead + sizeof n) return std::nullopt;
  std::memcpy(&n, bytes.data() + kHead, sizeof n);
  if (n == 0 || bytes.size() != kHead + sizeof n + kEach * static_cast<std::size_t>(n)) return std::nullopt;
  RawMesh mesh;
  mesh.triangles.reserve(n);
  std::unordered_map<Corner, int, CornerHash> known;
  known.reserve(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    Eigen::Vector3i triangle;
    for (int k = 0; k < 3; ++k) {
      Corner c;
      std::memcpy(c.data(),
                  bytes.data() + kHead + sizeof n + kEach * i + kNormal + sizeof c * static_cast<std::size_t>(k),
                  sizeof c);
      for (float& x : c) x += 0.0F;  // −0 is 0
      const auto [it, is_new] = known.try_emplace(c, static_cast<int>(mesh.vertices.size()));
      if (is_new) mesh.vertices.emplace_back(c[0], c[1], c[2]);
      triangle[k] = it->second;
    }
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

std::optional<RawMesh> read_obj(const std::string& text) {
  RawMesh mesh;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line(text.data() + begin, end - begin);
    begin = end + 1;
    if (line.ends_with('\\') || line.ends_with("\\\r")) return std::nullopt;  // a line that goes on
    const std::string_view word = next_word(line);
    if (word == "v" && !read_vertex(line, mesh)) return std::nullopt;
    if (word == "f" && !read_face(line, mesh)) return std::nullopt;
  }
  if (mesh.triangles.empty()) return std::nullopt;
  return mesh;
}

}  // namespace stiction
