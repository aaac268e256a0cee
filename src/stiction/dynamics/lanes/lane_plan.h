// SPDX-License-Identifier: BSD-2-Clause
// Several environments of one world side by side in the lanes of SIMD registers: the kinematic pass and the factor of M for as many
// environments as a register has doubles, with the bits that each has alone. Which trees: those with a floating root or one joint at
// their root, and joints of one velocity behind it. Others, and free bodies, are done one environment after the other.
//
// The instruction set is chosen when the program runs: the widest that the machine has, or what the environment variable STICTION_LANES
// names (off, sse2, avx2, avx512).
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>
#include <stiction/dynamics/lanes/lane_kernels.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace stiction {

// What STICTION_LANES says, or the best here; null: off. Throws InvalidInput for other words and for what this machine lacks.
const LaneKernels* chosen_lanes();
// By name; null for "off". Throws InvalidInput likewise.
const LaneKernels* find_lanes(const std::string& name);
// Names that work here, "off" first.
std::vector<std::string> available_lanes();

// Of a world; shared by threads.
class LanePlan {
 public:
  LanePlan(const World& world, const Layout& layout);
  LanePlan(const LanePlan&) = delete;
  LanePlan& operator=(const LanePlan&) = delete;

  bool any() const { return !trees_.empty(); }
  bool knows(int tree) const { return known_[static_cast<std::size_t>(tree)] != 0; }
  bool knows_all() const { return trees_.size() == known_.size(); }
  const char* others() const { return others_.data(); }  // per tree: 1 where it is not known

 private:
  friend class LaneWork;
  struct Known {
    int first_body;
    std::vector<LaneBody> bodies;
    std::vector<int> chain, chain_of, rows;
    std::vector<double> armature;
    LaneTree tree;
  };
  std::vector<Known> trees_;
  std::vector<char> known_, others_;
};

// One environment of a group.
struct LaneEnvironment {
  const double* q;
  const double* v;  // internal
  Kinematics* kinematics;
  double* z;
  const double* tau = nullptr;  // efforts of motors, or none
  const double *kp = nullptr, *kd = nullptr, *target = nullptr;
};

// Scratch memory of a thread.
class LaneWork {
 public:
  LaneWork(const LanePlan& plan, const LaneKernels& kernels);
  const LanePlan& plan() const { return plan_; }
  int width() const { return kernels_.width; }

  // Of the trees that the plan knows, for environments whose roots are placed (place_root): the rest of fused_pass(Purpose::step).
  void pass(std::span<const LaneEnvironment> group);
  // z ← τ − h of the same trees: motors, joint PD and damping; the packed diagonal of M gets what is implicit.
  void drive(const LaneDrive& terms, std::span<const LaneEnvironment> group);
  // factorise() and solve_transposed() of the same group. Its matrices may have changed on the diagonal since, and nowhere else.
  void whiten(std::span<const LaneEnvironment> group);

 private:
  void point_to(std::span<const LaneEnvironment> group, int first_body);
  const LanePlan& plan_;
  const LaneKernels& kernels_;
  LaneMemory memory_{};
  struct Free {
    void operator()(double* x) const;
  };
  std::unique_ptr<double[], Free> scratch_;
  std::vector<std::size_t> start_;  // per tree of the plan
};

}  // namespace stiction
