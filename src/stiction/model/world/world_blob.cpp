// SPDX-License-Identifier: BSD-2-Clause
// The saved form of a World:  magic, version, hash of the rest, the rest. One list of members per struct serves writing and
// reading; it is a structured binding, so that a new member does not compile before it is listed here.
// Meshes are kept as what they were made of, and made again: hulls and trees come out the same bit for bit.
#include <stiction/base/byte_stream.h>
#include <stiction/base/utf8.h>
#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/triangle_mesh.h>
#include <stiction/model/world/draft.h>
#include <stiction/model/world/world_blob.h>

#include <utility>

namespace stiction {
namespace {

constexpr std::uint64_t kWorldMagic = 0x444c524f57544953ULL;  // "SITWORLD"
constexpr std::uint32_t kWorldVersion = 6;

struct Out {
  ByteWriter bytes;
  void plain(const void* x, std::size_t n) { bytes.raw(x, n); }
  std::size_t count(std::size_t n) {
    bytes.put(static_cast<std::uint64_t>(n));
    return n;
  }
};

struct In {
  ByteReader bytes;
  void plain(void* x, std::size_t n) { bytes.raw(x, n); }
  std::size_t count(std::size_t) { return bytes.count(1); }
  // That the bytes can hold so many numbers; both factors of n were bounded by count().
  void expect(std::uint64_t n, std::size_t size) const {
    if (n > bytes.left() / size) throw InvalidInput("saved world ends too early; record it again");
  }
};

template <class A, class T>
void visit(A& a, T& x);

template <class A, class... T>
void each(A& a, T&... x) {
  (visit(a, x), ...);
}

template <class A, class T>
void visit_list(A& a, T& list) {
  const std::size_t n = a.count(list.size());
  if constexpr (!std::is_const_v<T>) list.resize(n);
  for (auto& x : list) visit(a, x);
  if constexpr (std::is_same_v<T, std::string>)
    if (!is_utf8(list)) throw InvalidInput("saved world is damaged: a name is not UTF-8; record it again");
}

template <class A, class T>
void visit_matrix(A& a, T& x) {
  const auto rows = static_cast<Eigen::Index>(a.count(x.rows()));
  const auto cols = static_cast<Eigen::Index>(a.count(x.cols()));
  if constexpr (!std::is_const_v<T>) {
    if (std::is_same_v<T, Vec> && cols != 1)
      throw InvalidInput("saved world is damaged: a vector has " + std::to_string(cols) +
                         " columns, expected 1; record it again");
    a.expect(static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(cols), sizeof(double));
    x.resize(rows, cols);
  }
  a.plain(x.data(), static_cast<std::size_t>(x.size()) * sizeof(double));
}

void visit_shape(Out& a, const Shape& s) {
  each(a, s.kind, s.size);
  if (s.kind == ShapeKind::convex) visit(a, s.convex->source);
  if (s.kind == ShapeKind::mesh) each(a, s.mesh->vertices, s.mesh->triangles);
  if (s.kind == ShapeKind::heightfield) each(a, s.heightfield->heights, s.heightfield->size_x, s.heightfield->size_y);
}

void visit_shape(In& a, Shape& s) {
  each(a, s.kind, s.size);
  std::vector<Vec3> points;
  std::vector<Eigen::Vector3i> triangles;
  if (s.kind == ShapeKind::convex) visit(a, points), s = make_convex(points);
  if (s.kind == ShapeKind::mesh) each(a, points, triangles), s = make_mesh(points, triangles);
  if (s.kind == ShapeKind::heightfield) {
    Mat heights;
    double x = 0.0, y = 0.0;
    each(a, heights, x, y);
    s = make_heightfield(heights, x, y);
  }
}

template <class A, class T>
void visit_world(A& a, T& w) {
  auto& [bodies, trees, robots, geoms, frames, loops, cuts, actuators, couplings, tendons, compensation, fluid, ids,
         names, pairs, excluded, gravity, timestep, nq, nv, ntau, tau, q0, v0, lower, upper, damping, dry, armature,
         effort, stiffness, act_lower, act_upper, spring_q, activations, softness, fingerprint, sites, sensors] = w;
  each(a, bodies, trees, robots, geoms, frames, loops, cuts, actuators, couplings, tendons, compensation, fluid, ids,
       names, pairs, excluded, gravity, timestep, nq, nv, ntau, tau, q0, v0, lower, upper, damping, dry, armature,
       effort, stiffness, act_lower, act_upper, spring_q, activations, softness, fingerprint, sites, sensors);
}

template <class A, class T>
void visit_part(A& a, T& x) {
  using Part = std::remove_const_t<T>;
  if constexpr (std::is_same_v<Part, Body>) {
    auto& [name, parent, joint, axis, placement, inertia, tree, q, v, link] = x;
    each(a, name, parent, joint, axis, placement, inertia, tree, q, v, link);
  } else if constexpr (std::is_same_v<Part, Tree>) {
    auto& [name, first, bodies, q, nq, v, nv, floating, free_body, robot] = x;
    each(a, name, first, bodies, q, nq, v, nv, floating, free_body, robot);
  } else if constexpr (std::is_same_v<Part, Robot>) {
    auto& [name, first, bodies, q, nq, v, nv, tau, ntau, self_collision, joints, first_frame, frames, keys] = x;
    each(a, name, first, bodies, q, nq, v, nv, tau, ntau, self_collision, joints, first_frame, frames, keys);
  } else if constexpr (std::is_same_v<Part, Keyframe>) {
    auto& [name, time, q, v, act, ctrl] = x;
    each(a, name, time, q, v, act, ctrl);
  } else if constexpr (std::is_same_v<Part, Geom>) {
    auto& [name, body, shape, placement, material] = x;
    each(a, name, body, shape, placement, material);
  } else if constexpr (std::is_same_v<Part, Frame>) {
    auto& [name, body, placement] = x;
    each(a, name, body, placement);
  } else if constexpr (std::is_same_v<Part, Zone>) {
    auto& [kind, size] = x;
    each(a, kind, size);
  } else if constexpr (std::is_same_v<Part, Site>) {
    auto& [name, robot, body, placement, zone] = x;
    each(a, name, robot, body, placement, zone);
  } else if constexpr (std::is_same_v<Part, SensorPart>) {
    auto& [body, whole, mass, com, about_com] = x;
    each(a, body, whole, mass, com, about_com);
  } else if constexpr (std::is_same_v<Part, ContactReading>) {
    auto& [reduce, fields, slots, first, second, inside] = x;
    each(a, reduce, fields, slots, first, second, inside);
  } else if constexpr (std::is_same_v<Part, Sensor>) {
    auto& [name, robot, kind, object, placement, relative, reference, from, parts, geoms, others, zone, reading, field,
           cutoff, noise] = x;
    each(a, name, robot, kind, object, placement, relative, reference, from, parts, geoms, others, zone, reading, field,
         cutoff, noise);
  } else if constexpr (std::is_same_v<Part, Loop>) {
    auto& [name, kind, first, second, frame_a, frame_b, axis, stiffness, damping] = x;
    each(a, name, kind, first, second, frame_a, frame_b, axis, stiffness, damping);
  } else if constexpr (std::is_same_v<Part, CutJoint>) {
    auto& [kind, loop, tau, slot, lower, upper, damping, dry, armature, effort] = x;
    each(a, kind, loop, tau, slot, lower, upper, damping, dry, armature, effort);
  } else if constexpr (std::is_same_v<Part, PairMaterial>) {
    auto& [mu, mu_static, restitution, stiffness, damping, tangential, margin, torsion, rolling] = x;
    each(a, mu, mu_static, restitution, stiffness, damping, tangential, margin, torsion, rolling);
  } else if constexpr (std::is_same_v<Part, Actuator>) {
    auto& [name, robot, target, body, placement, gear, gain, bias, dynamics, time, activation, ctrl, force, act, tendon,
           referred, reference_body, reference] = x;
    each(a, name, robot, target, body, placement, gear, gain, bias, dynamics, time, activation, ctrl, force, act,
         tendon, referred, reference_body, reference);
  } else if constexpr (std::is_same_v<Part, Coupling>) {
    auto& [name, first, second, zero_a, zero_b, coefficients, tendon_a, tendon_b] = x;
    each(a, name, first, second, zero_a, zero_b, coefficients, tendon_a, tendon_b);
  } else if constexpr (std::is_same_v<Part, TendonJoint>) {
    each(a, x.body, x.coefficient);
  } else if constexpr (std::is_same_v<Part, Tendon>) {
    auto& [name, joints, range, stiffness, damping, spring, dry, armature, path] = x;
    each(a, name, joints, range, stiffness, damping, spring, dry, armature, path);
  } else if constexpr (std::is_same_v<Part, PathPoint>) {
    auto& [kind, body, placement, size, sided, side_body, side] = x;
    each(a, kind, body, placement, size, sided, side_body, side);
  } else if constexpr (std::is_same_v<Part, GravityCompensation>) {
    auto& [body, mass, point] = x;
    each(a, body, mass, point);
  } else if constexpr (std::is_same_v<Part, FluidPart>) {
    auto& [body, placement, size, density, viscosity, wind, ellipsoid, coefficients, mass, inertia] = x;
    each(a, body, placement, size, density, viscosity, wind, ellipsoid, coefficients, mass, inertia);
  } else if constexpr (std::is_same_v<Part, Softness>) {
    auto& [reference, impedance, weight, angular, pyramid, given] = x;
    each(a, reference);
    for (auto& number : impedance) visit(a, number);
    each(a, weight, angular, pyramid, given);
  } else if constexpr (std::is_same_v<Part, WorldSoftness>) {
    auto& [contacts, geom_weights, limits, friction, held, coupled] = x;
    each(a, contacts, geom_weights, limits, friction, held, coupled);
  } else if constexpr (std::is_same_v<Part, Inertia>) {
    auto& [mass, com, about_com] = x;
    each(a, mass, com, about_com);
  } else if constexpr (std::is_same_v<Part, Pose>) {
    each(a, x.rotation, x.translation);
  } else {
    static_assert(std::is_same_v<Part, World>);
    visit_world(a, x);
  }
}

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

template <class A, class T>
void visit(A& a, T& x) {
  using Part = std::remove_const_t<T>;
  if constexpr (std::is_same_v<T, bool>) {  // any other byte than 0 and 1 would be no bool at all
    std::uint8_t byte = 0;
    a.plain(&byte, 1);
    x = byte != 0;
  } else if constexpr (std::is_arithmetic_v<Part> || std::is_enum_v<Part>) {
    a.plain(&x, sizeof x);
  } else if constexpr (std::is_same_v<Part, std::string> || is_list<Part>) {
    visit_list(a, x);
  } else if constexpr (std::is_same_v<Part, Vec3> || std::is_same_v<Part, Mat3> || std::is_same_v<Part, Vec2> ||
                       std::is_same_v<Part, Vec6> || std::is_same_v<Part, Eigen::Vector3i>) {
    a.plain(x.data(), sizeof x);
  } else if constexpr (std::is_same_v<Part, Vec> || std::is_same_v<Part, Mat>) {
    visit_matrix(a, x);
  } else if constexpr (std::is_same_v<Part, std::pair<int, int>>) {
    each(a, x.first, x.second);
  } else if constexpr (std::is_same_v<Part, Shape>) {
    visit_shape(a, x);
  } else {
    visit_part(a, x);
  }
}

}  // namespace

std::vector<std::byte> save_world(const World& world) {
  Out rest;
  visit(rest, world);
  ByteWriter out;
  out.put(kWorldMagic);
  out.put(kWorldVersion);
  out.put(hash_bytes(rest.bytes.bytes.data(), rest.bytes.bytes.size()));
  out.raw(rest.bytes.bytes.data(), rest.bytes.bytes.size());
  return std::move(out.bytes);
}

std::shared_ptr<const World> load_world(const std::vector<std::byte>& bytes) {
  In in{{bytes, "saved world", "record it again"}};
  if (in.bytes.left() < sizeof kWorldMagic || in.bytes.get<std::uint64_t>() != kWorldMagic)
    throw InvalidInput("saved world: its first bytes are not those of a saved world; record it again");
  if (const auto version = in.bytes.get<std::uint32_t>(); version != kWorldVersion)
    throw InvalidInput("saved world has format version " + std::to_string(version) + ", expected " +
                       std::to_string(kWorldVersion) + "; read it with the version of stiction that wrote it");
  if (const auto found = in.bytes.get<std::uint64_t>(); found != in.bytes.hash_of_rest())
    throw InvalidInput("saved world is damaged: its checksum does not match; record it again");
  auto world = std::make_shared<World>();
  visit(in, *world);
  check_indices(*world);
  if (in.bytes.left() != 0)
    throw InvalidInput("saved world has " + std::to_string(in.bytes.left()) + " bytes too many; record it again");
  if (const auto found = fingerprint(*world); found != world->fingerprint)
    throw InvalidInput("saved world reads as another world: its fingerprint is " + std::to_string(world->fingerprint) +
                       ", that of what was read is " + std::to_string(found) +
                       "; read it with the version of stiction that wrote it");
  return world;
}

}  // namespace stiction
