// SPDX-License-Identifier: BSD-2-Clause
// Actuators, all as <general>: gain, bias and gear are the numbers of the world.
#include <stiction/model/mjcf_writer/mjcf_text.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kWidest = 1e10;  // where one side of a range is open

void set_limits(Xml& element, const char* flag, const char* range, const Vec2& limits) {
  if (!std::isfinite(limits[0]) && !std::isfinite(limits[1])) return;
  element.set(flag, "true");
  element.set(range, mjcf_numbers(Vec2(std::max(limits[0], -kWidest), std::min(limits[1], kWidest))));
}

void set_target(MjcfText& text, const Actuator& a, const std::string& name, Xml& element) {
  const World& w = text.world;
  int gears = 1;
  switch (a.target) {
    case Actuator::joint:
    case Actuator::joint_in_parent:
      element.set(a.target == Actuator::joint ? "joint" : "jointinparent",
                  text.joint_names[static_cast<std::size_t>(a.body)]);
      gears = sizes(w.bodies[static_cast<std::size_t>(a.body)].joint).nv;
      break;
    case Actuator::tendon:
      element.set("tendon", text.tendon_names[static_cast<std::size_t>(a.tendon_index)]);
      break;
    case Actuator::site:
      element.set("site", text.site_at(a.body, a.placement, name + "_site"));
      if (a.referred) element.set("refsite", text.site_at(a.reference_body, a.reference, name + "_refsite"));
      gears = 6;
      break;
    case Actuator::nothing:
      element.set("site", text.site_at(kWorldBody, {}, "nothing"));
      text.tell("written without force, as they have none here: actuators", name);
      return element.set("gear", "0 0 0 0 0 0");
  }
  Vec6 gear = Vec6::Zero();
  gear.head(gears) = a.gear.head(gears);
  Vec6 usual = Vec6::Zero();
  usual[0] = 1.0;
  if (gear != usual) element.set("gear", mjcf_numbers(gear));
}

void set_law(const Actuator& a, Xml& element) {
  const bool force = a.target != Actuator::nothing;
  const Vec3 gain = force ? a.gain : Vec3(Vec3::Zero()), bias = force ? a.bias : Vec3(Vec3::Zero());
  const bool fixed = gain.tail<2>().isZero(0.0);
  if (!fixed) element.set("gaintype", "affine");
  element.set("gainprm", mjcf_numbers(fixed ? Vec(gain.head<1>()) : Vec(gain)));
  if (bias.isZero(0.0)) return;
  element.set("biastype", "affine");
  element.set("biasprm", mjcf_numbers(bias));
}

void set_dynamics(MjcfText& text, const Actuator& a, const std::string& name, Xml& element) {
  static constexpr const char* kDynamics[] = {"none", "integrator", "filter", "filterexact", "user"};
  if (a.dynamics == Actuator::none) return;
  element.set("dyntype", kDynamics[a.dynamics]);
  if (a.dynamics == Actuator::constant) text.tell("their activation stays as it is (dyntype user): actuators", name);
  if (a.dynamics == Actuator::filter || a.dynamics == Actuator::filter_exact)
    element.set("dynprm", ::stiction::text(a.time_constant));
  set_limits(element, "actlimited", "actrange", a.act_range);
}

}  // namespace

void write_mjcf_actuators(MjcfText& text) {
  for (std::size_t i = 0; i < text.world.actuators.size(); ++i) {
    const Actuator& a = text.world.actuators[i];
    const std::string& name = text.actuator_names[i];
    Xml element;
    element.set("name", name);
    if (a.target == Actuator::joint || a.target == Actuator::joint_in_parent) {
      const JointKind kind = text.world.bodies[static_cast<std::size_t>(a.body)].joint;
      if (kind == JointKind::translation || kind == JointKind::planar) {
        text.tell("left out: actuators of planar joints and translations", name);
        continue;
      }
    }
    set_target(text, a, name, element);
    set_law(a, element);
    set_dynamics(text, a, name, element);
    set_limits(element, "ctrllimited", "ctrlrange", a.ctrl_range);
    set_limits(element, "forcelimited", "forcerange", a.force_range);
    text.actuator.push_back({"general", std::move(element)});
  }
}

}  // namespace stiction
