// SPDX-License-Identifier: BSD-2-Clause
// Sets that are merged step by step: every member knows a parent, and the root of all of a set is its lowest member.
#pragma once

#include <algorithm>
#include <vector>

namespace stiction {

inline int root_of(std::vector<int>& parent, int member) {
  while (parent[member] != member) member = parent[member] = parent[parent[member]];  // path halving
  return member;
}

inline void merge_sets(std::vector<int>& parent, int a, int b) {
  const int one = root_of(parent, a), other = root_of(parent, b);
  parent[std::max(one, other)] = std::min(one, other);
}

}  // namespace stiction
