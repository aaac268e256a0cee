# SPDX-License-Identifier: BSD-2-Clause
"""A list of MJCF's grammar: element, attribute and a value other than the usual one. From MuJoCo's XML reference; attributes
that say how things look, and numbers of MuJoCo's own solver, are not in it.

Each entry is put into the place of its element in MODEL. The joint `spin` has all that flags switch off."""

MODEL = """<mujoco model="grammar">
  <compiler angle="radian" {compiler}/>
  <option {option}><flag {flag}/></option>
  <default><geom {default_geom}/><joint {default_joint}/><pair {default_pair}/></default>
  <asset><mesh name="wedge" vertex="0 0 0  .1 0 0  0 .2 0  0 0 .3" {mesh}/>
    <hfield name="hills" size="1 2 .3 .1" {hfield}/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/><geom type="hfield" hfield="hills" pos="9 9 0"/>
    <body name="stand" pos="2 0 .5"><geom name="post" size=".1"/><site name="eye"/></body>
    <body name="base" pos="0 0 1" {body}>
      <freejoint name="float" {freejoint}/>
      <inertial pos="0 0 0" mass="1" {inertial}/>
      <geom name="hip" type="sphere" size=".1" mass=".3"/>
      <frame {frame}><body name="leg" pos="0 0 -.2">
        <joint name="knee" type="hinge" {joint}/>
        <joint name="shift" type="slide" {slide}/>
        <geom name="shin" type="{type}" size=".05 .1 .02" {geom}/>
        <body name="foot" pos="0 0 -.2"><joint name="ankle" type="ball" {ball}/>
          <geom name="sole" type="mesh" mesh="wedge" {mesh_geom}/><site name="tip" {site}/></body>
      </body></frame>
    </body>
    <body name="other" pos="1 0 1"><joint name="spin" type="hinge" axis="0 1 0" range="-1 1"
      stiffness="2" damping=".1" frictionloss=".1"/><geom name="ball" size=".1"/></body>
  </worldbody>
  <contact><pair geom1="floor" geom2="shin" {pair}/>{contact}</contact>
  <tendon><fixed name="cord" {tendon}><joint joint="knee" coef="2"/><joint joint="spin" coef="{coef}"/></fixed>
    <spatial name="rope" {rope}><site site="tip"/><site site="eye"/></spatial></tendon>
  <equality>{equality}</equality>
  <actuator>{actuator}</actuator>
  <sensor>{sensor}</sensor>
  <keyframe><key name="home" {key}/></keyframe>
</mujoco>
"""

USUAL = {
    "coef": "-1", "inertial": 'diaginertia=".01 .02 .02"', "type": "box", "hfield": 'nrow="2" ncol="2"',
    "sensor": '<gyro name="g" site="tip"/>',
    "actuator": '<motor joint="knee" ctrlrange="-2 2"/>', "equality": '<connect body1="foot" body2="other" anchor="0 0 0"/>',
}  # fmt: skip

QPOS = "0 0 1.5 1 0 0 0 .1 0 1 0 0 0 .2"
QVEL = "1 0 0 0 0 0 .1 0 0 0 0 .2"

LIST = {
    "compiler": [
        'balanceinertia="true" boundinertia="5"', 'boundmass="2"', 'boundinertia=".5"', 'settotalmass="9"',
        'inertiafromgeom="true"', 'alignfree="true"',
    ],
    "option": [
        'timestep=".004"', 'gravity="0 0 -3"', 'density="1" wind="1 0 0"', 'density="1.2"', 'viscosity=".1"',
        'integrator="RK4"', 'integrator="implicitfast"', 'actuatorgroupdisable="1"', 'cone="elliptic"', 'impratio="10"', 'magnetic="1 0 0"',
    ],
    "flag": [
        'constraint="disable"', 'equality="disable"', 'contact="disable"', 'gravity="disable"',
        'filterparent="disable"', 'override="enable"', 'actuation="disable"', 'clampctrl="disable"',
        'spring="disable"', 'damper="disable"', 'limit="disable"', 'frictionloss="disable"', 'sensor="disable"',
    ],
    "default_geom": [
        'friction=".2"', 'solref=".01 1"', 'solimp=".8 .9 .01"', 'margin=".01"', 'condim="4"', 'condim="1"',
        'contype="2"', 'density="300"', 'priority="2"',
    ],
    "default_joint": ['damping="1"', 'frictionloss="1"', 'armature=".1"', 'solreflimit=".01 1"'],
    "default_pair": ['friction=".3"', 'solref=".01 1"', 'margin=".01"', 'condim="1"'],
    "mesh": [
        'scale="2 1 1"', 'refpos=".1 0 0"', 'refquat="0 1 0 0"', 'inertia="shell"', 'maxhullvert="4"',
        'face="0 2 1  0 1 3  0 3 2  1 2 3" inertia="shell"',
    ],
    "hfield": ['nrow="3" ncol="2"', 'nrow="2" ncol="2" elevation="0 1 2 3"'],
    "body": ['gravcomp="1"', 'euler=".1 0 0"', 'quat="0 1 0 0"', 'axisangle="0 0 1 1"', 'zaxis="1 0 0"'],
    "freejoint": ['align="true"'],
    "inertial": ['diaginertia=".02 .02 .02"', 'fullinertia=".02 .02 .02 .001 0 0"'],
    "frame": ['pos="0 .1 0"', 'euler="0 .2 0"'],
    "joint": [
        'pos="0 0 .1"', 'axis="1 0 0"', 'range="-1 1"', 'ref=".2"', 'damping=".3"', 'frictionloss=".2"', 'armature=".2"',
        'solreflimit=".01 1"', 'solimplimit=".8 .9 .01"', 'solreffriction=".01 1"', 'solimpfriction=".8 .9 .01"',
        'margin=".1" range="-1 1"', 'actuatorfrcrange="-2 2"', 'actuatorgravcomp="true"', 'stiffness="3"',
        'springref=".2" stiffness="3"', 'springdamper=".1 1"', 'damping=".3 .1"', 'stiffness="3 .1"',
    ],
    "slide": ['range="0 .1"', 'damping="2"'],
    "ball": ['range="0 1" limited="true"', 'damping="2"'],
    "type": ["sphere", "capsule", "cylinder", "ellipsoid"],
    "geom": [
        'pos=".1 0 0"', 'euler=".1 0 0"', 'mass=".7"', 'density="30"', 'friction=".3"', 'condim="1"', 'condim="4"',
        'condim="6"', 'contype="2" conaffinity="2"', 'contype="0" conaffinity="0"', 'priority="1"', 'solref=".01 1"', 'solimp=".8 .9 .01"',
        'solmix="2"', 'margin=".02"', 'gap=".01"',
        'surfacevel="1 0 0"',
    ],
    "mesh_geom": ['type="box"', 'type="capsule"', 'type="box" fitscale="2"'],
    "site": ['pos=".1 0 0"', 'quat="0 1 0 0"', 'size=".1"', 'type="box"', 'type="capsule" size=".01" fromto="0 0 0 0 0 .1"'],
    "pair": [
        'friction=".3"', 'condim="1"', 'condim="4"', 'margin=".02"', 'gap=".01"', 'solref=".01 1"',
        'solimp=".8 .9 .01"', 'solreffriction=".01 1"', 'friction=".3 .5"',
    ],
    "contact": ['<exclude body1="leg" body2="other"/>', '<exclude body1="stand" body2="leg"/>'],
    "actuator": [
        f'<{kind} joint="knee" {text}/>'
        for kind, text in (
            ("motor", 'gear="2"'), ("motor", 'ctrlrange="-1 1"'), ("motor", 'forcerange="-1 1"'), ("position", 'kp="3"'),
            ("position", 'kp="3" kv="1"'), ("position", 'kp="3" dampratio="1"'), ("position", 'kp="3" timeconst=".1"'),
            ("velocity", 'kv="2"'), ("intvelocity", 'kp="2" actrange="-1 1"'), ("damper", 'kv="2" ctrlrange="0 1"'),
            ("general", 'gainprm="2"'), ("general", 'biastype="affine" biasprm="1 -2 -1"'),
            ("general", 'dyntype="filter" dynprm=".1"'), ("motor", 'armature=".1"'), ("motor", 'damping=".1"'),
            ("motor", 'delay=".1" nsample="200"'),
        )
    ] + ['<motor tendon="cord"/>', '<position tendon="cord" kp="3" forcerange="-1 1"/>', '<motor tendon="rope"/>',
         '<motor site="tip" refsite="eye" gear="1 0 0 0 0 0"/>'],
    "equality": [
        '<connect body1="foot" body2="other" anchor="0 0 0" solref=".01 1"/>',
        '<connect body1="foot" body2="other" anchor="0 0 0" solimp=".8 .9 .01"/>',
        '<weld body1="foot" body2="other"/>', '<weld body1="foot" body2="other" torquescale="3"/>',
        '<weld body1="foot" body2="other" relpose="0 0 1 1 0 0 0"/>', '<joint joint1="knee" joint2="shift"/>',
        '<joint joint1="knee" joint2="shift" polycoef=".1 2 0 0 0"/>',
        '<connect body1="foot" body2="other" anchor="0 0 0" active="false"/>', '<tendon tendon1="cord"/>',
        '<tendon tendon1="cord" polycoef=".1 0 0 0 0"/>', '<tendon tendon1="cord" solref=".01 1"/>',
    ],
    "sensor": [
        f'<{kind} name="g" {text}/>'
        for kind, text in (
            *((kind, 'site="tip"') for kind in ("accelerometer", "velocimeter", "magnetometer", "force", "torque", "touch")),
            ("rangefinder", 'site="tip"'), ("rangefinder", 'site="tip" data="dist normal"'), ("gyro", 'site="tip" cutoff="1"'),
            ("gyro", 'site="tip" noise=".1"'), ("gyro", 'site="tip" nsample="5" delay=".01"'), ("framepos", 'objtype="xbody" objname="leg"'),
            ("framepos", 'objtype="site" objname="tip" reftype="body" refname="leg"'), ("framepos", 'objtype="geom" objname="shin"'),
            ("framequat", 'objtype="body" objname="leg"'), ("framelinacc", 'objtype="body" objname="leg"'), ("jointpos", 'joint="knee"'),
            ("jointvel", 'joint="knee"'), ("jointlimitfrc", 'joint="spin"'), ("jointactuatorfrc", 'joint="knee"'),
            ("ballquat", 'joint="ankle"'), ("tendonpos", 'tendon="cord"'), ("tendonactuatorfrc", 'tendon="cord"'),
            ("subtreecom", 'body="leg"'), ("subtreeangmom", 'body="base"'), ("clock", ""), ("e_potential", ""), ("user", 'dim="2"'),
            ("contact", 'geom1="shin"'), ("contact", 'body1="leg" subtree2="world" data="found force" num="3" reduce="maxforce"'),
            ("contact", 'site="tip" data="force"'), ("distance", 'geom1="floor" geom2="shin" cutoff="1"'),
            ("insidesite", 'site="tip" objtype="xbody" objname="leg"'),
        )
    ],
    "coef": ["3"],
    "tendon": [
        'range="-1 1"', 'stiffness="3"', 'stiffness="3" springlength=".1 .2"', 'damping="2"', 'frictionloss=".2"',
        'armature=".1"', 'range="-1 1" margin=".1"', 'range="-1 1" solreflimit=".01 1"', 'frictionloss=".2" solreffriction=".01 1"',
        'actuatorfrcrange="-1 1"',
    ],
    "rope": [
        'range="0 1.9"', 'stiffness="3" springlength="1"', 'damping="2"', 'frictionloss=".2"', 'armature=".1"',
        'range="0 1.9" margin=".1"', 'actuatorfrcrange="-1 1"',
    ],
    "key": [
        'time="1"', f'qpos="{QPOS}"', f'qvel="{QVEL}"', 'ctrl=".3"',
    ],
}  # fmt: skip


def write(slot: str = "", value: str = "") -> str:
    """The model with one entry of the list, or as it is."""
    slots = {name: "" for name in LIST} | USUAL
    if slot == "mesh_geom":
        slots[slot] = value
        return MODEL.replace(
            'type="mesh" mesh="wedge"', 'mesh="wedge"' if "type" in value else 'type="mesh" mesh="wedge"'
        ).format(**slots)
    if slot:
        slots[slot] = value
    if slot == "joint" and "range" in value:
        slots["compiler"] = 'autolimits="true"'
    return MODEL.format(**slots)
