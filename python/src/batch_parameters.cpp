// SPDX-License-Identifier: BSD-2-Clause
// batch.parameters: what differs from environment to environment beside the state.
#include <algorithm>

#include "batch.h"

namespace stiction::python {
namespace {

// A face of the batch, which it keeps alive.
struct PyParameters {
  nb::object batch;
  PyBatch& engine() const { return *nb::inst_ptr<PyBatch>(batch); }
};

using Values = nb::ndarray<nb::numpy, double>;

// Known names first: a wrong one is a sentence, not a KeyError, as everywhere.
Values table(PyParameters& p, const std::string& name) {
  PyBatch& b = p.engine();
  double* data = b.run([&](BatchSimulator& e) { return e.parameters().use(name); });
  std::vector<std::size_t> shape{static_cast<std::size_t>(b.size())};
  for (const int size : b.engine().parameters().shape(name)) shape.push_back(static_cast<std::size_t>(size));
  return Values(data, shape.size(), shape.data(), p.batch);
}

void write(const nb::object& self, const std::string& name, const nb::object& values) {
  const nb::object view = self[nb::str(name.c_str())];
  try {
    view[nb::ellipsis()] = values;
  } catch (nb::python_error& error) {
    throw InvalidInput("parameters['" + name + "']: " + std::string(nb::str(error.value()).c_str()));
  }
}

nb::list names(const PyParameters&) { return nb::cast<nb::list>(nb::cast(BatchParameters::names())); }

}  // namespace

void bind_batch_parameters(nb::module_& m, BatchClass& c) {
  nb::class_<PyParameters>(
      m, "BatchParameters",
      "What differs from environment to environment beside the state: {name: (environments, ...) array}.\n\n"
      "An array is a writable view that begins with the values of the world; what is written acts from the next step\n"
      "on, without compiling anything. step() checks the values: an environment whose row is out of bounds stays "
      "where\n"
      "it is, and report.refused says why. They stay when environments are reset, and are saved with the batch.")
      .def("__getitem__", &table, "name"_a,
           nb::sig("def __getitem__(self, name: str) -> numpy.typing.NDArray[numpy.float64]"),
           "The values of a parameter, a row per environment.")
      .def(
          "__setitem__",
          [](nb::handle self, const std::string& name, const nb::object& values) {
            write(nb::borrow(self), name, values);
          },
          "name"_a, "values"_a, nb::sig("def __setitem__(self, name: str, values: numpy.typing.ArrayLike) -> None"),
          "Write all values of a parameter; what NumPy can broadcast fits.")
      .def("__iter__", [](const PyParameters& p) { return nb::iter(names(p)); })
      .def("__len__", [](const PyParameters& p) { return nb::len(names(p)); })
      .def("__contains__",
           [](const PyParameters&, const std::string& name) {
             const auto known = BatchParameters::names();
             return std::find(known.begin(), known.end(), name) != known.end();
           })
      .def("keys", &names, nb::sig("def keys(self) -> list[str]"), "Names of all parameters.")
      .def(
          "columns",
          [](PyParameters& p, const std::string& name) { return p.engine().engine().parameters().columns(name); },
          "name"_a, "What the entries of a row belong to: bodies, actuators, pairs of materials.")
      .def_prop_ro(
          "varied",
          [](PyParameters& p) {
            std::vector<std::string> out;
            for (const std::string& name : BatchParameters::names())
              if (p.engine().engine().parameters().has(name)) out.push_back(name);
            return out;
          },
          "Names of those that were asked for, and so cost time in every step.")
      .def("__repr__", [](const PyParameters& p) {
        std::string out = "BatchParameters:";
        for (const std::string& name : BatchParameters::names())
          out += "\n  " + name + ": " + BatchParameters::meaning(name);
        (void)p;
        return out;
      });
  c.def_prop_ro(
      "parameters", [](nb::handle self) { return PyParameters{nb::borrow(self)}; },
      nb::sig("def parameters(self) -> BatchParameters"),
      "Masses, friction, motors … per environment: batch.parameters[\"mu\"][:] = ...; print it for the names.");
  c.def(
      "measure",
      [](PyBatch& b, const MaskLike& mask) {
        const std::vector<int> which = read_which(mask, "measure.mask", b.size());
        b.run([&](BatchSimulator& e) { e.read(which); });
      },
      "mask"_a = nb::none(),
      "What watch() asked for, at q and v as they are now: after writing to them.\n\n"
      "Parameters\n----------\n"
      "mask : which environments: bools or indices; None is all");
}

}  // namespace stiction::python
