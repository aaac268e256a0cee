// SPDX-License-Identifier: BSD-2-Clause
// Where a step of stewart_trinkle leads: gaps at q⁺, contacts that join, pairs that have passed through each other.
#include <stiction/dynamics/kernels/integrate.h>
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/step/core/impulses.h>
#include <stiction/step/hard/stewart_trinkle.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kTurned = 0.5;  // cosine between the normals at q and q̄ below which a pair has passed through itself
constexpr double kDoubt = 1e-6;  // overlap at q, followed back from q̄, that makes a pair worth a look [m]
constexpr double kPressed =
    1e-3;  // a contact that presses and is farther away at q⁺ has opened; a new overlap that is no round-off [m]

const Contact* with_key(const std::vector<Contact>& sorted, const ContactKey& key) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), key,
                                   [](const Contact& c, const ContactKey& k) { return c.key < k; });
  return at != sorted.end() && at->key == key ? &*at : nullptr;
}

}  // namespace

// Pairs that have passed through each other at q̄: normal and gap are those of q, led on by v. A pair that was not there in the last
// step and whose gap, followed back from q̄, is an overlap at q may be one.
void StewartTrinkleStepper::untangle(const Call& c) {
  const auto apart = [&](const Contact& x, const Kinematics& k) -> double {
    const auto along = [&](BodyId body) {
      return body == kWorldBody ? 0.0 : x.normal.dot(point_velocity(c.layout(), k, body, x.point));
    };
    return c.dt() * (along(x.b) - along(x.a));
  };
  const auto doubtful = [&](const Contact& x) { return !x.known && x.gap - apart(x, c.work().kinematics) < -kDoubt; };
  if (std::none_of(candidates_.begin(), candidates_.end(), doubtful)) return;
  const World& world = c.context.world;
  forward_kinematics(world, c.layout(), c.state.q.data(), w_.data(), end_);
  reset_look_ahead(world, end_detection_);
  detect(world, c.layout(), c.model().detection, end_, c.dt(), law_.options.margin, end_detection_, start_contacts_);
  for (Contact& x : candidates_) {
    const Contact* start = doubtful(x) ? with_key(start_contacts_, x.key) : nullptr;
    if (start == nullptr || start->normal.dot(x.normal) > kTurned) continue;
    const double way = apart(*start, end_);
    x.point = start->point;
    for (const BodyId body : {x.a, x.b})  // midway between the surfaces, which have gone on with their bodies
      if (body != kWorldBody) x.point += 0.5 * c.dt() * point_velocity(c.layout(), end_, body, start->point);
    x.normal = start->normal, x.gap = start->gap + way;
  }
}

// end_q, start_v and the kinematics end: q⁺ and v⁺ of the impulses found last.
void StewartTrinkleStepper::move_to_end(const Call& c) {
  const World& world = c.context.world;
  Workspace& work = c.work();
  std::copy_n(c.state.q.data(), world.nq, end_q_.begin());
  std::copy(end_v_.begin(), end_v_.end(), start_v_.begin());
  work.flight.find_touched(c.context);
  work.flight.finish(c.context, start_v_, work.mean);
  advance(c.layout(), c.dt(), work.mean.data(), end_q_.data(), start_v_.data());
  forward_kinematics(world, c.layout(), end_q_.data(), start_v_.data(), end_);
  reset_look_ahead(world, end_detection_);
}

// Whether every contact that carries an impulse is closed at q⁺; those that rebound are not asked.
bool StewartTrinkleStepper::gaps_are_met(const Call& c) {
  const Workspace& work = c.work();
  move_to_end(c);
  detect(c.context.world, c.layout(), c.model().detection, end_, 0.0, kPressed, end_detection_, end_contacts_);
  for (const BlockSpec& spec : work.assembly.specs) {
    if (spec.source != RowSource::contact || spec.armed || !(work.impulses[3 * spec.index + 2] > 0.0)) continue;
    const Contact* end = with_key(end_contacts_, work.contacts[spec.index].key);
    if (end == nullptr || !(std::abs(end->gap) <= options_.gap_tolerance)) return false;
  }
  return true;
}

// Contacts that overlap at q⁺ join the active set. True if there were any to join.
bool StewartTrinkleStepper::grow(const Call& c, StepReport& report) {
  const World& world = c.context.world;
  Workspace& work = c.work();
  move_to_end(c);
  detect(world, c.layout(), c.model().detection, end_, 0.0, 0.0, end_detection_, end_contacts_);
  report.penetration = 0.0;
  note_overlap(end_contacts_, report);
  if (!options_.resolve) return false;
  // a body that was hit may have outrun the look-ahead at q̄
  if (outran_look_ahead(world, c.layout(), c.model().detection, work.kinematics, work.v.data(), work.next.data(),
                        c.dt(), law_.options.margin, work.detection))
    find_candidates(c);
  const std::size_t before = active_.size();
  for (const Contact& contact : end_contacts_) {
    if (!(contact.gap < -options_.growth_tolerance)) continue;
    if (std::binary_search(active_.begin(), active_.begin() + static_cast<std::ptrdiff_t>(before), contact.key))
      continue;
    const auto same = [&](const Contact& x) { return x.key == contact.key; };
    const bool known = std::any_of(candidates_.begin(), candidates_.end(), same);
    for (const Contact& x : candidates_)  // of a pair whose features changed: all its points
      if (same(x) || (!known && x.key.geom_a == contact.key.geom_a && x.key.geom_b == contact.key.geom_b))
        active_.push_back(x.key);
  }
  std::sort(active_.begin(), active_.end());
  active_.erase(std::unique(active_.begin(), active_.end()), active_.end());
  return active_.size() > before;
}

// Whether a pair overlaps by more than 1 mm at q⁺ that was neither a contact of the last step nor overlapped as much at q.
bool StewartTrinkleStepper::passed_through(const Call& c) {
  const auto met = [&](const Contact& x) {
    const auto at = std::lower_bound(c.state.contacts.begin(), c.state.contacts.end(), x.key,
                                     [](const ContactRecord& r, const ContactKey& k) { return r.key < k; });
    return at != c.state.contacts.end() && at->key == x.key;
  };
  const auto deep = [&](const Contact& x) { return x.gap < -kPressed && !met(x); };
  if (!options_.resolve || std::none_of(end_contacts_.begin(), end_contacts_.end(), deep)) return false;
  const World& world = c.context.world;
  forward_kinematics(world, c.layout(), c.state.q.data(), c.state.v.data(), end_);
  reset_look_ahead(world, end_detection_);
  detect(world, c.layout(), c.model().detection, end_, c.dt(), law_.options.margin, end_detection_, start_contacts_);
  return std::any_of(end_contacts_.begin(), end_contacts_.end(), [&](const Contact& x) {
    const Contact* start = deep(x) ? with_key(start_contacts_, x.key) : nullptr;
    return deep(x) && (start == nullptr || start->gap > x.gap + kPressed);
  });
}

}  // namespace stiction
