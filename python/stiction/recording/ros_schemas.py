# SPDX-License-Identifier: BSD-2-Clause
"""Message types of ROS 2 that others know how to draw, as their interfaces define them: names, fields, order.

Foxglove, RViz and PlotJuggler show them without being told anything. The definitions travel inside of the file.
"""

from __future__ import annotations

_LINE = "=" * 80

# What a type is made of; the definition of a type in a file is its own fields and those of all that it uses.
_FIELDS = {
    "builtin_interfaces/Time": "int32 sec\nuint32 nanosec\n",
    "builtin_interfaces/Duration": "int32 sec\nuint32 nanosec\n",
    "std_msgs/Header": "builtin_interfaces/Time stamp\nstring frame_id\n",
    "std_msgs/ColorRGBA": "float32 r\nfloat32 g\nfloat32 b\nfloat32 a\n",
    "geometry_msgs/Vector3": "float64 x\nfloat64 y\nfloat64 z\n",
    "geometry_msgs/Point": "float64 x\nfloat64 y\nfloat64 z\n",
    "geometry_msgs/Quaternion": "float64 x\nfloat64 y\nfloat64 z\nfloat64 w\n",
    "geometry_msgs/Pose": "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n",
    "geometry_msgs/Transform": "geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation\n",
    "geometry_msgs/TransformStamped": (
        "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform\n"
    ),
    "geometry_msgs/Wrench": "geometry_msgs/Vector3 force\ngeometry_msgs/Vector3 torque\n",
    "geometry_msgs/WrenchStamped": "std_msgs/Header header\ngeometry_msgs/Wrench wrench\n",
    "rosgraph_msgs/Clock": "builtin_interfaces/Time clock\n",
    "sensor_msgs/CompressedImage": "std_msgs/Header header\nstring format\nuint8[] data\n",
    "sensor_msgs/JointState": (
        "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n"
    ),
    "tf2_msgs/TFMessage": "geometry_msgs/TransformStamped[] transforms\n",
    "visualization_msgs/UVCoordinate": "float32 u\nfloat32 v\n",
    "visualization_msgs/MeshFile": "string filename\nuint8[] data\n",
    "visualization_msgs/Marker": (
        "std_msgs/Header header\nstring ns\nint32 id\nint32 type\nint32 action\ngeometry_msgs/Pose pose\n"
        "geometry_msgs/Vector3 scale\nstd_msgs/ColorRGBA color\nbuiltin_interfaces/Duration lifetime\nbool frame_locked\n"
        "geometry_msgs/Point[] points\nstd_msgs/ColorRGBA[] colors\nstring texture_resource\n"
        "sensor_msgs/CompressedImage texture\nvisualization_msgs/UVCoordinate[] uv_coordinates\nstring text\n"
        "string mesh_resource\nvisualization_msgs/MeshFile mesh_file\nbool mesh_use_embedded_materials\n"
    ),
    "visualization_msgs/MarkerArray": "visualization_msgs/Marker[] markers\n",
}

# topic -> type
ROS_TOPICS = {
    "/tf": "tf2_msgs/TFMessage",
    "/joint_states": "sensor_msgs/JointState",
    "/contact_wrenches": "geometry_msgs/WrenchStamped",
    "/shapes": "visualization_msgs/MarkerArray",
    "/contact_forces": "visualization_msgs/MarkerArray",
    "/clock": "rosgraph_msgs/Clock",
}


def _used(name: str) -> list[str]:
    """Types that a type is made of, itself first, each once."""
    found = [name]
    for line in _FIELDS[name].splitlines():
        kind = line.split()[0].removesuffix("[]")
        if kind in _FIELDS:
            found += [other for other in _used(kind) if other not in found]
    return found


def definition(name: str) -> str:
    """The text that describes a type and all that it uses, in the form of ROS 2 bags."""
    first, *others = _used(name)
    return _FIELDS[first] + "".join(f"{_LINE}\nMSG: {other}\n{_FIELDS[other]}" for other in others)


def schema_name(name: str) -> str:
    """`sensor_msgs/JointState` as ROS 2 writes it: sensor_msgs/msg/JointState."""
    return name.replace("/", "/msg/")
