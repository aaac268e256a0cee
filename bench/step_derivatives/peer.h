// SPDX-License-Identifier: BSD-2-Clause
// Pinocchio's computeABADerivatives behind a wall: a file that sees it compiles for half a minute.
#pragma once

#include <stiction/base/types.h>

#include <memory>
#include <string>

namespace stiction::bench {

class AbaDerivatives {
 public:
  explicit AbaDerivatives(const std::string& urdf_text);  // with a free-flyer as root
  ~AbaDerivatives();
  int nv() const;
  void compute(const Vec& q, const Vec& v, const Vec& tau);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stiction::bench
