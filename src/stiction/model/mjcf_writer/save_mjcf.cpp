// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/model/mjcf_writer/mjcf_text.h>
#include <stiction/model/mjcf_writer/save_mjcf.h>
#include <stiction/model/world/checks.h>

#include <fstream>

namespace stiction {
namespace {

namespace fs = std::filesystem;

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    throw InvalidInput("save_mjcf: cannot write '" + path.string() +
                       "'; give a folder that exists and may be written to");
}

void write_meshes(const fs::path& folder, const MjcfMeshFiles& files) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InvalidInput("save_mjcf: cannot make the folder '" + folder.string() + "': " + error.message());
  for (const auto& [name, text] : files) write_file(folder / name, text);
}

}  // namespace

std::vector<std::string> save_mjcf(const World& world, const std::string& path) {
  const fs::path file(path);
  if (file.extension() != ".xml" && file.extension() != ".mjcf")
    throw InvalidInput("save_mjcf: path is '" + path + "', expected a file that ends in .xml or .mjcf");
  if (!world.cuts.empty())
    throw InvalidInput(
        "save_mjcf: joints of this world are cut (coordinates other than minimal); save the world that was built");
  MjcfText text(world, file);
  if (world.gravity != Vec3(0.0, 0.0, -9.81)) text.option.set("gravity", mjcf_numbers(world.gravity));
  if (world.timestep > 0.0) text.option.set("timestep", ::stiction::text(world.timestep));
  write_mjcf_bodies(text);
  const MjcfMeshFiles meshes = write_mjcf_meshes(text);
  write_mjcf_contacts(text);
  write_mjcf_fluid(text);
  write_mjcf_tendons(text);
  write_mjcf_equalities(text);
  write_mjcf_actuators(text);
  write_mjcf_sensors(text);
  write_mjcf_keyframes(text);
  const std::string folder = file.stem().string() + "_meshes";
  if (!meshes.empty()) {
    text.compiler.set("meshdir", folder);
    write_meshes(file.parent_path() / folder, meshes);
  }
  const fs::path part = file.string() + ".part";  // the file is there whole or not at all
  std::error_code error;
  try {
    write_file(part, text.whole());
    fs::rename(part, file, error);
    if (error) throw InvalidInput("save_mjcf: cannot write '" + path + "': " + error.message());
  } catch (const InvalidInput&) {
    fs::remove(part, error);
    throw;
  }
  return text.sentences();
}

}  // namespace stiction
