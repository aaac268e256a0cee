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
// contact point comes or goes or jumps; where a motor is about to be cut off.
enum class BorderKind : std::uint8_t { none, mode, rule, shape, motor };
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
  RowMat by_all;                      // 2nv × (2nv + ntau): dx⁺ by (q, v, τ)
  RowMat by_ctrl, by_target;          // hard laws: by what actuators are asked for, by the PD target
  RowMat dforce;  // soft laws: of proj λ̄ by (q, v, τ): rows (T1, T2, N) of every point, one of a limit [N]
  std::vector<PointMode> mode;  // soft laws: points in the order of anchors(), then joint limits
  std::vector<RowMode> rows;    // hard laws: contacts in the order of contacts() after the step, then all other rows
  bool exact = true;
  bool velocity_unique = true;  // hard laws: false where the impulses may be shared in ways that move differently

  auto dx() const { return by_all.leftCols(by_all.rows()); }                   // 2nv × 2nv
  auto du() const { return by_all.rightCols(by_all.cols() - by_all.rows()); }  // 2nv × ntau
};

}  // namespace stiction
