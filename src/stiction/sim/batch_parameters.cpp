// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/byte_stream.h>
#include <stiction/base/field.h>
#include <stiction/model/parameters/world_parameters.h>
#include <stiction/model/world/draft.h>
#include <stiction/sim/batch_parameters.h>
#include <stiction/sim/simulator_impl.h>

#include <algorithm>

namespace stiction {
namespace {

// What a model keeps of masses, and factors that never changed so far.
void follow_masses(const World& w, Layout& layout, Workspace& work) {
  for (std::size_t b = 0; b < layout.bodies.size(); ++b) {
    BodyPlan& plan = layout.bodies[b];
    const Inertia& own = w.bodies[b].inertia;
    plan.mass = own.mass, plan.com = own.com;
    const Mat3& I = own.about_com;
    const double packed[6] = {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)};
    std::copy(packed, packed + 6, plan.inertia);
  }
  for (TwinBranches& twins : layout.twins)
    for (TwinBody& twin : twins.bodies) {
      const BodyPlan &a = layout.bodies[twin.body[0]], &b = layout.bodies[twin.body[1]];
      twin.mass = Pair{a.mass, b.mass};
      twin.com = {Pair{a.com[0], b.com[0]}, Pair{a.com[1], b.com[1]}, Pair{a.com[2], b.com[2]}};
      for (int k = 0; k < 6; ++k) twin.inertia[k] = Pair{a.inertia[k], b.inertia[k]};
    }
  std::fill(work.tree_mass.begin(), work.tree_mass.end(), 0.0);
  for (const BodyPlan& plan : layout.bodies) work.tree_mass[plan.tree] += plan.mass;
  if (std::any_of(w.trees.begin(), w.trees.end(), [](const Tree& t) { return t.free_body; }))
    work.kinematics.resize(w, layout), work.guard.kinematics.resize(w, layout);
}

}  // namespace

BatchParameters::BatchParameters(const Simulator& simulator, int n)
    : world_(simulator.shared_world()), settings_(simulator.settings()), n_(n) {}

std::vector<std::string> BatchParameters::names() {
  std::vector<std::string> out;
  for (const ParameterKind& k : parameter_kinds()) out.emplace_back(k.name);
  return out;
}

const ParameterKind& BatchParameters::kind_of(const std::string& name) const {
  for (const ParameterKind& k : parameter_kinds())
    if (name == k.name) return k;
  throw InvalidInput(unknown_name("parameter", name, names()));
}

std::string BatchParameters::meaning(const std::string& name) {
  for (const ParameterKind& k : parameter_kinds())
    if (name == k.name) return k.meaning;
  return {};
}

std::vector<int> BatchParameters::shape(const std::string& name) const { return value_shape(*world_, kind_of(name)); }

std::vector<std::string> BatchParameters::columns(const std::string& name) const {
  return column_names(*world_, kind_of(name));
}

bool BatchParameters::has(const std::string& name) const {
  return std::any_of(tables_.begin(), tables_.end(), [&](const auto& t) { return name == t->kind->name; });
}

bool BatchParameters::of_contacts() const {
  return std::all_of(tables_.begin(), tables_.end(), [](const auto& t) { return t->kind->of_contacts; });
}

void BatchParameters::refuse_what_cannot_vary(const ParameterKind& kind) const {
  const std::string field = "parameters['" + std::string(kind.name) + "']";
  if (settings_.stepper != "semi_implicit")
    throw InvalidInput(field + ": parameters vary with the stepper 'semi_implicit', found '" + settings_.stepper + "'");
  if (!world_->cuts.empty()) throw InvalidInput(field + ": parameters vary in coordinates='minimal'");
  if (kind.rows(*world_) == 0) throw InvalidInput(field + ": this world has nothing of the kind");
  if (!kind.inertial) return;
  for (const Sensor& s : world_->sensors)
    if (!s.parts.empty())
      throw InvalidInput(field + " cannot vary in a world with the sensor '" + s.name + "', which sums up masses");
}

std::vector<double> BatchParameters::start_row(const ParameterKind& kind) const {
  std::vector<double> out;
  for (int r = 0; r < kind.rows(*world_); ++r)
    for (int k = 0; k < kind.across * kind.down; ++k) out.push_back(kind.get(*world_, r, k));
  return out;
}

double* BatchParameters::use(const std::string& name) {
  const ParameterKind& kind = kind_of(name);
  for (const auto& t : tables_)
    if (t->kind == &kind) return t->values.data();
  refuse_what_cannot_vary(kind);
  auto made = std::make_unique<Table>();
  const std::vector<double> row = start_row(kind);
  made->kind = &kind, made->width = static_cast<int>(row.size());
  for (int i = 0; i < n_; ++i) made->values.insert(made->values.end(), row.begin(), row.end());
  double* out = made->values.data();
  const auto later = [](const auto& a, const auto& b) { return a->kind < b->kind; };  // kinds lie in one list
  tables_.insert(std::upper_bound(tables_.begin(), tables_.end(), made, later), std::move(made));
  return out;
}

void BatchParameters::check(int i) const {
  for (const auto& t : tables_) {
    const int each = t->kind->across * t->kind->down;
    for (int r = 0; r * each < t->width; ++r) {
      const std::string field = "parameters['" + std::string(t->kind->name) + "'][" + std::to_string(r) + "]";
      t->kind->check(*world_, field, t->row(i) + r * each, r);
    }
  }
}

void BatchParameters::apply(Simulator& own, int i) const {
  Simulator::Impl& s = *own.impl_;
  if (s.varied_world == nullptr) {
    s.varied_world = std::make_shared<World>(*world_), s.varied_model = std::make_shared<SimulationModel>(*s.model);
    s.minimal = s.world = s.varied_world, s.model = s.varied_model;
    s.make_own();
  }
  World& world = *s.varied_world;
  if (has("motor_strength"))
    for (std::size_t k = 0; k < world.actuators.size(); ++k)
      world.actuators[k].gain = world_->actuators[k].gain, world.actuators[k].bias = world_->actuators[k].bias;
  bool inertial = false;
  for (const auto& t : tables_) {
    const int each = t->kind->across * t->kind->down;
    for (int r = 0; r * each < t->width; ++r) t->kind->set(world, *world_, t->row(i) + r * each, r);
    inertial = inertial || t->kind->inertial;
  }
  if (inertial) follow_masses(world, s.varied_model->layout, s.work);
  s.varied_model->rebounds = std::any_of(world.pair_materials.begin(), world.pair_materials.end(),
                                         [](const PairMaterial& m) { return m.restitution > 0.0; });
}

void BatchParameters::give(Simulator& simulator, int i) const {
  check(i);
  apply(simulator, i);
  World& world = *simulator.impl_->varied_world;
  world.fingerprint = stiction::fingerprint(world);
}

std::uint64_t BatchParameters::fingerprint(int i) const {
  Simulator made(world_, settings_);
  give(made, i);
  return made.world().fingerprint;
}

void BatchParameters::add_to(Hash& hash) const {
  for (const auto& t : tables_) hash.add(std::string_view(t->kind->name)).add(t->values.data(), t->values.size());
}

void BatchParameters::save(ByteWriter& out) const {
  out.put(static_cast<std::uint64_t>(tables_.size()));
  for (const auto& t : tables_) {
    out.put(std::string(t->kind->name));
    out.put(t->values);
  }
}

void BatchParameters::restore(ByteReader& in, const std::vector<int>& which) {
  std::vector<std::pair<std::string, std::vector<double>>> read(in.get<std::uint64_t>() %
                                                                (parameter_kinds().size() + 1));
  for (auto& [name, values] : read) {
    name = in.get_text();
    in.get(values);
    const ParameterKind& kind = kind_of(name);
    if (values.size() != start_row(kind).size() * static_cast<std::size_t>(n_))
      throw InvalidInput("blob has " + std::to_string(values.size()) + " values of the parameter '" + name +
                         "', which do not fit this batch; save it again");
  }
  if (which.empty()) return;
  reset(which);
  for (const auto& [name, values] : read) {
    double* to = use(name);
    const std::size_t width = values.size() / static_cast<std::size_t>(n_);
    for (const int i : which) std::copy_n(values.data() + i * width, width, to + i * width);
  }
}

void BatchParameters::reset(const std::vector<int>& which) {
  for (const auto& t : tables_) {
    const std::vector<double> row = start_row(*t->kind);
    for (const int i : which) std::copy(row.begin(), row.end(), t->row(i));
  }
}

}  // namespace stiction
