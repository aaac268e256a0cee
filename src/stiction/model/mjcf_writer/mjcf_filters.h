// SPDX-License-Identifier: BSD-2-Clause
// Who collides with whom, in MJCF's words. Geoms with the same partners are a class; per class c a bit: contype of c, conaffinity of the
// classes that it meets and that no bit before has covered. A few pairs of bodies become <exclude>; what neither says is a <pair>.
#pragma once

#include <stiction/model/mjcf_writer/mjcf_text.h>

namespace stiction {

class MjcfFilters {
 public:
  using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

  explicit MjcfFilters(MjcfText& text);  // writes the <exclude>s and the flag filterparent

  bool meet(std::size_t i, std::size_t j) const { return meets_[i * n_ + j] == Meets::yes; }
  std::pair<int, int> masks_of(std::size_t geom) const { return masks_.empty() ? std::pair{1, 1} : masks_[geom]; }
  const Pairs& pairs() const { return pairs_; }  // that the masks do not say

 private:
  enum class Meets : char { no, yes, any };  // any: MuJoCo leaves the pair out by itself, or another rule decides

  void set(std::size_t i, std::size_t j, Meets m) { meets_[i * n_ + j] = meets_[j * n_ + i] = m; }
  BodyId body(std::size_t geom) const { return w_.geoms[geom].body; }
  bool point(std::size_t geom) const { return w_.geoms[geom].shape.kind == ShapeKind::point; }
  void fill();
  std::map<std::pair<BodyId, BodyId>, std::vector<std::pair<std::size_t, std::size_t>>> never_by_bodies() const;
  void leave_parents();
  void exclude_bodies();
  void find_classes();
  bool fits(std::size_t g, const std::vector<Meets>& row) const;
  std::vector<Meets> between_classes() const;
  void set_masks();

  MjcfText& text_;
  const World& w_;
  std::size_t n_;
  std::vector<Meets> meets_;
  std::vector<int> class_of_;
  std::vector<std::vector<Meets>> rows_;  // per class and geom
  std::vector<std::pair<int, int>> masks_;
  Pairs pairs_;
};

}  // namespace stiction
