// SPDX-License-Identifier: BSD-2-Clause
// Coordinate sets. A compiled world in minimal coordinates is rewritten into one in which chosen joints are *cut*: the child and
// what hangs on it become a floating tree of their own, and a rigid loop holds what the joint held.
//   minimal    nothing is cut
//   extended   cut at chosen joints; if none are named, at those on the root link of every robot (the hips of a quadruped)
//   maximal    every joint is cut: a free body per link, constant M in body axes
// Rows of a cut joint (parent a, child b, point P, axis e fixed to a, t1, t2 ⟂ e made from e and world axes):
//   revolute, continuous   hinge    v_b(P) − v_a(P) = 0,   t_k·(ω_b − ω_a) = 0                            5 rows
//   prismatic              slider   t_k·(v_b(P) − v_a(P)) = 0,   ω_b − ω_a = 0                            5 rows
//   spherical              point    v_b(P) − v_a(P) = 0                                                   3 rows
// What acts on the joint goes on acting (law/joint_blocks.h, step/core/smooth_forces.h); tau keeps its order and meaning.
// The contact problem with these rows eliminated is that of minimal coordinates: G_UU − G_UB G_BB⁻¹ G_BU = G.
// Reference: Gehring et al. 2014, section 3. Failure modes: rows hold velocities, so positions drift (bilateral_drift); a link
// without mass cannot be free, and planar, translation and inner free joints have no loop: refused by name.
#pragma once

#include <stiction/model/world/world.h>

#include <memory>
#include <string>
#include <vector>

namespace stiction {

// Children of the joints to cut, sorted. `names` belongs to "extended": joints, or "robot/joint" where two robots share the
// name; empty takes the joints on the root links. Throws InvalidInput naming the joint and close ones.
std::vector<BodyId> joints_to_cut(const World& minimal, const std::string& coordinates,
                                  const std::vector<std::string>& names);

// Throws InvalidInput if a joint cannot be cut. Geoms, frames, materials, robots and tau keep their numbers; bodies are
// numbered anew where a tree would not be contiguous (World::public_id). A tree that is left with one body has its frame at
// the centre of mass (Body::link_origin).
std::shared_ptr<const World> cut_joints(const World& minimal, const std::vector<BodyId>& children);

}  // namespace stiction
