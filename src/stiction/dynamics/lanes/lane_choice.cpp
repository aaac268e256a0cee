// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/lanes/lane_plan.h>
#include <stiction/dynamics/lanes/row_kernels.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace stiction {
namespace {

struct LaneChoice {
  const char* name;
  const LaneKernels* (*kernels)();
  bool (*runs_here)();
};

bool always() { return true; }
#if defined(__x86_64__)
bool has_avx2() { return __builtin_cpu_supports("avx2"); }
bool has_avx512() { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"); }
#else
bool has_avx2() { return false; }
bool has_avx512() { return false; }
#endif

constexpr LaneChoice kLaneChoices[] = {
    {"sse2", sse2_lanes, always}, {"avx2", avx2_lanes, has_avx2}, {"avx512", avx512_lanes, has_avx512}};

bool is_available(const LaneChoice& choice) { return choice.kernels() != nullptr && choice.runs_here(); }

const RowKernels* widest_rows() { return has_avx2() ? avx2_rows() : nullptr; }

const RowKernels* first_rows() {
  const char* asked = std::getenv("STICTION_LANES");
  const bool narrow = asked != nullptr && (std::strcmp(asked, "off") == 0 || std::strcmp(asked, "sse2") == 0);
  return narrow ? nullptr : widest_rows();
}

std::atomic<const RowKernels*>& rows_in_use() {
  static std::atomic<const RowKernels*> rows = first_rows();
  return rows;
}

}  // namespace

std::vector<std::string> available_lanes() {
  std::vector<std::string> out{"off"};
  for (const LaneChoice& choice : kLaneChoices)
    if (is_available(choice)) out.emplace_back(choice.name);
  return out;
}

const LaneKernels* find_lanes(const std::string& name) {
  if (name == "off") return nullptr;
  for (const LaneChoice& choice : kLaneChoices) {
    if (name != choice.name) continue;
    if (is_available(choice)) return choice.kernels();
    throw InvalidInput("STICTION_LANES is '" + name + "', which this machine or this build lacks; leave it away");
  }
  throw InvalidInput("STICTION_LANES is '" + name + "', expected off, sse2, avx2 or avx512");
}

const LaneKernels* chosen_lanes() {
  if (const char* asked = std::getenv("STICTION_LANES"); asked != nullptr && *asked != '\0') return find_lanes(asked);
  return find_lanes(available_lanes().back());
}

const RowKernels* row_kernels() { return rows_in_use().load(std::memory_order_relaxed); }

void use_row_kernels(bool wide) { rows_in_use() = wide ? widest_rows() : nullptr; }

}  // namespace stiction
