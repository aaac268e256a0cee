// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/cholesky.h>
#include <stiction/dynamics/contact/coupling.h>
#include <stiction/dynamics/contact/cut_joint.h>
#include <stiction/dynamics/kernels/integrate.h>
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/step/core/time_stepper.h>
#include <stiction/step/hard/loop_projection.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr int kProjections = 5;
constexpr double kClosed = 1e-12;          // [m], [rad]
constexpr double kRegularisation = 1e-12;  // of the mean of the diagonal

}  // namespace

void LoopProjection::resize(const World& world, const Layout& layout) {
  k_.resize(world, layout);
  error_.assign(6 * world.loops.size() + world.couplings.size(), 0.0);
  for (std::vector<double>* x : {&delta_, &sum_, &still_}) x->assign(world.nv, 0.0);
}

// False: everything is closed. error_ in the order and the axes of add_loop_blocks() at q_M (law/joint_blocks.h).
bool LoopProjection::measure(const StepContext& c, const double* q) {
  const Layout& layout = c.model.layout;
  forward_kinematics(c.world, layout, q, still_.data(), k_);
  std::size_t row = 0;
  const auto put = [&](const auto& values) {
    for (Eigen::Index r = 0; r < values.size(); ++r) error_[row++] = values[r];
  };
  for (const Loop& loop : c.world.loops) {
    const LoopError e = loop_error(layout, k_, loop);
    const Axes2 t = across(loop_error(layout, c.work.kinematics, loop).a.rotation * loop.axis);
    if (loop.kind == Loop::slider)
      put((t * e.linear).eval());
    else
      put(e.linear);
    if (loop.kind == Loop::hinge)
      put((t * e.angular).eval());
    else if (loop.kind != Loop::point)
      put(e.angular);
  }
  for (const Coupling& coupling : c.world.couplings) error_[row++] = coupling_error(layout, k_, coupling, q).position;
  return std::any_of(error_.begin(), error_.begin() + static_cast<std::ptrdiff_t>(row),
                     [](double x) { return std::abs(x) > kClosed; });
}

// delta_ += L̂ δ of (1) for the rigid loops of an island.
void LoopProjection::move_island(const StepContext& c, int island) {
  const Assembly& assembly = c.work.assembly;
  const Layout& layout = c.model.layout;
  blocks_.clear();
  int n = 0;
  for (int k = assembly.islands.start[island]; k < assembly.islands.start[island + 1]; ++k) {
    const int b = assembly.islands.block[k];
    const BlockSpec& spec = assembly.specs[b];
    if (spec.source != RowSource::loop || (spec.compliance > 0.0 && !spec.redundant)) continue;
    blocks_.push_back(b), n += assembly.rows.blocks[b].rows;
  }
  if (n == 0) return;
  matrix_.resize(n * n), rhs_.resize(n);
  Eigen::Map<Mat> G(matrix_.data(), n, n);
  Eigen::Map<Vec> x(rhs_.data(), n);
  int row = 0;
  for (const int i : blocks_) {
    const RowBlock& a = assembly.rows.blocks[i];
    int column = 0;
    for (const int j : blocks_) {
      if (column > row) break;
      const RowBlock& b = assembly.rows.blocks[j];
      double block[9];
      delassus_block(layout, assembly.rows, a, b, block, b.rows);
      G.block(row, column, a.rows, b.rows) =
          Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 3, 3>>(block, a.rows,
                                                                                                         b.rows);
      column += b.rows;
    }
    for (int r = 0; r < a.rows; ++r) x[row + r] = -error_[assembly.specs[i].index + r];
    row += a.rows;
  }
  G.diagonal().array() += kRegularisation * G.diagonal().mean();
  if (!factor_in_place(G)) return;
  solve_factored(G, x);
  row = 0;
  for (const int i : blocks_) {
    const RowBlock& a = assembly.rows.blocks[i];
    add_impulse(layout, assembly.rows, a, x.data() + row, delta_.data());
    row += a.rows;
  }
}

void LoopProjection::project(const StepContext& c, double* q) {
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (int round = 0; round < kProjections && measure(c, q); ++round) {
    std::fill(delta_.begin(), delta_.end(), 0.0);
    for (int island = 0; island < c.work.assembly.islands.count(); ++island) move_island(c, island);
    for (const Tree& tree : c.world.trees) solve_lower(c.model.layout, tree, c.work.kinematics, delta_.data());
    for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += delta_[i];
    integrate(c.model.layout, 1.0, q, delta_.data());
  }
}

}  // namespace stiction
