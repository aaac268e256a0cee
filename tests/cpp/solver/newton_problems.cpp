// SPDX-License-Identifier: BSD-2-Clause
#include "solver/newton_problems.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "support/dense_oracles.h"

namespace stiction::test {

ContactProblem densified(const ContactProblem& p) {
  ContactProblem d = p;
  d.G = Delassus::from_dense(p.G.densify(), p.G.start);
  return d;
}

ContactProblem box_pile(const std::vector<BoxBody>& boxes, double mu, double dt) {
  BodyBuilder builder(std::vector<int>(boxes.size(), 6));
  const auto jacobian = [](const BoxBody& b, const Vec3& p) {
    Eigen::Matrix<double, 3, 6> J;
    const Vec3 r = p - b.centre;
    J << Mat3::Identity(), (Mat3() << 0, r.z(), -r.y(), -r.z(), 0, r.x(), r.y(), -r.x(), 0).finished();
    return J;
  };
  const auto contacts = [&](int a, int b, double x0, double x1, double y0, double y1, double z) {
    for (const double x : {x0, x1})
      for (const double y : {y0, y1}) {
        const Vec3 p(x, y, z);
        const auto Jb = jacobian(boxes[at(b)], p);
        Vec3 g = Jb * boxes[at(b)].velocity;
        if (a >= 0) g -= jacobian(boxes[at(a)], p) * boxes[at(a)].velocity;
        builder.begin(Block::coulomb(0, mu), g);
        if (a >= 0) builder.term(a, -jacobian(boxes[at(a)], p) * boxes[at(a)].root_inverse_mass().asDiagonal());
        builder.term(b, Jb * boxes[at(b)].root_inverse_mass().asDiagonal());
      }
  };
  for (int b = 0; b < static_cast<int>(boxes.size()); ++b) {
    const Vec3 lo = boxes[at(b)].centre - 0.5 * boxes[at(b)].size, hi = boxes[at(b)].centre + 0.5 * boxes[at(b)].size;
    if (std::abs(lo.z()) < 1e-9) contacts(-1, b, lo.x(), hi.x(), lo.y(), hi.y(), 0.0);
    for (int a = 0; a < static_cast<int>(boxes.size()); ++a) {
      const Vec3 l = boxes[at(a)].centre - 0.5 * boxes[at(a)].size, h = boxes[at(a)].centre + 0.5 * boxes[at(a)].size;
      if (a == b || std::abs(h.z() - lo.z()) > 1e-9) continue;
      const double x0 = std::max(lo.x(), l.x()), x1 = std::min(hi.x(), h.x());
      const double y0 = std::max(lo.y(), l.y()), y1 = std::min(hi.y(), h.y());
      if (x1 - x0 > 1e-6 && y1 - y0 > 1e-6) contacts(a, b, x0, x1, y0, y1, lo.z());
    }
  }
  return builder.finish(dt);
}

std::vector<BoxBody> cube_stack(int height, double dt) {
  std::vector<BoxBody> boxes;
  for (int i = 0; i < height; ++i) boxes.push_back({Vec3(0, 0, 0.5 + i), Vec3::Ones(), 1.0, falling(dt)});
  return boxes;
}

std::vector<BoxBody> plank_tower(int layers, double dt) {
  const double length = 0.117, width = 0.0234, height = 0.0078;
  std::vector<BoxBody> boxes;
  for (int k = 0; k < layers; ++k)
    for (const double side : {-1.0, 1.0}) {
      const double off = side * 0.5 * (length - width), z = (k + 0.5) * height;
      const bool along = k % 2 == 0;
      boxes.push_back({along ? Vec3(0, off, z) : Vec3(off, 0, z),
                       along ? Vec3(length, width, height) : Vec3(width, length, height), 0.015, falling(dt)});
    }
  return boxes;
}

ContactProblem belly_quadruped(unsigned seed, double mu, double dt) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  Mat A(18, 18);
  for (int i = 0; i < 18; ++i)
    for (int j = 0; j < 18; ++j) A(i, j) = 0.15 * u(rng);
  Mat M = A * A.transpose();
  for (int i = 0; i < 18; ++i) M(i, i) += i < 3 ? 30.0 : (i < 6 ? 1.0 : 0.05);
  const Mat L = cholesky_factor(M);
  Vec v(18);
  for (int i = 0; i < 18; ++i) v[i] = 0.3 * u(rng) + (i == 2 ? -9.81 * dt - 0.2 : 0.0);
  BodyBuilder builder({18});
  for (int k = 0; k < 8; ++k) {
    const bool foot = k >= 4;
    const double x = (k & 1) ? 1.0 : -1.0, y = (k & 2) ? 1.0 : -1.0;
    const Vec3 p = foot ? Vec3(0.35 * x + 0.05 * u(rng), 0.3 * y + 0.05 * u(rng), -0.1) : Vec3(0.25 * x, 0.1 * y, -0.1);
    Mat J = Mat::Zero(3, 18);
    J.leftCols(3).setIdentity();
    J.middleCols(3, 3) << 0, p.z(), -p.y(), -p.z(), 0, p.x(), p.y(), -p.x(), 0;
    if (foot)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) J(r, 6 + 3 * (k - 4) + c) = 0.3 * u(rng);
    builder.begin(Block::coulomb(0, mu), J * v);
    builder.term(0, solve_lower(L, J.transpose()).transpose());
  }
  return builder.finish(dt);
}

ContactProblem random_mix(unsigned seed, int bodies, int contacts, bool all_kinds, double dt) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> u(-1.0, 1.0), unit(0.0, 1.0);
  BodyBuilder builder(std::vector<int>(at(bodies), 6));
  std::vector<double> scale;
  std::vector<Vec6> velocity;
  for (int b = 0; b < bodies; ++b) {
    scale.push_back(std::pow(10.0, u(rng)));
    Vec6 v;
    for (int i = 0; i < 6; ++i) v[i] = 0.5 * u(rng);
    v[2] -= 1.0;
    velocity.push_back(v);
  }
  const auto rows = [&](int n) {
    Mat J(n, 6);
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < 6; ++c) J(r, c) = u(rng);
    return J;
  };
  for (int k = 0; k < contacts; ++k) {
    const int b = k % bodies, a = b - 1;
    const bool ground = a < 0 || unit(rng) < 0.5;
    Vec3 n(0.7 * u(rng), 0.7 * u(rng), 1.0);
    n.normalize();
    const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1), p(u(rng), u(rng), -0.5);
    Mat3 frame;
    frame << t1.transpose(), t2.transpose(), n.transpose();
    Mat J(3, 6);
    J << Mat3::Identity(), (Mat3() << 0, p.z(), -p.y(), -p.z(), 0, p.x(), p.y(), -p.x(), 0).finished();
    J = (frame * J).eval();
    Vec g = J * velocity[at(b)];
    if (!ground) g -= J * velocity[at(a)];
    builder.begin(Block::coulomb(0, 0.8 * unit(rng)), g);
    if (!ground) builder.term(a, -J * std::sqrt(scale[at(a)]));
    builder.term(b, J * std::sqrt(scale[at(b)]));
  }
  for (int b = 0; all_kinds && b < bodies; ++b) {
    const Mat Ju = rows(1), Jf = rows(1), Jl = rows(2);
    builder.begin(Block::unilateral(0, true), Ju * velocity[at(b)]);
    builder.term(b, Ju * std::sqrt(scale[at(b)]));
    builder.begin(Block::box(0, -0.1, 0.1, true), Jf * velocity[at(b)]);
    builder.term(b, Jf * std::sqrt(scale[at(b)]));
    if (b % 2 == 0) {
      builder.begin(Block::bilateral(0, 2), Jl * velocity[at(b)]);
      builder.term(b, Jl * std::sqrt(scale[at(b)]));
    }
  }
  return builder.finish(dt);
}

}  // namespace stiction::test
