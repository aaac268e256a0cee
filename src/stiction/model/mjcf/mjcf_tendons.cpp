// SPDX-License-Identifier: BSD-2-Clause
// <tendon> becomes World::tendons. What of one has no form here is told with its line.
//   fixed: L = Σ coef q;  spatial: L is the length of its path (model/tendons/path.h)
//   springlength: where the spring is unloaded, one length or two; not given: L where the springs of the joints are
#include <stiction/base/field.h>
#include <stiction/base/find_named.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf/mjcf_reference.h>
#include <stiction/model/tendons/path.h>
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
  TendonReader(const MjcfDocument& document, MjcfModel& model, const std::string& kind, const Xml& given)
      : document_(document), model_(model), element_(document.resolve("tendon", given, "")) {
    tendon_.name = attribute(given, "name").value_or("tendon_" + std::to_string(model.robot.tendons.size()));
    place_ = given.place() + ": <" + kind + "> '" + tendon_.name + "'";
    spatial_ = kind == "spatial";
  }

  void run() {
    if (spatial_)
      read_path();
    else
      for (const Xml* part : children(element_, "joint")) add_joint(*part);
    if (!spatial_ && tendon_.joints.empty()) throw InvalidInput(place_ + " has no joints, expected at least one");
    const MjcfOptions& o = document_.options();
    tendon_.stiffness = o.spring ? number("stiffness") : 0.0;
    tendon_.damping = o.damper ? number("damping") : 0.0;
    tendon_.dry_friction = o.frictionloss ? number("frictionloss") : 0.0;
    tendon_.armature = number("armature");
    if (spatial_ && tendon_.armature > 0.0) tell("armature"), tendon_.armature = 0.0;
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

  void read_path() {
    for (const auto& [tag, part] : element_) {
      if (tag == "site") add_site(part);
      if (tag == "geom") add_geom(part);
      if (tag == "pulley") add_pulley(part);
    }
    if (!is_tendon_path(tendon_.path))
      throw InvalidInput(place_ +
                         " has a path that does not go from site to site; expected at least two sites, one on both "
                         "sides of each geom and pulley");
  }

  void add_site(const Xml& part) {
    const Frame& site = find_mjcf_site(model_, required(part, "site", place_ + " <site>"), place_);
    PathPoint& p = tendon_.path.emplace_back();
    p.body = site.body, p.placement = site.placement;
  }

  void add_geom(const Xml& part) {
    const MjcfModel::WrapGeom& geom =
        find_named("geom", model_.wrap_geoms, required(part, "geom", place_ + " <geom>"), place_ + ": ");
    if (geom.shape.kind != ShapeKind::sphere && geom.shape.kind != ShapeKind::cylinder)
      throw InvalidInput(place_ + " goes around the geom '" + geom.name + "', expected a sphere or a cylinder");
    PathPoint& p = tendon_.path.emplace_back();
    p.kind = geom.shape.kind == ShapeKind::sphere ? PathPoint::sphere : PathPoint::cylinder;
    p.body = geom.body, p.placement = geom.placement, p.size = geom.shape.size[0];
    const auto side = attribute(part, "sidesite");
    if (!side) return;
    const Frame& site = find_mjcf_site(model_, *side, place_);
    p.sided = true, p.side_body = site.body, p.side = site.placement.translation;
  }

  void add_pulley(const Xml& part) {
    PathPoint& p = tendon_.path.emplace_back();
    p.kind = PathPoint::pulley;
    p.size = to_number(required(part, "divisor", place_ + " <pulley>"), place_ + " divisor");
    if (!(p.size > 0.0))
      throw InvalidInput(place_ + " has a pulley with the divisor " + text(p.size) + ", expected a positive number");
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
    if (tendon_ends(model_.robot.bodies, tendon_).size() <= kMostChains || !tendon_needs_rows(tendon_)) return;
    tell("range, frictionloss and armature, because it lies on more than two branches");
    tendon_.range = {-kInfinity, kInfinity};
    tendon_.dry_friction = tendon_.armature = 0.0;
  }

  const MjcfDocument& document_;
  MjcfModel& model_;
  Xml element_;
  std::string place_;
  bool spatial_ = false;
  Tendon tendon_;
};

}  // namespace

double mjcf_tendon_length(const MjcfModel& model, const Tendon& tendon, const Vec& q) {
  double sum = 0.0;
  for (const TendonJoint& j : tendon.joints) sum += j.coefficient * q[model.robot.bodies[j.body].q];
  if (tendon.path.empty()) return sum;
  return walk_tendon(tendon, [&](BodyId body) { return mjcf_pose(model, body, q); }, [](const TendonLine&) {});
}

Vec mjcf_tendon_jacobian(const MjcfModel& model, const Tendon& tendon) {
  Vec out = Vec::Zero(model.robot.nv);
  for (const TendonJoint& j : tendon.joints) out[model.robot.bodies[j.body].v] += j.coefficient;
  const auto add_end = [&](BodyId body, const Vec3& point, const Vec3& n) {
    if (body != kWorldBody) out += mjcf_point_jacobian(model, body, point).topRows<3>().transpose() * n;
  };
  walk_tendon(
      tendon, [&](BodyId body) { return mjcf_pose(model, body, model.reference); },
      [&](const TendonLine& line) {
        const Vec3 n = line.share * (line.b - line.a).normalized();
        add_end(line.body_b, line.b, n), add_end(line.body_a, line.a, -n);
      });
  return out;
}

int find_mjcf_tendon(const MjcfModel& model, const std::string& name, const std::string& place) {
  const auto& all = model.robot.tendons;
  return static_cast<int>(&find_named("tendon", all, name, place + ": ") - all.data());
}

void add_mjcf_tendons(const MjcfDocument& document, MjcfModel& model) {
  for (const Xml* section : children(document.mujoco(), "tendon"))
    for (const auto& [kind, element] : *section) {
      if (kind == "fixed" || kind == "spatial")
        TendonReader(document, model, kind, element).run();
      else
        model.robot.warnings.push_back(element.place() + ": left out: the tendon of the kind " + kind);
    }
}

void add_mjcf_tendon_equality(const Xml& element, MjcfModel& model, const std::string& place) {
  Coupling c;
  const std::string first = required(element, "tendon1", place);
  const auto second = attribute(element, "tendon2");
  c.name = attribute(element, "name").value_or(first);
  c.tendon_a = find_mjcf_tendon(model, first, place);
  c.tendon_b = second ? find_mjcf_tendon(model, *second, place) : -1;
  if (tendon_ends(model.robot.bodies, model.robot.tendons, c.tendon_a, c.tendon_b).size() > kMostChains) {
    model.robot.warnings.push_back(place + ": left out: it lies on more than two branches");
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
