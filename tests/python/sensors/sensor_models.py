# SPDX-License-Identifier: BSD-2-Clause
"""Small MJCF files with every kind of sensor, and MuJoCo beside the engine at one state."""

import numpy as np

import stiction as st

UNITS = ("framequat", "ballquat")  # quaternions: (w, x, y, z) there, (x, y, z, w) here, either sign

TREE = """<mujoco model="tree">
  <compiler angle="radian"/>
  <option gravity="0.3 -0.2 -9.7" magnetic="0.1 -0.4 0.2"/>
  <default><geom contype="1" conaffinity="0"/></default>
  <worldbody>
    <site name="post" pos=".1 .2 .3" euler=".1 .2 .3"/>
    <body name="stand" pos="0 1 1"><inertial pos=".1 0 .2" mass="3" diaginertia=".1 .2 .15"/>
      <body name="arm" pos="0 .1 0" euler=".3 0 0">
        <joint name="shoulder" axis="0 1 .2" damping=".3" stiffness="2" springref=".2" range="-.4 .5" limited="{limited}"/>
        <geom size=".05" pos=".1 0 0" mass=".7"/>
        <body name="plate" pos=".2 0 0" quat="1 .1 .2 .3"><geom type="box" size=".1 .05 .02" mass=".4" pos="0 .02 0"/>
          <site name="weld" pos=".01 .02 .03" euler=".4 .1 -.2"/>
          <body name="tool" pos=".1 0 .1"><joint name="slide" type="slide" axis="1 0 .3" armature=".1" stiffness="5"/>
            <inertial pos=".02 .01 0" euler=".2 .3 .1" mass=".5" diaginertia=".003 .002 .004"/>
            <site name="tip" pos="0 0 .05" zaxis="1 1 0"/>
            <body name="ball" pos="0 0 .2"><joint name="wrist" type="ball" damping=".01" stiffness=".4"/>
              <geom type="capsule" size=".02" fromto="0 0 0 .1 .1 0" mass=".3"/><site name="hand" pos=".05 0 0"/></body>
          </body>
        </body>
      </body>
    </body>
    <body name="drone" pos="0 0 2"><freejoint name="fly"/>
      <geom name="hull" type="box" size=".1 .2 .05" mass="1.3" pos=".03 0 .01"/><site name="imu" pos=".1 0 .02" euler="1 .5 0"/>
      <body name="rotor" pos=".2 0 .1"><joint name="spin" axis="0 0 1"/><geom type="cylinder" size=".08 .01" mass=".1" pos=".02 0 0"/>
        <site name="blade" pos=".08 0 0"/></body>
    </body>
  </worldbody>
  <tendon><fixed name="cord" range="-.1 .2" limited="{limited}" stiffness="3" damping=".1" armature=".05">
    <joint joint="shoulder" coef=".7"/><joint joint="slide" coef="-1.3"/></fixed></tendon>
  <actuator>
    <motor name="m" joint="shoulder" gear="2" ctrlrange="-.5 .5"/>
    <position name="p" joint="slide" kp="9" kv=".4" forcerange="-2 2"/>
    <motor name="w" joint="wrist" gear=".2 .3 -.1"/>
    <motor name="thrust" site="blade" gear="0 0 1 0 0 .05"/>
    <general name="pull" tendon="cord" gear="1.5" biastype="affine" biasprm=".1 -2 -.3"/>
  </actuator>
  <sensor>{sensors}</sensor>
</mujoco>
"""

SITES = ("tip", "weld", "hand", "imu", "blade", "post")
BODIES = ("stand", "arm", "plate", "tool", "ball", "drone", "rotor")


def sensors_of_the_tree(limited):
    out = []
    for kind in ("accelerometer", "gyro", "velocimeter", "magnetometer", "force", "torque"):
        # the torque on the world itself adds moments about different points in MuJoCo
        out += [f'<{kind} name="{kind}-{site}" site="{site}"/>' for site in SITES if (kind, site) != ("torque", "post")]
    frames = ("framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel")
    for kind in (*frames, "framelinacc", "frameangacc"):
        out += [f'<{kind} name="{kind}-{site}" objtype="site" objname="{site}"/>' for site in SITES]
        out += [f'<{kind} name="{kind}-x{body}" objtype="xbody" objname="{body}"/>' for body in BODIES]
        out += [f'<{kind} name="{kind}-b{body}" objtype="body" objname="{body}"/>' for body in ("stand", "tool")]
        out.append(f'<{kind} name="{kind}-g" objtype="geom" objname="hull"/>')
    for kind in ("framepos", "framelinvel", "frameangvel", "framelinacc", "frameangacc"):
        out += [f'<{kind} name="{kind}-c{body}" objtype="body" objname="{body}"/>' for body in BODIES]
    for kind in frames:
        out += [
            f'<{kind} name="{kind}-{a}-{b}" objtype="site" objname="{a}" reftype="{t}" refname="{b}"/>'
            for a, t, b in (
                ("tip", "site", "imu"),
                ("imu", "xbody", "arm"),
                ("hand", "site", "post"),
                ("post", "body", "tool"),
            )
        ]
    for kind in ("subtreecom", "subtreelinvel", "subtreeangmom"):
        out += [f'<{kind} name="{kind}-{body}" body="{body}"/>' for body in BODIES]
    for kind in ("jointpos", "jointvel", "jointactuatorfrc"):
        out += [f'<{kind} name="{kind}-{joint}" joint="{joint}"/>' for joint in ("shoulder", "slide", "spin")]
    for kind in ("jointlimitpos", "jointlimitvel") if limited else ():  # MuJoCo refuses them elsewhere
        out.append(f'<{kind} name="{kind}" joint="shoulder"/>')
    for kind in (
        "tendonpos",
        "tendonvel",
        "tendonactuatorfrc",
        *(("tendonlimitpos", "tendonlimitvel") if limited else ()),
    ):
        out.append(f'<{kind} name="{kind}" tendon="cord"/>')
    for kind in ("actuatorpos", "actuatorvel", "actuatorfrc"):
        out += [f'<{kind} name="{kind}-{a}" actuator="{a}"/>' for a in ("m", "p", "w", "thrust", "pull")]
    out += [f'<{kind} name="{kind}" joint="wrist"/>' for kind in ("ballquat", "ballangvel")]
    out += [f'<{kind} name="{kind}"/>' for kind in ("clock", "e_potential", "e_kinetic")]
    out += [
        '<gyro name="cut" site="imu" cutoff=".3"/>',
        '<framepos name="cutpos" objtype="site" objname="imu" cutoff="1"/>',
    ]
    return "\n".join(out)


def tree(limited):
    return TREE.format(limited="true" if limited else "false", sensors=sensors_of_the_tree(limited))


def load(mujoco, text, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(text)
    world = st.World()
    world.add_mjcf(path)
    return world, st.Simulator(world), mujoco.MjModel.from_xml_path(str(path))


def random_state(mujoco, model, data, rng):
    qpos = np.array(model.qpos0)
    mujoco.mj_integratePos(model, qpos, rng.standard_normal(model.nv), 0.7)
    data.qpos[:], data.qvel[:] = qpos, rng.standard_normal(model.nv)
    data.ctrl[:] = 0.4 * rng.standard_normal(model.nu)
    data.time = rng.uniform()
    mujoco.mj_forward(model, data)


def take_over(sim, model, data):
    sim.q, sim.v = st.convert.from_mujoco(sim, np.array(data.qpos), np.array(data.qvel), model=model)
    sim.ctrl = np.array(data.ctrl)
    sim.time = float(data.time)


def reading(mujoco, model, data, name):
    i = model.sensor(name).id
    x = np.array(data.sensordata[model.sensor_adr[i] : model.sensor_adr[i] + model.sensor_dim[i]])
    quaternions = (int(mujoco.mjtSensor.mjSENS_FRAMEQUAT), int(mujoco.mjtSensor.mjSENS_BALLQUAT))
    return x[[1, 2, 3, 0]] if int(model.sensor_type[i]) in quaternions else x


def difference(ours, theirs, quaternion):
    error = np.abs(ours - theirs).max()
    if quaternion:
        error = min(error, np.abs(ours + theirs).max())
    return error / max(1.0, np.abs(theirs).max())
