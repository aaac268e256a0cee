# SPDX-License-Identifier: BSD-2-Clause
"""Hands of others pinch a cube off its centre between two fingertips, lift it and hold it. Oracle: a fingertip that presses with N, carries
f along its tangents and the moment t about its normal holds iff (f/mu)^2 + (t/mu_torsion)^2 <= N^2, with N, f and t as they are
measured while it holds. Data of others: a folder menagerie."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import stiction as st

MASS, OFFSET = 0.02, 0.008  # [kg] of the cube, [m] of its centre from the line between the pads
# file, links of the two tips with the centre and the radius of their pads, joints and where they pinch
HANDS = {
    "allegro": ("wonik_allegro/right_hand.xml", {"th_tip": ((0, 0, 0.043), 0.012), "mf_tip": ((0, 0, 0.029), 0.012)},
                {"thj0": 0.866, "thj1": 0.549, "thj2": 0.613, "thj3": 0.614, "mfj0": 0.033, "mfj1": 0.808, "mfj2": 0.923, "mfj3": 0.796}),
    "shadow": ("shadow_hand/right_hand.xml", {"rh_thdistal": ((0, 0, 0.018), 0.008), "rh_mfdistal": ((0, 0, 0.016), 0.008)},
               {"rh_THJ5": 0.187, "rh_THJ4": 0.813, "rh_THJ3": 0.012, "rh_THJ2": 0.04, "rh_THJ1": 0.583, "rh_MFJ4": 0.017, "rh_MFJ3": 0.76, "rh_MFJ2": 0.924, "rh_MFJ1": 0.889}),
}  # fmt: skip

LIFT = '<body name="lift"><inertial pos="0 0 0" mass="1" diaginertia=".01 .01 .01"/><joint name="lift" type="slide" axis="0 0 1"/></body>'
SERVO = '<position name="lift" joint="lift" kp="20000" kv="2000"/>'
CUBE = """<worldbody><body name="cube" pos="{centre}" xyaxes="{axes}"><freejoint/>
 <geom type="box" size="{half} {half} {half}" mass="{mass}" condim="{condim}" friction="{slide} {torsion} .0001" priority="1"/></body></worldbody>"""


def text(x):
    return " ".join(f"{value:.9g}" for value in x)


GRIP = 3.0  # [N] that the servos of the fingers are asked for


class Grasp:
    """A hand with its fingers where they pinch, and a cube between the pads, 0.05 mm from each."""

    def __init__(self, hand, menagerie, folder, condim=4, slide=1.0, torsion=0.02):
        file, self.tips, self.joints = HANDS[hand]
        path = folder / f"{hand}.xml"
        scene = self.scene(menagerie / file)
        scene.write(path)
        self.load(path)
        (left, right), radii = self.pads(), [radius for _, radius in self.tips.values()]
        apart = np.linalg.norm(right - left) - sum(radii)
        self.axis = (right - left) / np.linalg.norm(right - left)
        across = np.cross((0, 0, 1.0), self.axis)
        across /= np.linalg.norm(across)
        centre = left + self.axis * (radii[0] + 0.5 * apart) + OFFSET * across
        half = 0.5 * apart - 5e-5
        numbers = {"centre": text(centre), "axes": text([*self.axis, *across]), "half": half}
        cube = CUBE.format(mass=MASS, condim=condim, slide=slide, torsion=torsion, **numbers)
        scene.find("worldbody").extend(ET.fromstring(cube))
        scene.write(path)
        self.load(path)
        self.ask()

    @staticmethod
    def scene(file):
        """The file, with its hand on a slide."""
        tree = ET.parse(file)
        tree.find("compiler").set("meshdir", str(file.parent / "assets"))
        tree.find("option").set("timestep", "0.002")
        world, lift = tree.find("worldbody"), ET.fromstring(LIFT)
        lift.extend(world.findall("body"))
        for body in world.findall("body"):
            world.remove(body)
        world.append(lift)
        tree.find("actuator").append(ET.fromstring(SERVO))
        return tree

    def load(self, path):
        world = st.World()
        self.robot = world.add_mjcf(path)
        self.sim = st.Simulator(world)
        self.sim.set_joints(self.joints)

    def pads(self):
        """Centres of the two pads, world axes."""
        out = []
        for link, (centre, _) in self.tips.items():
            position, (x, y, z, w) = self.sim.frame_pose(link)
            out.append(
                position + centre + 2.0 * np.cross((x, y, z), np.cross((x, y, z), centre) + w * np.array(centre))
            )
        return out

    def ask(self):
        """Targets of the servos: the pose, and what presses the pads together with GRIP."""
        sim, pads = self.sim, self.pads()
        want = sim.bias()  # the weight
        for link, pad, sign in zip(self.tips, pads, (1.0, -1.0), strict=True):
            J = sim.jacobian(link)
            arm = pad - sim.frame_pose(link)[0]
            force = sign * GRIP * self.axis
            want += J[:3].T @ force + J[3:].T @ np.cross(arm, force)
        sim.ctrl[:] = 0.0
        start, ctrl = sim.joint_actuation(), np.zeros(len(sim.ctrl))
        for k in range(len(ctrl)):  # servo by servo: what a unit of ctrl does, and the nearest to what is wanted
            sim.ctrl[k] = 1.0
            gain = sim.joint_actuation() - start
            sim.ctrl[k] = 0.0
            ctrl[k] = gain @ (want - start) / (gain @ gain)
        sim.ctrl[:] = ctrl

    def lift(self, height=0.05):
        """Settle, go up within a second, settle."""
        self.sim.step(n=500)
        at, start = self.robot.actuator_names.index("lift"), self.sim.ctrl[self.robot.actuator_names.index("lift")]
        for k in range(1, 101):
            self.sim.ctrl[at] = start + height * k / 100
            self.sim.step(n=5)
        self.sim.step(n=1500)

    def loads(self):
        """(N, f, t) of each contact of the cube: pressure, force along the tangents, moment about the normal."""
        cube = self.sim.contacts()["geom_b"].max()  # the last geom of the file
        out = []
        for c in self.sim.contacts():
            if cube in (c["geom_a"], c["geom_b"]) and c["force"].any():
                N = abs(c["force"] @ c["normal"])
                out.append((N, np.linalg.norm(np.cross(c["force"], c["normal"])), abs(c["torque"] @ c["normal"])))
        return np.array(out)


@pytest.mark.full
@pytest.mark.parametrize("hand", HANDS)
def test_a_cube_is_lifted_and_held(hand, third_party, tmp_path):
    grasp = Grasp(hand, third_party / "menagerie", tmp_path)
    sim = grasp.sim
    sim.step(n=500)  # the fingers close: they are springs and carry the cube along by some millimetres
    height = sim.q[-5]
    grasp.lift()
    assert sim.q[-5] - height == pytest.approx(0.05, abs=0.0005)
    before = sim.q.copy()
    report = sim.step(n=2500)
    assert report.status == "converged" and report.unaccepted == 0
    assert np.abs(sim.q - before).max() < 1e-6


@pytest.mark.full
@pytest.mark.parametrize("share", [0.8, 1.25])
def test_the_cube_pivots_where_the_closed_form_says_so(share, third_party, tmp_path):
    """Of the torsion that the measured loads need, a fifth less lets it pivot and a fourth more holds it."""
    held = Grasp("allegro", third_party / "menagerie", tmp_path)
    held.sim.step(n=1000)
    N, f, t = held.loads().T
    assert len(N) == 2
    needed = (t / np.sqrt(N**2 - f**2)).max()
    grasp = Grasp("allegro", third_party / "menagerie", tmp_path, torsion=share * needed)
    grasp.sim.step(n=1000)
    moved = np.abs(grasp.sim.q[-4:] - held.sim.q[-4:]).max()
    assert moved < 0.02 if share > 1 else moved > 0.1, (moved, needed)


SINKS = pytest.mark.xfail(
    strict=True,
    reason="as friction falls the shadow hand's fingers give way, their N falls from 3.62 to 3.24 N, and the cube sinks by 6.6 mm "
    "within 2 s, 0.2 mm of them in the last half second; bar: 4 mm",
)


@pytest.mark.full
@pytest.mark.parametrize(
    ("hand", "share"),
    [("allegro", 0.9), ("allegro", 1.1), ("shadow", 0.9), pytest.param("shadow", 1.4, marks=SINKS)],
)
def test_the_cube_slips_out_where_the_closed_form_says_so(hand, share, third_party, tmp_path):
    """Two pads with one normal n carry the weight across it: they slip iff mu (N_1 + N_2) < m |g - (g.n) n|, with N as measured while
    they hold. What the fingers do to each other through the cube gives way first. With torsion to spare."""
    held = Grasp(hand, third_party / "menagerie", tmp_path, torsion=1.0)
    held.sim.step(n=1000)
    N, _, _ = held.loads().T
    assert len(N) == 2
    needed = MASS * 9.81 * np.linalg.norm(np.cross(held.axis, (0, 0, 1))) / N.sum()
    grasp = Grasp(hand, third_party / "menagerie", tmp_path, slide=share * needed, torsion=1.0)
    grasp.sim.step(n=1000)
    fallen = held.sim.q[-5] - grasp.sim.q[-5]
    assert fallen < 0.004 if share > 1 else fallen > 0.02, fallen  # then other links of the shadow hand catch it
