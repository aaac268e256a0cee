// SPDX-License-Identifier: BSD-2-Clause
// Deflate: blocks of literals and copies (length, distance), written in Huffman codes. A canonical code is decoded by counting:
// with n_k codes of length k, the codes of length k are first_k … first_k + n_k − 1, first_{k+1} = 2 (first_k + n_k).
#include <stiction/base/invalid_input.h>
#include <stiction/model/files/inflate.h>

#include <array>
#include <cstdint>
#include <vector>

namespace stiction {
namespace {

[[noreturn]] void damaged() { throw InvalidInput("compressed data is damaged"); }

struct Huffman {
  std::array<int, 16> count{};
  std::vector<int> symbols;  // by length, then by value

  explicit Huffman(const std::vector<int>& lengths) {
    for (const int l : lengths) ++count[l];
    count[0] = 0;
    for (int l = 1; l < 16; ++l)
      for (std::size_t s = 0; s < lengths.size(); ++s)
        if (lengths[s] == l) symbols.push_back(static_cast<int>(s));
  }
};

class Inflater {
 public:
  Inflater(const std::string& in, std::size_t most) : in_(in), most_(most) {}

  std::string run() {
    at_ = 2;  // zlib's header
    for (bool last = false; !last;) {
      last = bits(1) == 1;
      const int kind = bits(2);
      if (kind == 0)
        stored();
      else if (kind == 1)
        coded(fixed_literals(), Huffman(std::vector<int>(30, 5)));
      else if (kind == 2)
        dynamic();
      else
        damaged();
    }
    return std::move(out_);
  }

 private:
  int bits(int n) {
    int value = 0;
    for (int i = 0; i < n; ++i) {
      if (bit_ == 8) bit_ = 0, ++at_;
      if (at_ >= in_.size()) damaged();
      value |= (static_cast<unsigned char>(in_[at_]) >> bit_++ & 1) << i;
    }
    return value;
  }

  int symbol(const Huffman& code) {
    int value = 0, first = 0, index = 0;
    for (int length = 1; length < 16; ++length) {
      value |= bits(1);
      const int count = code.count[length];
      if (value - first < count) return code.symbols[index + value - first];
      index += count, first = (first + count) << 1, value <<= 1;
    }
    damaged();
  }

  void put(char c) {
    if (out_.size() >= most_) throw InvalidInput("compressed data is longer than its header says");
    out_ += c;
  }

  void stored() {
    if (bit_ > 0) bit_ = 0, ++at_;
    if (at_ + 4 > in_.size()) damaged();
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(in_[i])); };
    const std::size_t length = byte(at_) | byte(at_ + 1) << 8;
    at_ += 4;
    if (at_ + length > in_.size()) damaged();
    for (std::size_t i = 0; i < length; ++i) put(in_[at_ + i]);
    at_ += length;
  }

  static Huffman fixed_literals() {
    std::vector<int> lengths(288, 8);
    for (int i = 144; i < 256; ++i) lengths[i] = 9;
    for (int i = 256; i < 280; ++i) lengths[i] = 7;
    return Huffman(lengths);
  }

  void dynamic() {
    const int literals = bits(5) + 257, distances = bits(5) + 1, codes = bits(4) + 4;
    constexpr std::array<int, 19> order = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    std::vector<int> lengths(19, 0), all;
    for (int i = 0; i < codes; ++i) lengths[order[i]] = bits(3);
    const Huffman code(lengths);
    const auto total = static_cast<std::size_t>(literals + distances);
    while (all.size() < total) {
      const int s = symbol(code);
      if (s < 16) {
        all.push_back(s);
        continue;
      }
      if (s == 16 && all.empty()) damaged();
      const int value = s == 16 ? all.back() : 0;
      const int repeat = s == 16 ? 3 + bits(2) : s == 17 ? 3 + bits(3) : 11 + bits(7);
      all.insert(all.end(), static_cast<std::size_t>(repeat), value);
    }
    if (all.size() != total) damaged();
    coded(Huffman({all.begin(), all.begin() + literals}), Huffman({all.begin() + literals, all.end()}));
  }

  void coded(const Huffman& literals, const Huffman& distances) {
    constexpr std::array<int, 29> base = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                          31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    constexpr std::array<int, 29> extra = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                           2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    while (true) {
      const int s = symbol(literals);
      if (s == 256) return;
      if (s < 256) {
        put(static_cast<char>(s));
        continue;
      }
      if (s > 285) damaged();
      const int length = base[s - 257] + bits(extra[s - 257]), d = symbol(distances);
      if (d > 29) damaged();
      const int more = d < 2 ? 0 : d / 2 - 1;
      const int distance = (d < 2 ? d : (2 + d % 2) << more) + 1 + bits(more);
      if (static_cast<std::size_t>(distance) > out_.size()) damaged();
      for (int i = 0; i < length; ++i) put(out_[out_.size() - static_cast<std::size_t>(distance)]);
    }
  }

  const std::string& in_;
  std::size_t most_, at_ = 0;
  int bit_ = 0;
  std::string out_;
};

}  // namespace

std::string inflate(const std::string& stream, std::size_t most) { return Inflater(stream, most).run(); }

}  // namespace stiction
