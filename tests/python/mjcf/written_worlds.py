# SPDX-License-Identifier: BSD-2-Clause
"""Worlds for World.save_mjcf: robots, scenes, and what is built or read with every kind of element."""

from pathlib import Path

import numpy as np

import mjcf_models
import stiction as st

INERTIAL = (
    '<inertial><origin xyz=".02 -.01 .03" rpy=".1 .2 .3"/><mass value="1.3"/>'
    '<inertia ixx=".011" iyy=".013" izz=".009" ixy=".001" ixz="-.0007" iyz=".0004"/></inertial>'
)
LINK = '<link name="{name}">' + INERTIAL + '<collision><geometry><sphere radius=".03"/></geometry></collision></link>'
# Every joint of URDF, and a link without mass between two of them.
JOINTS = """<robot name="joints">{links}<link name="nothing"/>
  <joint name="j_free" type="floating"><parent link="base"/><child link="a"/><origin xyz="0 0 .3"/></joint>
  <joint name="j_turn" type="revolute"><parent link="base"/><child link="b"/><origin xyz=".1 0 .2" rpy=".3 .1 -.2"/><axis xyz=".6 0 .8"/>
    <limit lower="-1" upper="1.5" effort="7" velocity="9"/><dynamics damping=".3" friction=".1"/></joint>
  <joint name="j_spin" type="continuous"><parent link="b"/><child link="c"/><origin xyz="0 .2 0" rpy="0 .5 0"/><axis xyz="0 1 0"/></joint>
  <joint name="j_slide" type="prismatic"><parent link="c"/><child link="d"/><origin xyz=".1 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-.2" upper=".3" effort="5" velocity="9"/></joint>
  <joint name="j_plane" type="planar"><parent link="d"/><child link="e"/><origin xyz="0 0 .1" rpy=".2 0 0"/></joint>
  <joint name="j_gap" type="revolute"><parent link="e"/><child link="nothing"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="9" velocity="9"/></joint>
  <joint name="j_end" type="revolute"><parent link="nothing"/><child link="f"/><origin xyz="0 .1 0" rpy="0 .4 0"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="9" velocity="9"/></joint>
  <joint name="j_fixed" type="fixed"><parent link="f"/><child link="g"/><origin xyz="0 0 .1" rpy=".1 .2 .3"/></joint>
</robot>"""

MACHINE = """<mujoco model="machine"><compiler angle="radian"/><option timestep=".002" gravity="0 0 -3.7"/>
  <default><geom friction=".7" margin=".001"/></default>
  <worldbody><geom name="floor" type="plane" size="3 3 .1" friction=".4"/><site name="hook" pos="0 0 1.4"/>
    <geom name="post" type="cylinder" size=".02 .1" pos="-.4 0 .1" contype="2" conaffinity="4"/>
    <body name="upper" pos="0 0 1.2" gravcomp=".4"><inertial pos=".01 0 -.15" mass="1.2" fullinertia=".02 .021 .004 .001 .0002 -.0003"/>
      <joint name="twist" axis="0 0 1" damping=".02"/><joint name="shoulder" axis="0 1 0" pos="0 .01 0" stiffness="3" springref=".3" damping=".05" armature=".01" range="-2 2"
        actuatorfrcrange="-8 9" solreflimit=".03 1.1"/>
      <geom name="arm" type="capsule" fromto="0 0 0 0 0 -.3" size=".03"/><geom name="wheel" type="sphere" size=".05" pos=".05 0 -.1" contype="0" conaffinity="0"/>
      <body name="lower" pos="0 0 -.3" gravcomp="1"><joint name="elbow" axis="0 1 .3" damping=".02" ref=".1" frictionloss=".05"/>
        <geom name="forearm" type="capsule" fromto="0 0 0 .1 0 -.25" size=".02" mass=".6"/><site name="hand" pos=".1 .02 -.25" euler=".2 .3 .1"/>
        <body name="welded" pos="0 .05 0" gravcomp=".2"><geom name="tag" type="box" size=".02 .03 .01" mass=".1"/></body>
        <body name="tip" pos=".1 0 -.25"><joint name="slide" type="slide" axis="1 0 .2" damping=".3"/>
          <geom name="claw" type="box" size=".03 .02 .05" mass=".2"/></body></body></body>
    <body name="rod" pos=".5 0 .8"><joint name="ball" type="ball" damping=".01" stiffness=".4"/><geom name="rod" type="capsule" fromto="0 0 0 .2 0 0" size=".02" mass=".3"/>
      <site name="eye" pos=".2 0 0"/></body>
    <body name="puck" pos="-.5 .2 .6"><freejoint name="fly"/><geom name="puck" type="cylinder" size=".1 .03" mass=".5" priority="1" friction=".2"/>
      <site name="rim" pos=".1 0 0"/></body>
    <body name="drop" pos="-.5 -.4 .6"><freejoint/><geom name="drop" type="ellipsoid" size=".1 .08 .05" mass=".4"/></body>
  </worldbody>
  <contact><exclude body1="upper" body2="tip"/><pair geom1="puck" geom2="rod" friction=".9 .9" margin=".01"/></contact>
  <tendon><fixed name="cord" range="-.5 .6" stiffness="3" damping=".1" armature=".05" frictionloss=".02"><joint joint="shoulder" coef=".7"/><joint joint="slide" coef="-1.3"/></fixed>
    <fixed name="other" stiffness="2" springlength="-.1 .2"><joint joint="elbow" coef="1"/></fixed>
    <spatial name="rope" stiffness="8" damping=".2" springlength=".2"><site site="hook"/><geom geom="wheel" sidesite="hand"/><site site="hand"/><pulley divisor="2"/>
      <site site="hook"/><site site="eye"/></spatial></tendon>
  <equality><joint name="gear" joint1="twist" joint2="elbow" polycoef=".02 .4 .1 -.05 .03"/><connect name="pin" body1="rod" anchor=".2 0 0" solref=".03 1"/>
    <weld name="glue" site1="rim" site2="eye" active="false"/><tendon name="twin" tendon1="other" polycoef=".05"/></equality>
  <actuator><motor name="m" joint="shoulder" gear="2" ctrlrange="-.5 .5"/><position name="p" joint="elbow" kp="9" kv=".4" forcerange="-2 2"/>
    <general name="f" joint="slide" dyntype="filterexact" dynprm=".3" gainprm="4" biastype="affine" biasprm=".1 -2 -.3" actrange="-.4 .5" actlimited="true"/>
    <motor name="w" joint="ball" gear=".2 .3 -.1"/><motor name="thrust" site="rim" gear="0 0 1 0 0 .05"/><position name="reach" site="hand" refsite="hook" gear="1 .5 0 0 .2 0" kp="6"/>
    <general name="pull" tendon="cord" gear="1.5" biastype="affine" biasprm=".1 -2 -.3"/><damper name="d" tendon="rope" kv="2" ctrlrange="0 1"/>
    <intvelocity name="i" joint="twist" kp="3" actrange="-1 1"/><motor name="in_parent" jointinparent="ball" gear=".1 .2 .3"/></actuator>
  <sensor><gyro name="g" site="hand" noise=".1" cutoff="3"/><accelerometer name="acc" site="rim"/><magnetometer name="mag" site="rim"/><force name="ft" site="eye"/>
    <touch name="touch" site="rim"/><jointpos name="jp" joint="elbow"/><tendonpos name="tp" tendon="rope"/><actuatorfrc name="af" actuator="p"/>
    <framepos name="fp" objtype="site" objname="hand" reftype="site" refname="hook"/><framelinvel name="fv" objtype="xbody" objname="lower"/><ballquat name="bq" joint="ball"/>
    <subtreecom name="sc" body="lower"/><clock name="time"/><e_kinetic name="ek"/><contact name="ct" geom1="puck" body2="world" num="2" data="found dist" reduce="mindist"/></sensor>
  <keyframe><key name="home" time=".5" qpos=".1 .2 .3 .05 .9 .1 .2 -.1 -.5 .2 .7 1 0 0 0 -.5 -.4 .7 .8 .6 0 0" qvel=".1 .2 .3 .4 .5 .6 .7 .8 .9 1 1.1 1.2 1.3 .1 .2 .3 .4 .5 .6"
    act=".1 .2" ctrl=".1 .2 .3 .4 .5 .6 .7 .8 .9 1"/></keyframe></mujoco>
"""

WIND = """<mujoco model="wind"><option density="1.2" viscosity=".002" wind="1 0 0"/><worldbody>
    <body name="vane" pos="0 0 1"><joint name="turn" axis="0 0 1"/><geom type="box" size=".2 .01 .1" pos=".1 .02 0" euler="10 20 30" mass=".3"/>
      <body name="flap" pos=".3 0 0"><joint name="swing" axis="0 1 0"/><geom name="flap" type="ellipsoid" size=".1 .08 .03" mass=".1" fluidshape="ellipsoid"
        fluidcoef=".4 .2 1 .9 .8"/></body></body>
    <body name="leaf" pos="1 0 1"><freejoint/><geom type="box" size=".1 .05 .01" mass=".02"/></body></worldbody></mujoco>
"""


def robot(name, height):
    world = st.World()
    world.add_ground(mu=0.6)
    world.add_urdf(Path(st._core.model_path(name)), position=(0.1, 0.2, height), rotation=(0.0, 0.0, 0.6, 0.8))
    return world


def joints():
    world = st.World()
    world.add_ground(mu=0.5)
    links = "".join(LINK.format(name=name) for name in ("base", "a", "b", "c", "d", "e", "f", "g"))
    arm = world.add_urdf_text(JOINTS.format(links=links), fixed=True, position=(0, 0, 1.5), name="arm")
    world.set_joint_position(arm, "j_turn", 0.4)
    world.set_joint(arm, "j_turn", armature=0.02)
    return world


def built():
    """Everything that is added by itself, filters, materials and loops."""
    world, rng = st.World(), np.random.default_rng(4)
    world.gravity = (0.1, 0.0, -5.0)
    world.add_heightfield(0.05 * rng.random((5, 7)) - 0.1, (4.0, 3.0), mu=0.7)
    world.add_static_box((0.4, 0.4, 0.2), position=(1.0, 0.0, 0.1), mu=0.3)
    world.add_material("ice", mu=0.02)
    world.add_material("rubber", mu=0.9)
    world.set_material_pair("ice", "rubber", mu=0.35)
    ball = world.add_sphere(
        0.1,
        1.0,
        position=(0, 0, 0.5),
        velocity=(0.3, 0.1, 0.0),
        angular_velocity=(1, 2, 3),
        material="ice",
        name="ball",
    )
    box = world.add_box(
        (0.2, 0.3, 0.1),
        2.0,
        position=(0.05, 0, 0.8),
        rotation=(0.1, 0.2, 0.3, np.sqrt(0.86)),
        material="rubber",
        name="box",
    )
    world.add_capsule(0.05, 0.3, 0.5, position=(0.6, 0.1, 0.6), mu=0.0, name="capsule")
    world.add_cylinder(0.08, 0.2, 0.4, position=(1.0, 0.0, 0.4), name="tin")
    hull = world.add_convex(0.1 * rng.standard_normal((20, 3)), 0.7, position=(-0.6, 0, 0.5), name="hull")
    world.add_box((0.1, 0.1, 0.1), 0.3, position=(-0.6, 0.5, 0.5), name="box_2")
    world.exclude(ball, hull)
    world.add_site("spot", box, position=(0.1, 0, 0.05))
    world.add_sensor("framepos", box, position=(0.1, 0, 0.05), name="where")
    return world


def written_worlds(folder):
    """Name → world. All of them can be said in MJCF up to what `told` of the test lists."""
    files = mjcf_models.write(folder)
    (folder / "machine.xml").write_text(MACHINE), (folder / "wind.xml").write_text(WIND)
    worlds = {
        "starleth": robot("starleth.urdf", 0.6),
        "quadruped": robot("quadruped_small.urdf", 0.4),
        "anymal": robot("anymal_prim.urdf", 0.7),
        "joints": joints(),
        "built": built(),
    }
    for scene in ("kapla", "heavy_on_light", "rolling", "brick_on_slope"):
        worlds[scene] = st._core.scene_world(scene, {})
    for name, path in {**files, "machine": folder / "machine.xml", "wind": folder / "wind.xml"}.items():
        worlds[name] = st.World()
        worlds[name].add_mjcf(path)
    both = st.World()
    both.add_mjcf(files["cart"], name="one", position=(1, 2, 0), rotation=(0, 0, 0.6, 0.8))
    both.add_sphere(0.1, 1.0, position=(0, 0, 3), name="cart")
    both.add_mjcf(folder / "machine.xml", name="two")
    worlds["two_files"] = both
    return worlds
