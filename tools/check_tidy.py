# SPDX-License-Identifier: BSD-2-Clause
"""clang-tidy with the checks of .clang-tidy over .cpp files of src/stiction.

    python tools/check_tidy.py                    base, cone and problem (a minute)
    python tools/check_tidy.py --all              every file of src (about 5 s each)
    python tools/check_tidy.py --changed          files that differ from HEAD
    python tools/check_tidy.py src/stiction/law   files or folders

Flags come from a configuration of its own, build/tidy, without unity groups and precompiled headers; nothing is compiled.
"""

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TREE = ROOT / "build" / "tidy"
TOOL = Path(sys.executable).parent / "clang-tidy"
USUAL = ("base", "cone", "problem")
# Flags of GCC that clang does not know.
UNKNOWN = ("--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-ignored-optimization-argument")


def configure(engine: bool) -> None:
    """compile_commands.json; the solver trunk alone needs Eigen only."""
    flags = {
        "CMAKE_EXPORT_COMPILE_COMMANDS": "ON",
        "CMAKE_BUILD_TYPE": "Release",
        "STICTION_UNITY": "OFF",
        "STICTION_PRECOMPILE": "OFF",
        "STICTION_WARNINGS_AS_ERRORS": "OFF",
        "STICTION_SOLVER_ONLY": "OFF" if engine else "ON",
        "Python_EXECUTABLE": sys.executable,
    }
    command = ["cmake", "-S", str(ROOT), "-B", str(TREE), "-G", "Ninja", *(f"-D{k}={v}" for k, v in flags.items())]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)


def chosen(ask: argparse.Namespace) -> list[Path]:
    if ask.changed:
        names = subprocess.run(
            ["git", "-C", str(ROOT), "diff", "--name-only", "--diff-filter=d", "HEAD", "--", "src/stiction"],
            capture_output=True, text=True, check=True,
        ).stdout.split()  # fmt: skip
        return sorted(ROOT / name for name in names if name.endswith(".cpp"))
    places = [Path(p).resolve() for p in ask.paths]
    if not places:
        source = ROOT / "src" / "stiction"
        places = [source] if ask.all else [source / module for module in USUAL]
    found = {f for p in places for f in (p.rglob("*.cpp") if p.is_dir() else [p])}
    return sorted(found)


def run(file: Path) -> tuple[Path, str]:
    """What clang-tidy says about a file; empty if nothing."""
    done = subprocess.run([str(TOOL), "-p", str(TREE), "--quiet", *UNKNOWN, str(file)], capture_output=True, text=True)
    return file, "" if done.returncode == 0 else done.stdout + done.stderr


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--all", action="store_true", help="every file of src")
    parser.add_argument("--changed", action="store_true", help="files that differ from HEAD")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    ask = parser.parse_args()
    files = chosen(ask)
    trunk = {"base", "cone", "problem", "solver"}
    configure(engine=any(f.relative_to(ROOT / "src" / "stiction").parts[0] not in trunk for f in files))
    wrong = 0
    with ThreadPoolExecutor(ask.jobs) as pool:
        for file, said in pool.map(run, files):
            if said:
                wrong += 1
                print(f"{file.relative_to(ROOT)}\n{said}")
    print(f"clang-tidy: {len(files)} files, {wrong} with remarks")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
