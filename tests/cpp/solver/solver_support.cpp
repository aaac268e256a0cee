// SPDX-License-Identifier: BSD-2-Clause
#include "solver/solver_support.h"

namespace stiction::test {

Outcome run(const std::string& solver, const ContactProblem& p, const OptionMap& options) {
  Outcome out{Vec::Zero(p.rows()), {}};
  out.report = make_solver(solver, options)->solve(p, out.lambda);
  return out;
}

bool solves(const SolverInfo& s, FrictionLaw::Kind law) {
  return std::find(s.laws.begin(), s.laws.end(), law) != s.laws.end();
}

Vec3 total_force(const ContactProblem& p, const Vec& lambda, int first, int last) {
  Vec3 sum = Vec3::Zero();
  for (int i = first; i < last; ++i) sum += lambda.segment<3>(3 * i) / *p.dt;
  return sum;
}

Vec velocity(const ContactProblem& p, const Vec& lambda) {
  Vec u = p.G.densify() * lambda + p.g.vec();
  for (int r = 0; r < p.rows(); ++r) u[r] += p.R(r) * lambda[r];
  return u;
}

ContactProblem as_dense(const ContactProblem& p) {
  ContactProblem q = p;
  q.G = Delassus::from_dense(p.G.densify(), p.G.start);
  return q;
}

ContactProblem as_block_sparse(const ContactProblem& p) {
  const Mat G = p.G.densify();
  ContactProblem q = p;
  q.G = {};
  q.G.storage = Delassus::Storage::block_sparse;
  q.G.symmetric = p.G.symmetric;
  q.G.start = p.G.start;
  q.G.row_start = {0};
  const auto& s = q.G.start;
  for (std::size_t i = 0; i + 1 < s.size(); ++i) {
    for (std::size_t j = 0; j + 1 < s.size(); ++j) {
      const Mat block = G.block(s[i], s[j], s[i + 1] - s[i], s[j + 1] - s[j]);
      if (i != j && block.cwiseAbs().maxCoeff() == 0.0) continue;
      q.G.column.push_back(static_cast<int>(j));
      q.G.value_start.push_back(static_cast<int>(q.G.values.size()));
      for (int r = 0; r < block.rows(); ++r)
        for (int c = 0; c < block.cols(); ++c) q.G.values.push_back(block(r, c));
    }
    q.G.row_start.push_back(static_cast<int>(q.G.column.size()));
  }
  q.G.refresh_diagonal();
  return q;
}

ContactProblem random_contacts(unsigned seed, int contacts, double mu, FrictionLaw law) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  const int n = 3 * contacts;
  Mat J(n, n + 4);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n + 4; ++j) J(i, j) = 0.3 * u(rng);
  const Mat G = J * J.transpose() + 0.05 * Mat::Identity(n, n);
  Vec g(n);
  for (int i = 0; i < contacts; ++i) g.segment<3>(3 * i) << 0.5 * u(rng), 0.5 * u(rng), -0.5 + 0.7 * u(rng);
  return ContactProblem::from_dense(G, g, Vec::Constant(contacts, mu), law, 1e-3);
}

ContactProblem permuted(const ContactProblem& p, const std::vector<int>& order, std::vector<int>& rows) {
  ContactProblem q;
  q.law = p.law, q.dt = p.dt;
  rows.clear();
  std::vector<int> start{0};
  for (const int old : order) {
    Block b = p.blocks[static_cast<std::size_t>(old)];
    for (int r = 0; r < b.size; ++r) rows.push_back(b.row + r);
    b.row = start.back();
    q.blocks.push_back(b);
    start.push_back(b.row + b.size);
  }
  const Mat G = p.G.densify();
  Mat H(G.rows(), G.cols());
  for (int i = 0; i < H.rows(); ++i) {
    for (int j = 0; j < H.cols(); ++j)
      H(i, j) = G(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)]);
    q.g.push_back(p.g[rows[static_cast<std::size_t>(i)]]);
  }
  q.G = Delassus::from_dense(H, start);
  return q;
}

}  // namespace stiction::test
