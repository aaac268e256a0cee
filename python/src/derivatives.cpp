// SPDX-License-Identifier: BSD-2-Clause
// st.derivatives: the derivative of a contact solve at a solution.
#include <nanobind/stl/unique_ptr.h>
#include <stiction/problem/judge.h>
#include <stiction/solver/derivative/derivatives.h>

#include <cmath>
#include <memory>
#include <sstream>

#include "bind.h"

namespace stiction::python {
namespace {

struct Cotangents {
  Vec g, mu, R, impulse;
};

// Keeps its own copy of the problem: nothing that the caller does later reaches it.
class PyDerivatives {
 public:
  PyDerivatives(const ContactProblem& problem, const Vec& impulse, double threshold) : problem_(problem) {
    if (!core_.factor(problem_, impulse, threshold))
      throw InvalidInput("derivatives.problem gives numbers that are not finite at this impulse");
  }

  nb::typed<nb::tuple, FloatArray, FloatArray> jvp(const ArrayLike& dg, const ArrayLike& dG, const ArrayLike& dmu,
                                                   const ArrayLike& dR) {
    const Eigen::Index n = rows();
    const Vec g = read(dg, "jvp.dg", n), mu = read(dmu, "jvp.dmu", blocks()), R = read(dR, "jvp.dR", n);
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> G;
    if (!dG.is_none()) G = read_matrix(dG, "jvp.dG", n, n);
    Vec dlambda(n), du(n);
    const auto data = [](const nb::object& given, const double* x) { return given.is_none() ? nullptr : x; };
    core_.jvp({data(dg, g.data()), data(dG, G.data()), data(dmu, mu.data()), data(dR, R.data())}, dlambda.data(),
              du.data());
    return nb::borrow<nb::typed<nb::tuple, FloatArray, FloatArray>>(nb::make_tuple(new_array(dlambda), new_array(du)));
  }

  Cotangents vjp(const ArrayLike& impulse, const ArrayLike& velocity) {
    const Eigen::Index n = rows();
    if (impulse.is_none() && velocity.is_none())
      throw InvalidInput("vjp needs a cotangent of the impulse, of the velocity, or both; both are None");
    const Vec l = read(impulse, "vjp.cotangent", n), u = read(velocity, "vjp.velocity", n);
    Cotangents out{Vec(n), Vec(blocks()), Vec(n), core_.impulse().vec()};
    core_.vjp(impulse.is_none() ? nullptr : l.data(), velocity.is_none() ? nullptr : u.data(),
              {out.g.data(), out.mu.data(), out.R.data()});
    return out;
  }

  nb::object boundary() const {
    nb::list flags;
    for (const BlockTangent& t : core_.blocks()) flags.append(t.boundary);
    return nb::module_::import_("numpy").attr("array")(flags, "dtype"_a = "bool");
  }
  std::vector<std::string> modes() const {
    std::vector<std::string> out;
    for (const BlockTangent& t : core_.blocks()) out.emplace_back(name(t.mode));
    return out;
  }
  const ContactDerivatives& core() const { return core_; }
  ContactDerivatives& core() { return core_; }

 private:
  Eigen::Index rows() const { return problem_.rows(); }
  Eigen::Index blocks() const { return static_cast<Eigen::Index>(problem_.blocks.size()); }
  static Vec read(const nb::object& value, const char* field, Eigen::Index size) {
    return value.is_none() ? Vec() : read_vector(value, field, size);
  }

  ContactProblem problem_;
  ContactDerivatives core_;
};

void check_solution(const ContactProblem& problem, const Vec& impulse, double tolerance) {
  if (!(tolerance > 0.0) || !std::isfinite(tolerance))
    throw InvalidInput("derivatives.tolerance is " + std::to_string(tolerance) + ", expected a number > 0");
  Tolerance t;
  t.relative = tolerance;
  const Residual r = evaluate(problem, impulse, t);
  if (r.accepted()) return;
  std::ostringstream s;
  s << "derivatives.impulse is no solution: the judge finds natural=" << r.natural << " N, dual=" << r.dual
    << " m/s, b3=" << r.b3 << ", " << r.ratio << " times what tolerance " << tolerance
    << " allows; solve more tightly, or pass a larger tolerance";
  throw InvalidInput(s.str());
}

std::unique_ptr<PyDerivatives> make(const ContactProblem& problem, const ArrayLike& impulse, double tolerance,
                                    double threshold) {
  if (problem.law.kind != FrictionLaw::coulomb && problem.law.kind != FrictionLaw::convex)
    throw InvalidInput("derivatives: law '" + std::string(name(problem.law.kind)) +
                       "' has none here, expected 'coulomb' or 'convex'");
  if (!(threshold >= 0.0) || !std::isfinite(threshold))
    throw InvalidInput("derivatives.boundary_threshold is " + std::to_string(threshold) + ", expected a number >= 0");
  const Vec lambda = read_vector(impulse, "derivatives.impulse", problem.rows());
  check_solution(problem, lambda, tolerance);
  return std::make_unique<PyDerivatives>(problem, lambda, threshold);
}

void bind_cotangents(nb::module_& m) {
  nb::class_<Cotangents>(m, "Cotangents", "What ContactDerivatives.vjp hands back.")
      .def_prop_ro(
          "g", [](const Cotangents& c) { return new_array(c.g); }, "(rows,) with respect to g")
      .def_prop_ro(
          "G", [](const Cotangents& c) { return new_matrix(c.g * c.impulse.transpose()); },
          "(rows, rows) with respect to every entry of G on its own; it is the outer product of `g` and the impulse.\n"
          "Where G is symmetric and stays so, take (G + G.T)/2.")
      .def_prop_ro(
          "mu", [](const Cotangents& c) { return new_array(c.mu); },
          "(blocks,) with respect to the friction coefficients; zero for blocks without friction")
      .def_prop_ro(
          "R", [](const Cotangents& c) { return new_array(c.R); }, "(rows,) with respect to the compliance")
      .def_prop_ro(
          "factors",
          [](const Cotangents& c) {
            return nb::borrow<nb::typed<nb::tuple, FloatArray, FloatArray>>(
                nb::make_tuple(new_array(c.g), new_array(c.impulse)));
          },
          "(a, b) with G = outer(a, b), for those who do not want the (rows, rows) array");
}

}  // namespace

void bind_derivatives(nb::module_& m) {
  bind_cotangents(m);
  nb::class_<PyDerivatives>(m, "ContactDerivatives",
                            "Derivative of a contact solve at a solution; made by `derivatives`.\n\n"
                            "One factorisation serves any number of products.")
      .def("jvp", &PyDerivatives::jvp, "dg"_a = nb::none(), "dG"_a = nb::none(), "dmu"_a = nb::none(),
           "dR"_a = nb::none(),
           "Change of the solution along a change of the problem (None is zero).\n\n"
           "Parameters\n----------\n"
           "dg : (rows,)\n"
           "dG : (rows, rows)\n"
           "dmu : (blocks,), in the order of problem.blocks; entries of blocks without friction are not read\n"
           "dR : (rows,)\n\n"
           "Returns\n-------\n"
           "dimpulse : (rows,) change of the impulse, the shortest one if `hyperstatic`\n"
           "dvelocity : (rows,) change of u = (G + R) impulse + g")
      .def("vjp", &PyDerivatives::vjp, "cotangent"_a = nb::none(), "velocity"_a = nb::none(),
           "Gradient with respect to g, G, mu and R of a function of the solution.\n\n"
           "cotangent is its gradient with respect to the impulse, velocity that with respect to u; None is zero.\n"
           "Returns Cotangents with fields g, G, mu, R.")
      .def_prop_ro("modes", &PyDerivatives::modes, "per block: break, stick, slide, or bound (a box at its bound)")
      .def_prop_ro("boundary", &PyDerivatives::boundary, nb::sig("def boundary(self) -> numpy.ndarray"),
                   "(blocks,) True where another mode is so near that the derivative is one-sided")
      .def_prop_ro(
          "hyperstatic", [](const PyDerivatives& d) { return d.core().hyperstatic(); },
          "True if the impulse is not unique: more is held than can move")
      .def_prop_ro(
          "velocity_unique", [](PyDerivatives& d) { return d.core().velocity_unique(); },
          "False if even the velocity is not unique: law coulomb, redundant contacts that slide in several "
          "directions.\n"
          "Then dvelocity of jvp belongs to the shortest dimpulse")
      .def_prop_ro(
          "unknowns", [](const PyDerivatives& d) { return d.core().unknowns(); }, "size of the reduced system")
      .def_prop_ro(
          "rank", [](const PyDerivatives& d) { return d.core().rank(); }, "its rank")
      .def("__repr__", [](const PyDerivatives& d) {
        return "ContactDerivatives(unknowns=" + std::to_string(d.core().unknowns()) +
               ", rank=" + std::to_string(d.core().rank()) + ", boundary=" + (d.core().boundary() ? "True" : "False") +
               ")";
      });
  m.def("derivatives", &make, "problem"_a, "impulse"_a, "tolerance"_a = 1e-6, "boundary_threshold"_a = 1e-6,
        "Derivatives of the solution of a contact problem with respect to g, G, mu and R.\n\n"
        "Parameters\n----------\n"
        "problem : ContactProblem under law coulomb or convex\n"
        "impulse : (rows,) a solution of it, e.g. of solve(); the tighter, the better the derivative\n"
        "tolerance : the judge must accept the impulse at this relative tolerance, or it is refused\n"
        "boundary_threshold : how near, relative to the contact's own scale, counts as between two modes\n\n"
        "Returns\n-------\n"
        "ContactDerivatives with jvp and vjp.");
}

}  // namespace stiction::python
