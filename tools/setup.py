# SPDX-License-Identifier: BSD-2-Clause
"""Makes the repository runnable: virtual environment, pinned packages, one compile in build/, our wheel installed.

Every step checks what is there and does only what is missing, so an interrupted run is taken up again. Nothing is done
when no input changed since the stamp. All messages go to stderr: stdout belongs to the command that is run.
Only the standard library is used.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BUILD = ROOT / "build"
STAMP = VENV / "stiction-stamp"
PYTHON = VENV / "bin" / "python"
INPUTS = (
    "CMakeLists.txt",
    "cmake",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "requirements/run.txt",
    "src",
    "python",
    "models",
)


class SetupError(Exception):
    """Something that the user has to fix; the message says how."""


def say(message: str) -> None:
    print(f"stiction: {message}", file=sys.stderr, flush=True)


def call(*command: str | Path, quiet: bool = False) -> None:
    """Runs a command in the repository, its output on stderr; `quiet` shows it only if the command fails."""
    environment = dict(os.environ, PATH=f"{VENV / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}")
    environment.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(jobs()))
    environment.pop("PYTHONPATH", None)
    sink = dict(stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) if quiet else dict(stdout=sys.stderr)
    line = [str(part) for part in command]
    result = subprocess.run(line, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, **sink)
    if result.returncode != 0:
        if quiet:
            print(result.stdout, file=sys.stderr)
        raise SetupError(f"this command failed: {' '.join(line)}")


def jobs() -> int:
    """Compilers side by side: one per core, but 1.5 GB of memory for each (the URDF parser takes 1.2)."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(1, min(cores, int(memory / 1.5e9)))


# ---- what the machine must bring ------------------------------------------------------------------------------------


def find_compiler() -> str:
    wanted = [os.environ["CXX"]] if os.environ.get("CXX") else ["c++", "g++", "clang++"]
    for name in wanted:
        if shutil.which(name.split()[0]):
            return name
    found = f"CXX={wanted[0]}, which is not there" if os.environ.get("CXX") else "none of " + ", ".join(wanted)
    raise SetupError(f"stiction needs a C++20 compiler and found {found}.\n  Debian, Ubuntu: apt install g++")


def check_compiler() -> None:
    compiler = find_compiler()
    source = "#include <concepts>\n#include <optional>\ntemplate <std::integral T> T f(T x) { return x; }\nint main() { return f(0); }\n"
    command = [*compiler.split(), "-std=c++20", "-fsyntax-only", "-x", "c++", "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True)
    if result.returncode != 0:
        raise SetupError(
            f"{compiler} does not compile C++20 (g++ >= 11 and clang++ >= 14 do):\n{result.stderr}"
            "  Debian, Ubuntu: apt install g++, or name another one: CXX=g++-12 ./run"
        )


def check_cmake() -> None:
    fix = "  Debian, Ubuntu: apt install cmake     anywhere: pip install cmake"
    if not shutil.which("cmake"):
        raise SetupError(f"stiction needs CMake >= 3.25 and found none.\n{fix}")
    text = subprocess.run(["cmake", "--version"], capture_output=True, text=True).stdout
    match = re.search(r"(\d+)\.(\d+)\.(\d+)", text)
    if not match or tuple(map(int, match.groups())) < (3, 25, 0):
        raise SetupError(
            f"stiction needs CMake >= 3.25 and found {match.group(0) if match else 'an unknown version'}.\n{fix}"
        )


# ---- virtual environment and packages -------------------------------------------------------------------------------


def venv_is_ours() -> bool:
    """A virtual environment holds absolute paths: one that was moved, or whose interpreter is gone, is of no use."""
    pip = VENV / "bin" / "pip"
    if not pip.is_file() or str(VENV) not in pip.read_text(errors="replace"):
        return False
    return subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True).returncode == 0


def make_venv() -> None:
    if venv_is_ours():
        return
    say(f"making {VENV.name} with Python {sys.version.split()[0]}")
    shutil.rmtree(VENV, ignore_errors=True)
    shutil.rmtree(BUILD, ignore_errors=True)  # it points into the old environment
    call(sys.executable, "-m", "venv", VENV)


def install_lock(name: str) -> None:
    """Installs requirements/<name>.txt, which is complete, unless that very text was installed before."""
    lock = ROOT / "requirements" / f"{name}.txt"
    stamp = VENV / f"stiction-{name}-lock"
    if stamp.is_file() and stamp.read_bytes() == lock.read_bytes():
        return
    say(f"installing the pinned packages of {lock.relative_to(ROOT)}")
    try:
        call(
            PYTHON,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--no-compile",  # Python compiles what it imports; all of it would take ten seconds
            "--only-binary=:all:",
            "-r",
            lock,
        )
    except SetupError as error:
        raise SetupError(
            f"{error}\n  The first run needs PyPI, or a folder of wheels: PIP_FIND_LINKS=/folder PIP_NO_INDEX=1 ./run"
        ) from None
    stamp.write_bytes(lock.read_bytes())


# ---- compile and install --------------------------------------------------------------------------------------------


def drop_foreign_build() -> None:
    """CMake refuses a cache that was made in another place."""
    cache = BUILD / "CMakeCache.txt"
    if cache.is_file() and f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n" not in cache.read_text(errors="replace"):
        say("the repository was moved: building anew")
        shutil.rmtree(BUILD)


def configure(**options: str) -> None:
    """One cache serves ./run, ./test and the wheel: same flags, same generator, same ninja, hence one compile."""
    drop_foreign_build()
    options = {
        "CMAKE_BUILD_TYPE": "Release",
        "STICTION_PYTHON": "ON",
        "Python_EXECUTABLE": str(PYTHON),
        "CMAKE_MAKE_PROGRAM": str(VENV / "bin" / "ninja"),
        "STICTION_WARNINGS_AS_ERRORS": "ON" if os.environ.get("CI") else "OFF",
        **options,
    }
    defines = [f"-D{name}={value}" for name, value in options.items()]
    call("cmake", "--log-level=WARNING", "-S", ROOT, "-B", BUILD, "-G", "Ninja", *defines, quiet=True)


def compile_target(target: str) -> None:
    call("cmake", "--build", BUILD, "--target", target)


def install_package() -> None:
    """Packs what build/ holds into a wheel (scikit-build-core finds it up to date) and installs it."""
    call(
        PYTHON,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-build-isolation",
        "--no-deps",
        "--force-reinstall",
        f"--config-settings=build-dir={BUILD}",
        ROOT,
        quiet=True,
    )


# ---- the stamp ------------------------------------------------------------------------------------------------------


def fingerprint() -> str:
    """Names, sizes and times of all inputs, and the place: cheap enough to be asked before every run."""
    digest = hashlib.sha256(str(ROOT).encode())
    for name in INPUTS:
        top = ROOT / name
        files = (
            [top]
            if top.is_file()
            else sorted(p for p in top.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
        )
        for path in files:
            status = path.stat()
            digest.update(f"{path.relative_to(ROOT)} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def is_ready(now: str) -> bool:
    return STAMP.is_file() and STAMP.read_text() == now and (VENV / "bin" / "stiction").exists() and PYTHON.exists()


@contextlib.contextmanager
def lock_repository():
    """Two runs at the same time: the second waits for the first."""
    handle = os.open(ROOT, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another run to finish its setup")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def ensure_ready(beside: Callable[[], None] = lambda: None) -> None:
    """Everything that `stiction` needs; returns at once if nothing changed. `beside` is called while the compiler works."""
    if is_ready(fingerprint()):
        return
    with lock_repository():
        now = fingerprint()  # before the work: a file that is edited meanwhile makes the stamp stale
        if is_ready(now):
            return
        check_compiler()
        check_cmake()
        make_venv()
        STAMP.unlink(missing_ok=True)
        install_lock("run")
        say(f"compiling ({jobs()} at a time; the first time takes minutes)")
        with ThreadPoolExecutor(1) as pool:
            other = pool.submit(beside)
            configure()
            compile_target("stiction_python")
            other.result()
        install_package()
        STAMP.write_text(now)
        say("ready")


def keep_bytecode() -> None:
    """Processes that may not write compiled modules compile NumPy anew each time; what we start keeps them in build/."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(BUILD / "pycache"))


EXTRA_LOCKS = {"view": "viewer"}  # commands that need more than run.txt


def run(arguments: list[str]) -> None:
    import quick_start

    if arguments[:1] == ["--quick-start"]:
        quick_start.run(arguments[1:])
    if quick_start.is_expected():
        quick_start.run(arguments)
    ensure_ready()
    if arguments and arguments[0] in EXTRA_LOCKS:
        with lock_repository():
            install_lock(EXTRA_LOCKS[arguments[0]])
    program = VENV / "bin" / "stiction"
    keep_bytecode()
    os.execv(program, [str(program), *(arguments or ["demo"])])


def guard(function, *arguments) -> None:
    """Runs a command's main function; what the user can fix is said without a traceback."""
    try:
        function(*arguments)
    except SetupError as error:
        sys.exit(f"stiction: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    command, *rest = sys.argv[1:] or ["build"]
    if command == "run":
        guard(run, rest)
    elif command == "build":
        guard(ensure_ready)
    else:
        sys.exit(f"usage: {sys.argv[0]} [build | run ARGUMENTS]")
