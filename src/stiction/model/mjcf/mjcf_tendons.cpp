// SPDX-License-Identifier: BSD-2-Clause
// <tendon>: fixed ones become World::tendons. Spatial ones, and what of a fixed one has no form here, are told with their lines.
//   L = Σ coef q;  springlength: where the spring is unloaded, one length or two; not given: L where the springs of the joints are
#include <stiction/base/field.h>
#include <stiction/base/find_named.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf/mjcf_reference.h>
#include <stiction/model/world/checks.h>
#include <stiction/model/world/tendon.h>

#include <algorithm>
#include <set>

namespace stiction {
namespace {

const std::set<std::string> kTendonActs = {"name",     "class",     "range",    "limited",      "springlength",
                                           "armature", "stiffness", "damping",  "frictionloss", "group",
                                           "user",     "width",     "material", "rgba"};

class TendonReader {
 public:
  TendonReader(const MjcfDocument& document, MjcfModel& model, const Xml& given)
      : document_(document), model_(model), element_(document.resolve("tendon", given, "")) {
    tendon_.name = attribute(given, "name").value_or("tendon_" + std::to_string(model.robot.tendons.size()));
    place_ = given.place() + ": <fixed> '" + tendon_.name + "'";
  }

  void run() {
    for (const Xml* part : children(element_, "joint")) add_joint(*part);
    if (tendon_.joints.empty()) throw InvalidInput(place_ + " has no joints, expected at least one");
    const MjcfOptions& o = document_.options();
    tendon_.stiffness = o.spring ? number("stiffness") : 0.0;
    tendon_.damping = o.damper ? number("damping") : 0.0;
    tendon_.dry_friction = o.frictionloss ? number("frictionloss") : 0.0;
    tendon_.armature = number("armature");
    read_spring();
    if (o.limit) read_range();
    tell_attributes();
    tell_branches();
    model_.robot.tendons.push_back(std::move(tendon_));
  }

 private:
  void add_joint(const Xml& part) {
    const std::string name = required(part, "joint", place_ + " <joint>");
    const BodyId body = find_mjcf_joint(model_, name, place_);
    if (sizes(model_.robot.bodies[body].joint).nv != 1)
      throw InvalidInput(place_ + ": joint '" + name + "' is neither a hinge nor a slide");
    tendon_.joints.push_back({body, to_number(required(part, "coef", place_ + " <joint>"), place_ + " coef")});
  }

  // Newer files may give polynomials.
  double number(const char* name) {
    const auto given = attribute(element_, name);
    if (!given) return 0.0;
    const std::vector<double> x = to_numbers(*given, place_ + " " + name);
    if (x.empty()) return 0.0;
    check_not_negative(place_ + " " + name, x[0]);
    if (std::any_of(x.begin() + 1, x.end(), [](double c) { return c != 0.0; }))
      tell(std::string("the higher powers of its ") + name);
    return x[0];
  }

  void read_spring() {
    tendon_.spring.setConstant(-1.0);
    if (const auto given = attribute(element_, "springlength")) {
      const std::vector<double> x = to_numbers(*given, place_ + " springlength");
      if (!x.empty()) tendon_.spring = {x[0], x.size() > 1 ? x[1] : x[0]};
    }
    if (tendon_.spring == Vec2(-1.0, -1.0))
      tendon_.spring.setConstant(mjcf_tendon_length(model_, tendon_, model_.robot.spring_q));
    if (!(tendon_.spring[0] <= tendon_.spring[1]))
      throw InvalidInput(place_ + " springlength begins with " + text(tendon_.spring[0]) + ", expected at most " +
                         text(tendon_.spring[1]));
  }

  void read_range() {
    const std::string given = attribute(element_, "limited").value_or("auto");
    const auto range = attribute(element_, "range");
    if (given != "true" && !(given == "auto" && document_.compiler().autolimits && range)) return;
    const Vec x = to_vector(required(element_, "range", place_), 2, place_ + " range");
    if (!(x[0] <= x[1]))
      throw InvalidInput(place_ + " has the lower limit " + text(x[0]) + ", expected at most the upper limit " +
                         text(x[1]));
    tendon_.range = x;
  }

  void tell(const std::string& what) { model_.robot.warnings.push_back(place_ + ": left out: " + what); }

  void tell_attributes() {
    std::string names;
    for (const auto& [key, value] : element_.attributes())
      if (!kTendonActs.contains(key)) names += (names.empty() ? "" : ", ") + key + " = " + value;
    if (!names.empty()) tell(names + " (limits, friction and equalities of tendons are rigid)");
  }

  // Rows have two chains at the most.
  void tell_branches() {
    if (tendon_ends(model_.robot.bodies, tendon_.joints).size() <= kMostChains || !tendon_needs_rows(tendon_)) return;
    tell("range, frictionloss and armature, because its joints lie on more than two branches");
    tendon_.range = {-kInfinity, kInfinity};
    tendon_.dry_friction = tendon_.armature = 0.0;
  }

  const MjcfDocument& document_;
  MjcfModel& model_;
  Xml element_;
  std::string place_;
  Tendon tendon_;
};

}  // namespace

double mjcf_tendon_length(const MjcfModel& model, const Tendon& tendon, const Vec& q) {
  double sum = 0.0;
  for (const TendonJoint& j : tendon.joints) sum += j.coefficient * q[model.robot.bodies[j.body].q];
  return sum;
}

int find_mjcf_tendon(const MjcfModel& model, const std::string& name, const std::string& place) {
  if (model.spatial_tendons.contains(name)) return -1;
  const auto& all = model.robot.tendons;
  return static_cast<int>(&find_named("tendon", all, name, place + ": ") - all.data());
}

void add_mjcf_tendons(const MjcfDocument& document, MjcfModel& model) {
  for (const Xml* section : children(document.mujoco(), "tendon"))
    for (const auto& [kind, element] : *section) {
      if (kind == "fixed") {
        TendonReader(document, model, element).run();
        continue;
      }
      const std::string name = attribute(element, "name").value_or("");
      if (!name.empty()) model.spatial_tendons.insert(name);
      model.robot.warnings.push_back(element.place() + ": left out: the tendon of the kind " + kind +
                                     (name.empty() ? "" : " '" + name + "'"));
    }
}

void add_mjcf_tendon_equality(const Xml& element, MjcfModel& model, const std::string& place) {
  Coupling c;
  const std::string first = required(element, "tendon1", place);
  const auto second = attribute(element, "tendon2");
  c.name = attribute(element, "name").value_or(first);
  c.tendon_a = find_mjcf_tendon(model, first, place);
  c.tendon_b = second ? find_mjcf_tendon(model, *second, place) : -1;
  if (c.tendon_a < 0 || (second && c.tendon_b < 0)) {
    model.robot.warnings.push_back(place + ": left out: the equality of a spatial tendon");
    return;
  }
  if (tendon_ends(model.robot.bodies, model.robot.tendons, c.tendon_a, c.tendon_b).size() > kMostChains) {
    model.robot.warnings.push_back(place + ": left out: its joints lie on more than two branches");
    return;
  }
  c.coefficients = {0.0, 1.0, 0.0, 0.0, 0.0};
  if (const auto given = attribute(element, "polycoef")) {
    const std::vector<double> x = to_numbers(*given, place + " polycoef");
    std::copy_n(x.begin(), std::min(x.size(), c.coefficients.size()), c.coefficients.begin());
  }
  const auto at_reference = [&](int t) {
    return mjcf_tendon_length(model, model.robot.tendons[static_cast<std::size_t>(t)], model.reference);
  };
  c.zero_a = at_reference(c.tendon_a);
  if (second)
    c.zero_b = at_reference(c.tendon_b);
  else
    c.coefficients.resize(1);
  model.robot.couplings.push_back(std::move(c));
  model.coupling_softness.emplace_back();  // rigid
}

}  // namespace stiction
