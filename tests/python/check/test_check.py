# SPDX-License-Identifier: BSD-2-Clause
"""stiction check. Oracle: files with one planted fault each, whose finding and line are known; a sound robot without any."""

import json
import math
import re
import subprocess
import sys

import pytest

import stiction as st
from repository import ROOT
from stiction import check

DOCS = ROOT / "docs"

INERTIAL = '<inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>'
BALL = '<collision><geometry><sphere radius="0.1"/></geometry></collision>'
LIMIT = '<limit lower="-1" upper="1" effort="5" velocity="9"/>'


def link(name, inertial=INERTIAL, collision=BALL):
    return f'<link name="{name}">{inertial}{collision}</link>\n'


def joint(name="hinge", parent="base", child="arm", kind="revolute", inner=f'<axis xyz="0 0 1"/>{LIMIT}'):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><origin xyz="0 0 -0.5"/>{inner}</joint>\n'


def urdf(*parts):
    return '<robot name="r">\n' + "".join(parts) + "</robot>\n"


def inertia(*moments):
    ixx, iyy, izz, *more = moments
    off = f' ixy="{more[0]}"' if more else ""  # products that are absent are zero
    return f'<inertial><mass value="1"/><inertia ixx="{ixx}" iyy="{iyy}" izz="{izz}"{off}/></inertial>'


MESH = '<{0}><geometry><mesh filename="{1}"/></geometry></{0}>'

# name: (text, id that must be found, words of the sentence or place, line)
PLANTED = {
    "duplicate link": (urdf(link("base"), link("base")), "name-duplicate", "base", 3),
    "duplicate joint": (urdf(link("base"), link("arm"), link("leg"), joint(), joint(child="leg")), "name-duplicate", "hinge", 6),
    "joint type": (urdf(link("base"), link("arm"), joint(kind="revolut")), "joint-type", "did you mean 'revolute'", 4),
    "joint link": (urdf(link("base"), link("arm"), joint(parent="bse")), "joint-link", "did you mean 'base'", 4),
    "two roots": (urdf(link("base"), link("arm")), "tree-broken", "arm", 3),
    "loop": (urdf(link("base"), link("arm"), joint(), joint("back", "arm", "base")), "tree-broken", "loop", 1),
    "two parents": (urdf(link("base"), link("arm"), joint(), joint("other")), "tree-broken", "arm", 5),
    "no links": (urdf(), "tree-broken", "no <link>", 1),
    "negative mass": (urdf(link("base", INERTIAL.replace('value="1"', 'value="-1"'))), "mass-negative", "-1", 2),
    "negative moment": (urdf(link("base", inertia(0.1, 0.1, -0.1))), "inertia-not-positive", "-0.1", 2),
    "indefinite by products": (urdf(link("base", inertia(0.1, 0.1, 0.1, 0.2))), "inertia-not-positive", "negative", 2),
    "triangle inequality": (urdf(link("base", inertia(0.01, 0.01, 0.03))), "inertia-triangle", "0.03", 2),
    "inertia of kg mm^2": (urdf(link("base", inertia(5000, 5000, 5000))), "inertia-size", "5000", 2),
    "heavier than any metal": (urdf(link("base", INERTIAL.replace('value="1"', 'value="900"'))), "mass-density", "900", 2),
    "lighter than air": (urdf(link("base", INERTIAL.replace('value="1"', 'value="1e-4"').replace("0.01", "1e-7"))), "mass-density", "0.0001", 2),
    "com far away": (urdf(link("base", INERTIAL.replace("<mass", '<origin xyz="3 0 0"/><mass'))), "com-outside", "2.9", 2),
    "massless end": (urdf(link("base"), link("arm", ""), joint()), "mass-missing", "no mass", None),
    "massless between": (urdf(link("base"), link("arm", ""), link("tip"), joint(), joint("second", "arm", "tip")), "mass-missing", "arm", 3),
    "no limit": (urdf(link("base"), link("arm"), joint(inner="")), "limit-missing", "continuous", 4),
    "inverted limit": (urdf(link("base"), link("arm"), joint(inner='<limit lower="1" upper="-1"/>')), "limit-inverted", "above", 4),
    "no range": (urdf(link("base"), link("arm"), joint(inner='<limit lower="0" upper="0"/>')), "limit-zero-range", "may not move", 4),
    "degrees": (urdf(link("base"), link("arm"), joint(inner='<limit lower="-90" upper="90"/>')), "limit-degrees", "90", 4),
    "start outside": (urdf(link("base"), link("arm"), joint(inner='<limit lower="0.2" upper="1"/>')), "limit-start", "0.2", 4),
    "effort zero": (urdf(link("base"), link("arm"), joint(inner='<limit lower="-1" upper="1" effort="0"/>')), "effort-zero", "unlimited", 4),
    "velocity zero": (urdf(link("base"), link("arm"), joint(inner='<limit lower="-1" upper="1" velocity="0"/>')), "velocity-zero", "0", 4),
    "effort missing": (urdf(link("base"), link("arm"), joint(inner='<limit lower="-1" upper="1"/>')), "effort-missing", "unlimited", 4),
    "velocity unused": (urdf(link("base"), link("arm"), joint()), "velocity-unused", "not enforced", 4),
    "zero axis": (urdf(link("base"), link("arm"), joint(inner=f'<axis xyz="0 0 0"/>{LIMIT}')), "axis-zero", "zero", 4),
    "long axis": (urdf(link("base"), link("arm"), joint(inner=f'<axis xyz="0 0 2"/>{LIMIT}')), "axis-not-unit", 'xyz="0 0 1"', 4),
    "mimic": (urdf(link("base"), link("arm"), link("tip"), joint(), joint("m", "arm", "tip", inner=LIMIT + '<mimic joint="hinge"/>')), "mimic", "hinge", 6),
    "no shapes": (urdf(link("base", collision="")), "collision-none", "falls", None),
    "a link without shape": (urdf(link("base"), link("arm", collision=""), joint()), "collision-missing", "arm", 3),
    "missing mesh": (urdf(link("base", collision=MESH.format("collision", "no.stl"))), "mesh-missing", "no.stl", 2),
    "package": (urdf(link("base", collision=MESH.format("collision", "package://gone/no.stl"))), "mesh-package", "--package-dir", 2),
    "visual mesh": (urdf(link("base", collision=BALL + MESH.format("visual", "no.dae"))), "mesh-visual-missing", "no.dae", 2),
    "fixed link": (urdf(link("base"), link("arm"), joint(kind="fixed")), "links-merged", "1 link", 4),
    "overlap": (
        urdf(link("base"), link("arm"), link("tip"), joint(), joint("up", "arm", "tip", inner=LIMIT).replace("-0.5", "0.45")),
        "collision-overlap", "150 mm", None,
    ),
    "not a number": (urdf(link("base", INERTIAL.replace('value="1"', 'value="one"'))), "refused", "'one'", None),
}  # fmt: skip


def look(text, tmp_path, name="robot.urdf", **options):
    path = tmp_path / name
    path.write_text(text)
    return check.robot(path, **options)


@pytest.mark.parametrize("case", PLANTED)
def test_planted_fault(case, tmp_path):
    text, id_, words, line = PLANTED[case]
    checked = look(text, tmp_path)
    found = [f for f in checked.findings if f.id == id_]
    assert found, [(f.id, f.sentence) for f in checked.findings]
    assert any(words in f"{f.place} {f.sentence} {f.fix}" for f in found), found
    assert line is None or any(f.line == line for f in found), found
    expected = check.IDS[id_][0]
    if expected == check.ERROR:
        assert checked.simulated is None
    elif id_ not in ("mass-missing", "inertia-not-positive"):  # these depend on whether the loader can live with it
        assert checked.simulated is not None


def test_every_id_is_planted_or_met_elsewhere():
    """No id that nothing can raise: the others need meshes or MJCF and have tests of their own."""
    others = {
        "loop-open",
        "collision-hull",
        "collision-mesh-only",
        "collision-left-out",
        "collision-corners",
        "left-out",
        "changed",
    }
    assert set(check.IDS) - {id_ for _, id_, _, _ in PLANTED.values()} == others


def test_a_sound_robot_has_nothing_to_repair():
    for name in ("starleth", "anymal_prim", "quadruped_small"):
        checked = check.robot(name)
        assert checked.ok and all(f.severity == check.NOTE for f in checked.findings)
    simulated = check.robot("starleth").simulated
    assert (
        simulated["bodies"] == 13 and simulated["dof"] == 18 and simulated["actuated"] == 12 and simulated["floating"]
    )
    assert simulated["mass_kg"] == pytest.approx(26.82) and simulated["ground_contacts"] == 4
    assert [foot["kind"] for foot in simulated["feet"]] == ["sphere"] * 4


def test_every_finding_has_a_place_a_sentence_and_a_fix(tmp_path):
    for text, *_ in PLANTED.values():
        for f in look(text, tmp_path).findings:
            assert (
                f.place
                and f.sentence
                and f.fix
                and f.severity in (check.ERROR, check.WARNING, check.NOTE)
                and f.id in check.IDS
            )


def test_meshes_that_move_become_hulls(tmp_path):
    corners = [(x, y, z) for x in (0, 0.1) for y in (0, 0.1) for z in (0, 0.1)]
    faces = [
        (0, 1, 3),
        (0, 3, 2),
        (4, 6, 7),
        (4, 7, 5),
        (0, 4, 5),
        (0, 5, 1),
        (2, 3, 7),
        (2, 7, 6),
        (0, 2, 6),
        (0, 6, 4),
        (1, 5, 7),
        (1, 7, 3),
    ]
    text = "".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "".join(
        f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces
    )
    (tmp_path / "cube.obj").write_text(text)
    checked = look(
        urdf(
            link(
                "base",
                inertia(0.002, 0.002, 0.002).replace("<mass", '<origin xyz="0.05 0.05 0.05"/><mass'),
                MESH.format("collision", "cube.obj"),
            )
        ),
        tmp_path,
    )
    ids = {f.id: f for f in checked.findings}
    assert ids["collision-hull"].severity == check.NOTE and ids["collision-mesh-only"].severity == check.WARNING
    assert checked.simulated["shapes"] == {"convex": 1} and checked.simulated["ground_contacts"] == 4
    assert any("convex hull" in text for text in checked.changed)


SDF = """<sdf version="1.7"><model name="m">
<link name="base"><inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>{izz}</izz></inertia></inertial></link>
<link name="arm"><pose>0 0 1 0 0 0</pose><inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
<collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link>
<joint name="j" type="{kind}"><parent>{parent}</parent><child>arm</child><axis><xyz>0 0 1</xyz><limit><lower>{lower}</lower><upper>1</upper></limit></axis></joint>
</model></sdf>"""
SOUND = dict(izz="0.01", kind="revolute", parent="base", lower="-1")


@pytest.mark.parametrize(
    ("change", "id_", "line"),
    [
        (dict(izz="0.05"), "inertia-triangle", 2),
        (dict(kind="screw"), "joint-type", 5),
        (dict(parent="bas"), "joint-link", 5),
        (dict(lower="2"), "limit-inverted", 5),
    ],
)
def test_sdf(change, id_, line, tmp_path):
    assert look(SDF.format(**SOUND), tmp_path, "m.sdf").ok
    checked = look(SDF.format(**{**SOUND, **change}), tmp_path, "m.sdf")
    assert checked.format == "sdf" and [(f.id, f.line) for f in checked.findings if f.severity != check.NOTE] == [
        (id_, line)
    ]


def test_a_loop_that_is_open_at_the_start(tmp_path):
    """A joint that may not be at 0 starts at 0.5 rad: a point 0.2 m from it is 2 sin(0.25) 0.2 m away from where it is held."""
    text = SDF.format(**{**SOUND, "lower": "0.5"}).replace(
        "</model>",
        """<joint name="back" type="ball"><parent>base</parent><child>arm</child>
      <pose>0.2 0 0 0 0 0</pose></joint></model>""",
    )
    (found,) = [f for f in look(text, tmp_path, "m.sdf").findings if f.id == "loop-open"]
    assert (
        found.severity == check.WARNING
        and f"{2e3 * 0.2 * math.sin(0.25):.3g} mm" in found.sentence
        and "back" in found.place
    )


MJCF = """<mujoco model="m"><worldbody>
<body name="a" pos="0 0 1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/>
<body name="b" pos="0 0 -0.3"><joint name="j" range="{range}"/><geom {geom}/></body></body>
</worldbody>{more}</mujoco>"""


@pytest.mark.parametrize(
    ("change", "id_", "words"),
    [
        (dict(range="30 -30"), "limit-inverted", "30"),
        (dict(geom='type="mesh" mesh="none"'), "refused", "none"),
        (dict(more='<asset><mesh name="m" file="no.stl"/></asset>'), "mesh-missing", "no.stl"),
        (
            dict(more="<tendon><fixed solreflimit='.1 1'><joint joint='j' coef='1'/></fixed></tendon>"),
            "left-out",
            "tendon",
        ),
        (dict(more='<actuator><muscle joint="j"/></actuator>'), "left-out", "actuators"),
    ],
)
def test_mjcf(change, id_, words, tmp_path):
    sound = dict(range="-30 30", geom='type="sphere" size="0.1"', more="")
    assert look(MJCF.format(**sound), tmp_path, "m.xml").ok
    checked = look(MJCF.format(**{**sound, **change}), tmp_path, "m.xml")
    assert checked.format == "mjcf" and any(f.id == id_ and words in f.sentence for f in checked.findings), (
        checked.findings
    )


def command(*arguments, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "stiction.cli", "check", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_the_command(tmp_path):
    good = command("starleth")
    assert (
        good.returncode == 0
        and "What will be simulated" in good.stdout
        and "26.82 kg" in good.stdout
        and good.stderr == ""
    )
    (tmp_path / "bad.urdf").write_text(PLANTED["inverted limit"][0])
    bad = command("bad.urdf", "--json", cwd=tmp_path)
    found = json.loads(bad.stdout)
    assert bad.returncode == 1 and not found["ok"] and found["errors"] == 1 and found["simulated"] is None
    assert {"id", "severity", "place", "line", "sentence", "fix"} <= set(found["findings"][0])
    text = command("bad.urdf", cwd=tmp_path)
    assert text.returncode == 1 and re.search(
        r"bad\.urdf:4: joint 'hinge' .*\[limit-inverted\]\n +fix: exchange", text.stdout
    )


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [("none.urdf", None, "none.urdf"), ("x.urdf", "<robot", "line 1"), ("y.urdf", "<html/>", "<html>"), ("starlet", None, "did you mean 'starleth'"),
     ("z.urdf", '<robot xmlns:xacro="x"><xacro:macro/></robot>', "xacro")],
)  # fmt: skip
def test_what_cannot_be_read_is_one_sentence_and_code_2(name, text, words, tmp_path):
    if text is not None:
        (tmp_path / name).write_text(text)
    done = command(name, cwd=tmp_path)
    assert done.returncode == 2 and words in done.stderr and done.stdout == "" and done.stderr.count("\n") == 1


def test_every_id_is_documented():
    page = (DOCS / "your-robot.md").read_text()
    for id_, (severity, meaning) in check.IDS.items():
        assert f"| `{id_}` | {severity} | {meaning} |" in page


def test_self_collision_makes_overlaps_warnings(tmp_path):
    text = PLANTED["overlap"][0]
    quiet, loud = look(text, tmp_path), look(text, tmp_path, self_collision=True)
    assert quiet.ok and not loud.ok


def test_names_of_robots():
    info = st.robots.info("starleth")
    assert (
        info.mass == pytest.approx(26.82)
        and info.dof == 18
        and len(info.joints) == 12
        and info.source == "stiction"
        and info.format == "urdf"
    )
    with pytest.raises(ValueError, match="did you mean 'starleth'"):
        st.robots.load("starlet", st.World())
