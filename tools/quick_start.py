# SPDX-License-Identifier: BSD-2-Clause
"""./run without a compiler: a wheel that lies in or beside the clone is installed into .venv-wheel and used.

`./run --quick-start ARGUMENTS` asks for it. `./run` alone does it where nothing was built yet and the wheel is newer than all sources.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from pathlib import Path

import setup

HOME = setup.ROOT / ".venv-wheel"
NAME = re.compile(r"stiction-[^-]+-(cp(\d)(\d+))-(\w+)-(\w+)\.whl")


def fits(name: str, version: tuple[int, int], machine: str) -> bool:
    """Whether a wheel of this file name can be installed for a CPython of this version on this machine."""
    found = NAME.fullmatch(name)
    if found is None or not found.group(5).endswith(machine):
        return False
    its = (int(found.group(2)), int(found.group(3)))
    return its <= version if found.group(4) == "abi3" else its == version and found.group(4) == found.group(1)


def find_wheel() -> Path | None:
    """The newest wheel that fits: in dist/ of the clone, beside the clone, or in dist/ beside it."""
    folders = (setup.ROOT / "dist", setup.ROOT.parent, setup.ROOT.parent / "dist")
    here = [path for folder in folders for path in folder.glob("stiction-*.whl")]
    fitting = [path for path in here if fits(path.name, sys.version_info[:2], platform.machine())]
    return max(fitting, key=lambda path: path.stat().st_mtime, default=None)


def newest_source() -> float:
    """Time of the last change of what a build is made of."""
    tops = [setup.ROOT / name for name in setup.INPUTS]
    files = [path for top in tops for path in ([top] if top.is_file() else top.rglob("*"))]
    return max(path.stat().st_mtime for path in files if path.is_file() and "__pycache__" not in path.parts)


def is_expected() -> bool:
    """Nobody has built here, and a wheel is at least as new as the sources: ten minutes of compiling would bring nothing."""
    if setup.STAMP.is_file() or (setup.BUILD / "CMakeCache.txt").is_file():  # build/ alone may hold compiled Python
        return False
    wheel = find_wheel()
    return wheel is not None and wheel.stat().st_mtime >= newest_source()


def run(arguments: list[str]) -> None:
    """Installs the wheel if it is not yet, and becomes `stiction ARGUMENTS`."""
    wheel = find_wheel()
    if wheel is None:
        raise setup.SetupError(
            f"no wheel for CPython {sys.version_info[0]}.{sys.version_info[1]} on {platform.machine()} in dist/, in "
            f"{setup.ROOT.parent} or its dist/. Put one there, or let ./run compile (without --quick-start)"
        )
    stamp, now = HOME / "stiction-wheel", f"{wheel.name} {wheel.stat().st_size} {wheel.stat().st_mtime_ns}"
    if not stamp.is_file() or stamp.read_text() != now:
        setup.say(f"installing {wheel.name} into {HOME.name}; nothing is compiled, the sources here are not used")
        setup.call(sys.executable, "-m", "venv", "--clear", HOME, quiet=True)
        setup.call(
            HOME / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, quiet=True
        )
        stamp.write_text(now)
    program = HOME / "bin" / "stiction"
    setup.keep_bytecode()
    os.execv(program, [str(program), *(arguments or ["demo"])])
