// SPDX-License-Identifier: BSD-2-Clause
// Bad input must name field and value, and must change nothing.
#pragma once

#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/world/world_builder.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace stiction {

inline std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const InvalidInput& e) {
    return e.what();
  } catch (const std::exception& e) {
    ADD_FAILURE() << "another exception than InvalidInput: " << e.what();
    return "";
  }
  ADD_FAILURE() << "accepted";
  return "";
}

// Oracle: the compiled world's fingerprint, the sizes of the draft and the warnings are those from before.
inline void expect_refused(WorldBuilder& world, const std::function<void(WorldBuilder&)>& action,
                           const std::vector<std::string>& needles) {
  const auto before = world.compile();
  const std::size_t warnings = world.warnings().size(), frames = world.draft().frames.size();
  const std::string message = refusal([&] { action(world); });
  for (const std::string& needle : needles)
    EXPECT_NE(message.find(needle), std::string::npos) << "'" << needle << "' is missing in: " << message;
  const auto after = world.compile();
  EXPECT_EQ(before->fingerprint, after->fingerprint) << message;
  EXPECT_EQ(before->material_names, after->material_names) << message;
  EXPECT_EQ(warnings, world.warnings().size()) << message;
  EXPECT_EQ(frames, world.draft().frames.size()) << message;
}

// A file that lives as long as the object.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text) {
    directory_ = std::filesystem::temp_directory_path() /
                 ("stiction_" + name + "_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    std::filesystem::create_directories(directory_);
    path_ = (directory_ / name).string();
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove_all(directory_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::filesystem::path directory_;
  std::string path_;
};

}  // namespace stiction
