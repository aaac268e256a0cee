// SPDX-License-Identifier: BSD-2-Clause
// What the derivative of a step is: matrices by the state and by what acts, and the mode in which they hold.
// Rows and columns: q (Pinocchio's tangent: base translation and rotation in base axes, then joints), v.
#pragma once

#include <stiction/law/anchored.h>
#include <stiction/law/assemble.h>
#include <stiction/solver/derivative/derivatives_modes.h>
#include <stiction/step/report/step_report.h>

#include <string>
#include <vector>

namespace stiction {

// Points of soft laws: where a force lies before the cone map.
enum class ConeMode : std::uint8_t { stick, slip, clipped };

// Where a point of a soft law stands: at the pass at the start, and its two averages before the cone map.
struct PointMode {
  SoftKind kind = SoftKind::contact;
  bool fresh = false;  // a contact that this step begins with
  ConeMode pass = ConeMode::stick, average = ConeMode::stick, double_average = ConeMode::stick;
};
// "held", "stick/stick/stick", "new stick/slip/slip", "limit clipped/clipped/clipped".
std::string describe(const PointMode& mode);

// On the border of another mode; where the rule of the velocity asked for changes (look-ahead, dead band, caps, restitution); where a
// contact point comes or goes or jumps; where a motor is about to be cut off; where a correction was scaled by the bound on its energy,
// and its share is taken as fixed.
enum class BorderKind : std::uint8_t { none, mode, rule, shape, motor, energy };
constexpr const char* name(BorderKind k) {
  switch (k) {
    case BorderKind::none:
      return "";
    case BorderKind::mode:
      return "mode";
    case BorderKind::rule:
      return "rule";
    case BorderKind::shape:
      return "shape";
    case BorderKind::motor:
      return "motor";
    case BorderKind::energy:
      return "energy";
  }
  return "unknown";
}

// Where a block of rows of a hard law stands.
struct RowMode {
  RowSource source = RowSource::contact;
  int index = 0;  // contact, first row of the loop, or velocity
  BlockMode mode = BlockMode::open;
  BorderKind border = BorderKind::none;  // there the step has a kink and the derivative is that of one side
};
// "stick", "slide", "break", "loop stick", "limit 7 break", "friction 7 bound".
std::string describe(const RowMode& mode);

using RowMat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct StepDerivatives {
  Status status = Status::converged;  // numerical_failure: the step itself is not made, nothing else is filled in
  // dx⁺ by (q, v, τ), then by the anchors that the state holds at the start, three columns (T1, T2, N) each: 2nv rows.
  RowMat by_all;
  int ntau = 0;
  // Soft laws: how far the anchors that the state holds after the step move [m], three rows (T1, T2, N) each, by the same.
  RowMat anchor_rows;
  std::vector<ContactKey> anchors_before, anchors_after;  // which they are, in the order of the state
  RowMat by_ctrl, by_target;  // hard laws: by what actuators are asked for, by the PD target
  RowMat dforce;              // soft laws: of proj λ̄ by (q, v, τ): rows (T1, T2, N) of every point, one of a limit [N]
  std::vector<PointMode> mode;  // soft laws: points in the order of anchors(), then joint limits
  std::vector<RowMode> rows;    // hard laws: contacts in the order of contacts() after the step, then all other rows
  bool exact = true;
  bool velocity_unique = true;  // hard laws: false where the impulses may be shared in ways that move differently

  auto dx() const { return by_all.leftCols(by_all.rows()); }                     // 2nv × 2nv: without anchors
  auto du() const { return by_all.middleCols(by_all.rows(), ntau); }             // 2nv × ntau
  auto danchors() const { return by_all.rightCols(3 * anchors_before.size()); }  // 2nv × 3 anchors
};

// Derivatives of one step after the other, of soft laws; scratch memory.
class DerivativeChain {
 public:
  // `first` becomes the derivative of both; modes and forces are those of the second.
  void append(const StepDerivatives& second, StepDerivatives& first);

 private:
  RowMat moved_, anchors_;
};

}  // namespace stiction
