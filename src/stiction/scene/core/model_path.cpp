// SPDX-License-Identifier: BSD-2-Clause
// Finds files of models/. First hit wins: the directory set by set_model_directory (the Python package does that), the
// environment variable STICTION_MODELS, the source tree that was compiled (cmake/modules.cmake).
#include <stiction/base/missing_file.h>
#include <stiction/scene/core/scene.h>

#include <cstdlib>
#include <filesystem>

namespace stiction {
namespace {

namespace fs = std::filesystem;

std::string& chosen_directory() {
  static std::string directory;
  return directory;
}

}  // namespace

void set_model_directory(const std::string& directory) {
  if (!directory.empty() && !fs::is_directory(directory))
    throw InvalidInput("set_model_directory: '" + directory + "' is not a directory");
  chosen_directory() = directory;
}

std::string model_path(const std::string& file) {
  std::vector<fs::path> places;
  if (!chosen_directory().empty()) places.emplace_back(chosen_directory());
  if (const char* directory = std::getenv("STICTION_MODELS")) places.emplace_back(directory);
  places.emplace_back(STICTION_SOURCE_MODELS);
  std::string looked;
  for (const fs::path& place : places) {
    const fs::path candidate = place / file;
    if (fs::is_regular_file(candidate)) return candidate.string();
    looked += ' ';
    looked += place.string();
  }
  throw MissingFile("model file '" + file +
                    "' not found; set STICTION_MODELS to the models folder. Looked in:" + looked);
}

}  // namespace stiction
