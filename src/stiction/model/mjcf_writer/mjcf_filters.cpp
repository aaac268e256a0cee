// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/model/mjcf_writer/mjcf_filters.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr int kBits = 31;

}  // namespace

MjcfFilters::MjcfFilters(MjcfText& text)
    : text_(text), w_(text.world), n_(w_.geoms.size()), meets_(n_ * n_, Meets::yes) {
  fill();
  leave_parents();
  exclude_bodies();
  find_classes();
  set_masks();
}

void MjcfFilters::fill() {
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t j = i; j < n_; ++j) {
      if (body(i) == body(j))
        set(i, j, Meets::any);
      else if ((point(i) && body(j) != kWorldBody) || (point(j) && body(i) != kWorldBody))
        set(i, j, Meets::no);
    }
  for (const auto& [i, j] : w_.excluded_pairs)
    if (body(static_cast<std::size_t>(i)) != body(static_cast<std::size_t>(j)))
      set(static_cast<std::size_t>(i), static_cast<std::size_t>(j), Meets::no);
}

std::map<std::pair<BodyId, BodyId>, std::vector<std::pair<std::size_t, std::size_t>>> MjcfFilters::never_by_bodies()
    const {
  std::map<std::pair<BodyId, BodyId>, std::vector<std::pair<std::size_t, std::size_t>>> out;
  std::map<BodyId, std::vector<std::size_t>> geoms;
  for (std::size_t i = 0; i < n_; ++i) geoms[body(i)].push_back(i);
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t j = i + 1; j < n_; ++j)
      if (meets_[i * n_ + j] == Meets::no) out[std::minmax(body(i), body(j))].emplace_back(i, j);
  std::erase_if(out, [&](const auto& entry) {  // those of which some pairs meet
    return entry.second.size() != geoms[entry.first.first].size() * geoms[entry.first.second].size();
  });
  return out;
}

// MuJoCo's rule between parent and child stays on if it leaves out nothing that meets here.

void MjcfFilters::leave_parents() {
  std::vector<std::pair<std::size_t, std::size_t>> between;
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t j = i + 1; j < n_; ++j) {
      const BodyId a = body(i), b = body(j);
      if (a == kWorldBody || b == kWorldBody || a == b) continue;
      if (text_.written_parent(a) != b && text_.written_parent(b) != a) continue;
      if (meet(i, j)) {
        text_.flags.set("filterparent", "disable");
        return;
      }
      between.emplace_back(i, j);
    }
  for (const auto& [i, j] : between) set(i, j, Meets::any);
}

void MjcfFilters::exclude_bodies() {
  const auto whole = never_by_bodies();
  if (whole.empty() || whole.size() > w_.bodies.size() + 1) return;
  for (const auto& [bodies, geoms] : whole) {
    Xml exclude;
    const auto name = [&](BodyId b) {
      return b == kWorldBody ? "world" : text_.body_names[static_cast<std::size_t>(b)];
    };
    exclude.set("body1", name(bodies.first));
    exclude.set("body2", name(bodies.second));
    text_.contact.push_back({"exclude", std::move(exclude)});
    for (const auto& [i, j] : geoms) set(i, j, Meets::any);
  }
}

// Joins each geom to the first class that says nothing against it.
void MjcfFilters::find_classes() {
  class_of_.assign(n_, -1);
  for (std::size_t g = 0; g < n_; ++g) {
    for (std::size_t c = 0; c < rows_.size() && class_of_[g] < 0; ++c)
      if (fits(g, rows_[c])) class_of_[g] = static_cast<int>(c);
    if (class_of_[g] < 0) class_of_[g] = static_cast<int>(rows_.size()), rows_.emplace_back(n_, Meets::any);
    std::vector<Meets>& row = rows_[static_cast<std::size_t>(class_of_[g])];
    for (std::size_t k = 0; k < n_; ++k)
      if (meets_[g * n_ + k] != Meets::any) row[k] = meets_[g * n_ + k];
  }
}
bool MjcfFilters::fits(std::size_t g, const std::vector<Meets>& row) const {
  for (std::size_t k = 0; k < n_; ++k) {
    const Meets mine = meets_[g * n_ + k];
    if (mine != Meets::any && row[k] != Meets::any && mine != row[k]) return false;
  }
  return true;
}

std::vector<MjcfFilters::Meets> MjcfFilters::between_classes() const {
  const std::size_t m = rows_.size();
  std::vector<Meets> between(m * m, Meets::any);
  for (std::size_t c = 0; c < m; ++c)
    for (std::size_t k = 0; k < n_; ++k) {
      Meets& x = between[c * m + static_cast<std::size_t>(class_of_[k])];
      if (rows_[c][k] == Meets::any || x == Meets::no) continue;
      x = rows_[c][k];
    }
  for (std::size_t c = 0; c < m; ++c)  // both sides know
    for (std::size_t d = 0; d < m; ++d)
      if (between[d * m + c] == Meets::no) between[c * m + d] = Meets::no;
  return between;
}

void MjcfFilters::set_masks() {
  const std::size_t m = rows_.size();
  const std::vector<Meets> between = between_classes();
  if (std::none_of(between.begin(), between.end(), [](Meets x) { return x == Meets::no; })) return;
  std::vector<int> type(m, 0), affinity(m, 0);
  std::vector<bool> covered(m * m, false);
  int bit = 0;
  for (std::size_t c = 0; c < m && bit < kBits; ++c) {
    std::vector<std::size_t> others;
    for (std::size_t d = 0; d < m; ++d)
      if (between[c * m + d] == Meets::yes && !covered[c * m + d]) others.push_back(d);
    if (others.empty()) continue;
    type[c] |= 1 << bit;
    for (const std::size_t d : others) affinity[d] |= 1 << bit, covered[c * m + d] = covered[d * m + c] = true;
    ++bit;
  }
  masks_.resize(n_);
  for (std::size_t g = 0; g < n_; ++g) {
    const auto c = static_cast<std::size_t>(class_of_[g]);
    masks_[g] = {type[c], affinity[c]};
  }
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t j = i + 1; j < n_; ++j)
      if (meet(i, j) && (masks_[i].first & masks_[j].second) == 0 && (masks_[j].first & masks_[i].second) == 0)
        pairs_.emplace(i, j);
}

}  // namespace stiction
