// SPDX-License-Identifier: BSD-2-Clause
// A fluid around the bodies: <option density viscosity wind>. A body with geoms of fluidshape="ellipsoid" feels it there, every other one
// as the box that has its inertia.
#include <stiction/base/principal_axes.h>
#include <stiction/model/mjcf/mjcf.h>
#include <stiction/model/mjcf/mjcf_actuator_values.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

constexpr double kTiny = 1e-15;

// The box that has the link's inertia, in its principal axes.
void set_box(const MjcfLink& link, FluidPart& part) {
  const Mat3& I = link.inertia.about_com;
  const PrincipalAxes principal = principal_axes(I);
  const bool diagonal = (I - Mat3(I.diagonal().asDiagonal())).norm() <= 1e-12 * I.norm();
  Mat3 axes = diagonal ? Mat3(Mat3::Identity()) : principal.axes;
  const Vec3 moments = diagonal ? Vec3(I.diagonal()) : principal.moments;
  if (axes.determinant() < 0.0) axes.col(2) *= -1.0;
  part.placement = link.placement * Pose{axes, link.inertia.com};
  for (int i = 0; i < 3; ++i)
    part.size[i] = std::sqrt(std::max(kTiny, moments.sum() - 2.0 * moments[i]) / link.inertia.mass * 6.0);
}

Vec3 semi_axes(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::sphere:
      return Vec3::Constant(shape.radius());
    case ShapeKind::capsule:
      return {shape.radius(), shape.radius(), shape.half_length() + shape.radius()};
    case ShapeKind::cylinder:
      return {shape.radius(), shape.radius(), shape.half_length()};
    case ShapeKind::box:
      return shape.size;
    default:
      return bounds(shape, {}).hi;
  }
}

// κ_a = a b c ∫₀^∞ dλ / ((a² + λ) √((a² + λ)(b² + λ)(c² + λ))) by Simpson's rule in λ = s x³/(1 − x)², x from 0 to 1; the κ of the three
// axes have the sum 2.
double added_mass_factor(double a, double b, double c) {
  constexpr int n = 2000;
  const double scale = std::pow(std::pow(a, 6) * b * b * c * c, 0.2);
  double sum = 0.0;
  for (int i = 1; i < n; ++i) {
    const double x = static_cast<double>(i) / n, y = 1.0 - x;
    const double l = scale * x * x * x / (y * y), slope = scale * x * x * (3.0 - x) / (y * y * y);
    sum += (i % 2 == 1 ? 4.0 : 2.0) * slope / ((a * a + l) * std::sqrt((a * a + l) * (b * b + l) * (c * c + l)));
  }
  return a * b * c * sum / (3.0 * n);
}

// Mass and inertia of the fluid that moves along with an ellipsoid, per unit of density [Lamb, § 114-115].
void set_virtual_inertia(FluidPart& part) {
  const Vec3& s = part.size;
  const double volume = 4.0 / 3.0 * std::numbers::pi * s.prod();
  Vec3 kappa;
  for (int i = 0; i < 3; ++i) kappa[i] = added_mass_factor(s[i], s[(i + 1) % 3], s[(i + 2) % 3]);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double b2 = s[j] * s[j], c2 = s[k] * s[k];
    part.virtual_mass[i] = volume * kappa[i] / std::max(kTiny, 2.0 - kappa[i]);
    const double below = std::abs(2.0 * (b2 - c2) + (b2 + c2) * (kappa[j] - kappa[k]));
    part.virtual_inertia[i] =
        volume / 5.0 * (b2 - c2) * (b2 - c2) * std::abs(kappa[k] - kappa[j]) / std::max(kTiny, below);
  }
}

bool set_ellipsoid(const MjcfGeoms& geoms, const MjcfModel::FluidGeom& given, FluidPart& part) {
  Xml element = given.element;
  element.set("contype", "1");  // also what neither collides nor weighs anything
  const auto geom = geoms.read(element, false, given.place);
  if (!geom || geom->shape.kind == ShapeKind::mesh || attribute(element, "type").value_or("") == "mesh") return false;
  part.ellipsoid = true;
  part.placement = given.frame * geom->pose;
  part.size = semi_axes(geom->shape);
  part.coefficients = {0.5, 0.25, 1.5, 1.0, 1.0};
  if (const auto v = attribute(element, "fluidcoef")) {
    const std::vector<double> x = to_numbers(*v, given.place + " fluidcoef");
    std::copy_n(x.begin(), std::min(x.size(), part.coefficients.size()), part.coefficients.begin());
  }
  set_virtual_inertia(part);
  return true;
}

}  // namespace

void add_mjcf_fluid(const MjcfDocument& document, MjcfModel& model) {
  FluidPart fluid;
  for (const Xml* option : children(document.mujoco(), "option")) {
    const std::string place = document.file() + ": <option>";
    const auto number = [&](const char* name, double& x) {
      if (const auto v = attribute(*option, name)) x = to_number(*v, place + " " + name);
    };
    number("density", fluid.density), number("viscosity", fluid.viscosity);
    fluid.wind = vec3_attribute(*option, "wind", fluid.wind, place);
  }
  if (!(fluid.density > 0.0) && !(fluid.viscosity > 0.0)) return;
  const MjcfGeoms geoms(document);
  std::vector<bool> boxed(model.links.size(), true);
  for (const MjcfModel::FluidGeom& geom : model.fluid_geoms) {
    FluidPart part = fluid;
    part.body = model.links[geom.link].body;
    boxed[geom.link] = false;
    if (set_ellipsoid(geoms, geom, part))
      model.robot.fluid.push_back(std::move(part));
    else
      model.robot.warnings.push_back(geom.place + ": left out: the fluid around a mesh taken as an ellipsoid");
  }
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const MjcfLink& link = model.links[i];
    if (!boxed[i] || !(link.inertia.mass > kTiny)) continue;
    FluidPart part = fluid;
    part.body = link.body;
    set_box(link, part);
    model.robot.fluid.push_back(std::move(part));
  }
}

}  // namespace stiction
