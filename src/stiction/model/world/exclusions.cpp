// SPDX-License-Identifier: BSD-2-Clause
// Pairs of geoms that never collide and that detection cannot tell from the two bodies alone (two geoms of one body, two
// static ones, contact points against what moves are left out there; listing them would grow with the square of a terrain):
//   - within a robot: parent and child always (also across massless bodies in between), all others unless self_collision.
//     The fixed base of a robot counts as one of its links. In a scene file (MJCF) static parts collide with everything that
//     moves, also with what is jointed to them, and trees with one another; parent and child are both moving bodies there;
//   - what the user or the file excluded, unless the file names the pair as one that collides.
#include <stiction/model/world/draft.h>

#include <algorithm>

namespace stiction {
namespace {

class Exclusions {
 public:
  explicit Exclusions(const Draft& draft)
      : draft_(draft),
        world_(draft.world),
        on_body_(world_.bodies.size()),
        of_robot_(world_.robots.size()),
        has_geom_(world_.bodies.size(), false) {
    for (int i = 0; i < static_cast<int>(world_.geoms.size()); ++i) {
      const BodyId b = world_.geoms[i].body;
      (b == kWorldBody ? static_ : on_body_[b]).push_back(i);
      if (b != kWorldBody) has_geom_[b] = true;
      const int robot = b == kWorldBody ? draft_.origins[i].robot : world_.trees[world_.bodies[b].tree].robot;
      if (robot >= 0 && !draft_.origins[i].environment) of_robot_[robot].push_back(i);
    }
  }

  std::vector<std::pair<int, int>> collect() {
    for (std::size_t r = 0; r < of_robot_.size(); ++r) within_robot(static_cast<int>(r));
    for (const auto& [i, j] : draft_.pair_filters) push(i, j);
    for (int i = 0; i < static_cast<int>(world_.geoms.size()); ++i)
      if (draft_.origins[i].pairs_only)
        for (int j = 0; j < static_cast<int>(world_.geoms.size()); ++j) push(i, j);
    for (const auto& [a, b] : draft_.body_filters)
      for (const int i : geoms_of(a))
        for (const int j : geoms_of(b)) push(i, j);
    std::sort(out_.begin(), out_.end());
    out_.erase(std::unique(out_.begin(), out_.end()), out_.end());
    std::erase_if(out_, [this](const auto& pair) { return draft_.forced_pairs.contains(pair); });
    return std::move(out_);
  }

 private:
  const std::vector<int>& geoms_of(BodyId b) const { return b == kWorldBody ? static_ : on_body_[b]; }
  void push(int i, int j) {
    if (world_.geoms[i].body != world_.geoms[j].body) out_.emplace_back(std::min(i, j), std::max(i, j));
  }

  void within_robot(int robot) {
    const auto& geoms = of_robot_[robot];
    for (std::size_t i = 0; i < geoms.size(); ++i)
      for (std::size_t j = i + 1; j < geoms.size(); ++j)
        if (never(robot, geoms[i], geoms[j])) push(geoms[i], geoms[j]);
  }

  bool never(int robot, int i, int j) const {
    const BodyId a = world_.geoms[i].body, b = world_.geoms[j].body;
    const bool self = world_.robots[robot].self_collision, scene = draft_.scene[robot];
    if (a == b) return false;  // left out by detection
    if (a == kWorldBody || b == kWorldBody) return !scene && (!self || attached(a == kWorldBody ? b : a));
    if (scene && world_.bodies[a].tree != world_.bodies[b].tree) return false;
    if (!self) return true;
    if (draft_.parents_collide[robot]) return false;
    return solid_parent(world_, has_geom_, a) == b || solid_parent(world_, has_geom_, b) == a;
  }

  // Is the body jointed to the fixed base? All fixed links of a robot are one.
  bool attached(BodyId body) const {
    if (solid_parent(world_, has_geom_, body) != kWorldBody) return false;
    BodyId root = body;
    while (world_.bodies[root].parent != kWorldBody) root = world_.bodies[root].parent;
    return world_.bodies[root].joint != JointKind::free;
  }

  const Draft& draft_;
  const World& world_;
  std::vector<int> static_;
  std::vector<std::vector<int>> on_body_, of_robot_;
  std::vector<bool> has_geom_;
  std::vector<std::pair<int, int>> out_;
};

}  // namespace

BodyId solid_parent(const World& world, const std::vector<bool>& has_geom, BodyId body) {
  BodyId p = world.bodies[body].parent;
  while (p != kWorldBody && world.bodies[p].inertia.mass == 0.0 && !has_geom[p]) p = world.bodies[p].parent;
  return p;
}

std::vector<std::pair<int, int>> excluded_pairs(const Draft& draft) { return Exclusions(draft).collect(); }

}  // namespace stiction
