// SPDX-License-Identifier: BSD-2-Clause
// The tree of an MJCF file. With X the pose of a body in its parent and joints 1 … n at p_k with axes a_k (in the body's frame):
//   body in parent = X · Π_k T(p_k) J_k(q_k − ref_k) T(−p_k),  J a turn about or a shift along a_k.
// Every joint becomes a body of ours whose frame lies at its anchor p_k; all but the last are massless. Bodies without joints
// belong to what carries them; on the world they are static. Masses come from <inertial> or from geoms (mass, or density times
// volume), body by body, before links are merged: bounds and balancing act there.
#include <stiction/base/invalid_input.h>
#include <stiction/geometry/triangle_mesh.h>
#include <stiction/model/mjcf/mjcf.h>
#include <stiction/model/mjcf/mjcf_mass.h>
#include <stiction/model/urdf/urdf.h>
#include <stiction/model/world/checks.h>
#include <stiction/model/world/draft.h>

#include <set>

namespace stiction {
namespace {

// A child of a body, lifted out of the <frame>s around it.
struct Item {
  Xml element;  // defaults resolved
  Pose frame;   // of those <frame>s in the body
  std::string childclass;
};

struct Parts {
  std::vector<Item> joints, geoms, sites, bodies;
  const Xml* inertial = nullptr;
};

struct Carrier {
  BodyId body = kWorldBody;
  Pose link;            // frame of the MJCF body in the frame of `body`
  int link_index = -1;  // in RobotModel::frames; −1 is the worldbody
};

class BodyReader {
 public:
  explicit BodyReader(const MjcfDocument& document) : document_(document), geoms_(document) {}

  MjcfModel run() {
    for (const Xml* world : children(document_.mujoco(), "worldbody")) {
      const Parts parts = collect(*world, attribute(*world, "childclass").value_or(""), file() + ": worldbody");
      for (const Item& geom : parts.geoms) add_geom(geom, "world", {}, {-1, -1, true});
      for (const Item& site : parts.sites) add_site(site, {});
      for (const Item& body : parts.bodies) add_body(body, {});
    }
    scale_to_total_mass();
    model_.sites = sites_;
    for (std::size_t i = 0; i < sites_.size(); ++i)
      robot().sites.push_back({sites_[i].name, -1, sites_[i].body, sites_[i].placement, model_.site_details[i].zone});
    for (const Frame& site : sites_)  // links come first: they win where a site has the same name
      if (!body_names_.contains(site.name)) robot().frames.push_back(site);
    for (Body& b : robot().bodies)
      if (b.inertia.mass == 0.0) b.inertia.com.setZero();
    check_masses(robot(), file());
    return std::move(model_);
  }

 private:
  RobotModel& robot() { return model_.robot; }
  const std::string& file() const { return document_.file(); }

  Parts collect(const Xml& element, const std::string& childclass, const std::string& place) {
    Parts parts;
    collect(element, {}, childclass, place, parts);
    return parts;
  }

  void collect(const Xml& element, const Pose& frame, const std::string& childclass, const std::string& place,
               Parts& parts) {
    const auto item = [&](const std::string& tag, const Xml& part) {
      return Item{document_.resolve(tag, part, childclass), frame, childclass};
    };
    for (const auto& [tag, part] : element) {
      if (tag == "geom") parts.geoms.push_back(item(tag, part));
      if (tag == "joint") parts.joints.push_back(item(tag, part));
      if (tag == "site") parts.sites.push_back(item(tag, part));
      if (tag == "body") parts.bodies.push_back({part, frame, childclass});
      if (tag == "inertial") parts.inertial = &part;
      if (tag == "freejoint") {
        parts.joints.push_back({part, frame, childclass});
        parts.joints.back().element.set("type", "free");
      }
      if (tag == "frame")
        collect(part, frame * document_.pose(part, place + " <frame>"),
                attribute(part, "childclass").value_or(childclass), place, parts);
      if (tag == "composite" || tag == "flexcomp")
        throw InvalidInput(place + " has a <" + tag + ">, which is not read; write out the bodies");
    }
  }

  void add_body(const Item& item, const Carrier& carrier) {
    const std::string name = name_of_body(item.element);
    const std::string place = item.element.place() + ": body '" + name + "'";
    if (attribute(item.element, "mocap").value_or("false") == "true")
      robot().warnings.push_back(place + " is a mocap body; it stands still");
    const Parts parts = collect(item.element, attribute(item.element, "childclass").value_or(item.childclass), place);
    const Pose pose = carrier.link * item.frame * document_.pose(item.element, place);
    Carrier own{carrier.body, pose, static_cast<int>(robot().frames.size())};
    add_joints(parts.joints, name, place, carrier, own);
    robot().frames.push_back({name, own.body, own.link});
    model_.link_parents.push_back(carrier.link_index);
    add_mass(parts, own, place);
    if (own.body != kWorldBody)
      model_.links.back().gravcomp = to_number(attribute(item.element, "gravcomp").value_or("0"), place + " gravcomp");
    for (const Item& geom : parts.geoms) add_geom(geom, name, own, {-1, own.link_index, false});
    if (own.body != kWorldBody) note_fluid_geoms(parts.geoms, own, place);
    for (const Item& site : parts.sites) add_site(site, own);
    for (const Item& body : parts.bodies) add_body(body, own);
  }

  void note_fluid_geoms(const std::vector<Item>& geoms, const Carrier& own, const std::string& place) {
    for (const Item& geom : geoms)
      if (attribute(geom.element, "fluidshape").value_or("none") == "ellipsoid")
        model_.fluid_geoms.push_back({model_.links.size() - 1, own.link * geom.frame, geom.element,
                                      place + " geom '" + attribute(geom.element, "name").value_or("") + "'"});
  }

  std::string name_of_body(const Xml& element) {
    const std::string given = attribute(element, "name").value_or("");
    const std::string name = given.empty() ? "body_" + std::to_string(bodies_ + 1) : given;
    ++bodies_;
    if (!body_names_.insert(name).second)
      throw InvalidInput(file() + ": two bodies are called '" + name + "'; names must differ");
    return name;
  }

  void add_joints(const std::vector<Item>& joints, const std::string& name, const std::string& place,
                  const Carrier& carrier, Carrier& own) {
    Vec3 anchor = Vec3::Zero();  // of the joint before, in the frame of the MJCF body
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const Xml& joint = joints[k].element;
      const bool last = k + 1 == joints.size();
      const std::string type = attribute(joint, "type").value_or("hinge");
      std::string joint_name = attribute(joint, "name").value_or("");
      if (joint_name.empty())
        joint_name = name + (type == "free" ? "_free" : joints.size() > 1 ? "_joint_" + std::to_string(k) : "_joint");
      const std::string where = joint.place() + ": joint '" + joint_name + "'";
      const Vec3 here = joints[k].frame * vec3_attribute(joint, "pos", Vec3::Zero(), where);
      Body body;
      body.name = last ? name : name + "/" + joint_name;
      body.parent = own.body;
      body.axis = axis_of(joints[k], where);
      body.placement = (k == 0 ? own.link : Pose{}) * Pose{Mat3::Identity(), here - anchor};
      if (type == "free") {
        if (carrier.body != kWorldBody || carrier.link_index >= 0 || joints.size() > 1)
          throw InvalidInput(where + " is a free joint inside a robot; only bodies of the worldbody may be free");
        append_mjcf_free(document_, joint, where, model_, body);
        own.link = Pose{};
      } else {
        append_mjcf_joint(document_, joint, type, where, model_, body);
        own.link = Pose{Mat3::Identity(), -here};
      }
      if (!joint_names_.insert(joint_name).second)
        throw InvalidInput(place + " has a joint whose name is taken; names must differ");
      robot().joint_names.push_back(joint_name);
      robot().bodies.push_back(std::move(body));
      own.body = static_cast<BodyId>(robot().bodies.size()) - 1;
      anchor = here;
    }
  }

  Vec3 axis_of(const Item& item, const std::string& place) const {
    const Vec3 axis = item.frame.rotation * vec3_attribute(item.element, "axis", Vec3::UnitZ(), place);
    if (!(axis.norm() > 1e-12)) throw InvalidInput(place + " axis is " + text(axis) + ", expected a direction");
    return axis.normalized();
  }

  Inertia inertia_of(const Parts& parts, bool from_geoms, const std::string& place) {
    Inertia sum;
    if (from_geoms) {
      for (const Item& item : parts.geoms) {
        const std::string here = place + " geom '" + attribute(item.element, "name").value_or("") + "'";
        if (const auto geom = geoms_.read(item.element, true, here))
          add_inertia(geom->inertia, item.frame * geom->pose, sum);
      }
    } else if (parts.inertial) {
      sum = read_mjcf_inertial(document_, *parts.inertial, place);
    }
    bound_mjcf_inertia(document_.compiler(), sum);
    return sum;
  }

  void add_mass(const Parts& parts, const Carrier& own, const std::string& place) {
    const std::string& rule = document_.compiler().inertia_from_geom;
    const bool from_geoms = rule == "true" || (rule == "auto" && !parts.inertial);
    if (own.body == kWorldBody) return add_static_mass(parts, own, from_geoms, place);
    const Inertia sum = inertia_of(parts, from_geoms, place);
    model_.links.push_back({own.body, own.link, sum, own.link_index, 0.0, inertial_axes(parts, from_geoms, place)});
    add_inertia({sum.mass, sum.com, sum.about_com}, own.link, robot().bodies[own.body].inertia);
  }

  // What is static needs no mass; sensors of energies and subtrees count it.
  void add_static_mass(const Parts& parts, const Carrier& own, bool from_geoms, const std::string& place) {
    if (child(document_.mujoco(), "sensor") == nullptr) return;
    try {
      const Inertia sum = inertia_of(parts, from_geoms, place);
      model_.static_links.push_back(
          {own.body, own.link, sum, own.link_index, 0.0, inertial_axes(parts, from_geoms, place)});
    } catch (const InvalidInput& e) {
      robot().warnings.push_back(place + " stands still, and sensors do not count its mass: " + e.what());
    }
  }

  std::optional<Mat3> inertial_axes(const Parts& parts, bool from_geoms, const std::string& place) const {
    if (from_geoms || !parts.inertial || attribute(*parts.inertial, "fullinertia")) return {};
    return document_.pose(*parts.inertial, place).rotation;
  }

  void scale_to_total_mass() {
    const double wanted = document_.compiler().total_mass;
    if (!(wanted > 0.0)) return;
    double sum = 0.0;
    for (const Body& b : robot().bodies) sum += b.inertia.mass;
    for (Body& b : robot().bodies) {
      b.inertia.mass *= wanted / sum;
      b.inertia.about_com *= wanted / sum;
    }
    for (MjcfLink& link : model_.links) link.inertia.mass *= wanted / sum, link.inertia.about_com *= wanted / sum;
  }

  void add_geom(const Item& item, const std::string& body, const Carrier& own, const GeomOrigin& origin) {
    const std::string name = attribute(item.element, "name").value_or("");
    const std::string place = item.element.place() + ": body '" + body + "' geom '" + name + "'";
    const auto geom = geoms_.read(item.element, false, place);
    if (geom && geom->wrapped)
      model_.wrap_geoms.push_back({name, own.body, own.link * item.frame * geom->pose, geom->shape});
    if (!geom || !geom->collides() || !document_.options().contact) return;
    if (geom->shape.kind == ShapeKind::half_space && own.body != kWorldBody)
      throw InvalidInput(place + " is a plane on a moving body; planes must be static");
    const Geom like{name, own.body, {}, own.link * item.frame * geom->pose, 0};
    GeomOrigin from = origin;
    from.pairs_only = geom->contype == 0 && geom->conaffinity == 0;
    add_collision_shape(geoms_.assets().colliding(geom->shape), like, from, place, robot());
    if (attribute(item.element, "type") == "ellipsoid" && geom->shape.kind == ShapeKind::convex)
      robot().warnings.push_back(place + ": the ellipsoid is replaced by a convex polyhedron with corners on it");
    model_.masks.resize(robot().geoms.size(), {geom->contype, geom->conaffinity});
    model_.surfaces.resize(robot().geoms.size(), geom->surface);
    model_.geom_names.resize(robot().geoms.size(), name);
  }

  void add_site(const Item& item, const Carrier& own) {
    const std::string name = attribute(item.element, "name").value_or("");
    if (name.empty()) return;
    const auto [zone, pose] = read_mjcf_site(document_, item.element, item.element.place() + ": site '" + name + "'");
    sites_.push_back({name, own.body, own.link * item.frame * pose});
    model_.site_details.push_back({own.link_index, zone});
  }

  const MjcfDocument& document_;
  MjcfGeoms geoms_;
  MjcfModel model_;
  std::vector<Frame> sites_;
  std::set<std::string> body_names_, joint_names_;
  int bodies_ = 0;
};

}  // namespace

MjcfModel read_mjcf_bodies(const MjcfDocument& document) { return BodyReader(document).run(); }

}  // namespace stiction
