// SPDX-License-Identifier: BSD-2-Clause
// Many short simulations over threads.
#include <nanobind/stl/pair.h>

#include <utility>

#include "simulator.h"

namespace stiction::python {
namespace {

using Array3 = nb::ndarray<nb::numpy, double, nb::ndim<3>, nb::c_contig>;
using Input3 = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// Flat numbers of a (batch, steps, width) input; `steps` is set by the first one and checked by the others.
Vec read_inputs(nb::handle value, const std::string& field, int batch, int& steps, int width) {
  if (value.is_none()) return {};
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::object array = numpy.attr("asarray")(value, "dtype"_a = "float64");
  const auto shape = nb::cast<std::vector<int>>(nb::list(array.attr("shape")));
  const bool ok = shape.size() == 3 && shape[0] == batch && shape[2] == width && (steps < 0 || shape[1] == steps);
  if (!ok)
    throw InvalidInput(field + " has shape " + nb::cast<std::string>(nb::str(nb::object(array.attr("shape")))) +
                       ", expected (" + std::to_string(batch) + ", " + (steps < 0 ? "steps" : std::to_string(steps)) +
                       ", " + std::to_string(width) + ")");
  steps = shape[1];
  return read_vector(array.attr("reshape")(-1), field);
}

bool are_blobs(nb::handle states) {
  return (nb::isinstance<nb::list>(states) || nb::isinstance<nb::tuple>(states)) && nb::len(states) > 0 &&
         nb::isinstance<nb::bytes>(states[0]);
}

std::vector<std::vector<std::byte>> read_blobs(nb::handle states) {
  std::vector<std::vector<std::byte>> out;
  for (nb::handle item : states) {
    if (!nb::isinstance<nb::bytes>(item)) throw InvalidInput("rollout.states0 mixes blobs with something else");
    const nb::bytes blob = nb::borrow<nb::bytes>(item);
    const auto* first = static_cast<const std::byte*>(blob.data());
    out.emplace_back(first, first + blob.size());
  }
  return out;
}

std::pair<FloatArray, std::vector<int>> run_rollout(PySimulator& sim, const nb::object& states0,
                                                    const ArrayLike& controls, const ArrayLike& targets, int threads,
                                                    std::optional<int> steps) {
  if (threads < 1) throw InvalidInput("rollout.threads is " + std::to_string(threads) + ", expected at least 1");
  const int width = sim.world().nq + sim.world().nv, ntau = sim.world().ntau;
  const bool from_blobs = are_blobs(states0);
  const auto blobs = from_blobs ? read_blobs(states0) : std::vector<std::vector<std::byte>>();
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const RowMajor states = from_blobs ? RowMajor() : RowMajor(read_matrix(states0, "rollout.states0", -1, width));
  RolloutInput in;
  in.batch = from_blobs ? static_cast<int>(blobs.size()) : static_cast<int>(states.rows());
  in.steps = steps.value_or(-1);
  const Vec u = read_inputs(controls, "rollout.controls", in.batch, in.steps, ntau);
  const Vec wanted = read_inputs(targets, "rollout.targets", in.batch, in.steps, ntau);
  if (in.steps < 0) throw InvalidInput("rollout.steps is missing: give controls, targets or steps");
  in.states = from_blobs ? nullptr : states.data();
  in.controls = u.size() > 0 ? u.data() : nullptr;
  in.targets = wanted.size() > 0 ? wanted.data() : nullptr;
  in.blobs = from_blobs ? &blobs : nullptr;
  const auto b = static_cast<std::size_t>(in.batch), n = static_cast<std::size_t>(in.steps),
             w = static_cast<std::size_t>(width);
  double* out = new double[b * n * w + 1];
  const nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  std::vector<int> unaccepted = sim.run([&](Simulator& e) {
    if (in.targets && !e.state().pd.active)
      throw InvalidInput("rollout.targets needs gains: call set_pd(kp=…, kd=…) first");
    in.interrupted = signal_watch();
    return rollout(e, in, threads, out);
  });
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  return {nb::steal<FloatArray>(nb::cast(Array3(out, {b, n, w}, owner)).release()), std::move(unaccepted)};
}

}  // namespace

void bind_rollout(nb::module_& m) {
  m.def("rollout", &run_rollout, "sim"_a, "states0"_a, "controls"_a.none(), "targets"_a.none(), "threads"_a, "steps"_a,
        "(states, unaccepted steps per entry); stiction.rollout documents it.");
}

}  // namespace stiction::python
