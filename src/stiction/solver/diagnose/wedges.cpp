// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/symmetric_eigen.h>
#include <stiction/solver/diagnose/wedges.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace stiction {
namespace {

constexpr double kNull = 1e-11;
constexpr double kOnBoundary = 1e-9;

template <int Contacts>
using Square = Eigen::Matrix<double, 3 * Contacts, 3 * Contacts>;

// (1) for one or two contacts; W is overwritten.
template <int Contacts>
std::optional<Wedge> find(const ContactProblem& p, const int* block, Square<Contacts>& W) {
  constexpr int n = 3 * Contacts;
  Eigen::Matrix<double, n, 1> scale, normal = Eigen::Matrix<double, n, 1>::Zero(), y = normal;
  for (int c = 0; c < Contacts; ++c) {
    const double trace = W.template block<3, 3>(3 * c, 3 * c).trace();
    scale.template segment<3>(3 * c).setConstant(trace > 0.0 ? std::sqrt(trace) : 1.0);
    normal[3 * c + 2] = 1.0;
  }
  W = (0.5 * (W + W.transpose())).eval();
  W.array() /= (scale * scale.transpose()).array();
  const SymmetricEigen eigen = symmetric_eigen(W);
  const double least = kNull * std::max(1e-300, eigen.values.cwiseAbs().maxCoeff());
  for (int k = 0; k < n; ++k)
    if (std::abs(eigen.values[k]) <= least) y += eigen.vectors.col(k) * eigen.vectors.col(k).dot(normal);
  y.array() /= scale.array();
  Wedge out{block[0], Contacts == 2 ? block[Contacts - 1] : -1, true, 0.0};
  double largest = 0.0;
  for (int c = 0; c < Contacts; ++c) largest = std::max(largest, y[3 * c + 2]);
  if (!(largest > 0.0)) return std::nullopt;
  for (int c = 0; c < Contacts; ++c) {
    const Block& b = p.blocks[block[c]];
    const double pressure = b.mu * y[3 * c + 2], friction = y.template segment<2>(3 * c).norm();
    if (!(y[3 * c + 2] > 1e-6 * largest) || friction > pressure + kOnBoundary * largest) return std::nullopt;
    out.inside = out.inside && friction < pressure - kOnBoundary * largest;
    out.closing -= y.template segment<3>(3 * c).dot(p.g.vec().segment<3>(b.row)) / largest;
  }
  return out;
}

}  // namespace

std::vector<Wedge> find_wedges(const ContactProblem& p, int most_pairs) {
  std::vector<Wedge> out;
  std::vector<int> contacts;
  std::vector<char> single(p.blocks.size(), 0);
  for (int i = 0; i < static_cast<int>(p.blocks.size()); ++i) {
    const Block& b = p.blocks[i];
    if (b.kind != BlockKind::coulomb) continue;
    contacts.push_back(i);
    Square<1> W = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(p.G.diagonal_block(i));
    for (int k = 0; k < 3; ++k) W(k, k) += p.R(b.row + k);
    if (const auto found = find<1>(p, &i, W)) out.push_back(*found), single[i] = 1;
  }
  if (static_cast<int>(contacts.size()) > most_pairs) return out;
  const Mat G = p.G.densify();
  for (std::size_t a = 0; a < contacts.size(); ++a)
    for (std::size_t b = a + 1; b < contacts.size(); ++b) {
      const int pair[2] = {contacts[a], contacts[b]};
      if (single[pair[0]] || single[pair[1]]) continue;
      const int row[2] = {p.blocks[pair[0]].row, p.blocks[pair[1]].row};
      if (G.block<3, 3>(row[0], row[1]).isZero(0.0)) continue;
      Square<2> W;
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) W.block<3, 3>(3 * i, 3 * j) = G.block<3, 3>(row[i], row[j]);
      for (int k = 0; k < 6; ++k) W(k, k) += p.R(row[k / 3] + k % 3);
      if (const auto found = find<2>(p, pair, W)) out.push_back(*found);
    }
  return out;
}

}  // namespace stiction
