# SPDX-License-Identifier: BSD-2-Clause
"""A small MJCF scene with what commands and viewer look at: a floor, servos with and without a range, keyframes."""

SERVO_SCENE = """<mujoco model="arm"><option timestep="0.002"/><worldbody>
  <geom name="floor" type="plane" size="1 1 .1"/>
  <body name="arm" pos="0 0 .5"><joint name="shoulder" axis="0 1 0" range="-90 90"/>
    <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1"/>
    <body name="hand" pos=".3 0 0"><joint name="wrist" axis="0 1 0"/><geom size=".04" mass=".2"/></body></body></worldbody>
  <actuator><position name="lift" joint="shoulder" kp="100" dampratio="1" ctrlrange="-1 1.5"/>
    <motor name="turn" joint="wrist"/></actuator>
  <keyframe><key name="home" qpos=".3 .1" ctrl=".3 .05"/><key name="low" qpos="1 0" ctrl="1 0"/></keyframe></mujoco>
"""


def servo_scene(folder):
    path = folder / "scene.xml"
    path.write_text(SERVO_SCENE)
    return path
