// SPDX-License-Identifier: BSD-2-Clause
// Constraint rows in whitened form. A block of one to three rows J (contact, loop, limit, joint friction) touches one or two
// bodies, and each only through its chain. Stored is Y = J L̂⁻¹ (M = L̂ᵀL̂), the rows of one velocity of the chain together, so that
//   G_ij = Σ Y_i Y_jᵀ over the shared prefix of the chains,      J v + dt J a = u_before + dt Y z,   z = L̂⁻ᵀ(τ − h)
// and a foot's L̂⁻ᵀ touches only its own leg and the base.
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>

#include <vector>

namespace stiction {

inline constexpr int kMostRows = 6;  // of a block: a contact with friction of spin and roll

// Numbers per chain entry: three rows are padded to two pairs, so that they are treated two at a time.
constexpr int row_stride(int rows) { return rows == 3 ? 4 : rows; }

struct RowSide {
  int body;    // its chain says which velocities are touched
  int tree;    // that it belongs to
  int length;  // number of chain entries
  int offset;  // of Y in RowSet::values; entry (row r, chain entry d) is at offset + row_stride(rows)·d + r
};

struct RowBlock {
  int rows = 0;
  int sides = 0;
  RowSide side[2];
  double before[kMostRows] = {};  // J v at the start of the step [m/s, rad/s]
  double free[kMostRows] = {};    // J v_free: before, plus what all smooth forces do in the step
};

struct RowSet {
  std::vector<RowBlock> blocks;
  std::vector<double> values;

  void clear() { blocks.clear(), values.clear(); }
};

// What the row functions need of the present configuration.
struct RowContext {
  const Layout& layout;
  const Kinematics& kinematics;
  const double* v;  // internal velocities
  const double* z;  // whitened free acceleration times dt
};

// Relative velocity of b against a at a world point, along three world axes (rows of `axes`). World bodies add nothing.
RowBlock& add_point_rows(const RowContext& context, int body_a, int body_b, const Vec3& point, const Mat3& axes,
                         RowSet& rows);
// As above along one axis only.
RowBlock& add_normal_row(const RowContext& context, int body_a, int body_b, const Vec3& point, const Vec3& axis,
                         RowSet& rows);
// Positions held together: the velocity of point_b (on b) against point_a (on a); the two may have drifted apart.
RowBlock& add_loop_rows(const RowContext& context, int body_a, const Vec3& point_a, int body_b, const Vec3& point_b,
                        const Mat3& axes, RowSet& rows);
// A contact that resists spin and roll: T1, T2 of `axes` at the two points, then relative angular velocities times an arm (spin
// about N with spin_arm > 0, roll about T1 and T2 with roll_arm > 0; 0: no such rows), N at the points last.
struct PatchArms {
  double spin = 0.0, roll = 0.0;  // [m]
};
RowBlock& add_patch_rows(const RowContext& context, int body_a, const Vec3& point_a, int body_b, const Vec3& point_b,
                         const Mat3& axes, const PatchArms& arms, RowSet& rows);
// As add_point_rows along two axes.
using Axes2 = Eigen::Matrix<double, 2, 3>;
RowBlock& add_point_pair(const RowContext& context, int body_a, int body_b, const Vec3& point, const Axes2& axes,
                         RowSet& rows);
// Relative angular velocity of b against a along three, two or one world axes.
RowBlock& add_angular_rows(const RowContext& context, int body_a, int body_b, const Mat3& axes, RowSet& rows);
RowBlock& add_angular_pair(const RowContext& context, int body_a, int body_b, const Axes2& axes, RowSet& rows);
RowBlock& add_angular_row(const RowContext& context, int body_a, int body_b, const Vec3& axis, RowSet& rows);
// sign × one joint velocity.
RowBlock& add_joint_row(const RowContext& context, int body, int velocity, double sign, RowSet& rows);
// One joint velocity minus `slope` times another one, of any two bodies; body_b = kWorldBody: the first alone.
RowBlock& add_coupled_row(const RowContext& context, int body_a, int body_b, double slope, RowSet& rows);

// Joint velocities times numbers: scale × those of a tendon, on the chains of `sides`; `more` (may be null) is added.
struct TendonPart {
  const std::vector<TendonTerm>* terms;
  double scale;
};
RowBlock& add_tendon_row(const RowContext& context, const TendonSides& sides, TendonPart first, TendonPart more,
                         RowSet& rows);

// out (rows_i × rows_j, row stride `stride`) = G_ij; zero if the blocks share no tree.
void delassus_block(const Layout& layout, const RowSet& rows, const RowBlock& i, const RowBlock& j, double* out,
                    int stride);
// G of blocks of three rows each, row-major.
void delassus_of_contacts(const Layout& layout, const RowSet& rows, const int* block, int blocks, double* out);
// ŵ += Y_iᵀ λ, absolute velocity numbers.
void add_impulse(const Layout& layout, const RowSet& rows, const RowBlock& i, const double* lambda, double* whitened);
// out = Y_i ŵ.
void apply_rows(const Layout& layout, const RowSet& rows, const RowBlock& i, const double* whitened, double* out);

}  // namespace stiction
