// SPDX-License-Identifier: BSD-2-Clause
// States of a BatchSimulator: back to the start, noise, saving. The saved form:  magic, version, number of environments, hash of the rest,
// and for each environment what it drew of which seed and its state (model/world/state_blob.cpp).
#include <stiction/base/byte_stream.h>
#include <stiction/base/hash.h>
#include <stiction/base/random.h>
#include <stiction/dynamics/kernels/manifold.h>
#include <stiction/sim/batch_simulator.h>
#include <stiction/sim/simulator_impl.h>

#include <numeric>

namespace stiction {
namespace {

constexpr std::uint64_t kBatchMagic = 0x4843544142544953ULL;  // "SITBATCH"
constexpr std::uint32_t kBatchVersion = 1, kVaried = 2;       // kVaried: parameters follow

bool is_batch(const std::vector<std::byte>& blob) {
  std::uint64_t magic = 0;
  if (blob.size() >= sizeof magic) std::memcpy(&magic, blob.data(), sizeof magic);
  return magic == kBatchMagic;
}

Vec draw(const Vec& scale, Random& random) {
  Vec out(scale.size());
  for (Eigen::Index k = 0; k < out.size(); ++k) out[k] = scale[k] * random.uniform(-1.0, 1.0);
  return out;
}

}  // namespace

void BatchSimulator::add_noise(int i, const BatchNoise& noise) {
  Draws& draws = draws_[i];
  Random random(Hash().add(draws.seed).add(i).add(draws.count++).value());
  State& s = states_[i];
  if (noise.q.size() > 0) {
    const Vec from = s.q;
    add_tangent(workers_.first().shared_model()->layout, from, draw(noise.q, random), s.q);
  }
  if (noise.v.size() > 0) s.v += draw(noise.v, random);
}

void BatchSimulator::reset(std::span<const int> which, const BatchNoise& noise, std::optional<std::uint64_t> seed) {
  if (noise.q.size() > 0) check_size("reset.noise of q", noise.q.size(), world().nv);
  if (noise.v.size() > 0) check_size("reset.noise of v", noise.v.size(), world().nv);
  if (noise.q.size() > 0 && !world().cuts.empty())
    throw InvalidInput("reset.noise of q would pull cut joints apart; take coordinates='minimal', or noise of v alone");
  for (const int i : which) {
    PdGains gains = std::move(states_[i].pd);
    if (start_.pd.active) gains.target = start_.pd.target;
    states_[i] = start_;
    if (gains.active) states_[i].pd = std::move(gains);
    loads_[i].clear();
    if (seed) draws_[i] = {*seed, 0};
    if (noise.q.size() + noise.v.size() > 0) add_noise(i, noise);
    show(i);
  }
  read(which);
}

void BatchSimulator::watch(const Watched& what) {
  readings_.watch(workers_.first(), size(), what);
  std::vector<int> all(states_.size());
  std::iota(all.begin(), all.end(), 0);
  read(all);
}

void BatchSimulator::read(std::span<const int> which) {
  if (!readings_.any()) return;
  workers_.for_each(static_cast<int>(which.size()), {}, [&](Simulator& own, int k) {
    const int i = which[static_cast<std::size_t>(k)];
    take(i);
    check_state(world(), states_[i]);
    if (parameters_.any()) parameters_.check(i), parameters_.apply(own, i);
    const LentState lent(own, states_[i], memories_[i]);
    readings_.read(own, i, false);
  });
}

const State& BatchSimulator::state(int i) {
  take(i);
  return states_[i];
}

void BatchSimulator::set_state(int i, const State& state) {
  check_fit(world(), state);
  states_[i] = state;
  show(i);
}

void BatchSimulator::put(int i, const Simulator& simulator) {
  const std::uint64_t found = simulator.world().fingerprint;
  const bool same = found == world().fingerprint || (parameters_.any() && found == parameters_.fingerprint(i));
  if (!same || settings_text(simulator.settings()) != settings_text(workers_.first().settings()))
    return restore(simulator.save(), std::span(&i, 1));  // says what is wrong
  set_state(i, simulator.state());
  loads_[i].clear();
  read(std::span(&i, 1));
}

std::vector<std::byte> BatchSimulator::save() {
  const std::string settings = settings_text(workers_.first().settings());
  ByteWriter rest;
  for (int i = 0; i < size(); ++i) {
    rest.put(draws_[i].seed);
    rest.put(draws_[i].count);
    rest.put(stiction::save(state(i), world().fingerprint, settings));
  }
  if (parameters_.any()) parameters_.save(rest);
  ByteWriter out;
  out.put(kBatchMagic);
  out.put(parameters_.any() ? kVaried : kBatchVersion);
  out.put(static_cast<std::uint64_t>(states_.size()));
  out.put(hash_bytes(rest.bytes.data(), rest.bytes.size()));
  out.raw(rest.bytes.data(), rest.bytes.size());
  return std::move(out.bytes);
}

void BatchSimulator::restore(const std::vector<std::byte>& blob, std::span<const int> which) {
  const std::string settings = settings_text(workers_.first().settings());
  const auto read_state = [&](const std::vector<std::byte>& bytes) {
    State s = start_;
    stiction::restore(bytes, world().fingerprint, settings, s);
    check_fit(world(), s);
    return s;
  };
  if (!is_batch(blob)) {
    const State one = read_state(blob);
    for (const int i : which) set_state(i, one), loads_[i].clear();
    return read(which);
  }
  ByteReader in(blob, "blob", "save the batch again");
  in.get<std::uint64_t>();
  const auto version = in.get<std::uint32_t>();
  if (version != kBatchVersion && version != kVaried)
    throw InvalidInput("blob has format version " + std::to_string(version) + " of batches, expected " +
                       std::to_string(kBatchVersion) + " or " + std::to_string(kVaried));
  if (const auto n = in.get<std::uint64_t>(); n != states_.size())
    throw InvalidInput("blob has " + std::to_string(n) + " environments, this batch has " +
                       std::to_string(states_.size()));
  if (const auto found = in.get<std::uint64_t>(); found != in.hash_of_rest())
    throw InvalidInput("blob is damaged: its checksum does not match; save the batch again");
  std::vector<Draws> draws(states_.size());
  std::vector<State> states;
  std::vector<std::byte> bytes;
  for (Draws& d : draws) {
    d.seed = in.get<std::uint64_t>(), d.count = in.get<std::uint64_t>();
    in.get(bytes);
    states.push_back(read_state(bytes));
  }
  ByteReader parameters = in;
  if (version == kVaried) parameters_.restore(in, {});  // read alone
  if (in.left() != 0)
    throw InvalidInput("blob has " + std::to_string(in.left()) + " bytes too many; save the batch again");
  const std::vector<int> chosen(which.begin(), which.end());
  if (version == kVaried && !chosen.empty())
    parameters_.restore(parameters, chosen);
  else
    parameters_.reset(chosen);
  for (const int i : which) set_state(i, states[i]), draws_[i] = draws[i], loads_[i].clear();
  read(which);
}

std::uint64_t BatchSimulator::hash() {
  Hash h;
  for (int i = 0; i < size(); ++i) h.add(stiction::hash(state(i)));
  parameters_.add_to(h);
  return h.value();
}

}  // namespace stiction
