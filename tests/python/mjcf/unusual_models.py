# SPDX-License-Identifier: BSD-2-Clause
"""MJCF files that use what is rare, each as much of it as fits."""

UNUSUAL = {
    "balls, several joints per body, nested classes, quaternions, zaxis, xyaxes": """<mujoco model="balls">
<compiler angle="radian" eulerseq="ZYX" autolimits="false"/>
<option timestep="0.003" integrator="RK4" gravity="0 1 -9"/>
<default>
<geom density="700" friction=".6 .01 .002"/>
<default class="arm"><joint damping=".2" armature=".01"/><geom type="capsule" size=".03"/>
<default class="hand"><joint damping=".05" stiffness="1.5" springref=".2"/><geom type="box" size=".05 .04 .03"/></default>
</default>
</default>
<worldbody>
<geom name="floor" type="plane" size="0 0 .1" zaxis="0.1 0 1"/>
<body name="b1" pos="0 0 1" euler=".3 .2 .1" childclass="arm">
<joint name="j1" type="ball" range="0 .6" limited="true" stiffness="2"/>
<geom name="g1" fromto="0 0 0 .3 .1 0"/>
<body name="b2" pos=".3 .1 0" axisangle="1 1 0 .5">
<joint name="j2s" type="slide" axis="1 2 3" range="-.1 .2" limited="true" pos=".01 .02 .03"/>
<joint name="j2h" type="hinge" axis="0 1 1" pos="0 .02 0" ref=".3"/>
<joint name="j2h2" type="hinge" axis="1 0 0" range="-1 1" limited="true"/>
<geom name="g2" type="cylinder" fromto="0 0 0 0 .2 .05" size=".02"/>
<body name="b3" xyaxes="0 1 0 -1 0 .2" pos="0 .2 0" childclass="hand">
<joint name="j3" type="ball" pos=".02 0 0"/>
<geom name="g3"/>
<geom name="g3b" class="arm" fromto="0 0 0 0 0 .1"/>
<body name="b4" zaxis="1 0 1" pos="0 0 .1">
<joint name="j4" axis="0 0 1" damping="0" frictionloss=".03"/>
<geom name="g4" type="ellipsoid" size=".03 .05 .02"/>
</body>
</body>
</body>
</body>
<body name="free" pos="1 0 .5" quat="2 1 0 0"><freejoint name="fj"/><geom type="sphere" size=".1"/><geom type="box" size=".1 .05 .02" pos=".1 0 0" euler=".1 .2 .3"/></body>
</worldbody>
<actuator>
<motor name="m1" joint="j1" gear="1 2 3"/>
<motor name="m1p" jointinparent="j1" gear="1 2 3"/>
<motor name="mf" joint="fj" gear="1 2 3 .1 .2 .3"/>
<motor name="mfp" jointinparent="fj" gear="1 2 3 .1 .2 .3"/>
<position name="p2" joint="j2h" kp="4" kv="1"/>
<position name="p3" joint="j3" gear="0 1 0" kp="4"/>
<velocity name="v4" joint="j4" kv="2"/>
</actuator>
</mujoco>""",
    "every gain, bias and dynamics of general": """<mujoco model="general">
<option timestep="0.002"/>
<default><general ctrllimited="true" ctrlrange="-1 1"/></default>
<worldbody>
<body name="a"><joint name="h1" axis="0 1 0" damping=".1"/><geom size=".05" fromto="0 0 0 .3 0 0" type="capsule"/>
<body name="b" pos=".3 0 0"><joint name="h2" axis="0 1 0"/><geom size=".04" fromto="0 0 0 .3 0 0" type="capsule"/>
<site name="tip" pos=".3 0 0" euler="10 20 30"/>
<body name="c" pos=".3 0 0"><joint name="h3" axis="0 0 1" type="slide" range="-.1 .1" springdamper=".2 1"/><geom size=".04"/></body>
</body></body>
<body name="d" pos="0 1 0"><joint name="h4" axis="0 1 0" actuatorfrcrange="-1 2"/><geom size=".05" fromto="0 0 0 .3 0 0" type="capsule"/><site name="ref" pos="0 .1 0"/></body>
</worldbody>
<tendon><fixed name="t"><joint joint="h1" coef="2"/><joint joint="h2" coef="-1"/></fixed></tendon>
<actuator>
<general name="g1" joint="h1" gaintype="fixed" gainprm="3" biastype="none"/>
<general name="g2" joint="h2" gaintype="affine" gainprm="3 -1 -.5" biastype="affine" biasprm=".1 -2 -.3"/>
<general name="g3" joint="h3" dyntype="integrator" actrange="-1 2" actlimited="true" gainprm="4" biastype="affine" biasprm="0 -4 -1"/>
<general name="g4" joint="h4" dyntype="filter" dynprm=".05" gainprm="4"/>
<general name="g5" joint="h4" dyntype="filterexact" dynprm=".05" gainprm="4" gear="-2"/>
<general name="g6" tendon="t" gainprm="2" biastype="affine" biasprm="0 -1 -.1" forcerange="-.5 .5" forcelimited="true"/>
<general name="g7" site="tip" gear="1 2 3 .1 .2 .3" gainprm="2"/>
<general name="g8" site="tip" refsite="ref" gear="1 0 0 0 0 1" gainprm="2" biastype="affine" biasprm="0 -1 -.1"/>
<intvelocity name="iv" joint="h1" kp="10" actrange="-1.5 1.5" dampratio="1"/>
<damper name="dm" joint="h2" kv="2" ctrlrange="0 1"/>
<cylinder name="cy" joint="h3" diameter=".1" timeconst=".2" bias="1 2 3"/>
<position name="ps" joint="h1" kp="20" dampratio=".7" timeconst=".1"/>
<position name="ps2" joint="h3" kp="20" kv="2" inheritrange="1"/>
</actuator>
</mujoco>""",
    "inertia from geoms, bounds, groups": """<mujoco model="inertia">
<compiler inertiafromgeom="true" boundmass=".01" boundinertia="1e-4" balanceinertia="true" inertiagrouprange="0 2" angle="degree" eulerseq="xyz"/>
<worldbody>
<body name="a" pos="0 0 1" euler="10 20 30"><joint axis="1 0 0"/><inertial pos="0 0 0" mass="7" diaginertia="1 1 1"/><geom type="box" size=".1 .2 .3" mass="2" euler="40 50 60"/>
<geom type="sphere" size=".1" group="3" mass="50"/>
<body name="b" pos="0 0 .5" quat="1 1 1 1"><joint axis="0 1 0"/><geom type="sphere" size=".0001"/>
<body name="c" pos="0 0 .5"><joint axis="0 0 1" type="slide"/><geom type="cylinder" size=".1 .2" density="100"/><geom type="capsule" fromto="0 0 0 .1 .1 .1" size=".02"/></body>
</body></body>
</worldbody>
</mujoco>""",
    "inertials in every form": """<mujoco model="inertial">
<compiler inertiafromgeom="auto" balanceinertia="true"/>
<worldbody>
<body name="a" pos="0 0 1" ><joint name="x" axis="1 0 0"/><inertial pos=".1 0 0" mass="2" fullinertia="2 3 4 .1 .2 .3"/>
<geom type="box" size=".1 .2 .3" mass="9"/>
<body name="b" pos="0 0 .5" quat="1 1 1 1"><joint axis="0 1 0"/><inertial pos="0 .1 0" euler="10 20 30" mass="1" diaginertia="1 1 5"/>
<body name="c" pos="0 0 .5"><joint type="ball"/><inertial pos="0 .1 0" axisangle="0 1 1 40" mass="1" diaginertia=".1 .1 .15"/>
<body name="d"><geom size=".1"/><body name="e" pos=".1 .1 .1" euler="30 0 0"><geom type="box" size=".1 .1 .1"/></body></body></body>
</body></body>
</worldbody>
</mujoco>""",
    "joints in degrees, static parents, refs and springs of classes": """<mujoco model="joints">
<compiler angle="degree" eulerseq="zyx"/>
<option gravity="1 2 -9" timestep="0.004" integrator="implicitfast"/>
<default class="main"><joint limited="auto" armature=".02"/><geom density="500"/>
<default class="p"><joint range="-90 90" springref="20" stiffness="5"/><geom mass=".5" type="box" size=".1 .1 .1"/>
<default class="q"><joint type="slide" range="-.5 .5" springref=".1"/><geom type="sphere" size=".1"/></default></default>
</default>
<worldbody>
<body name="base" pos="1 2 3" euler="10 20 30">
<body name="st" pos=".1 0 0" euler="0 0 40"><geom class="p"/>
<body name="h" pos="0 0 .3" childclass="p"><joint name="h1" ref="30"/><joint name="h2" axis="1 0 0" pos="0 .1 0"/><joint name="s1" class="q" axis="0 1 1"/><geom/>
<body name="h3" pos=".2 .1 0"><joint name="b" type="ball" stiffness="0" springref="0" range="0 0" limited="false"/><geom class="q" mass="0" /><geom class="q" pos=".1 0 0" density="20"/><inertial pos=".05 0 0" mass=".3" diaginertia=".01 .02 .025"/></body>
</body></body></body>
<body name="f1" pos="0 0 1" euler="30 20 10"><joint name="f1" type="free" stiffness="0" damping=".3" armature="0"/><geom class="p" pos=".2 0 0"/><body pos=".5 0 0"><joint axis="0 1 0" damping=".1"/><geom class="q"/></body></body>
<body name="six" pos="3 0 1"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/><joint axis="1 0 0"/><joint axis="0 1 0"/><joint axis="0 0 1" range="-370 400"/><geom class="p" pos=".1 .1 0"/></body>
<body name="f2" pos="5 0 1"><freejoint/><geom class="p" pos=".1 .1 0" euler="20 30 40"/><geom type="capsule" size=".05" fromto="0 0 0 .3 .4 .5"/></body>
</worldbody>
<keyframe><key qpos="0.1 .2 .3 1 0 0 0  0 0 1 1 0 0 0 .1  3 2 1 .1 .2 .3 5 0 1 1 0 0 0" /></keyframe>
</mujoco>""",
    "connect, weld and joint equalities in every form": """<mujoco model="equal">
<compiler autolimits="true"/>
<default><equality solref=".01 1"/></default>
<worldbody>
<body name="a" pos="0 0 1"><joint name="a" axis="0 1 0"/><geom fromto="0 0 0 .3 0 0" size=".02" type="capsule"/><site name="sa" pos=".3 0 0"/>
<body name="b" pos=".3 0 0"><joint name="b" axis="0 1 0"/><geom fromto="0 0 0 .3 0 0" size=".02" type="capsule"/><site name="sb" pos=".3 0 0"/></body></body>
<body name="c" pos=".6 0 1"><freejoint/><geom size=".05"/><site name="sc"/></body>
<body name="d" pos="0 1 1"><joint name="d" type="slide" axis="0 0 1"/><geom size=".05"/></body>
<body name="e" pos="0 1.2 1"><joint name="e" type="slide" axis="0 0 1"/><geom size=".05"/></body>
<body name="f" pos="1 1.2 1" ><freejoint/><geom type="box" size=".1 .05 .02"/></body>
<body name="g" pos="1.3 1.2 1" euler="0 0 30"><freejoint/><geom type="box" size=".1 .05 .02"/></body>
<site name="w" pos="1 1.2 1.1"/>
</worldbody>
<equality>
<connect site1="sb" site2="sc"/>
<connect body1="f" anchor=".1 0 0"/>
<weld body1="f" body2="g" anchor="0 .1 0"/>
<joint joint1="d"/>
<joint joint1="e" joint2="d" polycoef=".1 .5 1"/>
<weld site1="sc" site2="sb" active="false"/>
</equality>
</mujoco>""",
    "spatial tendons around a cylinder and a sphere, pulley, coupled tendons": """<mujoco model="tendons">
<compiler autolimits="true"/>
<option timestep=".002"><flag gravity="enable" eulerdamp="disable"/></option>
<default><tendon damping=".2" stiffness="3"/><site size=".01"/></default>
<worldbody>
<site name="w" pos="0 0 2"/><site name="w2" pos=".3 0 2"/>
<body name="a" pos="0 0 1"><joint name="a" axis="0 1 0"/><joint name="az" type="slide" axis="0 0 1"/><geom name="ag" type="cylinder" size=".05 .2" euler="90 0 0"/><site name="s1" pos=".1 0 .1"/><site name="side" pos=".2 0 0"/>
<body name="b" pos=".4 0 0"><joint name="b" axis="0 1 0" range="-50 50"/><geom name="bg" size=".05"/><geom fromto="0 0 0 .2 0 0" size=".02" type="capsule"/><site name="s2" pos=".2 0 0.02"/></body></body>
<body name="c" pos="0 .5 1"><joint name="c" axis="0 1 0"/><geom size=".1" pos=".1 0 0"/></body>
</worldbody>
<tendon>
<spatial name="t1" springlength=".1 .3"><site site="w"/><geom geom="ag" sidesite="side"/><site site="s1"/><pulley divisor="2"/><site site="s1"/><geom geom="bg"/><site site="s2"/></spatial>
<spatial name="t2" range="0 2" margin=".01" frictionloss=".1"><site site="w2"/><site site="s2"/></spatial>
<fixed name="f1" range="-1 1" frictionloss=".02" springlength=".2"><joint joint="a" coef="1"/><joint joint="c" coef="-2"/></fixed>
<fixed name="f2" stiffness="0"><joint joint="b" coef="1"/></fixed>
</tendon>
<equality><tendon tendon1="f1" tendon2="f2" polycoef="0 .5 0 0 0" active="false"/><joint joint1="c" joint2="b" polycoef=".1 1 .2 0 0"/></equality>
<actuator><position tendon="t1" kp="3"/><motor tendon="f1" gear="2"/><position tendon="f2" kp="2" ctrlrange="-1 1"/></actuator>
</mujoco>""",
    "frames, replicate in replicate, childclass": """<mujoco model="frames">
<compiler angle="degree"/>
<default><default class="x"><joint axis="1 0 0" range="-30 40"/><site size=".01"/></default><default class="y"><joint axis="0 1 0" type="slide" range="-.1 .1"/></default></default>
<worldbody>
<frame pos="0 0 1" euler="0 0 90" childclass="x">
<body name="a"><joint name="a"/><geom fromto="0 0 0 .2 0 0" size=".02" type="capsule"/>
<frame name="fr" pos=".2 0 0" axisangle="0 1 0 30"><geom size=".03" pos="0 .01 0"/><body name="b" childclass="y"><joint name="b"/><joint name="b2" class="x" axis="0 0 1"/><geom type="box" size=".01 .02 .03" pos=".05 0 0"/><site name="sb" pos="1 0 0"/>
<camera name="cam" pos="0 0 1"/><light pos="0 0 1"/></body></frame></body>
<frame><frame euler="0 45 0"><body name="c" pos="0 .5 0"><joint name="c" type="hinge"/><geom size=".1 .1" type="cylinder"/></body></frame></frame>
</frame>
<replicate count="3" offset="0 .3 0" euler="0 0 30" sep="-"><body name="r" pos="1 0 1"><joint name="r" axis="0 1 0" stiffness="3"/><geom name="r" fromto="0 0 0 0 0 -.2" size=".03" type="capsule"/><replicate count="2" offset="0 0 -.2" sep="_"><geom size=".01" pos=".05 0 0"/></replicate></body></replicate>
</worldbody>
<sensor><framepos objtype="site" objname="sb"/><jointpos joint="a"/></sensor>
</mujoco>""",
    "fluid, gravcomp": """<mujoco model="fluid">
<option density="1.2" viscosity="0.002" wind="1 2 -1" gravity="0 0 -9.81" cone="elliptic" impratio="10" solver="CG" iterations="50" jacobian="sparse"/>
<worldbody>
<body name="a" pos="0 0 1" gravcomp=".5"><freejoint/><geom name="a" type="ellipsoid" size=".1 .05 .02" fluidshape="ellipsoid" fluidcoef=".5 .25 1.5 1 1"/>
<body name="w" pos="0 .1 0" gravcomp="1"><joint axis="1 0 0" damping=".001"/><geom type="box" size=".1 .05 .002" pos="0 .05 0" mass=".01"/><geom type="capsule" size=".01 .04" fluidshape="none"/></body>
</body>
<body name="s" pos="1 0 1"><joint type="slide" axis="0 0 1" damping="1"/><joint type="ball" damping=".02"/><geom type="cylinder" size=".1 .04" fluidshape="ellipsoid"/></body>
</worldbody>
</mujoco>""",
}
