// SPDX-License-Identifier: BSD-2-Clause
// What step() of a BatchSimulator reports: arrays with one entry per environment.
#include <algorithm>

#include "batch.h"

namespace stiction::python {
namespace {

class TextArray : public nb::object {
  static bool accept(nb::handle) { return true; }

 public:
  NB_OBJECT_DEFAULT(TextArray, nb::object, "numpy.typing.NDArray[numpy.str_]", accept)
};

template <class T>
using Entries = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <class T>
Entries<T> entries(std::vector<T>& x) {
  return Entries<T>(x.data(), {x.size()});
}

constexpr Status kStatuses[] = {
    Status::converged,         Status::stalled,         Status::max_iterations, Status::infeasible,
    Status::numerical_failure, Status::invalid_problem, Status::unphysical,
};

// Names, picked by number.
TextArray statuses(BatchReport& r) {
  nb::list names;
  for (const Status s : kStatuses) names.append(name(s));
  static_assert(sizeof(Status) == sizeof(int) && static_cast<int>(Status::unphysical) + 1 == std::size(kStatuses));
  const Entries<int> codes(r.status.data(), {r.status.size()});
  const nb::object all = nb::module_::import_("numpy").attr("array")(names);
  return nb::borrow<TextArray>(nb::object(all[nb::cast(codes)]));
}

template <class Test>
auto flags(const BatchReport& r, Test test) {
  const std::size_t n = r.status.size();
  bool* out = new bool[n];
  const nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
  for (std::size_t i = 0; i < n; ++i) out[i] = test(i);
  return nb::ndarray<nb::numpy, bool, nb::ndim<1>>(out, {n}, owner);
}

bool is_ok(const BatchReport& r, std::size_t i) { return r.unaccepted[i] == 0 && r.status[i] == Status::converged; }

bool is_failed(const BatchReport& r, std::size_t i) {
  const Status s = r.status[i];
  return s == Status::numerical_failure || s == Status::unphysical || s == Status::invalid_problem;
}

std::string report_text(const BatchReport& r) {
  std::size_t ok = 0, failed = 0;
  for (std::size_t i = 0; i < r.status.size(); ++i) ok += is_ok(r, i), failed += is_failed(r, i);
  return "BatchReport(environments=" + std::to_string(r.status.size()) + ", ok=" + std::to_string(ok) +
         ", failed=" + std::to_string(failed) + ", refused=" + std::to_string(r.refused.size()) + ")";
}

}  // namespace

void bind_batch_report(nb::module_& m) {
  constexpr auto inside = nb::rv_policy::reference_internal;
  constexpr auto own = nb::rv_policy::automatic;
  nb::class_<BatchReport>(m, "BatchReport",
                          "How BatchSimulator.step() went: arrays with one entry per environment, over its n steps.")
      .def_prop_ro("status", &statuses,
                   "worst status, as text: 'converged' … 'unphysical' as in StepReport; 'invalid_problem' where the "
                   "environment\nwas refused")
      .def_prop_ro(
          "ok", [](const BatchReport& r) { return flags(r, [&](std::size_t i) { return is_ok(r, i); }); }, own,
          "True where every step was accepted by the judge")
      .def_prop_ro(
          "failed", [](const BatchReport& r) { return flags(r, [&](std::size_t i) { return is_failed(r, i); }); }, own,
          "True where a step was not made, and the state is the last good one: what one resets")
      .def_prop_ro(
          "steps", [](BatchReport& r) { return entries(r.steps); }, inside, "steps made")
      .def_prop_ro(
          "unaccepted", [](BatchReport& r) { return entries(r.unaccepted); }, inside,
          "steps that the judge did not accept")
      .def_prop_ro(
          "contacts", [](BatchReport& r) { return entries(r.contacts); }, inside, "contact points of the last step")
      .def_prop_ro(
          "residual", [](BatchReport& r) { return entries(r.residual); }, inside,
          "largest natural residual under the chosen law, as a force [N]; infinite where refused")
      .def_prop_ro(
          "refused",
          [](const BatchReport& r) {
            nb::dict out;
            for (const auto& [i, why] : r.refused) out[nb::int_(i)] = nb::str(why.c_str());
            return nb::borrow<nb::typed<nb::dict, int, std::string>>(out);
          },
          "environment -> sentence, for those whose input or state is no input or state: not a number, not a rotation")
      .def("__len__", [](const BatchReport& r) { return r.status.size(); })
      .def("__repr__", &report_text);
}

}  // namespace stiction::python
