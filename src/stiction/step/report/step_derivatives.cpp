// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/step/report/step_derivatives.h>

namespace stiction {

std::string describe(const PointMode& mode) {
  if (mode.kind == SoftKind::held) return "held";
  static constexpr const char* kNames[] = {"stick", "slip", "clipped"};
  const auto name_of_mode = [](ConeMode m) { return std::string(kNames[static_cast<int>(m)]); };
  return std::string(mode.kind == SoftKind::limit ? "limit " : "") + (mode.fresh ? "new " : "") +
         name_of_mode(mode.pass) + "/" + name_of_mode(mode.average) + "/" + name_of_mode(mode.double_average);
}

void DerivativeChain::append(const StepDerivatives& second, StepDerivatives& first) {
  const Eigen::Index n = second.by_all.rows(), between = second.anchor_rows.cols() - n - second.ntau;
  const auto apply = [&](const RowMat& by, RowMat& out) {
    out.noalias() = by.leftCols(n) * first.by_all;
    if (between > 0) out.noalias() += by.rightCols(between) * first.anchor_rows;
    out.middleCols(n, second.ntau) += by.middleCols(n, second.ntau);
  };
  apply(second.by_all, moved_), apply(second.anchor_rows, anchors_);
  first.by_all = moved_, first.anchor_rows = anchors_;
  first.anchors_after = second.anchors_after;
  first.dforce = second.dforce, first.mode = second.mode;
  first.exact = first.exact && second.exact;
}

std::string describe(const RowMode& mode) {
  const auto of_velocity = [&](const char* what) { return what + std::to_string(mode.index) + " "; };
  std::string of;
  switch (mode.source) {
    case RowSource::contact:
    case RowSource::torsion:
      break;
    case RowSource::loop:
      of = "loop ";
      break;
    case RowSource::limit:
      of = of_velocity("limit ");
      break;
    case RowSource::joint_friction:
      of = of_velocity("friction ");
      break;
    case RowSource::motor:
      of = of_velocity("motor ");
      break;
    case RowSource::tendon_limit:
    case RowSource::tendon_friction:
    case RowSource::tendon_motor:
      of = "tendon ";
      break;
  }
  return of + name(mode.mode);
}

}  // namespace stiction
