// SPDX-License-Identifier: BSD-2-Clause
// The state of a BatchSimulator: views of its block, reset, saving, single environments.
#include <algorithm>

#include "batch.h"

namespace stiction::python {
namespace {

constexpr auto kInside = nb::rv_policy::reference_internal;
using Field = BatchSimulator::Field;

auto table(const PyBatch& b, const Field& field) {
  return nb::ndarray<nb::numpy, double, nb::ndim<2>>(
      field.data, {static_cast<std::size_t>(b.size()), static_cast<std::size_t>(field.width)});
}

void write_table(const PyBatch& b, const Field& field, const ArrayLike& value, const char* name) {
  const ReadRows x = read_rows(value, name, b.size(), field.width, Finite::all);
  if (x.rows.data == nullptr) throw InvalidInput(std::string(name) + " is None, expected numbers");
  for (int i = 0; i < b.size(); ++i) std::copy_n(x.rows.row(i), field.width, field.row(i));
}

void write_times(const PyBatch& b, const ArrayLike& value) {
  double one = 0.0;
  const Vec x = nb::try_cast(value, one) ? Vec(Vec::Constant(b.size(), one))
                                         : read_vector(value, "BatchSimulator.time", b.size());
  if (!x.allFinite()) throw InvalidInput("BatchSimulator.time is not finite, expected seconds");
  std::copy_n(x.data(), b.size(), b.engine().time().data);
}

int read_place(const PyBatch& b, std::ptrdiff_t i) {
  const std::ptrdiff_t n = b.size();
  if (i < -n || i >= n)
    throw nb::index_error(("environment " + std::to_string(i) + " of a batch of " + std::to_string(n)).c_str());
  return static_cast<int>(i < 0 ? i + n : i);
}

std::unique_ptr<PySimulator> get_environment(PyBatch& b, std::ptrdiff_t i) { return b.environment(read_place(b, i)); }

void set_environment(PyBatch& b, std::ptrdiff_t i, PySimulator& from) {
  const int place = read_place(b, i);
  const Simulator copy = from.run([](Simulator& e) { return e.clone(); });
  b.run([&](BatchSimulator& e) { e.put(place, copy); });
}

void reset_batch(PyBatch& b, const MaskLike& mask, const NoiseLike& noise, std::optional<std::uint64_t> seed) {
  const std::vector<int> which = read_which(mask, "reset.mask", b.size());
  const BatchNoise scales = read_noise(noise, b.world());
  b.run([&](BatchSimulator& e) { e.reset(which, scales, seed); });
}

void restore_batch(PyBatch& b, const nb::bytes& blob, const MaskLike& mask) {
  const std::vector<int> which = read_which(mask, "restore.mask", b.size());
  const auto* first = static_cast<const std::byte*>(blob.data());
  const std::vector<std::byte> copy(first, first + blob.size());
  b.run([&](BatchSimulator& e) { e.restore(copy, which); });
}

}  // namespace

void bind_batch_state(BatchClass& c) {
  c.def_prop_rw(
       "q", [](const PyBatch& b) { return table(b, b.engine().q()); },
       [](const PyBatch& b, const ArrayLike& x) { write_table(b, b.engine().q(), x, "BatchSimulator.q"); },
       nb::for_getter(kInside), "(environments, nq) configurations, a writable view. Checked by the next step().")
      .def_prop_rw(
          "v", [](const PyBatch& b) { return table(b, b.engine().v()); },
          [](const PyBatch& b, const ArrayLike& x) { write_table(b, b.engine().v(), x, "BatchSimulator.v"); },
          nb::for_getter(kInside), "(environments, nv) velocities, a writable view.")
      .def_prop_rw(
          "ctrl", [](const PyBatch& b) { return table(b, b.engine().ctrl()); },
          [](const PyBatch& b, const ArrayLike& x) { write_table(b, b.engine().ctrl(), x, "BatchSimulator.ctrl"); },
          nb::for_getter(kInside), "(environments, nu) what the actuators are asked for, a writable view.")
      .def_prop_rw(
          "act", [](const PyBatch& b) { return table(b, b.engine().act()); },
          [](const PyBatch& b, const ArrayLike& x) { write_table(b, b.engine().act(), x, "BatchSimulator.act"); },
          nb::for_getter(kInside), "(environments, activations) of those actuators that have one, a writable view.")
      .def_prop_rw(
          "time",
          [](const PyBatch& b) {
            return nb::ndarray<nb::numpy, double, nb::ndim<1>>(b.engine().time().data,
                                                               {static_cast<std::size_t>(b.size())});
          },
          &write_times, nb::for_getter(kInside),
          "(environments,) simulated time since the start of each episode [s], a writable view.")
      .def(
          "reset", &reset_batch, "mask"_a = nb::none(), nb::kw_only(), "noise"_a = nb::none(), "seed"_a = nb::none(),
          "Environments back to the start: the state that the simulator had when the batch was made, bit for bit, with "
          "its\ntime. PD gains stay. Pushes that wait for the next step are dropped.\n\n"
          "Parameters\n----------\n"
          "mask : which environments: bools, such as report.failed, or indices; None is all\n"
          "noise : uniform in +-noise on every velocity and, along the manifold, on every configuration [m, rad, m/s,\n"
          "    rad/s]: one number, (nv,), or a dict of these with the keys 'q' and 'v'\n"
          "seed : where the numbers of these environments begin anew. What an environment draws depends on the seed "
          "(0\n"
          "    if none was ever given), on its place and on how often it drew since: not on the others")
      .def(
          "save",
          [](PyBatch& b) {
            const auto blob = b.run([](BatchSimulator& e) { return e.save(); });
            return nb::bytes(blob.data(), blob.size());
          },
          "All that the future of all environments depends on, as bytes.")
      .def("restore", &restore_batch, "blob"_a, "mask"_a = nb::none(),
           "Go back to a saved state, bit for bit.\n\n"
           "Parameters\n----------\n"
           "blob : of BatchSimulator.save() of a batch of this size, or of Simulator.save(), whose state all "
           "environments take\n"
           "mask : which environments: bools or indices; None is all")
      .def(
          "hash", [](PyBatch& b) { return b.run([](BatchSimulator& e) { return e.hash(); }); },
          "A 64-bit number of the bits of all states, in their order.")
      .def("__getitem__", &get_environment, "i"_a,
           "Environment i as a Simulator of its own: a copy, to look at, record or go on with alone. What is done to "
           "it\n"
           "does not reach the batch; `batch[i] = sim` puts a simulator's state into environment i.")
      .def("__setitem__", &set_environment, "i"_a, "sim"_a,
           "Environment i takes the state of a Simulator of the same world and settings.")
      .def_prop_ro(
          "simulator",
          [](PyBatch& b) { return b.simulator(b.run([](BatchSimulator& e) { return State(e.start()); })); },
          "A Simulator (a copy) in the state that reset() goes back to.");
}

}  // namespace stiction::python
