// SPDX-License-Identifier: BSD-2-Clause
// ContactProblem from and to its bodies: M v = Jᵀ λ + f, u = J v + w.
#include "read_problem.h"

namespace stiction::python {
namespace {

using IntArray = nb::ndarray<nb::numpy, int, nb::ndim<1>, nb::c_contig>;
using Rows = nb::typed<nb::tuple, IntArray, IntArray, FloatArray>;

IntArray new_ints(const std::vector<int>& x) {
  int* data = new int[x.size() + 1];
  std::copy(x.begin(), x.end(), data);
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<int*>(p); });
  return IntArray(data, {x.size()}, owner);
}

Rows new_rows(const SparseRows& c) {
  return nb::borrow<Rows>(
      nb::make_tuple(new_ints(c.start), new_ints(c.column), new_array(c.values.data(), c.values.size())));
}

const char* storage_name(const ContactProblem& p) {
  switch (p.G.storage) {
    case Delassus::Storage::dense:
      return "dense";
    case Delassus::Storage::block_sparse:
      return "block_sparse";
    case Delassus::Storage::body_space:
      return "body_space";
    case Delassus::Storage::matrix_free:
      return "matrix_free";
  }
  return "";
}

ContactProblem from_bodies(const ArrayLike& M, const ArrayLike& J, const ArrayLike& w, const ArrayLike& f,
                           const ArrayLike& mu, const std::string& law, std::optional<double> dt,
                           const ArrayLike& compliance, std::optional<std::vector<Block>> blocks, int facets,
                           double angle) {
  ContactProblem p;
  const Vec offset = read_vector(w, "ContactProblem.w");
  const int rows = static_cast<int>(offset.size());
  const nb::object first = nb::isinstance<nb::tuple>(M) ? nb::object(nb::borrow<nb::tuple>(M)[0]) : nb::object();
  const int velocities = first.is_valid()          ? static_cast<int>(nb::len(first)) - 1
                         : nb::hasattr(M, "shape") ? nb::cast<int>(M.attr("shape")[0])
                                                   : static_cast<int>(nb::len(M));
  if (nb::hasattr(M, "tocsr")) require_shape(M, "ContactProblem.M", velocities, velocities);
  if (nb::hasattr(J, "tocsr")) require_shape(J, "ContactProblem.J", rows, velocities);
  const Vec momentum = f.is_none() ? Vec() : read_vector(f, "ContactProblem.f", velocities);
  p.law = read_law(law, facets, angle);
  p.dt = dt;
  p.blocks = read_blocks(std::move(blocks), mu, rows);
  fill_body_form(read_sparse(M, "ContactProblem.M", velocities, velocities),
                 read_sparse(J, "ContactProblem.J", rows, velocities), momentum, offset, p);
  p.compliance = read_compliance(compliance, rows);
  p.validate();
  return p;
}

ContactProblem condensed(const ContactProblem& p, bool dense) {
  ContactProblem out = p;
  GrowingVec unit, scratch;
  if (dense && p.G.storage != Delassus::Storage::dense) {
    out.G = Delassus();
    p.G.densify(out.G, unit, scratch);
  }
  if (!dense) out.G = condense(p.G);
  return out;
}

}  // namespace

void bind_body_problem(nb::class_<ContactProblem>& c) {
  c.def_static(
       "from_bodies", &from_bodies, "M"_a, "J"_a, "w"_a, nb::kw_only(), "f"_a = nb::none(), "mu"_a = nb::none(),
       "law"_a = "coulomb", "dt"_a = nb::none(), "compliance"_a = nb::none(), "blocks"_a = nb::none(), "facets"_a = 4,
       "angle"_a = 0.0,
       "The problem M v = J^T x + f, u = J v + w, kept in body space: J M^-1 J^T is never formed.\n\n"
       "Parameters\n----------\n"
       "M : (m, m) array, scipy.sparse matrix or CSR triple; symmetric, positive definite. Velocities that it\n"
       "    connects form a body (or a tree of bodies), which is factored as a whole; six in a row that it connects\n"
       "    with no other are one body too.\n"
       "J : (n, m) likewise, contact rows (T1, T2, N); the transposed of H in the literature\n"
       "w : (n,) velocity of the contacts that no body makes [m/s]\n"
       "f : (m,) momentum M v_free [kg m/s], None for zero\n"
       "mu, law, dt, compliance, blocks, facets, angle : as for ContactProblem")
      .def("condense", &condensed, "dense"_a = false,
           "The same problem with G formed, as blocks of rows (the pairs of contacts that share a body) or dense.")
      .def_prop_ro("storage", &storage_name, "how G is kept: dense, block_sparse, body_space or matrix_free")
      .def(
          "sparse", [](const ContactProblem& p) { return new_rows(sparse_rows(condense(p.G))); },
          "G as a CSR triple (indptr, indices, data), without zeros; scipy.sparse.csr_array takes (data, indices, "
          "indptr).")
      .def_prop_ro(
          "bodies",
          [](const ContactProblem& p) -> std::optional<nb::typed<nb::tuple, IntArray, Rows>> {
            if (p.G.storage != Delassus::Storage::body_space) return std::nullopt;
            return nb::borrow<nb::typed<nb::tuple, IntArray, Rows>>(
                nb::make_tuple(new_ints(p.G.body.group_start), new_rows(sparse_rows(p.G))));
          },
          "(start, H) of a problem in body space, else None: first velocity of every body and their number, and the "
          "CSR\ntriple of H, where G = H H^T; velocities are scaled so that the kinetic energy is half their square.");
}

}  // namespace stiction::python
