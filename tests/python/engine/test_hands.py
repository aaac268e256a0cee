# SPDX-License-Identifier: BSD-2-Clause
"""Hands of others pinch a cube off its centre between two fingertips, lift it and hold it. Oracle: a fingertip that presses with N, carries
f along its tangents and the moment t about its normal holds iff (f/mu)^2 + (t/mu_torsion)^2 <= N^2, with N, f and t as they are measured
while it holds. Without STICTION_DATA (with a folder menagerie in it) these are left out."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import stiction as st
from repository import THIRD_PARTY

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
 <geom type="box" size="{half} {half} {half}" mass="{mass}" condim="{condim}" friction="1 {torsion} .0001" priority="1"/></body></worldbody>"""


def text(x):
    return " ".join(f"{value:.9g}" for value in x)


GRIP = 3.0  # [N] that the servos of the fingers are asked for


class Grasp:
    """A hand with its fingers where they pinch, and a cube between the pads, 0.05 mm from each."""

    def __init__(self, hand, folder, condim=4, torsion=0.005):
        file, self.tips, self.joints = HANDS[hand]
        path = folder / f"{hand}.xml"
        scene = self.scene(THIRD_PARTY / "menagerie" / file)
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
        cube = CUBE.format(mass=MASS, condim=condim, torsion=torsion, **numbers)
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
            out.append(position + centre + 2.0 * np.cross((x, y, z), np.cross((x, y, z), centre) + w * np.array(centre)))
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
