// SPDX-License-Identifier: BSD-2-Clause
// The parameters of an MJCF actuator. All kinds are forms of <general>: motor, position and so on set some of its parameters, in
// default classes as well as in elements, and start from what the class says.
//   motor        gain 1
//   position     gain kp, bias −kp l − kv l̇; kv = 2 dampratio √(kp m) if the ratio is given; timeconst: a filter
//   velocity     gain kv, bias −kv l̇
//   intvelocity  as position, ctrl is integrated
//   damper       gain −kv l̇
//   cylinder     gain area (or that of diameter), bias, a filter
#pragma once

#include <stiction/model/mjcf/mjcf_document.h>
#include <stiction/model/world/world.h>

namespace stiction {

struct MjcfActuatorValues {
  std::string dynamics = "none", gain_kind = "fixed", bias_kind = "none";
  double time_constant = 1.0;
  Vec3 gain{1.0, 0.0, 0.0}, bias = Vec3::Zero();  // bias[2] > 0 where gain[0] = −bias[1]: a damping ratio
  Vec6 gear = (Vec6() << 1.0, 0.0, 0.0, 0.0, 0.0, 0.0).finished();
  struct Range {
    std::string limited = "auto";
    Vec2 bounds = Vec2::Zero();
  } ctrl, force, act;
  double inherit_range = 0.0;
  bool early = false;                    // the force uses the next activation
  double armature = 0.0, damping = 0.0;  // of the motor, before its gear
  double delay = 0.0;                    // [s]
};

class MjcfActuatorReader {
 public:
  explicit MjcfActuatorReader(const MjcfDocument& document);
  MjcfActuatorValues read(const std::string& kind, const Xml& element, const std::string& place) const;
  Vec2 bounds(const MjcfActuatorValues::Range& range) const;  // infinite if it does not limit

 private:
  void read_class(const Xml& element, const std::string& around);
  const MjcfDocument& document_;
  std::map<std::string, MjcfActuatorValues> classes_;
};

}  // namespace stiction
