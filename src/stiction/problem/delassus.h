// SPDX-License-Identifier: BSD-2-Clause
// The Delassus operator G = J M⁻¹ Jᵀ [1/kg], in one of four storages behind one interface (docs/delassus.md has a table).
//
//   dense         row-major n×n; small problems
//   block_sparse  block CSR, one block row per block of the problem; files and users' sparse matrices
//   body_space    G = H Hᵀ with H = J L⁻¹ D^(-1/2), M = LᵀDL: H maps *whitened* velocities ŵ (kinetic energy ½‖ŵ‖²) to
//                 contact velocities. Velocities come in groups (one per tree of bodies); a block touches few groups.
//                 u = H ŵ + g with ŵ = Hᵀλ, so a Newton matrix in body space is I + HᵀBH, of the size of the velocities.
//   matrix_free   nothing but a product, DelassusProduct: G is never formed
//
// Every storage also keeps the diagonal blocks. The compliance R of the problem is NOT part of G.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/base/types.h>

#include <memory>
#include <vector>

namespace stiction {

struct BodySpace {
  struct Term {
    int group;    // velocity group
    int width;    // number of velocities of the group that this block touches
    int offset;   // first entry in `values`: block.size × width numbers, row-major
    int columns;  // first entry in `column`: width ascending indices into ŵ (absolute velocity numbers)
  };
  int velocities = 0;
  std::vector<int> group_start;  // groups + 1: velocities [group_start[k], group_start[k+1]) belong to group k
  std::vector<int> term_start;   // blocks + 1
  std::vector<Term> terms;       // a block may have two terms in the same group (self-contact): contributions add
  std::vector<int> column;
  std::vector<double> values;

  // The velocities of free bodies and of short chains lie side by side: no index per entry is read then.
  bool contiguous(const Term& t) const {
    return t.width > 0 && column[t.columns + t.width - 1] - column[t.columns] == t.width - 1;
  }
};

// out (rows_a × rows_b, row-major, `stride` apart) += A Bᵀ over the columns that terms a and b share. Chains of a tree share
// a prefix, so the walk ends where they part.
void add_shared_columns(const BodySpace& body, const BodySpace::Term& a, int rows_a, const BodySpace::Term& b,
                        int rows_b, double* out, int stride);

// G that is known only by what it does. Symmetric and positive semidefinite; nobody checks.
struct DelassusProduct {
  virtual ~DelassusProduct() = default;
  // y = G x. Called by solvers in their loops: no allocation after the first call, no exception, same x same bits.
  virtual void multiply(const double* x, double* y) const = 0;
  // Rows and columns [first, first + size) of G, row-major; unless something better is known, `size` products with unit
  // vectors. `rows` is the size of G.
  virtual void diagonal_block(int rows, int first, int size, double* out) const;
};

class Delassus {
 public:
  enum class Storage { dense, block_sparse, body_space, matrix_free };

  Storage storage = Storage::dense;
  bool symmetric = true;
  std::vector<int> start;  // blocks + 1: first row of each block, and the number of rows at the end

  std::vector<double> dense;     // dense: rows × rows, row-major
  std::vector<int> row_start;    // block_sparse: blocks + 1, into `column` and `value_start`
  std::vector<int> column;       // block_sparse: block column of each stored block, ascending in a row
  std::vector<int> value_start;  // block_sparse: first number of each stored block in `values` (row-major block)
  std::vector<double> values;    // block_sparse
  BodySpace body;                // body_space
  std::shared_ptr<const DelassusProduct> product;  // matrix_free

  std::vector<int> diagonal_start;  // blocks + 1
  std::vector<double> diagonal;     // diagonal blocks, row-major, always filled by refresh_diagonal()

  int rows() const { return start.empty() ? 0 : start.back(); }
  int blocks() const { return start.empty() ? 0 : static_cast<int>(start.size()) - 1; }
  const double* diagonal_block(int i) const { return diagonal.data() + diagonal_start[i]; }

  // Copies (or, in body space, computes) the diagonal blocks. Call once after filling the storage.
  void refresh_diagonal();
  // y = G x. `scratch` holds the velocities in body space; it only grows.
  void multiply(const double* x, double* y, GrowingVec& scratch) const;
  // y = Gᵀ x: another product only for a stored G that is not symmetric (files, general problems).
  void multiply_transposed(const double* x, double* y, GrowingVec& scratch) const;
  // y = rows of block i of G times x; dense and block_sparse only.
  void multiply_block_row(int i, const double* x, double* y) const;
  // Body space: ŵ += H_iᵀ λ_i and u_i = H_i ŵ.
  void add_transposed(int i, const double* lambda_i, double* velocity) const;
  void multiply_velocity(int i, const double* velocity, double* u_i) const;

  // G as a row-major matrix, or as a `dense` Delassus; in body space and matrix-free by products with unit vectors.
  // `unit` and `scratch` only grow.
  void densify(std::vector<double>& out, GrowingVec& unit, GrowingVec& scratch) const;
  void densify(Delassus& out, GrowingVec& unit, GrowingVec& scratch) const;
  Mat densify() const;  // allocates; tests, files, small problems
  static Delassus from_dense(const Mat& G, std::vector<int> start);
};

}  // namespace stiction
