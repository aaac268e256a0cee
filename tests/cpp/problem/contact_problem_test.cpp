// SPDX-License-Identifier: BSD-2-Clause
// Oracle: every refusal names the field, the value found and the value expected.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/problem/contact_problem.h>

#include <limits>
#include <string>

namespace stiction {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInf = std::numeric_limits<double>::infinity();

// One block of each kind: coulomb (rows 0-2), unilateral 3, bilateral 4-5, box 6.
ContactProblem mixed() {
  ContactProblem p;
  p.blocks = {Block::coulomb(0, 0.5), Block::unilateral(3), Block::bilateral(4, 2), Block::box(6, -1.0, 2.0)};
  p.G = Delassus::from_dense(Mat::Identity(7, 7), {0, 3, 4, 6, 7});
  p.g.assign(7, 0.1);
  p.dt = 1e-3;
  return p;
}

void expect_refused(const ContactProblem& p, const std::string& field, const std::string& found,
                    const std::string& expected) {
  try {
    p.validate();
    FAIL() << field << " = " << found << " was accepted";
  } catch (const InvalidInput& e) {
    const std::string text = e.what();
    for (const std::string& part : {field, found, expected}) EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(ContactProblem, AcceptsWhatIsLegal) {
  EXPECT_NO_THROW(mixed().validate());
  EXPECT_NO_THROW(ContactProblem{}.validate());
  ContactProblem p = mixed();
  p.blocks[0].mu = 0.0, p.blocks[3].lo = -kInf, p.blocks[3].hi = kInf, p.dt.reset();
  p.compliance.assign(7, 0.0);
  EXPECT_NO_THROW(p.validate());
}

#define REFUSED(change, field, found, expected) \
  {                                             \
    ContactProblem p = mixed();                 \
    change;                                     \
    expect_refused(p, field, found, expected);  \
  }

TEST(ContactProblem, RefusesBadNumbers){
    REFUSED(p.g[2] = kNan, "g[2]", "nan", "finite") REFUSED(p.g[2] = kInf, "g[2]", "inf", "finite")
        REFUSED(p.blocks[0].mu = -0.1, "blocks[0].mu", "-0.1", ">= 0")
            REFUSED(p.blocks[0].mu = kNan, "blocks[0].mu", "nan", ">= 0")
                REFUSED(p.blocks[0].mu = kInf, "blocks[0].mu", "inf", "finite")
                    REFUSED(p.blocks[3].lo = 3.0, "blocks[3].lo", "3", "hi = 2")
                        REFUSED(p.blocks[3].hi = kNan, "blocks[3].lo", "-1", "nan")
                            REFUSED(p.compliance.assign(7, -1e-3), "compliance[0]", "-0.001", ">= 0")
                                REFUSED(p.compliance.assign(3, 0.0), "compliance.size", "3", "7")
                                    REFUSED(p.dt = 0.0, "dt", "0", "> 0") REFUSED(p.dt = kNan, "dt", "nan", "> 0")
                                        REFUSED(p.G.dense[8] = kNan, "G[1, 1]", "nan", "finite")}

TEST(ContactProblem, RefusesBadStructure){
    REFUSED(p.g.resize(6), "g.size", "6", "7") REFUSED(p.blocks[2].row = 5, "blocks[2].row", "5", "without holes")
        REFUSED(p.blocks[0].size = 2, "blocks[0].size", "2", "3")
            REFUSED(p.blocks[1].size = 2, "blocks[1].size", "2", "1")
                REFUSED(p.blocks[2].size = 0, "blocks[2].size", "0", "at least 1")
                    REFUSED(p.law.facets = 5, "law.facets", "5", "even") REFUSED(p.law.facets = 2, "law.facets", "2",
                                                                                 "from 4 to 1000")
                        REFUSED(p.law.angle = kNan, "law.angle", "nan", "finite") REFUSED(p.G.dense.pop_back(),
                                                                                          "G.dense.size", "48", "49")
                            REFUSED(p.G.diagonal.clear(), "G.diagonal.size", "0", "refresh_diagonal")
                                REFUSED((p.G.dense[0] = -1.0, p.G.refresh_diagonal()), "G[0, 0]", "-1",
                                        "positive semidefinite") REFUSED(p.G.start.pop_back(), "G.rows", "6", "7")
                                    REFUSED(p.G.storage = Delassus::Storage::block_sparse, "G.row_start.size", "0", "5")
                                        REFUSED(p.G.storage = Delassus::Storage::body_space, "G.body.group_start.size",
                                                "0", "groups")}

TEST(ContactProblem, FromDenseRefusesSizesThatDoNotFit) {
  EXPECT_THROW(ContactProblem::from_dense(Mat::Identity(3, 3), Vec::Zero(3), Vec::Zero(2)), InvalidInput);
  EXPECT_THROW(ContactProblem::from_dense(Mat::Identity(6, 6), Vec::Zero(3), Vec::Zero(1)), InvalidInput);
  EXPECT_THROW(ContactProblem::from_dense(Mat::Identity(3, 3), Vec::Zero(3), Vec::Constant(1, -1.0)), InvalidInput);
  EXPECT_EQ(ContactProblem::from_dense(Mat::Identity(6, 6), Vec::Zero(6), Vec::Ones(2)).blocks.size(), 2u);
}

}  // namespace
}  // namespace stiction
