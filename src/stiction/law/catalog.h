// SPDX-License-Identifier: BSD-2-Clause
// The list of contact laws: what a contact *is*. A law turns contacts into problems; its friction part (FrictionLaw) says
// what a solution is.
#pragma once

#include <stiction/base/field.h>
#include <stiction/problem/block.h>

#include <string>
#include <tuple>
#include <vector>

namespace stiction {

// Reference velocity of hard contacts (docs/laws.md, "Reference velocity").
struct LawOptions {
  double baumgarte = 0.1;               // share Kb of the overlap corrected per step [-]
  double correction_speed = 1.0;        // cap of the correction, beside sqrt(|gravity|·depth) [m/s]
  double dead_band = 1e-6;              // gap within which no velocity is asked for [m, rad]
  double margin = 2e-4;                 // smallest look-ahead distance [m]
  double restitution_threshold = 0.01;  // slower impacts do not rebound [m/s]
  double angle = 0.0;                   // pyramid: rotation of its first axis from T1 about N [rad]
  int facets = 4;                       // pyramid: number of facets [-]
  std::string softness = "rigid";       // or "file": solref and solimp of MJCF files act (law/file_softness.h)

  static constexpr auto fields() {
    return std::tuple{
        Field{"baumgarte", &LawOptions::baumgarte, "share of the overlap corrected per step [-]", "[0, 1]"},
        Field{"correction_speed", &LawOptions::correction_speed, "cap of the drift correction [m/s]"},
        Field{"dead_band", &LawOptions::dead_band, "gap within which no velocity is asked for [m, rad]", ">= 0"},
        Field{"margin", &LawOptions::margin, "smallest look-ahead distance [m]", ">= 0"},
        Field{"restitution_threshold", &LawOptions::restitution_threshold, "slower impacts do not rebound [m/s]"},
        Field{"angle", &LawOptions::angle, "pyramid only: rotation of its first axis from T1 about N [rad]",
              "]-inf, inf["},
        Field{"facets", &LawOptions::facets, "pyramid only: number of facets [-]"},
        Field{"softness", &LawOptions::softness,
              "rigid, or file: contacts, limits and equalities of MJCF files as soft as they say", "rigid file"}};
  }
};

// A hard law: what a solution of a contact problem is, and which velocities its rows ask for.
struct HardContact {
  FrictionLaw friction;
  LawOptions options;
  bool from_file = false;  // options.softness is "file"
};

// What a law gives, and so which steppers it has: contact problems (hard), spring forces to anchors, forces of the relaxed
// macroscopic problem, forces of springs that stick and slip. Only the first needs a solver for its contacts.
enum class LawFamily : std::uint8_t { hard, anchored, relaxed, compliant };

struct LawInfo {
  std::string name, summary, reference, failure_modes;
  FrictionLaw::Kind kind;  // what the judge measures soft laws against, too
  std::vector<OptionInfo> options;
  LawFamily family = LawFamily::hard;
};

const std::vector<LawInfo>& law_catalog();
const LawInfo& find_law(const std::string& name);
// A hard law with checked options; `angle` and `facets` are refused by laws that have no pyramid.
HardContact make_hard_contact(const LawInfo& law, const OptionMap& options);

// Throws InvalidInput "OWNER: FIELD is VALUE, expected WANTED" unless `ok`.
void require_option(bool ok, const std::string& owner, const char* field, double value, const char* wanted);

}  // namespace stiction
