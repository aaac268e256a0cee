# SPDX-License-Identifier: BSD-2-Clause
"""Sensors on every body, joint, tendon and actuator of robots that others wrote, at twenty random states without constraints.
Oracle: MuJoCo's sensordata. The links of the Allegro hand have the mass of their meshes, whose corners MuJoCo keeps in single precision:
M differs by 2e-9 and accelerations of light fingers by 7e-8. With MuJoCo's inertias written into the file they agree as the others do."""

from xml.etree import ElementTree

import numpy as np
import pytest

import sensor_models
from repository import THIRD_PARTY

pytestmark = pytest.mark.full
mujoco = pytest.importorskip("mujoco")
FOLDER = THIRD_PARTY / "menagerie" if THIRD_PARTY else None
FILES = (
    "agility_cassie/cassie", "booster_t1/t1", "google_barkour_vb/barkour_vb", "kinova_gen3/gen3", "low_cost_robot_arm/low_cost_robot_arm",
    "pal_talos/talos", "robotiq_2f85/2f85", "shadow_hand/right_hand", "stanford_tidybot/tidybot", "trossen_wx250s/wx250s",
    "unitree_h1/h1", "wonik_allegro/right_hand",
)  # fmt: skip

IMU = ("accelerometer", "gyro", "velocimeter", "magnetometer", "force", "torque")
FRAME = (
    "framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel", "framelinacc", "frameangacc",
)  # fmt: skip


def instrumented(path):
    """The file with a site on every body and all sensors."""
    tree = ElementTree.parse(path)
    root = tree.getroot()
    compiler = root.find("compiler")
    if compiler is None:
        compiler = ElementTree.SubElement(root, "compiler")
    for key in ("meshdir", "texturedir"):
        compiler.set(key, str(path.parent / compiler.get(key, compiler.get("assetdir", ""))))
    for section in root.findall("sensor"):
        root.remove(section)
    out = ElementTree.SubElement(root, "sensor")

    def add(kind, name, **values):
        ElementTree.SubElement(out, kind, name=f"{kind}-{name}", **values)

    bodies = [b.get("name") for b in root.iter("body") if b.get("name")]
    for body in list(root.iter("body")):
        if body.get("name"):
            ElementTree.SubElement(body, "site", name=f"at {body.get('name')}", pos=".01 .02 .03", quat=".7 .1 -.3 .2")
    for i, body in enumerate(bodies):
        for kind in IMU:
            add(kind, body, site=f"at {body}")
        for kind in FRAME:
            add(kind, f"x {body}", objtype="xbody", objname=body)
        other = bodies[(7 * i + 3) % len(bodies)]
        for kind in FRAME[:7]:
            add(kind, f"{body} from {other}", objtype="site", objname=f"at {body}", reftype="xbody", refname=other)
        for kind in ("subtreecom", "subtreelinvel", "subtreeangmom"):
            add(kind, body, body=body)
    model = mujoco.MjModel.from_xml_path(str(path))
    for i in range(model.njnt):
        joint = model.joint(i)
        if joint.name and joint.type[0] in (2, 3):
            for kind in ("jointpos", "jointvel", "jointactuatorfrc"):
                add(kind, joint.name, joint=joint.name)
        if joint.name and joint.type[0] == 1:
            for kind in ("ballquat", "ballangvel"):
                add(kind, joint.name, joint=joint.name)
    for name in (model.actuator(i).name for i in range(model.nu)):
        for kind in ("actuatorpos", "actuatorvel", "actuatorfrc") if name else ():
            add(kind, name, actuator=name)
    for name in (model.tendon(i).name for i in range(model.ntendon)):
        for kind in ("tendonpos", "tendonvel", "tendonactuatorfrc") if name else ():
            add(kind, name, tendon=name)
    for kind in ("clock", "e_potential", "e_kinetic"):
        add(kind, "all")
    return ElementTree.tostring(root, encoding="unicode")


def weighed(text):
    """The file with the inertias that MuJoCo's compiler finds."""
    root, model = ElementTree.fromstring(text), mujoco.MjModel.from_xml_string(text)
    for body in list(root.iter("body")):
        found = model.body(body.get("name"))
        for old in body.findall("inertial"):
            body.remove(old)
        values = {"mass": found.mass, "pos": found.ipos, "quat": found.iquat, "diaginertia": found.inertia}
        said = {key: " ".join(f"{x:.17g}" for x in value) for key, value in values.items()}
        ElementTree.SubElement(body, "inertial", **said)
    return ElementTree.tostring(root, encoding="unicode")


@pytest.mark.data
@pytest.mark.parametrize("name", FILES)
def test_sensors_read_what_mujoco_reads(name, third_party, tmp_path):
    text = instrumented(FOLDER / f"{name}.xml")
    text = weighed(text) if "allegro" in name else text
    _, sim, model = sensor_models.load(mujoco, text, tmp_path)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT  # ours act from the first step on
    data, rng = mujoco.MjData(model), np.random.default_rng(5)
    massless = {f"subtreecom-{model.body(i).name}" for i in range(model.nbody) if model.body_subtreemass[i] < 1e-12}
    worst = {}
    for _ in range(20):
        sensor_models.random_state(mujoco, model, data, rng)
        sensor_models.take_over(sim, model, data)
        for key, ours in sim.sensors([k for k in sim.sensor_names if k not in massless]).items():
            theirs = sensor_models.reading(mujoco, model, data, key)
            error = sensor_models.difference(ours, theirs, key.split("-")[0] in sensor_models.UNITS)
            worst[key] = max(worst.get(key, 0.0), error)
    assert len(worst) > 100
    assert {key: error for key, error in worst.items() if not error < 1e-8} == {}
