# SPDX-License-Identifier: BSD-2-Clause
"""Wheels for the Pythons of this machine, used by check_wheel.py. The libraries are compiled once, in build/; what depends on Python
is compiled per version, in build/wheels. From 3.12 on one wheel serves all later versions (stable ABI)."""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
from pathlib import Path

import setup

DIST = setup.ROOT / "dist"
PLACES = (
    "/usr/bin/python3.*",
    "/usr/local/bin/python3.*",
    "~/.pyenv/versions/*/bin/python3",
    "/opt/python/cp*/bin/python3",
)
ASK = (
    "import ensurepip, os, platform, sys, sysconfig, venv; "
    "print(platform.python_implementation(), *sys.version_info[:3], sys.prefix == sys.base_prefix and "
    "os.path.isfile(os.path.join(sysconfig.get_path('include'), 'Python.h')) and not sysconfig.get_config_var('Py_GIL_DISABLED'))"
)


def version_of(python: str | Path) -> tuple[int, int, int] | None:
    """Version of a CPython >= 3.10 that can make environments and has headers; None for all else."""
    try:
        done = subprocess.run([python, "-c", ASK], capture_output=True, text=True, timeout=60)
    except OSError:
        return None
    words = done.stdout.split()
    if done.returncode != 0 or words[0] != "CPython" or words[4] != "True":
        return None
    found = (int(words[1]), int(words[2]), int(words[3]))
    return found if found >= (3, 10, 0) else None


def find_all() -> list[Path]:
    """One Python per minor version, the newest of each, in the order of versions."""
    newest: dict[tuple[int, int], tuple[tuple[int, int, int], Path]] = {}
    for place in PLACES:
        for found in sorted(glob.glob(os.path.expanduser(place))):
            version = version_of(found)
            if version is not None and (version[:2] not in newest or version > newest[version[:2]][0]):
                newest[version[:2]] = (version, Path(found))
    return [newest[key][1] for key in sorted(newest)]


def version_of_environment() -> tuple[int, ...]:
    """That of .venv."""
    done = subprocess.run(
        [setup.PYTHON, "-c", "import sys; print(*sys.version_info[:3])"], capture_output=True, text=True
    )
    return tuple(map(int, done.stdout.split()))


def pack_own() -> Path:
    """The wheel of .venv: scikit-build-core finds build/ up to date, nothing is compiled again."""
    return _pack(setup.PYTHON, setup.BUILD, ())


def pack_for(python: Path) -> Path:
    """The wheel that fits a Python: one that is in dist/ already, or one whose extension is compiled now."""
    version = version_of(python)
    if version is None:
        raise setup.SetupError(f"{python} is no CPython >= 3.10 with the module venv and the headers (Python.h)")
    name = f"cp{version[0]}{version[1]}"
    fitting = [
        *DIST.glob(f"stiction-*-{name}-*.whl"),
        *(DIST.glob("stiction-*-cp312-abi3-*.whl") if version >= (3, 12, 0) else ()),
    ]
    if fitting:
        return fitting[0]
    if version[:2] == version_of_environment()[:2]:
        return pack_own()
    folder = setup.BUILD / "wheels" / name
    builder = folder / "venv" / "bin" / "python"
    if not builder.exists():
        setup.call(python, "-m", "venv", folder / "venv", quiet=True)
        lock = setup.ROOT / "requirements" / "run.txt"
        setup.call(
            builder, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile",
            "--only-binary=:all:", "-r", lock, quiet=True,
        )  # fmt: skip
    defines = {
        "STICTION_PREBUILT": setup.BUILD,
        "Python_EXECUTABLE": builder,
        "CMAKE_MAKE_PROGRAM": folder / "venv" / "bin" / "ninja",
    }
    return _pack(builder, folder / "build", [f"cmake.define.{key}={value}" for key, value in defines.items()])


def _pack(python: Path, build: Path, settings: list[str] | tuple[()]) -> Path:
    made = build.with_name(build.name + "-wheel")
    shutil.rmtree(made, ignore_errors=True)
    setup.call(
        python, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-build-isolation", "--no-deps",
        f"--config-settings=build-dir={build}", *(f"--config-settings={setting}" for setting in settings),
        "--wheel-dir", made, setup.ROOT, quiet=True,
    )  # fmt: skip
    (wheel,) = made.glob("stiction-*.whl")
    DIST.mkdir(exist_ok=True)
    shutil.move(wheel, DIST / wheel.name)
    made.rmdir()
    return DIST / wheel.name
