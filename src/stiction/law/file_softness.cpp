// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/law/file_softness.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kLeastImpedance = 1e-4, kMostImpedance = 0.9999;

double impedance_of(const Softness& s, double size) {
  const auto bounded = [](double d) { return std::clamp(d, kLeastImpedance, kMostImpedance); };
  const double first = bounded(s.impedance[0]), last = bounded(s.impedance[1]);
  const double width = s.impedance[2], middle = std::clamp(s.impedance[3], kLeastImpedance, kMostImpedance);
  const double power = std::max(1.0, s.impedance[4]);
  if (first == last || width <= 1e-15) return 0.5 * (first + last);
  const double x = size / width;
  if (x >= 1.0) return last;
  double y = x;
  if (power > 1.0)
    y = x <= middle ? std::pow(x / middle, power) * middle
                    : 1.0 - std::pow((1.0 - x) / (1.0 - middle), power) * (1.0 - middle);
  return first + y * (last - first);
}

}  // namespace

SoftRow soft_row(const Softness& s, double weight, double size, double dt) {
  const double d = impedance_of(s, size), last = std::clamp(s.impedance[1], kLeastImpedance, kMostImpedance);
  double k = 0.0, b = 0.0;
  if (s.reference[0] > 0.0) {
    const double time = std::max(s.reference[0], 2.0 * dt), ratio = s.reference[1];
    k = 1.0 / std::max(1e-15, last * last * time * time * ratio * ratio);
    b = 2.0 / std::max(1e-15, last * time);
  } else {
    k = -s.reference[0] / (last * last), b = -s.reference[1] / last;
  }
  return {weight * (1.0 - d) / d, 1.0 - b * dt, dt * k * d};
}

bool is_soft(const AssembleInput& in, const Softness& softness, double weight) {
  return in.law.from_file && softness.given && weight > 0.0;
}

const Softness* contact_softness(const AssembleInput& in, const Contact& c) {
  if (!in.law.from_file) return nullptr;
  const World& w = in.world;
  const std::size_t n = w.material_names.size();
  const Softness& s = w.softness.contacts[w.geoms[c.key.geom_a].material * n + w.geoms[c.key.geom_b].material];
  return s.given ? &s : nullptr;
}

double contact_weight(const AssembleInput& in, const Contact& c, const Softness& s, const PairMaterial& material) {
  const double weight = in.world.softness.geoms[c.key.geom_a] + in.world.softness.geoms[c.key.geom_b];
  const double mu2 = material.mu * material.mu;
  return s.pyramid > 0.0 && mu2 > 0.0 ? weight * mu2 * (1.0 + mu2) * s.pyramid : weight;
}

bool soften_contact(const AssembleInput& in, const Contact& c, const PairMaterial& material, const RowBlock& rows,
                    ContactTerms& terms) {
  const Softness* softness = contact_softness(in, c);
  if (softness == nullptr) return false;
  const double weight = contact_weight(in, c, *softness, material);
  if (!is_soft(in, *softness, weight)) return false;
  const SoftRow row = soft_row(*softness, weight, std::abs(c.gap), in.dt);
  terms.compliance = row.compliance, terms.reference = row.reference(rows.before[rows.rows - 1], c.gap);
  terms.present = !(c.gap > 0.0);
  return true;
}

}  // namespace stiction
