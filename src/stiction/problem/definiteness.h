// SPDX-License-Identifier: BSD-2-Clause
// Is G symmetric and positive semidefinite, up to what files carry? Public edge only: these functions allocate.
//
//   skewness        ‖G − Gᵀ‖_F / ‖G‖_F, one pass over the stored numbers
//   definiteness    λ_min of S = (G + Gᵀ)/2 against −tolerance · λ_max, in the cheapest way that settles it:
//     1. Lanczos, at most 40 steps with full orthogonalisation: θ_max ≤ λ_max to a fraction of a per cent, θ_min ≥ λ_min
//     2. Cholesky of S + tolerance · θ_max I: if it exists, λ_min > −tolerance · λ_max, accepted
//     3. it does not, and S has at most 1500 rows: all eigenvalues decide
// Step 2 is left out where it costs more than reading the matrix from a file, 500 operations per stored entry: beyond
// 1500 dense rows, or for a sparse matrix that fills in. Then the Ritz value θ_min decides: it never accuses a matrix
// wrongly, but it may miss an eigenvalue that is only a little below the limit. [Golub & Van Loan 2013, 4.2, 10.1]
// Measured (CPU time beside that of reading the FCLIB file): RockPile, 1389 rows, 7 ms beside 6; gen_spheres_s, 3903
// rows, 30 ms beside 28; gen_wall_20x30, 13464 rows, 120 ms beside 260, where the factor would have taken 390.
// Body space stores H of G = HHᵀ, which is both by construction; a matrix-free G is taken at its word.
#pragma once

#include <stiction/problem/delassus.h>

#include <optional>

namespace stiction {

struct Skewness {
  double relative = 0.0;               // ‖G − Gᵀ‖_F / ‖G‖_F [-]
  int row = 0, column = 0;             // where |G_ij − G_ji| is largest; row < column
  double entry = 0.0, mirrored = 0.0;  // G_ij and G_ji there
};
Skewness skewness(const Delassus& G);

struct NegativeEigenvalue {
  double smallest = 0.0, largest = 0.0;  // of S [1/kg]
  int row = 0;                           // where the eigenvector of the smallest one is largest
};
// Nothing if λ_min ≥ −tolerance · λ_max. Entries must be finite.
std::optional<NegativeEigenvalue> find_negative_eigenvalue(const Delassus& G, double tolerance);

}  // namespace stiction
