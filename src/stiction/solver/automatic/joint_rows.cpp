// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/pair.h>
#include <stiction/solver/automatic/joint_rows.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr int kMostRows = 400;        // of problems for which a factor is cheaper than sweeps
constexpr double kDependent = 1e-10;  // of its own G_ii: a row with less left depends on others
constexpr double kLockedPart = 1e-9;  // of its own G: a contact with less left cannot move
constexpr double kStill = 1e-9;       // of the largest free velocity: slower rows do not move
constexpr double kWithin = 1e-10;     // of a bound
constexpr double kBears = 0.1;        // of the largest share: joints that give way together
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// a −= x b
void subtract(double x, const double* b, int n, double* a) {
  const Pair both_x = both(x);
  int i = 0;
  for (; i + 1 < n; i += 2) store_pair(a + i, load_pair(a + i) - both_x * load_pair(b + i));
  if (i < n) a[i] -= x * b[i];
}

double largest_velocity(const ContactProblem& problem) {
  double out = 0.0;
  for (int i = 0; i < problem.rows(); ++i) out = std::max(out, std::abs(problem.g[i]));
  return out;
}

}  // namespace

void JointRows::add_joint_row(const ContactProblem& problem, const Block& b, int row, double guess, bool cold) {
  Row joint{row, -kUnbounded, kUnbounded, true, 0.0};
  if (b.kind == BlockKind::unilateral) {
    joint.lo = 0.0;
    joint.held = guess > 0.0 || (cold && problem.g[row] < 0.0);
  } else if (b.kind == BlockKind::box) {
    joint.lo = b.lo, joint.hi = b.hi;
    // Without a guess: what this row alone would need.
    const double G = problem.G.dense[row * problem.rows() + row] + problem.R(row);
    const double wanted = guess != 0.0 || !(G > 0.0) ? guess : -problem.g[row] / G;
    const double slack = kWithin * (b.hi - b.lo);
    joint.held = wanted > b.lo + slack && wanted < b.hi - slack;
    joint.pushed = wanted <= b.lo + slack ? b.lo : b.hi;
  }
  joints_.push_back(joint);
}

bool JointRows::load(const ContactProblem& problem, const double* guess) {
  const Delassus& G = problem.G;
  if (G.storage != Delassus::Storage::dense || !G.symmetric || problem.general || problem.rows() > kMostRows)
    return false;
  const auto is_contact = [](const Block& b) { return b.kind == BlockKind::coulomb; };
  if (std::all_of(problem.blocks.begin(), problem.blocks.end(), is_contact)) return false;
  const auto finite = [guess](int row) { return std::isfinite(guess[row]) ? guess[row] : 0.0; };
  const bool cold = std::none_of(guess, guess + problem.rows(), [](double x) { return x != 0.0; });
  joints_.clear(), all_contacts_.clear();
  // The order in which they are held: of two that depend on each other the latter has λ = 0.
  for (const BlockKind kind : {BlockKind::bilateral, BlockKind::unilateral, BlockKind::box})
    for (const Block& b : problem.blocks)
      for (int r = 0; b.kind == kind && r < b.size; ++r) add_joint_row(problem, b, b.row + r, finite(b.row + r), cold);
  if (joints_.empty()) return false;
  for (int i = 0; i < G.blocks(); ++i) {
    const Block& b = problem.blocks[i];
    if (b.kind != BlockKind::coulomb) continue;
    all_contacts_.push_back({i, b.row, false, {finite(b.row), finite(b.row + 1), finite(b.row + 2)}});
  }
  return true;
}

void JointRows::fill(const ContactProblem& problem) {
  held_.clear(), order_.clear();
  for (std::size_t i = 0; i < joints_.size(); ++i)
    if (joints_[i].held) held_.push_back(static_cast<int>(i)), order_.push_back(joints_[i].row);
  for (const ContactRows& c : all_contacts_)
    for (int r = 0; r < 3; ++r) order_.push_back(c.row + r);
  columns_ = static_cast<int>(order_.size());
  A_.resize((columns_ + 1) * columns_);
  const int n = problem.rows();
  double* last = line(columns_);
  for (int i = 0; i < columns_; ++i) {
    const double* from = problem.G.dense.data() + order_[i] * n;
    double* to = line(i);
    for (int j = 0; j <= i; ++j) to[j] = from[order_[j]];
    to[i] += problem.R(order_[i]);
    last[i] = problem.g[order_[i]];
    for (const Row& joint : joints_)
      if (!joint.held && joint.pushed != 0.0) last[i] += from[joint.row] * joint.pushed;
  }
}

// The first columns of a Cholesky factorisation of A, and what is left of the rest.
void JointRows::eliminate() {
  const int held = static_cast<int>(held_.size());
  column_.resize(columns_ + 1), inverse_.resize(held), work_.resize(std::max(held, 1));
  for (int k = 0; k < held; ++k) work_[k] = line(k)[k];
  for (int k = 0; k < held; ++k) {
    const double pivot = line(k)[k];
    inverse_[k] = pivot > kDependent * work_[k] ? 1.0 / std::sqrt(pivot) : 0.0;
    for (int i = k; i <= columns_; ++i) column_[i] = line(i)[k] *= inverse_[k];
    if (inverse_[k] == 0.0) continue;
    for (int i = k + 1; i <= columns_; ++i)
      if (column_[i] != 0.0)
        subtract(column_[i], column_.data() + k + 1, std::min(i, columns_ - 1) - k, line(i) + k + 1);
  }
}

void JointRows::solve_held(double* x) const {
  for (int k = static_cast<int>(held_.size()) - 1; k >= 0; --k) {
    x[k] *= inverse_[k];
    subtract(x[k], line(k), k, x);
  }
}

// An impulse against the approach of a contact that cannot move: the joints that bear most of it give way.
int JointRows::push_bearing_joints(int contact) {
  const int held = static_cast<int>(held_.size()), first = held + 3 * contact;
  std::fill_n(work_.data(), held, 0.0);
  for (int r = 0; r < 3; ++r) subtract(-line(columns_)[first + r], line(first + r), held, work_.data());
  solve_held(work_.data());  // λ_S of the impulse −u
  double most = 0.0;
  for (int k = 0; k < held; ++k)
    if (joints_[held_[k]].hi < kUnbounded) most = std::max(most, std::abs(work_[k]));
  int pushed = 0;
  for (int k = 0; k < held; ++k) {
    Row& joint = joints_[held_[k]];
    if (!(most > 0.0) || std::abs(work_[k]) < kBears * most) continue;
    const double bound = work_[k] > 0.0 ? joint.hi : joint.lo;
    if (std::isfinite(bound)) joint.held = false, joint.pushed = bound, ++pushed;
  }
  return pushed;
}

void JointRows::form_contacts(const ContactProblem& problem) {
  const int held = static_cast<int>(held_.size());
  Delassus& G = contacts_.G;
  G.storage = Delassus::Storage::dense, G.symmetric = true;
  G.start.assign(1, 0);
  contacts_.blocks.clear();
  contacts_.law = problem.law, contacts_.dt = problem.dt;
  int n = 0;
  for (const ContactRows& c : all_contacts_)
    if (!c.locked) {
      contacts_.blocks.push_back(problem.blocks[c.block]);
      contacts_.blocks.back().row = n;
      G.start.push_back(n += 3);
    }
  G.dense.resize(n * n), contacts_.g.resize(n), contact_lambda_.resize(n);
  contacts_.compliance.clear();
  if (problem.compliant()) contacts_.compliance.resize(n);
  int i = 0;
  for (std::size_t a = 0; a < all_contacts_.size(); ++a) {
    const ContactRows& c = all_contacts_[a];
    for (int r = 0; r < 3 && !c.locked; ++r, ++i) {
      const int from = held + 3 * static_cast<int>(a) + r;
      const double R = problem.R(c.row + r);
      int j = 0;
      for (std::size_t b = 0; b <= a; ++b)
        for (int s = 0; s < (b == a ? r + 1 : 3) && !all_contacts_[b].locked; ++s, ++j)
          G.dense[i * n + j] = G.dense[j * n + i] = line(from)[held + 3 * b + s];
      G.dense[i * n + i] -= R;
      if (problem.compliant()) contacts_.compliance[i] = R;
      contacts_.g[i] = line(columns_)[from];
      contact_lambda_[i] = c.lambda[r];
    }
  }
  G.refresh_diagonal();
}

bool JointRows::reduce(const ContactProblem& problem) {
  const double still = kStill * (1.0 + largest_velocity(problem));
  for (;;) {
    fill(problem);
    eliminate();
    const int held = static_cast<int>(held_.size());
    bool again = false;
    for (std::size_t a = 0; a < all_contacts_.size(); ++a) {
      ContactRows& c = all_contacts_[a];
      const int first = held + 3 * static_cast<int>(a);
      double left = 0.0, whole = 0.0;
      for (int r = 0; r < 3; ++r)
        left += line(first + r)[first + r], whole += problem.G.dense[(c.row + r) * (problem.rows() + 1)];
      c.locked = held > 0 && left <= kLockedPart * whole;
      const double* u = line(columns_) + first;
      const bool rests = std::max({std::abs(u[0]), std::abs(u[1]), std::abs(u[2])}) <= still;
      if (!c.locked || rests || (u[2] >= 0.0 && c.lambda[2] == 0.0)) continue;
      if (push_bearing_joints(static_cast<int>(a)) == 0) return false;
      again = true;
      break;
    }
    if (again) continue;
    form_contacts(problem);
    return true;
  }
}

// Whether a row is in the wrong state; changes it.
bool JointRows::change(const ContactProblem& problem, Row& joint, const double* lambda, double still) const {
  const double x = lambda[joint.row];
  if (joint.held) {
    const double slack = std::isfinite(joint.hi - joint.lo) ? kWithin * (joint.hi - joint.lo) : 0.0;
    if (x >= joint.lo - slack && x <= joint.hi + slack) return false;
    joint.held = false, joint.pushed = x < joint.lo ? joint.lo : joint.hi;
    return true;
  }
  if (!(joint.hi > joint.lo)) return false;
  const int n = problem.rows();
  double u = problem.g[joint.row] + problem.R(joint.row) * x;
  const double* row = problem.G.dense.data() + joint.row * n;
  for (int i = 0; i < n; ++i) u += row[i] * lambda[i];
  return joint.held = joint.pushed == joint.lo ? u < -still : u > still;
}

int JointRows::expand(const ContactProblem& problem, bool one, double* lambda) {
  const int held = static_cast<int>(held_.size());
  std::copy_n(line(columns_), held, work_.data());
  int i = 0;
  for (std::size_t a = 0; a < all_contacts_.size(); ++a) {
    ContactRows& c = all_contacts_[a];
    for (int r = 0; r < 3; ++r) {
      if (!c.locked) c.lambda[r] = contact_lambda_[i++];
      lambda[c.row + r] = c.lambda[r];
      subtract(-c.lambda[r], line(held + 3 * static_cast<int>(a) + r), held, work_.data());
    }
  }
  solve_held(work_.data());
  for (const Row& joint : joints_) lambda[joint.row] = joint.pushed;
  for (int k = 0; k < held; ++k) lambda[joints_[held_[k]].row] = -work_[k];
  const double still = kStill * (1.0 + largest_velocity(problem));
  int changed = 0;
  for (Row& joint : joints_)
    if (!(one && changed > 0) && change(problem, joint, lambda, still)) ++changed;
  for (const Row& joint : joints_) lambda[joint.row] = std::clamp(lambda[joint.row], joint.lo, joint.hi);
  return changed;
}

}  // namespace stiction
