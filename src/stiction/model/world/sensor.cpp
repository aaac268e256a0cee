// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/world/sensor.h>

#include <iterator>
#include <sstream>

namespace stiction {
namespace {

constexpr const char* kContactFields[] = {"found",  "force",   "torque", "dist",  "pos",
                                          "normal", "tangent", "linvel", "angvel"};

}  // namespace

const std::vector<SensorInfo>& sensor_kinds() {
  using K = SensorKind;
  using O = SensorObject;
  using R = SensorRange;
  static const std::vector<SensorInfo> table = {
      {K::accelerometer, "accelerometer", O::frame, 3, R::real, true},
      {K::gyro, "gyro", O::frame, 3, R::real, false},
      {K::velocimeter, "velocimeter", O::frame, 3, R::real, false},
      {K::magnetometer, "magnetometer", O::frame, 3, R::real, false},
      {K::force, "force", O::frame, 3, R::real, true},
      {K::torque, "torque", O::frame, 3, R::real, true},
      {K::touch, "touch", O::frame, 1, R::positive, true},
      {K::rangefinder, "rangefinder", O::frame, 1, R::real, false},
      {K::contact, "contact", O::contacts, 1, R::unit, true},
      {K::jointpos, "jointpos", O::joint, 1, R::real, false},
      {K::jointvel, "jointvel", O::joint, 1, R::real, false},
      {K::jointactuatorfrc, "jointactuatorfrc", O::joint, 1, R::real, false},
      {K::jointlimitpos, "jointlimitpos", O::joint, 1, R::real, false},
      {K::jointlimitvel, "jointlimitvel", O::joint, 1, R::real, false},
      {K::jointlimitfrc, "jointlimitfrc", O::joint, 1, R::real, true},
      {K::ballquat, "ballquat", O::ball, 4, R::unit, false},
      {K::ballangvel, "ballangvel", O::ball, 3, R::real, false},
      {K::tendonpos, "tendonpos", O::tendon, 1, R::real, false},
      {K::tendonvel, "tendonvel", O::tendon, 1, R::real, false},
      {K::tendonactuatorfrc, "tendonactuatorfrc", O::tendon, 1, R::real, false},
      {K::tendonlimitpos, "tendonlimitpos", O::tendon, 1, R::real, false},
      {K::tendonlimitvel, "tendonlimitvel", O::tendon, 1, R::real, false},
      {K::tendonlimitfrc, "tendonlimitfrc", O::tendon, 1, R::real, true},
      {K::actuatorpos, "actuatorpos", O::actuator, 1, R::real, false},
      {K::actuatorvel, "actuatorvel", O::actuator, 1, R::real, false},
      {K::actuatorfrc, "actuatorfrc", O::actuator, 1, R::real, false},
      {K::framepos, "framepos", O::frame, 3, R::real, false},
      {K::framequat, "framequat", O::frame, 4, R::unit, false},
      {K::framexaxis, "framexaxis", O::frame, 3, R::unit, false},
      {K::frameyaxis, "frameyaxis", O::frame, 3, R::unit, false},
      {K::framezaxis, "framezaxis", O::frame, 3, R::unit, false},
      {K::framelinvel, "framelinvel", O::frame, 3, R::real, false},
      {K::frameangvel, "frameangvel", O::frame, 3, R::real, false},
      {K::framelinacc, "framelinacc", O::frame, 3, R::real, true},
      {K::frameangacc, "frameangacc", O::frame, 3, R::real, true},
      {K::subtreecom, "subtreecom", O::subtree, 3, R::real, false},
      {K::subtreelinvel, "subtreelinvel", O::subtree, 3, R::real, false},
      {K::subtreeangmom, "subtreeangmom", O::subtree, 3, R::real, false},
      {K::clock, "clock", O::world, 1, R::real, false},
      {K::e_potential, "e_potential", O::world, 1, R::real, false},
      {K::e_kinetic, "e_kinetic", O::world, 1, R::real, false},
  };
  return table;
}

const SensorInfo& sensor_info(SensorKind kind) { return sensor_kinds()[static_cast<std::size_t>(kind)]; }

const SensorInfo* find_sensor_kind(const std::string& name) {
  for (const SensorInfo& info : sensor_kinds())
    if (info.name == name) return &info;
  return nullptr;
}

const char* contact_field_name(int field) { return kContactFields[field]; }
int contact_field_size(int field) { return field == ContactReading::found || field == ContactReading::dist ? 1 : 3; }

std::uint32_t contact_fields(const std::string& words, const std::string& field) {
  std::istringstream in(words);
  std::uint32_t out = 0;
  for (std::string word; in >> word;) {
    int found = 0;
    while (found < ContactReading::kFields && kContactFields[found] != word) ++found;
    if (found == ContactReading::kFields)
      throw InvalidInput(field + ": " +
                         unknown_name("data", word, {std::begin(kContactFields), std::end(kContactFields)}));
    if (out >> found != 0)
      throw InvalidInput(field + " is '" + words + "', expected its words in the order found force torque dist pos " +
                         "normal tangent linvel angvel");
    out |= 1U << found;
  }
  if (out == 0) throw InvalidInput(field + " is empty, expected found, force or others");
  return out;
}

ContactReading::Reduce contact_reduction(const std::string& word, const std::string& field) {
  static const std::vector<std::string> names = {"none", "mindist", "maxforce", "netforce"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == word) return static_cast<ContactReading::Reduce>(i);
  throw InvalidInput(field + ": " + unknown_name("reduction", word, names));
}

int sensor_size(const Sensor& sensor) {
  if (sensor.kind != SensorKind::contact) return sensor_info(sensor.kind).size;
  int slot = 0;
  for (int f = 0; f < ContactReading::kFields; ++f)
    if ((sensor.reading.fields >> f & 1U) != 0) slot += contact_field_size(f);
  return sensor.reading.slots * slot;
}

}  // namespace stiction
