// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/cholesky.h>
#include <stiction/base/symmetric_eigen.h>
#include <stiction/problem/definiteness.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <vector>

namespace stiction {
namespace {

using SparseMat = Eigen::SparseMatrix<double>;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kLanczosSteps = 40, kEigenRows = 1500;
constexpr double kOperationsPerEntry = 500.0;  // what reading an entry from a file costs, roughly

// The stored number of block (i, j), or none.
const double* find_block(const Delassus& G, int i, int j) {
  const auto first = G.column.begin() + G.row_start[i], last = G.column.begin() + G.row_start[i + 1];
  const auto found = std::lower_bound(first, last, j);
  if (found == last || *found != j) return nullptr;
  return G.values.data() + G.value_start[found - G.column.begin()];
}

// visit(row, column, G_rc, G_cr, is G_cr stored) for every stored entry.
template <class Visit>
void visit_entries(const Delassus& G, Visit visit) {
  if (G.storage == Delassus::Storage::dense) {
    const int n = G.rows();
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c) visit(r, c, G.dense[r * n + c], G.dense[c * n + r], true);
    return;
  }
  for (int i = 0; i < G.blocks(); ++i)
    for (int k = G.row_start[i]; k < G.row_start[i + 1]; ++k) {
      const int j = G.column[k], rows = G.start[i + 1] - G.start[i], cols = G.start[j + 1] - G.start[j];
      const double *block = G.values.data() + G.value_start[k], *mirrored = find_block(G, j, i);
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c)
          visit(G.start[i] + r, G.start[j] + c, block[r * cols + c], mirrored ? mirrored[c * rows + r] : 0.0,
                mirrored != nullptr);
    }
}

bool has_entries(const Delassus& G) {
  return G.storage == Delassus::Storage::dense || G.storage == Delassus::Storage::block_sparse;
}

double largest_entry(const Delassus& G) {
  const std::vector<double>& x = G.storage == Delassus::Storage::dense ? G.dense : G.values;
  double largest = 0.0;
  for (const double v : x) largest = std::max(largest, std::abs(v));
  return largest;
}

// S = (G + Gᵀ)/2 divided by `scale`, so that nothing overflows: the lower triangle of a sparse matrix, or all of a dense
// one.
SparseMat sparse_symmetric(const Delassus& G, double scale) {
  std::vector<Eigen::Triplet<double>> triplets;
  visit_entries(G, [&](int r, int c, double x, double mirrored, bool stored) {
    const double mean = 0.5 * (x / scale) + 0.5 * (mirrored / scale);
    if (mean != 0.0 && (r >= c || !stored)) triplets.emplace_back(std::max(r, c), std::min(r, c), mean);
  });
  SparseMat S(G.rows(), G.rows());
  S.setFromTriplets(triplets.begin(), triplets.end());
  return S;
}

Mat dense_symmetric(const Delassus& G, double scale) {
  const Eigen::Map<const RowMajor> M(G.dense.data(), G.rows(), G.rows());
  return 0.5 * (M / scale) + 0.5 * (M.transpose() / scale);
}

struct Ritz {
  double smallest = 0.0, largest = 0.0;
  int row = 0;
};

int largest_component(const Vec& x) {
  Eigen::Index row = 0;
  x.cwiseAbs().maxCoeff(&row);
  return static_cast<int>(row);
}

// Extreme Ritz values of S. The start vector has a part in every direction that is not built on purpose.
template <class Product>
Ritz lanczos(int n, Product product) {
  const int steps = std::min(n, kLanczosSteps);
  Mat basis(n, steps);
  Vec alpha(steps), beta = Vec::Zero(steps), w(n);
  for (int i = 0; i < n; ++i) w[i] = 1.0 + std::sin(1.0 + 0.7 * i + 1e-3 * i * i);
  int k = 0;
  double norm = w.norm();
  for (; k < steps; ++k) {
    basis.col(k) = w / norm;
    w = product(Vec(basis.col(k)));
    alpha[k] = basis.col(k).dot(w);
    for (int twice = 0; twice < 2; ++twice) w -= basis.leftCols(k + 1) * (basis.leftCols(k + 1).transpose() * w);
    norm = w.norm();
    if (!(norm > 1e-14)) {  // S has entries of size 1: the space is exhausted
      ++k;
      break;
    }
    beta[k] = norm;
  }
  const SymmetricEigen ritz = tridiagonal_eigen(alpha.head(k), beta.head(std::max(k - 1, 0)));
  const Vec vector = basis.leftCols(k) * ritz.vectors.col(0);
  return {ritz.values[0], ritz.values[k - 1], largest_component(vector)};
}

// Does the factor of S + shift I exist? Nothing if it would cost too much.
std::optional<bool> has_factor(const Mat& S, double shift) {
  const double n = static_cast<double>(S.rows());
  if (n * n * n / 3.0 > kOperationsPerEntry * n * n) return std::nullopt;
  Mat shifted = S;
  shifted.diagonal().array() += shift;
  return factor_in_place(shifted);
}

class CountedFactor : public Eigen::SimplicialLLT<SparseMat> {
 public:
  double operations() const {  // Σ over the columns of L of the squared number of entries
    double sum = 0.0;
    for (Eigen::Index j = 0; j < m_matrix.cols(); ++j) {
      const double entries = m_matrix.outerIndexPtr()[j + 1] - m_matrix.outerIndexPtr()[j];
      sum += entries * entries;
    }
    return sum;
  }
};

std::optional<bool> has_factor(const SparseMat& S, double shift) {
  CountedFactor factor;
  factor.analyzePattern(S);
  const double entries = 2.0 * static_cast<double>(S.nonZeros());  // S holds one half
  if (S.rows() > kEigenRows && factor.operations() > kOperationsPerEntry * entries) return std::nullopt;
  factor.setShift(shift);
  factor.factorize(S);
  return factor.info() == Eigen::Success;
}

Vec times(const Mat& S, const Vec& x) { return S * x; }
Vec times(const SparseMat& S, const Vec& x) { return S.selfadjointView<Eigen::Lower>() * x; }
Mat lower_dense(const Mat& S) { return S; }
Mat lower_dense(const SparseMat& S) { return S.toDense(); }

template <class Matrix>
std::optional<Ritz> negative_part(const Matrix& S, double tolerance) {
  const int n = static_cast<int>(S.rows());
  Ritz ritz = lanczos(n, [&](const Vec& x) { return times(S, x); });
  const double limit = -tolerance * std::max(ritz.largest, 0.0);
  const bool suspect = ritz.smallest < limit;
  const std::optional<bool> factor = suspect ? false : has_factor(S, std::max(-limit, 1e-300));
  if (factor == true) return std::nullopt;
  if (n <= kEigenRows) {
    const SymmetricEigen all = symmetric_eigen(lower_dense(S));
    ritz = {all.values[0], all.values[n - 1], largest_component(all.vectors.col(0))};
  }
  if (ritz.smallest < -tolerance * std::max(ritz.largest, 0.0)) return ritz;
  return std::nullopt;
}

}  // namespace

Skewness skewness(const Delassus& G) {
  Skewness out;
  if (!has_entries(G)) return out;
  const double scale = largest_entry(G);
  if (scale == 0.0) return out;
  double difference = 0.0, sum = 0.0, largest = 0.0;
  visit_entries(G, [&](int r, int c, double x, double mirrored, bool stored) {
    const double d = x / scale - mirrored / scale;
    difference += d * d * (stored ? 1.0 : 2.0);  // a mirror that is not stored is not visited
    sum += (x / scale) * (x / scale);
    if (std::abs(d) <= largest) return;
    largest = std::abs(d);
    out.row = std::min(r, c), out.column = std::max(r, c);
    out.entry = r < c ? x : mirrored, out.mirrored = r < c ? mirrored : x;
  });
  out.relative = std::sqrt(difference / sum);
  return out;
}

std::optional<NegativeEigenvalue> find_negative_eigenvalue(const Delassus& G, double tolerance) {
  if (!has_entries(G) || G.rows() == 0) return std::nullopt;
  const double scale = largest_entry(G);
  if (scale == 0.0) return std::nullopt;
  const auto found = G.storage == Delassus::Storage::dense ? negative_part(dense_symmetric(G, scale), tolerance)
                                                           : negative_part(sparse_symmetric(G, scale), tolerance);
  if (!found) return std::nullopt;
  return NegativeEigenvalue{scale * found->smallest, scale * found->largest, found->row};
}

}  // namespace stiction
