// SPDX-License-Identifier: BSD-2-Clause
// ContactProblem and its blocks. G comes dense, as a scipy.sparse matrix, or as a CSR triple (indptr, indices, data).
#include <stiction/problem/lcp_problem.h>
#include <stiction/problem/validate_problem.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "read_problem.h"

namespace stiction::python {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Blocks present in block row i: its diagonal, and every block with an entry.
void list_block_columns(const SparseRows& c, const std::vector<int>& start, const std::vector<int>& block_of, int i,
                        std::vector<int>& out) {
  out.assign(1, i);
  for (int k = c.start[at(start[at(i)])]; k < c.start[at(start[at(i) + 1])]; ++k)
    out.push_back(block_of[at(c.column[at(k)])]);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

Delassus block_sparse(const SparseRows& c, const std::vector<int>& start) {
  Delassus d;
  d.storage = Delassus::Storage::block_sparse;
  d.start = start;
  std::vector<int> block_of, columns;
  for (int b = 0; b < d.blocks(); ++b) block_of.insert(block_of.end(), at(start[at(b) + 1] - start[at(b)]), b);
  d.row_start.assign(1, 0);
  for (int i = 0; i < d.blocks(); ++i) {
    const int first = start[at(i)], size = start[at(i) + 1] - first, first_stored = static_cast<int>(d.column.size());
    list_block_columns(c, start, block_of, i, columns);
    for (const int j : columns) {
      d.column.push_back(j);
      d.value_start.push_back(static_cast<int>(d.values.size()));
      d.values.resize(d.values.size() + at(size) * at(start[at(j) + 1] - start[at(j)]), 0.0);
    }
    for (int r = 0; r < size; ++r)
      for (int k = c.start[at(first + r)]; k < c.start[at(first + r + 1)]; ++k) {
        const int col = c.column[at(k)], j = block_of[at(col)], width = start[at(j) + 1] - start[at(j)];
        const auto stored = std::lower_bound(columns.begin(), columns.end(), j) - columns.begin();
        const int base = d.value_start[at(first_stored) + static_cast<std::size_t>(stored)];
        d.values[at(base + r * width + col - start[at(j)])] += c.values[at(k)];  // duplicates add, as in SciPy
      }
    d.row_start.push_back(static_cast<int>(d.column.size()));
  }
  d.refresh_diagonal();
  return d;
}

// Compares G x with Gᵀ y on fixed vectors: cheap, and blind only to skew parts that cancel exactly.
bool is_symmetric(const SparseRows& c, int rows) {
  const auto x = [](int i) { return std::sin(1.0 + 0.7 * i); };
  const auto y = [](int i) { return std::cos(2.0 + 1.3 * i); };
  double forward = 0.0, backward = 0.0, scale = 0.0;
  for (int i = 0; i < rows; ++i)
    for (int k = c.start[at(i)]; k < c.start[at(i) + 1]; ++k) {
      const int j = c.column[at(k)];
      forward += y(i) * c.values[at(k)] * x(j), backward += x(i) * c.values[at(k)] * y(j);
      scale += std::abs(c.values[at(k)]);
    }
  return std::abs(forward - backward) <= 1e-12 * scale;
}

Delassus read_delassus(nb::handle G, const std::vector<int>& start) {
  const int rows = start.back();
  const bool scipy = nb::hasattr(G, "tocsr");
  if (!scipy && nb::hasattr(G, "matvec")) {  // an operator is written out: a solve would call Python in its loop
    const nb::object identity = nb::module_::import_("numpy").attr("eye")(rows);
    require_shape(G, "ContactProblem.G", rows, rows);
    return Delassus::from_dense(read_matrix(G.attr("__matmul__")(identity), "ContactProblem.G", rows, rows), start);
  }
  if (!scipy && !nb::isinstance<nb::tuple>(G))
    return Delassus::from_dense(read_matrix(G, "ContactProblem.G", rows, rows), start);
  const SparseRows c = read_sparse(G, "ContactProblem.G", rows, rows);
  Delassus d = block_sparse(c, start);
  d.symmetric = is_symmetric(c, rows);
  return d;
}

ContactProblem make_problem(const ArrayLike& G, const ArrayLike& g, const ArrayLike& mu, const std::string& law,
                            std::optional<double> dt, const ArrayLike& compliance,
                            std::optional<std::vector<Block>> blocks, int facets, double angle, bool general) {
  ContactProblem p;
  p.general = general;
  p.g = GrowingVec(read_vector(g, "ContactProblem.g"));
  p.law = read_law(law, facets, angle);
  p.dt = dt;
  p.blocks = read_blocks(std::move(blocks), mu, p.rows());
  std::vector<int> start{0};
  for (const Block& b : p.blocks) start.push_back(b.row + b.size);
  p.G = read_delassus(G, start);
  p.compliance = read_compliance(compliance, p.rows());
  p.validate();
  return p;
}

FloatArray friction_coefficients(const ContactProblem& p) {
  Vec mu(static_cast<Eigen::Index>(p.blocks.size()));
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    mu[static_cast<Eigen::Index>(i)] = p.blocks[i].kind == BlockKind::coulomb || p.blocks[i].kind == BlockKind::patch
                                           ? p.blocks[i].mu
                                           : std::numeric_limits<double>::quiet_NaN();
  return new_array(mu);
}

void bind_block(nb::module_& m) {
  nb::class_<Block>(m, "Block", "A group of rows that obeys one set. Rows are counted in the order of the list.")
      .def_static(
          "coulomb", [](double mu) { return Block::coulomb(0, mu); }, "mu"_a,
          "Contact point with friction: 3 rows (T1, T2, N); mu is the friction coefficient [-].")
      .def_static(
          "patch",
          [](double mu, int size, double spin_arm, double roll_arm) {
            return Block::patch(0, size, mu, spin_arm, roll_arm);
          },
          "mu"_a, "size"_a, "spin_arm"_a = 1.0, "roll_arm"_a = 1.0,
          "Contact that resists spin and roll as well: 4 rows (T1, T2, S, N), 5 (T1, T2, R1, R2, N) or 6\n"
          "(T1, T2, S, R1, R2, N). Rows of spin and roll are scaled by the arms mu_torsion/mu and mu_rolling/mu [m]:\n"
          "velocity arm * omega [m/s], impulse torque/arm [N s], so that the cone is round.\n\n"
          "Parameters\n----------\nmu : friction coefficient [-]\nsize : number of rows, 4, 5 or 6\n"
          "spin_arm, roll_arm : mu_torsion/mu and mu_rolling/mu [m]")
      .def_static(
          "unilateral", [](bool angular) { return Block::unilateral(0, angular); }, "angular"_a = false,
          "One row, 0 <= impulse _|_ velocity >= 0: a joint limit, a frictionless contact.\n\n"
          "angular: the row is in rad/s and N m s instead of m/s and N s.")
      .def_static(
          "bilateral", [](int size, bool angular) { return Block::bilateral(0, size, angular); }, "size"_a = 1,
          "angular"_a = false,
          "Rows whose velocity is zero, `size` of them: loop closures. angular: they are in rad/s and N m s.")
      .def_static(
          "box", [](double lo, double hi, bool angular) { return Block::box(0, lo, hi, angular); }, "lo"_a, "hi"_a,
          "angular"_a = false,
          "One row with an impulse between lo and hi [N s]: dry friction of a joint. angular: the row is in rad/s, N m "
          "s.")
      .def_prop_ro(
          "kind", [](const Block& b) { return std::string(name(b.kind)); },
          "coulomb, unilateral, bilateral, box, patch")
      .def_ro("row", &Block::row, "first row in the problem")
      .def_ro("size", &Block::size, "number of rows")
      .def_ro("mu", &Block::mu, "friction coefficient [-]")
      .def_ro("lo", &Block::lo, "lower bound of a box [N s]")
      .def_ro("hi", &Block::hi, "upper bound of a box [N s]")
      .def_ro("spin_arm", &Block::spin_arm, "scale of the row of spin of a patch [m]")
      .def_ro("roll_arm", &Block::roll_arm, "scale of the rows of roll of a patch [m]")
      .def_ro("angular", &Block::angular, "rows are rad/s and N m s")
      .def("__repr__", [](const Block& b) {
        return "Block(" + std::string(name(b.kind)) + ", row=" + std::to_string(b.row) +
               ", size=" + std::to_string(b.size) + ")";
      });
}

}  // namespace

void bind_problem(nb::module_& m) {
  bind_block(m);
  nb::class_<ContactProblem> c(
      m, "ContactProblem",
      "The discrete contact problem u = (G + R) x + g: every block of rows obeys its own set.\n\n"
      "x is an impulse [N s], u a relative velocity [m/s]; contact rows are (T1, T2, N).");
  c.def(
       "__init__",
       [](ContactProblem* self, const ArrayLike& G, const ArrayLike& g, const ArrayLike& mu, const std::string& law,
          std::optional<double> dt, const ArrayLike& compliance, std::optional<std::vector<Block>> blocks, int facets,
          double angle, bool general) {
         new (self)
             ContactProblem(make_problem(G, g, mu, law, dt, compliance, std::move(blocks), facets, angle, general));
       },
       "G"_a, "g"_a, nb::kw_only(), "mu"_a = nb::none(), "law"_a = "coulomb", "dt"_a = nb::none(),
       "compliance"_a = nb::none(), "blocks"_a = nb::none(), "facets"_a = 4, "angle"_a = 0.0, "general"_a = false,
       "Parameters\n----------\n"
       "G : (n, n) array, scipy.sparse matrix, CSR triple (indptr, indices, data), or an operator with matvec\n"
       "    (scipy.sparse.linalg.LinearOperator), which is written out by n products.\n"
       "    Delassus matrix J M^-1 J^T [1/kg], rows (T1, T2, N) per contact.\n"
       "g : (n,) free relative velocity [m/s]\n"
       "mu : friction coefficient, one number or one per contact; or give blocks\n"
       "law : coulomb, convex or pyramid\n"
       "facets, angle : sides of the pyramid, and its turn about N [rad]\n"
       "dt : step [s], so that residuals are in newtons; None for problems without one\n"
       "compliance : R >= 0, one number or one per row [1/kg]\n"
       "blocks : list of Block, if the rows are not all contacts\n"
       "general : any square G (a linear complementarity problem); unilateral and box blocks only")
      .def_static(
          "lcp",
          [](const ArrayLike& M, const ArrayLike& q) {
            const Vec offset = read_vector(q, "ContactProblem.lcp.q");
            return lcp_problem(read_matrix(M, "ContactProblem.lcp.M", offset.size(), offset.size()), offset);
          },
          "M"_a, "q"_a,
          "The linear complementarity problem 0 <= z _|_ M z + q >= 0 with any square M, as a `general` problem.")
      .def_prop_ro("rows", &ContactProblem::rows, "number of rows")
      .def_prop_ro(
          "contacts",
          [](const ContactProblem& p) {
            return std::count_if(p.blocks.begin(), p.blocks.end(), [](const Block& b) {
              return b.kind == BlockKind::coulomb || b.kind == BlockKind::patch;
            });
          },
          "number of contact points with friction")
      .def_prop_ro(
          "G", [](const ContactProblem& p) { return new_matrix(p.G.densify()); }, "G as a new dense array [1/kg]")
      .def_prop_ro(
          "g", [](const ContactProblem& p) { return new_array(p.g.data(), at(p.g.size())); }, "copy of g [m/s]")
      .def_prop_ro("mu", &friction_coefficients, "friction coefficient per block, NaN for blocks without friction")
      .def_prop_ro(
          "compliance", [](const ContactProblem& p) { return new_array(p.compliance.data(), at(p.compliance.size())); },
          "copy of R [1/kg]; empty if rigid")
      .def_prop_ro(
          "law", [](const ContactProblem& p) { return std::string(name(p.law.kind)); }, "name of the friction law")
      .def_prop_ro(
          "facets", [](const ContactProblem& p) { return p.law.facets; }, "facets of the pyramid law")
      .def_prop_ro(
          "angle", [](const ContactProblem& p) { return p.law.angle; }, "rotation of the pyramid about N [rad]")
      .def_ro("dt", &ContactProblem::dt, "step [s] or None")
      .def_ro("blocks", &ContactProblem::blocks, "the blocks of rows")
      .def_ro("general", &ContactProblem::general, "a linear complementarity problem: G may be any square matrix")
      .def_prop_ro(
          "symmetric", [](const ContactProblem& p) { return p.G.symmetric; }, "whether G is symmetric")
      .def(
          "with_law",
          [](const ContactProblem& p, const std::string& law, int facets, double angle) {
            ContactProblem copy = p;
            copy.law = read_law(law, facets, angle);
            validate_law(copy.law);  // the rest was checked when p was made
            return copy;
          },
          "law"_a, "facets"_a = 4, "angle"_a = 0.0,
          "The same problem under another friction law: coulomb, convex or pyramid.\n\n"
          "facets is the number of sides of the pyramid, angle its turn about N [rad].")
      .def(
          "with_dt",
          [](const ContactProblem& p, std::optional<double> dt) {
            ContactProblem copy = p;
            copy.dt = dt;
            if (dt && !(*dt > 0.0 && std::isfinite(*dt)))
              throw InvalidInput("ContactProblem.dt is " + std::to_string(*dt) + ", expected a step > 0 s or None");
            return copy;
          },
          "dt"_a.none(),
          "The same problem with another step dt [s]; None: judged without forces in newtons, as files are.")
      .def(
          "multiply",
          [](const ContactProblem& p, const ArrayLike& x) {
            const Vec in = read_vector(x, "multiply.x", p.rows());
            Vec out(p.rows());
            GrowingVec scratch;
            p.G.multiply(in.data(), out.data(), scratch);
            return new_array(out);
          },
          "x"_a, "G x, without forming a dense G.")
      .def("__repr__", [](const ContactProblem& p) {
        return "ContactProblem(rows=" + std::to_string(p.rows()) + ", blocks=" + std::to_string(p.blocks.size()) +
               ", law='" + name(p.law.kind) + "')";
      });
  bind_body_problem(c);
}

}  // namespace stiction::python
