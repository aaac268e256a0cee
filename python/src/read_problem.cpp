// SPDX-License-Identifier: BSD-2-Clause
#include "read_problem.h"

#include <algorithm>
#include <cmath>

namespace stiction::python {
namespace {

std::vector<int> read_indices(nb::handle value, const std::string& field) {
  const Vec x = read_vector(value, field);
  std::vector<int> out(static_cast<std::size_t>(x.size()));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<int>(x[static_cast<Eigen::Index>(i)]);
  return out;
}

// The numbers of a CSR matrix; an entry that is not finite is named by row and column.
std::vector<double> read_entries(nb::handle data, const std::string& field, const SparseRows& c) {
  nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> view;
  if (!nb::try_cast(data, view, false)) {
    const Vec x = read_vector(data, field + ".data");
    return {x.data(), x.data() + x.size()};
  }
  for (std::size_t k = 0; k < view.shape(0); ++k)
    if (!std::isfinite(view.data()[k])) {
      const auto row = std::upper_bound(c.start.begin(), c.start.end(), static_cast<int>(k)) - c.start.begin() - 1;
      throw InvalidInput(field + "[" + std::to_string(row) + ", " +
                         std::to_string(k < c.column.size() ? c.column[k] : -1) + "] is " +
                         std::to_string(view.data()[k]) + ", expected a finite number");
    }
  return {view.data(), view.data() + view.shape(0)};
}

SparseRows rows_of_dense(const Mat& dense) {
  SparseRows out{static_cast<int>(dense.rows()), static_cast<int>(dense.cols()), {0}, {}, {}};
  for (int r = 0; r < out.rows; ++r) {
    for (int c = 0; c < out.columns; ++c)
      if (dense(r, c) != 0.0) out.column.push_back(c), out.values.push_back(dense(r, c));
    out.start.push_back(static_cast<int>(out.column.size()));
  }
  return out;
}

}  // namespace

void require_shape(nb::handle matrix, const std::string& field, int rows, int columns) {
  const nb::object shape = matrix.attr("shape");
  if (nb::cast<int>(shape[0]) == rows && nb::cast<int>(shape[1]) == columns) return;
  throw InvalidInput(field + " has shape " + nb::cast<std::string>(nb::str(shape)) + ", expected (" +
                     std::to_string(rows) + ", " + std::to_string(columns) + ")");
}

SparseRows read_sparse(nb::handle given, const std::string& field, int rows, int columns) {
  const bool scipy = nb::hasattr(given, "tocsr");
  if (!scipy && !nb::isinstance<nb::tuple>(given)) return rows_of_dense(read_matrix(given, field, rows, columns));
  if (scipy && rows != columns) require_shape(given, field, rows, columns);
  const nb::object matrix = scipy ? nb::object(given.attr("tocsr")()) : nb::borrow(given);
  if (!scipy && nb::len(matrix) != 3)
    throw InvalidInput(field + " is a tuple, expected (indptr, indices, data) of a CSR matrix");
  const auto part = [&](const char* name, int i) {
    return scipy ? nb::object(matrix.attr(name)) : nb::object(matrix[i]);
  };
  SparseRows c{rows,
               columns,
               read_indices(part("indptr", 0), field + ".indptr"),
               read_indices(part("indices", 1), field + ".indices"),
               {}};
  c.values = read_entries(part("data", 2), field, c);
  if (static_cast<int>(c.start.size()) != rows + 1)
    throw InvalidInput(field + " has " + std::to_string(static_cast<int>(c.start.size()) - 1) + " rows, expected " +
                       std::to_string(rows));
  bool ok = c.start.front() == 0 && c.start.back() == static_cast<int>(c.column.size()) &&
            c.values.size() == c.column.size() && std::is_sorted(c.start.begin(), c.start.end());
  for (const int j : c.column) ok = ok && j >= 0 && j < columns;
  if (!ok) throw InvalidInput(field + " is not a valid CSR matrix of " + std::to_string(rows) + " rows");
  return c;
}

FrictionLaw read_law(const std::string& law, int facets, double angle) {
  for (const auto kind : {FrictionLaw::coulomb, FrictionLaw::convex, FrictionLaw::pyramid, FrictionLaw::raisim})
    if (law == name(kind)) return {kind, facets, angle};
  throw InvalidInput(unknown_name("law", law, {"coulomb", "convex", "pyramid", "raisim"}));
}

std::vector<Block> read_blocks(std::optional<std::vector<Block>> blocks, nb::handle mu, int rows) {
  if (blocks) {
    if (!mu.is_none()) throw InvalidInput("ContactProblem: give mu or blocks, not both (Block.coulomb carries mu)");
    int row = 0;
    for (Block& b : *blocks) b.row = row, row += b.size;
    if (row != rows)
      throw InvalidInput("ContactProblem.blocks have " + std::to_string(row) + " rows, expected " +
                         std::to_string(rows) + " (the size of g)");
    return *blocks;
  }
  if (rows % 3 != 0)
    throw InvalidInput("ContactProblem.g has size " + std::to_string(rows) +
                       ", expected a multiple of 3 (rows T1, T2, N) unless blocks are given");
  const int contacts = rows / 3;
  Vec m;
  double one = 0.0;
  if (mu.is_none()) throw InvalidInput("ContactProblem.mu is missing, expected one number or one per contact");
  if (nb::try_cast(mu, one))
    m = Vec::Constant(contacts, one);
  else
    m = read_vector(mu, "ContactProblem.mu", contacts);
  std::vector<Block> out;
  for (int i = 0; i < contacts; ++i) out.push_back(Block::coulomb(3 * i, m[i]));
  return out;
}

GrowingVec read_compliance(nb::handle compliance, int rows) {
  double one = 0.0;
  if (compliance.is_none()) return {};
  if (nb::try_cast(compliance, one)) return GrowingVec(Vec::Constant(rows, one));
  return GrowingVec(read_vector(compliance, "ContactProblem.compliance", rows));
}

}  // namespace stiction::python
