// SPDX-License-Identifier: BSD-2-Clause
// Our readers of STL and OBJ. Oracle: the library that reads the other formats (load_mesh).
#include <gtest/gtest.h>
#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/triangle_mesh.h>
#include <stiction/model/files/mesh_files.h>
#include <stiction/model/files/mesh_formats.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace stiction {
namespace {

// Points on an uneven ellipsoid, in rings, as float numbers.
RawMesh bumpy() {
  RawMesh mesh;
  std::mt19937_64 rng(4);
  std::uniform_real_distribution<double> r(0.9, 1.1);
  const int rings = 9, around = 14;
  for (int i = 1; i < rings; ++i)
    for (int k = 0; k < around; ++k) {
      const double theta = M_PI * i / rings, phi = 2.0 * M_PI * k / around;
      const Vec3 x =
          r(rng) * Vec3(std::sin(theta) * std::cos(phi), 0.6 * std::sin(theta) * std::sin(phi), 0.4 * std::cos(theta));
      mesh.vertices.push_back(x.cast<float>().cast<double>());
    }
  for (int i = 0; i + 2 < rings; ++i)
    for (int k = 0; k < around; ++k) {
      const int a = i * around + k, b = i * around + (k + 1) % around;
      mesh.triangles.emplace_back(a, a + around, b), mesh.triangles.emplace_back(b, a + around, b + around);
    }
  return mesh;
}

std::string stl_of(const RawMesh& mesh) {
  std::string out(80, ' ');
  const auto put = [&](const auto& x) { out.append(reinterpret_cast<const char*>(&x), sizeof x); };
  put(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Eigen::Vector3i& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) put(0.0F);
    for (int k = 0; k < 3; ++k)
      for (int d = 0; d < 3; ++d) put(static_cast<float>(mesh.vertices[t[k]][d]));
    put(std::uint16_t{0});
  }
  return out;
}

std::string obj_of(const RawMesh& mesh) {
  std::ostringstream out;
  out.precision(17);
  out << "# bumpy\nmtllib none.mtl\r\no thing\n";
  for (const Vec3& v : mesh.vertices) out << "v " << v.x() << "  " << v.y() << '\t' << v.z() << "\n";
  out << "vn 0 0 1\nvt 0 0\ns off\n";
  const int n = static_cast<int>(mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Eigen::Vector3i& t = mesh.triangles[i];
    if (i % 3 == 0)
      out << "f " << t[0] + 1 << "/1/1 " << t[1] + 1 << "//1 " << t[2] + 1 << "/1\n";
    else
      out << "f " << t[0] - n << " " << t[1] - n << " " << t[2] - n << " \r\n";
  }
  return out.str();
}

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / "stiction_mesh_formats_test";
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
    return (path / name).string();
  }
};

TEST(MeshFormats, SameMeshAsTheLibraryReads) {
  const Folder folder;
  const RawMesh mesh = bumpy();
  for (const Vec3& scale : {Vec3(1, 1, 1), Vec3(0.001, -0.002, 0.001)})
    for (const auto& [name, bytes] : {std::pair{"a.STL", stl_of(mesh)}, std::pair{"a.obj", obj_of(mesh)}}) {
      const std::string file = folder.write(name, bytes);
      const Shape ours = read_mesh_file(file, scale), theirs = load_mesh(file, scale);
      ASSERT_EQ(ours.mesh->triangles.size(), theirs.mesh->triangles.size()) << name;
      EXPECT_EQ(ours.mesh->vertices.size(), theirs.mesh->vertices.size());
      const VolumeIntegrals x = integrate_volume(ours.mesh->vertices, ours.mesh->triangles);
      const VolumeIntegrals y = integrate_volume(theirs.mesh->vertices, theirs.mesh->triangles);
      EXPECT_NEAR(x.volume, y.volume, 1e-6 * std::abs(y.volume)) << name;
      EXPECT_LT((x.com - y.com).norm(), 1e-6 * scale.norm());
    }
}

TEST(MeshFormats, PolygonsBecomeFans) {
  const auto mesh = read_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
  ASSERT_TRUE(mesh);
  ASSERT_EQ(mesh->triangles.size(), 2u);
  EXPECT_EQ(mesh->triangles[1], Eigen::Vector3i(0, 2, 3));
}

TEST(MeshFormats, WhatIsNotReadHereIsLeftToTheLibrary) {
  EXPECT_FALSE(read_binary_stl("solid words\nendsolid\n"));
  EXPECT_FALSE(read_binary_stl(stl_of(bumpy()).substr(0, 1000)));
  for (const char* text :
       {"", "v 0 0 0\n", "v 0 0\nf 1 1 1\n", "v 0 0 0\nf 1 2 3\n", "v 0 0 0\nf 0 1 1\n", "v 0 0 0\nf 99999999999 1 1\n",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 \\\n3\n", "v a b c\nf 1 1 1"})
    EXPECT_FALSE(read_obj(text)) << text;
}

}  // namespace
}  // namespace stiction
