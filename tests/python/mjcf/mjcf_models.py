# SPDX-License-Identifier: BSD-2-Clause
"""MJCF texts of our own that between them use everything that add_mjcf reads, for tests against MuJoCo itself."""

KITCHEN = """<mujoco model="kitchen">
  <compiler angle="degree" eulerseq="zyx"/>
  <default>
    <geom density="700" friction="0.9 0.01 0.001"/>
    <joint damping="0.3" armature="0.02"/>
    <default class="leg"><geom type="capsule" size="0.03" density="500"/><joint axis="0 1 0" range="-60 60"/>
      <default class="foot"><geom type="sphere" size="0.04" friction="1.4" mass="0.2"/></default></default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="torso" pos="0.1 -0.2 0.7" euler="20 10 -30"><freejoint name="root"/>
      <geom name="hull" type="box" size="0.2 0.12 0.05"/>
      <geom name="head" type="ellipsoid" size="0.08 0.06 0.05" pos="0.25 0 0.05" axisangle="0 1 0 25"/>
      <frame pos="0.15 0.1 0" euler="0 0 15" childclass="leg">
        <body name="hip" pos="0 0.02 0"><joint name="abduct" axis="1 0 0" pos="0 0 0.01"/><joint name="swing" pos="0.01 0 0" ref="12"/>
          <geom fromto="0 0 0 0.05 0 -0.2"/>
          <body name="shin" pos="0.05 0 -0.2"><joint name="knee" range="-100 -5" ref="-20" frictionloss="0.1"/>
            <geom fromto="0 0 0 0 0 -0.2"/><geom name="foot" class="foot" pos="0 0 -0.2"/>
            <body name="sensor" pos="0 0.01 -0.1" quat="0.9 0.1 -0.3 0.2"><geom type="cylinder" size="0.02 0.03" mass="0.05" contype="0" conaffinity="0"/></body>
          </body></body></frame>
      <body name="arm" pos="0 -0.15 0.05" xyaxes="1 0.1 0 -0.1 1 0.2"><joint name="shoulder" type="ball" pos="0 0.01 0"/>
        <inertial pos="0.1 0 0.02" quat="0.8 0 0.6 0" mass="0.9" diaginertia="0.004 0.003 0.002"/>
        <geom type="box" fromto="0 0 0 0.2 0.05 0.1" size="0.02 0.04"/>
        <body name="hand" pos="0.2 0.05 0.1" zaxis="1 0 1"><joint name="reach" type="slide" axis="0 0.6 0.8" range="-0.1 0.2" ref="0.05"/>
          <inertial pos="0 0 0.03" mass="0.3" fullinertia="0.002 0.0025 0.003 0.0002 -0.0001 0.0003"/></body></body>
    </body>
    <body name="table" pos="2 0 0.4"><geom name="top" type="box" size="0.4 0.4 0.02"/>
      <body name="door" pos="0.4 0 0"><joint name="hinge" axis="0 0 1" damping="0" armature="0"/><geom type="box" size="0.02 0.2 0.1" pos="0 0.2 0"/></body></body>
    <replicate count="3" offset="0.3 0 0" euler="30 0 0" sep="-"><body name="ball" pos="-1 1 0.5"><joint type="free" name="fly" damping="0" armature="0"/>
      <geom size="0.1"/></body></replicate>
  </worldbody>
</mujoco>"""

CART = """<mujoco model="cart"><compiler angle="radian" autolimits="false" inertiafromgeom="true" settotalmass="7"/>
  <option gravity="0 0 -3"/>
  <include file="{name}"/>
  <worldbody><body name="cart" pos="0 0 1"><joint name="slide" type="slide" axis="1 0 0" range="-1 1" limited="false"/><geom type="box" size="0.2 0.1 0.1"/>
    <body name="pole" pos="0 0 0.1" childclass="pole"><joint name="hinge" range="-1 1" limited="true"/><geom fromto="0 0 0 0.001 0 0.6"/>
      <inertial pos="1 1 1" mass="99" diaginertia="1 1 1"/></body></body></worldbody>
  <actuator><motor joint="slide" gear="30" ctrlrange="-2 1" ctrllimited="true"/><position name="servo" joint="hinge" kp="50" kv="3" gear="2"/></actuator>
  <keyframe><key name="up" qpos="0.3 -0.4"/></keyframe>
</mujoco>"""

CART_PART = """<mujocoinclude><default><default class="pole"><geom type="capsule" size="0.02"/><joint axis="0 1 0" stiffness="4" springref="0.2"/></default>
  </default></mujocoinclude>"""

# A concave closed mesh (an L): MuJoCo's rules for the mass of meshes differ on it.
L_CORNERS = [(0, 0), (0.3, 0), (0.3, 0.1), (0.1, 0.1), (0.1, 0.2), (0, 0.2)]


def l_mesh() -> str:
    """An L-shaped prism as .obj."""
    n = len(L_CORNERS)
    lines = [f"v {x} {y} {z}" for z in (0.0, 0.05) for x, y in L_CORNERS]
    faces = [(0, 2, 1), (0, 3, 2), (0, 5, 3), (3, 5, 4)]  # below; above they are turned round
    faces += [(a + n, c + n, b + n) for a, b, c in faces]
    for i in range(n):
        j = (i + 1) % n
        faces += [(i, j, j + n), (i, j + n, i + n)]
    return "\n".join(lines + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]) + "\n"


MESHED = """<mujoco model="meshed"><compiler meshdir="parts"/>
  <asset><mesh name="l" file="l.obj" scale="1 1 2" inertia="{rule}"/><mesh name="tet" vertex="0 0 0 0.2 0 0 0 0.2 0 0 0 0.2"/></asset>
  <worldbody><body name="a" pos="0 0 1"><freejoint/><geom type="mesh" mesh="l" pos="0.1 0 0" euler="0 30 0"/>
    <body name="b" pos="0 0 0.5"><joint name="b_joint"/><geom type="mesh" mesh="tet" density="300"/></body></body></worldbody></mujoco>"""


def write(folder) -> dict:
    """Every model as a file; name → path."""
    (folder / "parts").mkdir()
    (folder / "parts" / "l.obj").write_text(l_mesh())
    (folder / "part.xml").write_text(CART_PART)
    texts = {"kitchen": KITCHEN, "cart": CART.format(name="part.xml")}
    texts.update({f"mesh_{rule}": MESHED.format(rule=rule) for rule in ("legacy", "exact", "convex")})
    paths = {}
    for name, text in texts.items():
        paths[name] = folder / f"{name}.xml"
        paths[name].write_text(text)
    return paths
