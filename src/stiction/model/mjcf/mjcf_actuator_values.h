// SPDX-License-Identifier: BSD-2-Clause
// The parameters of an MJCF actuator. All kinds are forms of <general>: motor, position and so on set some of its parameters, in
// default classes as well as in elements, and start from what the class says. What makes the force (MjcfForceLaw) a kind takes from the
// nearest class around that last spoke of the same kind or of <general>, as MuJoCo 4 does: <motor gear="2"/> in a class leaves the kp of
// the <position> of the class around it alone. A <general> takes it as the class has it.
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

struct MjcfForceLaw {
  std::string dynamics = "none", gain_kind = "fixed", bias_kind = "none";
  double time_constant = 1.0;
  Vec3 gain{1.0, 0.0, 0.0}, bias = Vec3::Zero();  // bias[2] > 0 where gain[0] = −bias[1]: a damping ratio
  double inherit_range = 0.0;
};

struct MjcfActuatorValues : MjcfForceLaw {
  std::string kind = "general";  // of which the class spoke last
  Vec6 gear = (Vec6() << 1.0, 0.0, 0.0, 0.0, 0.0, 0.0).finished();
  struct Range {
    std::string limited = "auto";
    Vec2 bounds = Vec2::Zero();
  } ctrl, force, act;
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
  MjcfForceLaw law_for(const std::string& kind, std::string name) const;
  const MjcfDocument& document_;
  std::map<std::string, MjcfActuatorValues> classes_;
  std::map<std::string, std::string> around_;  // the class around a class
};

}  // namespace stiction
