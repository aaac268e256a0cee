// SPDX-License-Identifier: BSD-2-Clause
// The parts of an MJCF file that are read here and not by Pinocchio.
#pragma once

#include <stiction/model/draft.h>
#include <stiction/model/xml.h>

namespace stiction {

// Names, masses and inertias. Returns what is left out of the file as warnings; throws InvalidInput.
std::vector<std::string> check_mjcf(const Xml& mujoco, const std::string& file);

struct MjcfPart {
  RobotModel robot;
  std::vector<std::pair<int, int>> masks;  // per geom: contype, conaffinity
};

// One document per body of the worldbody, without the sections that speak of several of them.
std::vector<Xml> split_mjcf(const Xml& document, const std::string& file);
void join(const MjcfPart& part, MjcfPart& whole);
// Geoms whose masks do not meet, and <contact><exclude body1 body2>.
void add_mjcf_filters(const Xml& mujoco, const std::string& file, MjcfPart& whole);
// <equality><connect> and <weld> between bodies.
void add_mjcf_loops(const Xml& mujoco, const std::string& file, RobotModel& robot);

}  // namespace stiction
