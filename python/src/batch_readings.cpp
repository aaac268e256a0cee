// SPDX-License-Identifier: BSD-2-Clause
// Sensors and bodies of all environments of a BatchSimulator.
#include <stiction/sim/sensors.h>

#include "batch.h"

namespace stiction::python {
namespace {

using Readings = BatchReadings;
using Table = nb::ndarray<nb::numpy, double>;  // writable, because JAX reads no others; nobody looks at what is written
using Tables = nb::typed<nb::dict, std::string, Table>;

void watch(PyBatch& b, bool sensors, bool bodies, std::optional<std::uint64_t> seed) {
  b.run([&](BatchSimulator& e) { e.watch({sensors, bodies, seed}); });
}

const Readings& watched(const PyBatch& b, bool sensors) {
  const Readings& r = b.engine().readings();
  if (!(sensors ? r.watched().sensors : r.watched().bodies))
    throw InvalidInput(sensors ? "sensors are not measured in this batch; call watch(sensors=True) first"
                               : "bodies are not measured in this batch; call watch(bodies=True) first");
  return r;
}

// Rows of `width` numbers from `offset` on, per environment; they keep the batch alive.
Table columns(nb::handle batch, const double* data, int n, int stride, int offset, int width) {
  const std::size_t shape[] = {static_cast<std::size_t>(n), static_cast<std::size_t>(width)};
  const std::int64_t strides[] = {stride, 1};
  return Table(const_cast<double*>(data) + offset, 2, shape, batch, strides);
}

Tables all_sensors(nb::handle self) {
  PyBatch& b = *nb::inst_ptr<PyBatch>(self);
  const Readings& r = watched(b, true);
  const World& world = b.minimal_world();
  const std::vector<std::string> names = sensor_names(world);
  Tables out;
  int offset = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const int width = sensor_size(world.sensors[i]);
    out[names[i].c_str()] = columns(self, r.sensors(), b.size(), r.sensor_width(), offset, width);
    offset += width;
  }
  return out;
}

Table sensor_table(nb::handle self) {
  PyBatch& b = *nb::inst_ptr<PyBatch>(self);
  const Readings& r = watched(b, true);
  return columns(self, r.sensors(), b.size(), r.sensor_width(), 0, r.sensor_width());
}

template <int kOffset, int kWidth>
Table bodies(nb::handle self) {
  PyBatch& b = *nb::inst_ptr<PyBatch>(self);
  const Readings& r = watched(b, false);
  const std::size_t shape[] = {static_cast<std::size_t>(b.size()), static_cast<std::size_t>(r.body_count()), kWidth};
  const std::int64_t strides[] = {static_cast<std::int64_t>(r.body_count()) * Readings::kBodyWidth,
                                  Readings::kBodyWidth, 1};
  return Table(const_cast<double*>(r.bodies()) + kOffset, 3, shape, self, strides);
}

}  // namespace

void bind_batch_readings(BatchClass& c) {
  c.def("watch", &watch, nb::kw_only(), "sensors"_a = false, "bodies"_a = false, "seed"_a = nb::none(),
        "Measure sensors, or where bodies are and what touches them, at the end of every step(), reset() and "
        "restore().\n"
        "The arrays that show it are views which stay valid until the next call of watch().\n\n"
        "Parameters\n----------\n"
        "sensors : all sensors of the world; see sensors() and sensor_data\n"
        "bodies : body_poses, body_centres, body_velocities and contact_wrenches\n"
        "seed : adds the sensors' noise, other numbers in each environment; None: no noise")
      .def("sensors", &all_sensors, nb::sig("def sensors(self) -> dict[str, numpy.typing.NDArray[numpy.float64]]"),
           "Sensors of all environments by name: {name: (environments, numbers)}, views. Needs watch(sensors=True).")
      .def_prop_ro("sensor_data", &sensor_table,
                   nb::sig("def sensor_data(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "(environments, all numbers of all sensors in their order), a view. Needs watch(sensors=True).")
      .def_prop_ro("body_poses", &bodies<Readings::kPose, 7>,
                   nb::sig("def body_poses(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "(environments, bodies, 7) origins [m] and quaternions (x, y, z, w), in the order of sim.bodies.\n"
                   "Needs watch(bodies=True), as the three below.")
      .def_prop_ro("body_centres", &bodies<Readings::kCentre, 3>,
                   nb::sig("def body_centres(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "(environments, bodies, 3) centres of mass in the world [m].")
      .def_prop_ro("body_velocities", &bodies<Readings::kVelocity, 6>,
                   nb::sig("def body_velocities(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "(environments, bodies, 6) velocities of the centres of mass [m/s] and angular velocities [rad/s].")
      .def_prop_ro(
          "contact_wrenches", &bodies<Readings::kWrench, 6>,
          nb::sig("def contact_wrenches(self) -> numpy.typing.NDArray[numpy.float64]"),
          "(environments, bodies, 6) force of the contacts of the last step on each body [N], and their torque\n"
          "about its centre of mass [N m], world axes.")
      .def_prop_ro(
          "watched",
          [](const PyBatch& b) {
            const Watched& w = b.engine().readings().watched();
            nb::dict out;
            out["sensors"] = w.sensors, out["bodies"] = w.bodies, out["seed"] = w.seed;
            return out;
          },
          "What watch() was last called with.");
}

}  // namespace stiction::python
