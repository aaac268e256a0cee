// SPDX-License-Identifier: BSD-2-Clause
// Gravity compensation and the fluid. A share of gravity that acts elsewhere than at the centre of the body becomes a body of its own,
// welded to it: a thousandth of the mass lies there, whose gravcomp is the thousandfold, and the rest has what is left of mass and inertia.
//   m = m₁ + m₂,  m₁c₁ = m c − m₂c₂,  I₁ = I − m₁ D(c₁ − c) − m₂ D(c₂ − c),  D(d) = |d|² 1 − d dᵀ
#include <stiction/base/principal_axes.h>
#include <stiction/model/mjcf_writer/mjcf_text.h>
#include <stiction/model/world/checks.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kShare = 1e-3;

Mat3 steiner(const Vec3& d) { return d.squaredNorm() * Mat3::Identity() - d * d.transpose(); }

void set_rest(MjcfText::Parts& parts, const Inertia& rest) {
  Xml inertial;
  const PrincipalAxes principal = principal_axes(rest.about_com);
  Mat3 axes = principal.axes;
  if (axes.determinant() < 0.0) axes.col(0) = -axes.col(0);
  inertial.set("pos", "0 0 0");
  set_mjcf_pose(inertial, {axes, rest.com});
  inertial.set("mass", text(rest.mass));
  inertial.set("diaginertia", mjcf_numbers(principal.moments));
  parts.own.front().second = std::move(inertial);
}

void write_compensation(MjcfText& text) {
  std::map<BodyId, std::vector<GravityCompensation>> by_body;
  for (const GravityCompensation& g : text.world.gravity_compensation) by_body[g.body].push_back(g);
  for (const auto& [id, list] : by_body) {
    if (id == kWorldBody) continue;
    const Body& body = text.world.bodies[static_cast<std::size_t>(id)];
    MjcfText::Parts& parts = text.parts_of(id);
    if (list.size() == 1 && list[0].point == body.inertia.com && body.inertia.mass > 0.0) {
      parts.element.set("gravcomp", ::stiction::text(list[0].mass / body.inertia.mass));
      continue;
    }
    Inertia rest = body.inertia;
    for (const GravityCompensation& g : list) {
      const double mass = kShare * body.inertia.mass;
      const Inertia whole = rest;
      rest.mass = whole.mass - mass;
      rest.com = (whole.mass * whole.com - mass * g.point) / rest.mass;
      rest.about_com =
          whole.about_com - rest.mass * steiner(rest.com - whole.com) - mass * steiner(g.point - whole.com);
      Xml held, inertial;
      held.set("name", text.name("body", body.name + "_held"));
      held.set("gravcomp", ::stiction::text(g.mass / mass));
      inertial.set("pos", mjcf_numbers(g.point));
      inertial.set("mass", ::stiction::text(mass));
      inertial.set("diaginertia", "0 0 0");
      held.push_back({"inertial", std::move(inertial)});
      parts.others.push_back({"body", std::move(held)});
    }
    set_rest(parts, rest);
  }
}

// Edges of the box that has the inertia of the body, largest first.
Vec3 sorted(Vec3 x) {
  std::sort(x.begin(), x.end());
  return x;
}
Vec3 box_of(const Inertia& inertia) {
  const Vec3 moments = principal_moments(inertia.about_com);
  return (Vec3::Constant(moments.sum()) - 2.0 * moments)
      .cwiseMax(1e-15)
      .cwiseProduct(Vec3::Constant(6.0 / inertia.mass))
      .cwiseSqrt();
}

void add_ellipsoid(MjcfText& text, const FluidPart& f) {
  Xml geom;
  geom.set("name", text.name("geom", text.world.bodies[static_cast<std::size_t>(f.body)].name + "_fluid"));
  geom.set("type", "ellipsoid");
  geom.set("size", mjcf_numbers(f.size));
  geom.set("contype", "0"), geom.set("conaffinity", "0"), geom.set("group", "3");
  geom.set("fluidshape", "ellipsoid");
  geom.set("fluidcoef", mjcf_numbers(Eigen::Map<const Vec>(f.coefficients.data(),
                                                           static_cast<Eigen::Index>(f.coefficients.size()))));
  set_mjcf_pose(geom, f.placement);
  text.parts_of(f.body).others.push_back({"geom", std::move(geom)});
}

// One fluid for the whole file; bodies that it does not touch here are told, as are boxes that are not those of their bodies.
void write_parts(MjcfText& text) {
  const World& w = text.world;
  if (w.fluid.empty()) return;
  const FluidPart& first = w.fluid.front();
  set_number(text.option, "density", first.density, 0.0);
  set_number(text.option, "viscosity", first.viscosity, 0.0);
  if (!first.wind.isZero(0.0)) text.option.set("wind", mjcf_numbers(first.wind));
  std::vector<int> boxes(w.bodies.size(), 0), ellipsoids(w.bodies.size(), 0);
  for (const FluidPart& f : w.fluid) {
    if (f.body == kWorldBody) continue;
    const auto id = static_cast<std::size_t>(f.body);
    const std::string& name = w.bodies[id].name;
    if (f.density != first.density || f.viscosity != first.viscosity || f.wind != first.wind)
      text.tell("feel the fluid of another body in the file: bodies", name);
    if (f.ellipsoid) {
      add_ellipsoid(text, f), ++ellipsoids[id];
      continue;
    }
    const Vec3 box = sorted(box_of(w.bodies[id].inertia)), own = sorted(f.size);
    const bool same = ++boxes[id] == 1 && (box - own).norm() <= 1e-9 * own.norm() &&
                      (f.placement.translation - w.bodies[id].inertia.com).norm() <= 1e-9;
    if (!same) text.tell("the fluid acts on the box of the whole body in the file, on those of its links here", name);
  }
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (boxes[i] + ellipsoids[i] == 0 && w.bodies[i].inertia.mass > 0.0)
      text.tell("feel the fluid in the file and not here: bodies", w.bodies[i].name);
    else if (boxes[i] > 0 && ellipsoids[i] > 0)
      text.tell("left out: the fluid around links that are no ellipsoids", w.bodies[i].name);
}

}  // namespace

void write_mjcf_fluid(MjcfText& text) {
  write_compensation(text);
  write_parts(text);
}

}  // namespace stiction
