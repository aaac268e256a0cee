// SPDX-License-Identifier: BSD-2-Clause
// Contacts, loops, joint limits and joint friction become contact problems, one per island.
//
// Reference velocity c* of a rigid contact with gap Φ (dead band b, share Kb):                    docs/laws.md
//   Φ > b      c*_N = −(Φ − b)/dt               look-ahead: it may close in this step, not more
//   |Φ| ≤ b    c*_N = 0                         flat contacts with round-off noise stay consistent
//   Φ < −b     c*_N = min(−Kb (Φ + b)/dt, cap)  cap = min(correction_speed, sqrt(|gravity|·depth))
// Restitution e (Newton): a contact that was open, closes in this step and approaches faster than the threshold asks for
//   c*_N = max(c*_N, −e u_N⁻).
// Compliant contact (stiffness k, damping d, τ = d/k):  R_N = 1/(dt k (dt + τ)),  c*_N = −Φ/(dt + τ); an open one enters only
//   if it closes in this step.
// g = J v_free − c*.
#pragma once

#include <stiction/dynamics/contact/detect.h>
#include <stiction/dynamics/contact/islands.h>
#include <stiction/dynamics/contact/rows.h>
#include <stiction/law/catalog.h>
#include <stiction/problem/contact_problem.h>

#include <vector>

namespace stiction {

enum class RowSource : std::uint8_t {
  contact,
  loop,
  limit,
  joint_friction,
  motor,
  torsion,
  tendon_limit,
  tendon_friction,
  tendon_motor
};

// Acts inside a tree though it has one side.
inline bool within_tree(RowSource s) {
  return s == RowSource::limit || s == RowSource::joint_friction || s >= RowSource::tendon_limit;
}
inline bool is_motor(RowSource s) { return s == RowSource::motor || s == RowSource::tendon_motor; }

// One block of rows before it is put into an island's problem.
struct BlockSpec {
  Block block;  // row is filled in by the island
  RowSource source;
  int index;         // contact, first loop row (tendons: entry of State::loop_force), or velocity
  double reference;  // c* of the normal or only row [m/s]
  double g[kMostRows];
  double compliance;                  // R of the normal row, or of every row of a loop [1/kg]
  double correction[kMostRows] = {};  // of the velocity asked for: what takes back overlap or drift [m/s]
  double guess[kMostRows];            // warm start λ [N s]
  bool redundant = false;  // a rigid loop whose compliance only makes its rows independent (law/redundant_loops.h)
  bool armed = false;      // restitution is in c*
  double sign = 1.0;       // limit: 1 of the lower one, −1 of the upper one
};

struct Assembly {
  RowSet rows;
  std::vector<BlockSpec> specs;  // one per block of `rows`
  Islands islands;
  std::vector<double> loop_matrix;  // scratch

  void clear() { rows.clear(), specs.clear(); }  // the islands are found anew
};

// Where the gaps of limits and loops are taken and what is done about them. The defaults are those of the rules above.
struct PositionTerms {
  const double* q = nullptr;  // positions of the joints; null: those of the state
  bool closed_only = false;   // limits enter once they are reached: no look-ahead
  bool correct = true;        // overlap and drift are corrected
  double reach = 0.0;         // of springs: time from q to the end of the step; 0: dt [s]
};

// Everything that assemble() reads.
// Which rows the joint of a velocity needs: those that nobody else looks after.
enum class RowNeed : std::uint8_t { any, limits, none };

struct AssembleInput {
  const World& world;
  const Layout& layout;
  const Kinematics& kinematics;
  const HardContact& law;
  const State& state;
  const std::vector<Contact>& contacts;
  const double* v;  // internal velocities
  const double* z;  // dt times the whitened free acceleration
  double dt;
  PositionTerms positions = {};
  const RowNeed* row_needs = nullptr;    // per velocity; null: any
  const double* limit_speeds = nullptr;  // per velocity, of the look-ahead to limits, at the least; null: |v|
};

// Overlap of bodies or drift of a loop is taken back no faster than what falls that deep.
double fastest_correction(const AssembleInput& in, double depth);
// c*_N of a rigid contact or limit with this gap.
double drift_reference(const AssembleInput& in, double gap);
// What it changes by with the gap, and whether the rule is about to change within `near` of this gap (a kink).
struct ReferenceSlope {
  double by_gap = 0.0;
  bool border = false;
};
ReferenceSlope drift_slope(const AssembleInput& in, double gap, double near);
// d(fastest_correction)/d(depth).
double fastest_slope(const AssembleInput& in, double depth);
// Implicit spring-damper over one step: f = −k (Φ + reach u) − d u becomes a reference velocity and a compliance.
struct Spring {
  double reference, compliance;
};
Spring spring(const AssembleInput& in, double gap, double stiffness, double damping);

// By the rules above.
void assemble(const AssembleInput& in, Assembly& out);
// Its second half: loops, limits and joint friction behind the contact rows that `out` holds already, then the islands. For
// steppers with rules of their own for contacts (law/contact_rows.h).
void assemble_joints(const AssembleInput& in, Assembly& out);

// A pair with restitution that was not armed but is closed by another impulse of the same step must rebound too: arms the
// contacts of the island that received λ_N > 0 while approaching, and says whether there were any.
bool arm_closed_contacts(const AssembleInput& in, int island, const double* lambda, Assembly& assembly);

// Fills `problem` and the warm start. Small islands get a dense G, others the whitened body space.
struct IslandWork {
  std::vector<int> group_of_tree;  // −1 outside the island
  std::vector<int> trees;
  bool keep_bodies = false;  // body space whatever the size: for files that show M and H
};
void island_problem(const AssembleInput& in, const Assembly& assembly, int island, IslandWork& work,
                    ContactProblem& problem, GrowingVec& lambda);
// Of its first `blocks` blocks alone.
void island_problem(const AssembleInput& in, const Assembly& assembly, int island, int blocks, IslandWork& work,
                    ContactProblem& problem, GrowingVec& lambda);

}  // namespace stiction
