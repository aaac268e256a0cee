// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf/mjcf.h>
#include <stiction/model/world/checks.h>

namespace stiction {

std::pair<Zone, Pose> read_mjcf_site(const MjcfDocument& document, const Xml& element, const std::string& place) {
  static const std::vector<std::string> kinds = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
  const std::string type = attribute(element, "type").value_or("sphere");
  Zone zone;
  std::size_t kind = 0;
  while (kind < kinds.size() && kinds[kind] != type) ++kind;
  if (kind == kinds.size()) throw InvalidInput(place + ": " + unknown_name("type of site", type, kinds));
  zone.kind = static_cast<Zone::Kind>(kind);
  const std::vector<double> size = to_numbers(attribute(element, "size").value_or(""), place + " size");
  for (std::size_t i = 0; i < std::min<std::size_t>(3, size.size()); ++i) zone.size[static_cast<int>(i)] = size[i];
  Pose pose = document.pose(element, place);
  if (const auto ends = attribute(element, "fromto"); ends && zone.kind != Zone::sphere) {
    const Vec x = to_vector(*ends, 6, place + " fromto");
    const Vec3 axis = x.head<3>() - x.tail<3>();
    if (!(axis.norm() > 1e-12)) throw InvalidInput(place + " fromto has length zero");
    pose = {turn_z_to(axis.normalized()), 0.5 * (x.head<3>() + x.tail<3>())};
    const bool round = zone.kind == Zone::capsule || zone.kind == Zone::cylinder;
    if (!round && size.size() < 2) zone.size[1] = zone.size[0];
    zone.size[round ? 1 : 2] = 0.5 * axis.norm();
  }
  static constexpr int used[] = {1, 2, 3, 2, 3};
  for (int i = 0; i < used[kind]; ++i) check_positive(place + " size", zone.size[i]);
  return {zone, pose};
}

}  // namespace stiction
