# SPDX-License-Identifier: BSD-2-Clause
"""Files that somebody made to hurt: small, well-formed, and once a crash, a hang, gigabytes or silent nonsense.

python tests/python/fuzz/hostile.py NAME        one of them, in this process, under the limits of the fuzzer
"""

import json
import os
import resource
import sqlite3
import struct
import sys
import tempfile
import zlib
from pathlib import Path

import corpus
import targets
from stiction.cluster import table
from stiction.learn import load as load_policy

SECONDS = 10  # of a processor, after imports
BODY = '<body pos="0 0 1"><freejoint/><geom size=".1"/>{}</body>'


def urdf(inside):
    return f'<robot name="r">{inside}</robot>'


def star(count):
    links = "".join(f'<link name="l{i}">{corpus.INERTIAL}</link>' for i in range(count + 1))
    joint = '<joint name="j{0}" type="continuous"><parent link="l0"/><child link="l{0}"/><axis xyz="0 0 1"/></joint>'
    return urdf(links + "".join(joint.format(i) for i in range(1, count + 1)))


def mesh_urdf(name):
    return urdf(
        f'<link name="a">{corpus.INERTIAL}<collision><geometry><mesh filename="{name}"/></geometry></collision></link>'
    )


def mjcf(world, more=""):
    return f"<mujoco>{more}<worldbody>{world}</worldbody></mujoco>"


def boxes(count):
    return mjcf(f'<replicate count="{count}" offset=".3 0 0">{BODY.format("")}</replicate>')


def field(attributes):
    asset = f'<asset><hfield name="h" {attributes}/></asset>'
    return mjcf('<geom type="hfield" hfield="h"/>' + BODY.format(""), asset)


def zeros(size):
    packer = zlib.compressobj(9)
    return (
        b"".join(packer.compress(bytes(1 << 20)) for _ in range(size >> 20))
        + packer.compress(bytes(size % (1 << 20)))
        + packer.flush()
    )


def png(columns, rows, colour, data):
    chunk = lambda kind, content: struct.pack(">I", len(content)) + kind + content + bytes(4)
    head = struct.pack(">IIBBBBB", columns, rows, 8, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def polylist(counts):
    text = corpus.DAE.replace("<triangles", "<polylist").replace(
        "</triangles>", f"<vcount>{counts}</vcount></polylist>"
    )
    assert text != corpus.DAE
    return text


def skin_of_itself():
    library = '<library_controllers><controller id="c"><skin source="#c"/></controller></library_controllers>'
    text = corpus.DAE.replace("<library_geometries>", library + "<library_geometries>")
    return text.replace('<instance_geometry url="#g"/>\n<node>', '<instance_controller url="#c"/>\n<node>')


PLY = "ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty float x\nend_header\n"
POLICY = {
    "format": "stiction linear policy 1",
    "environment": "",
    "options": {},
    "notes": {},
    "mean": [0.0],
    "deviation": [1.0],
    "weights": [[1.0]],
}
HUGE = json.dumps(dict(POLICY, mean="?")).replace('"?"', "[" + "9" * 4000 + "]")


def view_without_end(path):
    counting = "WITH RECURSIVE c(run) AS (SELECT 1 UNION ALL SELECT run + 1 FROM c) SELECT * FROM c"
    with sqlite3.connect(path) as base:
        base.execute(f"CREATE VIEW runs AS {counting}")


def bytes_in_a_row(path):
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE runs (run INTEGER PRIMARY KEY, x)")
        base.execute("INSERT INTO runs VALUES (1, x'ff00')")


# name: (file, its content or what makes it, words of the refusal or None where it runs, further files)
CASES = {
    "20000 links": ("a.urdf", lambda: star(20000), "links, expected at most"),
    "200000 attributes": ("a.xml", lambda: mjcf("<geom size='1' " + " ".join(f"a{i}=''" for i in range(200000)) + "/>"), "attributes"),
    "a name of 5000 letters": ("a.urdf", lambda: mesh_urdf("a" * 5000), "not found"),
    "an include of 5000 letters": ("a.xml", lambda: f'<mujoco><include file="{"a" * 5000}"/></mujoco>', "cannot be a file"),
    "1000 boxes": ("a.xml", lambda: boxes(1000), None),
    "5000 boxes": ("a.xml", lambda: boxes(5000), None),
    "20000 range finders": ("a.xml", lambda: mjcf(BODY.format('<site name="s"/>'), "<sensor>" + '<rangefinder site="s"/>' * 20000 + "</sensor>"), None),
    "1e8 heights": ("a.xml", lambda: field('nrow="10000" ncol="10000" size="1 1 1 1"'), "at most"),
    "half a row": ("a.xml", lambda: field('nrow="2.5" ncol="2.5" size="1 1 1 1"'), "whole numbers"),
    "a picture of 4e8 pixels": ("a.xml", lambda: field('file="x.png" size="1 1 1 1"'), "at most 2048", ("x.png", lambda: png(20000, 20000, 0, zeros(20000 * 20001)))),
    "a kind of pixel that there is not": ("a.xml", lambda: field('file="x.png" size="1 1 1 1"'), "plain grey", ("x.png", lambda: png(3, 3, 9, zlib.compress(bytes(39))))),
    "a filter that there is not": ("a.xml", lambda: field('file="x.png" size="1 1 1 1"'), "filter", ("x.png", lambda: png(3, 3, 0, zlib.compress(bytes([9, 1, 2, 3] * 3))))),
    "heights that are no numbers": ("a.xml", lambda: field('file="x.bin" size="1 1 1 1"'), "not finite", ("x.bin", lambda: struct.pack("<2i9f", 3, 3, *[float("nan")] * 9))),
    "a field smaller than an atom": ("a.xml", lambda: field('nrow="3" ncol="3" size="1e-300 1e-300 1e-300 1"'), "apart"),
    "a field larger than a galaxy": ("a.xml", lambda: field('nrow="3" ncol="3" size="1e300 1e300 1 1"'), "apart"),
    "more corners than there are": ("a.dae", lambda: polylist("4 4 4 1000000000"), "more corners"),
    "less than no corners": ("a.dae", lambda: polylist("-4 4 4 4"), "indices|more corners"),
    "a skin of itself": ("a.dae", skin_of_itself, "skeleton"),
    "1e9 vertices": ("a.ply", lambda: PLY, "claims"),
    "1e9 vertices under another name": ("a.gltf", lambda: PLY, "claims"),
    "a format that few use": ("a.nff", lambda: PLY, "ending"),
    "deep policy": ("policy.json", lambda: "[" * 100000, "cannot be read"),
    "policy of large integers": ("policy.json", lambda: HUGE, "cannot be read"),
    "view without end": ("runs.sqlite", view_without_end, "view"),
    "bytes in a row": ("runs.sqlite", bytes_in_a_row, None),
}  # fmt: skip
RUN = {".urdf": targets._robot, ".xml": targets._robot, ".json": load_policy, ".sqlite": table.digest}


def write(path, make):
    if path.suffix == ".sqlite":
        return make(path)
    content = make()
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return None


def run(name):
    file, make, _, *more = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        for other, content in more:
            write(Path(folder) / other, content)
        write(Path(folder) / file, make)
        used = resource.getrusage(resource.RUSAGE_SELF)
        end = int(used.ru_utime + used.ru_stime) + SECONDS + 1
        resource.setrlimit(resource.RLIMIT_CPU, (end, end))
        try:
            RUN.get(Path(file).suffix, targets._mesh)(Path(folder) / file)
        except (targets.st.InvalidInput, FileNotFoundError) as error:
            return f"refused {error}"
    return "ran"


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not os.environ.get("STICTION_SANITIZED"):
        resource.setrlimit(resource.RLIMIT_AS, (2 * targets.MEMORY, 2 * targets.MEMORY))
    said = run(sys.argv[1])
    most = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(said if most <= targets.MEMORY else f"it took {most >> 20} MB")


if __name__ == "__main__":
    main()
