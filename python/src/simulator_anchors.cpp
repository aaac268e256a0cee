// SPDX-License-Identifier: BSD-2-Clause
// anchors() and predict_forces(): what the law `anchored` knows of its points.
#include <cstring>

#include "simulator.h"

namespace stiction::python {
namespace {

// Laid out exactly as anchor_record_type() says.
struct AnchorRecord {
  std::int32_t body_a, body_b, geom_a, geom_b;
  double point[3], velocity[3], anchor[3], force[3], average[3], projected[3], predicted[3];
  bool bilateral, slipping;
  char padding[6];
};
static_assert(sizeof(AnchorRecord) == 192);

nb::object anchor_record_type() {
  nb::list names, formats, offsets;
  std::size_t offset = 0;
  const auto add = [&](const char* field, const char* format, std::size_t size) {
    names.append(field), formats.append(format), offsets.append(offset);
    offset += size;
  };
  for (const char* field : {"body_a", "body_b", "geom_a", "geom_b"}) add(field, "i4", 4);
  for (const char* field : {"point", "velocity", "anchor", "force", "average", "projected", "predicted"})
    add(field, "3f8", 24);
  for (const char* field : {"bilateral", "slipping"}) add(field, "?", 1);
  nb::dict d;
  d["names"] = names, d["formats"] = formats, d["offsets"] = offsets, d["itemsize"] = sizeof(AnchorRecord);
  return nb::module_::import_("numpy").attr("dtype")(d);
}

AnchorRecord make_anchor_record(const AnchorView& a) {
  AnchorRecord r{};
  r.body_a = a.body_a, r.body_b = a.body_b, r.geom_a = a.geom_a, r.geom_b = a.geom_b;
  const auto copy = [](const Vec3& from, double* to) { std::memcpy(to, from.data(), 3 * sizeof(double)); };
  copy(a.point, r.point), copy(a.velocity, r.velocity), copy(a.anchor, r.anchor), copy(a.force, r.force);
  copy(a.average, r.average), copy(a.projected, r.projected), copy(a.predicted, r.predicted);
  r.bilateral = a.bilateral, r.slipping = a.slipping;
  return r;
}

RecordArray anchors(PySimulator& s) {
  const auto list = s.run([](Simulator& e) { return e.anchors(); });
  std::vector<AnchorRecord> records;
  for (const AnchorView& a : list) records.push_back(make_anchor_record(a));
  const nb::module_ numpy = nb::module_::import_("numpy");
  if (records.empty()) return nb::borrow<RecordArray>(numpy.attr("empty")(0, "dtype"_a = anchor_record_type()));
  return nb::borrow<RecordArray>(numpy.attr("frombuffer")(
      nb::bytearray(records.data(), records.size() * sizeof(AnchorRecord)), "dtype"_a = anchor_record_type()));
}

FloatArray predict_forces(PySimulator& s, const ArrayLike& times, const ArrayLike& tau) {
  const Vec at = read_vector(times, "predict_forces.times", -1);
  const Vec torque = tau.is_none() ? Vec() : read_vector(tau, "predict_forces.tau", s.world().ntau);
  const auto forces = s.run(
      [&](Simulator& e) { return e.predict_forces(torque, std::vector<double>(at.data(), at.data() + at.size())); });
  const nb::module_ numpy = nb::module_::import_("numpy");
  const std::size_t count = at.size() == 0 ? 0 : forces.size() / static_cast<std::size_t>(at.size());
  const nb::object flat =
      forces.empty() ? nb::object(numpy.attr("empty")(0))
                     : nb::object(numpy.attr("frombuffer")(nb::bytearray(forces.data(), forces.size() * sizeof(Vec3))));
  return nb::borrow<FloatArray>(flat.attr("reshape")(at.size(), count, 3));
}

}  // namespace

void bind_simulator_anchors(SimulatorClass& c) {
  c.def("anchors", &anchors,
        "Points of the law 'anchored' in the last step as a structured array, world axes; empty for other laws.\n\n"
        "body_a, body_b, geom_a, geom_b : who meets; geoms are -1 for held points\n"
        "point, velocity : of the contact point at the start of the step [m, m/s]\n"
        "anchor : where its spring is fixed [m]\n"
        "force : at the start of the step, within its cone [N]\n"
        "average, projected : over the step, before and after the cone map [N]\n"
        "predicted : at the end of the step by the linear model [N]\n"
        "bilateral, slipping : held points; the tangential force is on its cone")
      .def("predict_forces", &predict_forces, "times"_a, "tau"_a = nb::none(),
           "Forces of the active points at times from now on, by the linear model of the exponential step.\n\n"
           "Parameters\n----------\ntimes : (n,) [s]\ntau : joint torques, held (ntau,) [N m]; None is zero\n\n"
           "Returns\n-------\narray (times, points, 3) in world axes [N]; the state is not changed");
}

}  // namespace stiction::python
