// SPDX-License-Identifier: BSD-2-Clause
// Tendons, loops and couplings.
#include <stiction/model/mjcf_writer/mjcf_text.h>
#include <stiction/model/tendons/path.h>
#include <stiction/model/world/checks.h>
#include <stiction/model/world/draft.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kLongest = 1e10;  // where one side of a range is open
constexpr std::size_t kMostCoefficients = 5;

void add_path(MjcfText& text, const Tendon& tendon, const std::string& name, Xml& element) {
  for (const PathPoint& p : tendon.path) {
    Xml part;
    if (p.kind == PathPoint::pulley) {
      part.set("divisor", ::stiction::text(p.size));
      element.push_back({"pulley", std::move(part)});
      continue;
    }
    if (p.kind == PathPoint::site) {
      part.set("site", text.site_at(p.body, p.placement, name + "_site"));
      element.push_back({"site", std::move(part)});
      continue;
    }
    const bool ball = p.kind == PathPoint::sphere;
    Xml geom;  // that nothing touches
    const std::string called = text.name("geom", name + "_wrap");
    geom.set("name", called);
    geom.set("type", ball ? "sphere" : "cylinder");
    geom.set("size", ball ? ::stiction::text(p.size) : mjcf_numbers(Vec2(p.size, p.size)));
    geom.set("contype", "0"), geom.set("conaffinity", "0"), geom.set("group", "3");
    set_mjcf_pose(geom, p.placement);
    text.parts_of(p.body).others.push_back({"geom", std::move(geom)});
    part.set("geom", called);
    if (p.sided) part.set("sidesite", text.site_at(p.side_body, Pose{Mat3::Identity(), p.side}, name + "_side"));
    element.push_back({"geom", std::move(part)});
  }
}

void write_tendon(MjcfText& text, std::size_t i) {
  const Tendon& t = text.world.tendons[i];
  Xml element;
  element.set("name", text.tendon_names[i]);
  if (std::isfinite(t.range[0]) || std::isfinite(t.range[1])) {
    element.set("limited", "true");
    element.set("range", mjcf_numbers(Vec2(std::max(t.range[0], -kLongest), std::min(t.range[1], kLongest))));
  }
  set_number(element, "stiffness", t.stiffness, 0.0);
  set_number(element, "damping", t.damping, 0.0);
  set_number(element, "frictionloss", t.dry_friction, 0.0);
  set_number(element, "armature", t.armature, 0.0);
  if (t.stiffness != 0.0) {
    Vec2 spring = t.spring;
    if (spring == Vec2(-1.0, -1.0))
      spring[0] = spring[1] = std::nextafter(-1.0, 0.0);  // −1 −1 means: as at the reference
    element.set("springlength", mjcf_numbers(spring));
  }
  if (t.path.empty()) {
    for (const TendonJoint& j : t.joints) {
      Xml part;
      part.set("joint", text.joint_names[static_cast<std::size_t>(j.body)]);
      part.set("coef", ::stiction::text(j.coefficient));
      element.push_back({"joint", std::move(part)});
    }
  } else {
    add_path(text, t, text.tendon_names[i], element);
  }
  text.tendon.push_back({t.path.empty() ? "fixed" : "spatial", std::move(element)});
}

// Coefficients in x = (b − reference of b) of  z_a − r_a + Σ c_k (x + d)^k,  d = r_b − z_b.
std::vector<double> shifted(const std::vector<double>& c, double constant, double d) {
  if (d == 0.0) {
    std::vector<double> same = c;
    same[0] += constant;
    return same;
  }
  std::vector<double> out(c.size(), 0.0);
  for (std::size_t k = c.size(); k-- > 0;) {  // Horner: out ← out (x + d) + c_k
    for (std::size_t j = out.size() - 1; j > 0; --j) out[j] = out[j] * d + out[j - 1];
    out[0] = out[0] * d + c[k];
  }
  out[0] += constant;
  return out;
}

void write_coupling(MjcfText& text, std::size_t i) {
  const World& w = text.world;
  const Coupling& c = w.couplings[i];
  const bool tendons = c.tendon_a >= 0;
  if (c.coefficients.size() > kMostCoefficients)
    return text.tell("left out: couplings by polynomials of a degree above 4", c.name);
  const auto reference = [&](BodyId body, int tendon) {
    return tendons ? mjcf_length_at_start(w, w.tendons[static_cast<std::size_t>(tendon)]) : text.start_of(body);
  };
  const bool two = tendons ? c.tendon_b >= 0 : c.b != kWorldBody;
  const double r_a = reference(c.a, c.tendon_a), r_b = two ? reference(c.b, c.tendon_b) : 0.0;
  std::vector<double> p = two ? shifted(c.coefficients, c.zero_a - r_a, r_b - c.zero_b)
                              : std::vector<double>{c.coefficients[0] + c.zero_a - r_a};
  p.resize(kMostCoefficients, 0.0);
  Xml element;
  element.set("name", text.name("equality", c.name));
  const auto named = [&](BodyId body, int tendon) {
    return tendons ? text.tendon_names[static_cast<std::size_t>(tendon)]
                   : text.joint_names[static_cast<std::size_t>(body)];
  };
  element.set(tendons ? "tendon1" : "joint1", named(c.a, c.tendon_a));
  if (two) element.set(tendons ? "tendon2" : "joint2", named(c.b, c.tendon_b));
  element.set("polycoef", mjcf_numbers(Eigen::Map<const Vec>(p.data(), static_cast<Eigen::Index>(p.size()))));
  if (!w.softness.empty()) set_softness(element, w.softness.couplings[i], "solref", "solimp");
  text.equality.push_back({tendons ? "tendon" : "joint", std::move(element)});
}

void add_connect(MjcfText& text, const Loop& loop, std::size_t i, const char* kind, const Pose& a, const Pose& b) {
  Xml element;
  const std::string name = text.name("equality", loop.name);
  element.set("name", name);
  element.set("site1", text.site_at(loop.a, a, name + "_a"));
  element.set("site2", text.site_at(loop.b, b, name + "_b"));
  if (!text.world.softness.empty()) set_softness(element, text.world.softness.loops[i], "solref", "solimp");
  text.equality.push_back({kind, std::move(element)});
}

void write_loop(MjcfText& text, std::size_t i) {
  const Loop& loop = text.world.loops[i];
  if (std::isfinite(loop.stiffness)) return text.tell("left out: loops held by springs", loop.name);
  switch (loop.kind) {
    case Loop::point:
      return add_connect(text, loop, i, "connect", loop.frame_a, loop.frame_b);
    case Loop::weld:
      return add_connect(text, loop, i, "weld", loop.frame_a, loop.frame_b);
    case Loop::hinge:
      for (const double x : {0.0, 0.1}) {
        const Pose along{Mat3::Identity(), x * loop.axis};
        add_connect(text, loop, i, "connect", loop.frame_a * along, loop.frame_b * along);
      }
      return text.tell("written as two points on the axis that are held: hinges", loop.name);
    case Loop::slider:
      return text.tell("left out: loops that slide", loop.name);
  }
}

}  // namespace

double mjcf_length_at_start(const World& world, const Tendon& tendon) {
  double sum = 0.0;
  for (const TendonJoint& j : tendon.joints) {
    const Body& b = world.bodies[static_cast<std::size_t>(j.body)];
    sum += j.coefficient *
           (b.joint == JointKind::continuous ? std::atan2(world.q0[b.q + 1], world.q0[b.q]) : world.q0[b.q]);
  }
  if (tendon.path.empty()) return sum;
  return walk_tendon(tendon, [&](BodyId body) { return start_pose(world, body); }, [](const TendonLine&) {});
}

void write_mjcf_tendons(MjcfText& text) {
  for (std::size_t i = 0; i < text.world.tendons.size(); ++i) write_tendon(text, i);
}

void write_mjcf_equalities(MjcfText& text) {
  for (std::size_t i = 0; i < text.world.loops.size(); ++i) write_loop(text, i);
  for (std::size_t i = 0; i < text.world.couplings.size(); ++i) write_coupling(text, i);
}

}  // namespace stiction
