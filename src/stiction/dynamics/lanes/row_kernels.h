// SPDX-License-Identifier: BSD-2-Clause
// Rows of contacts with the three rows T1, T2, N side by side in a register of four doubles: what dynamics/contact/whiten_rows.h does
// in two registers of two. The operations and their order are the same, so the bits are. For one robot as for each of a batch.
// As lane_kernels.h: compiled with flags of its own, no type of Eigen.
#pragma once

#include <cstddef>

namespace stiction {

// The tree that a body belongs to, one with a floating base, and where the body is.
struct FloatingBody {
  const double *rotation, *translation;                   // of the base frame; matrices by columns
  const double *v, *w;                                    // of the body, base axes, at the base origin
  const double *columns, *factor, *inverse_diagonal, *z;  // of the world (Kinematics, RowContext)
  const int *chain, *row;                                 // of the body; per velocity (Layout)
  int length;                                             // of the chain
};

// sign × velocity of a point of the body along the rows of `axes`, both in the world.
struct PointAxes {
  const double *point, *axes;
  double sign;
};

struct RowKernels {
  // Y = J L̂⁻¹, four numbers per entry of the chain; J v and Y z.
  void (*floating)(const FloatingBody& body, const PointAxes& at, double* y, double* before, double* free);
  // Y Yᵀ of blocks of three rows on chains that begin with the same six velocities; `shared`, blocks × blocks: how many more two of them
  // have in common.
  void (*delassus)(const double* const* y, const int* shared, int blocks, double* out);
};

// Null where the compiler was not asked for this instruction set.
const RowKernels* avx2_rows();

// Those in use; null: pairs. At first the best of this machine.
const RowKernels* row_kernels();
// For all simulations of the process, from now on; results do not depend on it.
void use_row_kernels(bool wide);
constexpr int kRowWidth = 4;  // lanes of the instruction sets that have them

}  // namespace stiction
