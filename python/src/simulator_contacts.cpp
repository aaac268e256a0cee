// SPDX-License-Identifier: BSD-2-Clause
// contacts(): a NumPy structured array, one record per contact point of the last step.
#include <cstring>

#include "simulator.h"

namespace stiction::python {
namespace {

// Laid out exactly as record_type() says.
struct Record {
  std::int32_t body_a, body_b, geom_a, geom_b;
  double point[3], normal[3], gap, force[3], slip;
  std::int32_t mode, padding;
  double torque[3];
};
static_assert(sizeof(Record) == 136);

nb::object record_type() {
  nb::dict d;
  nb::list names, formats;
  const auto add = [&](const char* field, const char* format) { names.append(field), formats.append(format); };
  add("body_a", "i4"), add("body_b", "i4"), add("geom_a", "i4"), add("geom_b", "i4");
  add("point", "3f8"), add("normal", "3f8"), add("gap", "f8"), add("force", "3f8"), add("slip", "f8"),
      add("mode", "i4"), add("torque", "3f8");
  d["names"] = names, d["formats"] = formats, d["itemsize"] = sizeof(Record);
  nb::list offsets;
  for (const std::size_t at : {0, 4, 8, 12, 16, 40, 64, 72, 96, 104, 112}) offsets.append(at);
  d["offsets"] = offsets;
  return nb::module_::import_("numpy").attr("dtype")(d);
}

Record make_record(const ContactView& c) {
  Record r{};
  r.body_a = c.body_a, r.body_b = c.body_b, r.geom_a = c.geom_a, r.geom_b = c.geom_b;
  std::memcpy(r.point, c.point.data(), sizeof r.point);
  std::memcpy(r.normal, c.normal.data(), sizeof r.normal);
  std::memcpy(r.force, c.force.data(), sizeof r.force);
  std::memcpy(r.torque, c.torque.data(), sizeof r.torque);
  r.gap = c.gap, r.slip = c.slip, r.mode = static_cast<std::int32_t>(c.mode);
  return r;
}

RecordArray contacts(PySimulator& s) {
  const auto list = s.run([](Simulator& e) { return e.contacts(); });
  std::vector<Record> records;
  for (const ContactView& c : list) records.push_back(make_record(c));
  const nb::module_ numpy = nb::module_::import_("numpy");
  static const nb::handle type =
      record_type().release();  // NumPy takes longer to make it than a step takes; never freed
  if (records.empty()) return nb::borrow<RecordArray>(numpy.attr("empty")(0, "dtype"_a = type));
  return nb::borrow<RecordArray>(
      numpy.attr("frombuffer")(nb::bytearray(records.data(), records.size() * sizeof(Record)), "dtype"_a = type));
}

std::string mode_text(ContactMode mode) {
  return mode == ContactMode::open ? "open" : mode == ContactMode::stick ? "stick" : "slip";
}

}  // namespace

void bind_contact_mode(nb::module_& m) {
  nb::enum_<ContactMode>(m, "ContactMode", nb::is_arithmetic(),
                         "What a contact point did in the last step; str() gives 'open', 'stick' or 'slip'.")
      .value("OPEN", ContactMode::open, "no normal force")
      .value("STICK", ContactMode::stick, "pressed, slip of at most 1e-6 m/s")
      .value("SLIP", ContactMode::slip, "pressed and sliding")
      .def("__str__", &mode_text)
      .def(
          "__format__",
          [](ContactMode mode, const std::string& spec) {
            return nb::str(mode_text(mode).c_str()).attr("__format__")(spec);
          },
          "spec"_a);
}

void bind_simulator_contacts(SimulatorClass& c) {
  c.def("contacts", &contacts,
        "Contact points of the last step as a structured array.\n\n"
        "body_a, body_b : ids of the bodies, -1 is the world\n"
        "geom_a, geom_b : numbers of the shapes\n"
        "point, normal : in world axes, normal from a to b\n"
        "gap : signed distance at the start of the step [m], negative is overlap\n"
        "force : on body_b, world axes [N]\n"
        "slip : tangential speed after the step [m/s]\n"
        "mode : a ContactMode: 0 OPEN, 1 STICK, 2 SLIP\n"
        "torque : on body_b at the point, world axes: friction of spin and roll [N m]\n\n"
        "Examples\n--------\n"
        "    sliding = sim.contacts()[\"mode\"] == st.ContactMode.SLIP");
}

}  // namespace stiction::python
