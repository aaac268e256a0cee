// SPDX-License-Identifier: BSD-2-Clause
// Blocks of loops and of joints: what holds them together, limits, dry friction. Private to this module.
//
// Loops hold the velocity of b against a; the position error e is taken back by u = −(baumgarte/dt) e, 0 leaves it to drift.
// A joint that a loop holds (CutJoint) has one row u per velocity, relative angular velocity about the axis or velocity along it:
//   limit           0 ≤ λ ⟂ ±u − c* ≥ 0                               gap from the measured position
//   dry friction    |λ| ≤ dt f
//   motor           u⁺ + λ/D = u,   D = armature + dt damping + dt kd + dt·reach kp                                (1)
// (1) is what D on the diagonal of M does to a joint of a tree: λ = −D(u⁺ − u). The explicit torque is among the smooth forces.
#pragma once

#include <stiction/law/assemble.h>

namespace stiction {

// A block for the rows just added.
inline BlockSpec& add_spec(Assembly& out, const Block& block, RowSource source, int index) {
  BlockSpec& spec = out.specs.emplace_back();
  spec.block = block;
  spec.source = source;
  spec.index = index;
  spec.reference = 0.0, spec.compliance = 0.0;
  return spec;
}

// Whether a limit with this gap enters.
bool near(const AssembleInput& in, double gap, double rate);

inline void set_g(const RowBlock& rows, BlockSpec& spec) {
  for (int r = 0; r < rows.rows; ++r) spec.g[r] = rows.free[r];
  spec.g[rows.rows - 1] -= spec.reference;
}

void add_loop_blocks(const AssembleInput& in, const RowContext& context, Assembly& out);
void add_coupling_blocks(const AssembleInput& in, const RowContext& context, Assembly& out);
void add_tree_joint_blocks(const AssembleInput& in, const RowContext& context, Assembly& out);
void add_cut_joint_blocks(const AssembleInput& in, const RowContext& context, Assembly& out);

}  // namespace stiction
