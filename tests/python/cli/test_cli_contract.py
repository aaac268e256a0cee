# SPDX-License-Identifier: BSD-2-Clause
"""What every command keeps to, whoever adds it: help with defaults and an example, --json, wrong names answered by close ones,
exit codes, whole files or none. The commands are found by walking the group, so new ones are covered on the day they are added."""

import json
import os
import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

import stiction as st
from stiction.cli import cli, main
from stiction.output import files

NO_RESULT = {"view", "ros2"}  # open a window, publish: they have nothing to print as JSON


def walk(group, path=()):
    for name, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from walk(command, (*path, name))
        else:
            yield (*path, name), command


COMMANDS = dict(walk(cli))
IDS = [" ".join(path) for path in COMMANDS]
every_command = pytest.mark.parametrize("path", COMMANDS, ids=IDS)


def help_of(path):
    result = CliRunner().invoke(cli, [*path, "--help"], prog_name="stiction", terminal_width=120)
    assert result.exit_code == 0
    return result.output


def test_the_group_knows_the_public_commands():
    assert {
        "demo",
        "list",
        "run",
        "compare",
        "solve",
        "bench",
        "reproduce",
        "generate",
        "export",
        "check",
        "version",
    } <= {p[0] for p in COMMANDS}
    text = help_of(())
    for code in ("0 ", "1 ", "2 ", "130 "):
        assert re.search(rf"^ +{code}", text, re.MULTILINE), "exit codes are documented"


@every_command
def test_help_has_a_description_and_an_example(path):
    text = help_of(path)
    usage, _, rest = text.partition("\n")
    assert usage.startswith(f"Usage: stiction {' '.join(path)}")
    assert COMMANDS[path].help, "a docstring says what it does"
    assert re.search(rf"stiction {' '.join(path)}\b", rest), "the help shows an example to copy"


@every_command
def test_every_option_is_explained_and_shows_its_default(path):
    text = re.sub(r"\s+", " ", help_of(path))
    for option in (p for p in COMMANDS[path].params if isinstance(p, click.Option)):
        flag = option.opts[0]
        assert option.help, f"{flag} says what it is"
        if option.is_flag or option.multiple or option.default is None or str(option.default) in ("", "Sentinel.UNSET"):
            continue
        shown = text[text.index(flag + " ") :]
        assert f"default: {option.default}" in shown, f"{flag} shows its default {option.default}"


@every_command
def test_results_come_as_json_too(path):
    flags = [flag for p in COMMANDS[path].params for flag in p.opts]
    assert "--json" in flags or path[0] in NO_RESULT


@every_command
def test_a_wrong_option_is_answered_by_a_close_one(path, tmp_path):
    option = next(f for p in COMMANDS[path].params if isinstance(p, click.Option) for f in p.opts if f.startswith("--"))
    wrong = option[:-1] if len(option) > 4 else option + "x"
    if any(f.startswith(wrong) and f != option for p in COMMANDS[path].params for f in p.opts) or len(wrong) < 4:
        wrong = option + "x"
    with pytest.raises(click.NoSuchOption) as caught:
        COMMANDS[path].make_context(path[-1], [wrong, "x", "x"])
    assert option in (caught.value.possibilities or [])


# Every kind of name that a command takes, misspelt: the answer is the right one.
MISSPELT = {
    "command": (["comparee"], "compare"),
    "scene": (["run", "cube_slid"], "cube_slide"),
    "robot": (["run", "starlet"], "starleth"),
    "robot to check": (["check", "anymal_prm"], "anymal_prim"),
    "law": (["run", "cube_slide", "--law", "coulom"], "coulomb"),
    "solver": (["run", "cube_slide", "--solver", "admmm"], "admm"),
    "stepper": (["run", "cube_slide", "--stepper", "semi_implict"], "semi_implicit"),
    "parameter": (["run", "cube_slide", "--set", "angel=1"], "angle"),
    "scene to compare": (["compare", "cube_slid"], "cube_slide"),
    "laws": (["compare", "cube_slide", "--laws", "coulomb,pyramd"], "pyramid"),
    "solvers": (["compare", "cube_slide", "--solvers", "nsg"], "nsgs"),
    "solvers of problems": (["compare", "--problems", "p.dat", "--solvers", "nsg"], "nsgs"),
    "list": (["list", "robot"], "robots"),
    "family": (["generate", "stak"], "stack"),
    "parameter of a family": (["generate", "stack", "--set", "heigt=3"], None),
    "paper": (["reproduce", "exponental"], "exponential"),
    "scene to export": (["export", "cube_slid", "--output", "o"], "cube_slide"),
    "scene to bench": (["bench", "cube_slid"], "cube_slide"),
    "peers": (["bench", "statc", "--peers", "--quick"], "static"),
    "command of log": (["log", "inf"], "info"),
}


@pytest.mark.parametrize("case", MISSPELT)
def test_wrong_names_are_answered_by_close_ones(case, tmp_path, monkeypatch, capsys):
    arguments, right = MISSPELT[case]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["stiction", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    out, told = capsys.readouterr()
    assert ended.value.code == 2 and out == "" and told.count("\n") == 1 and told.startswith("stiction: ")
    assert (f"did you mean '{right}'" if right else "known: ") in told, told


def test_json_of_list_and_version():
    listed = json.loads(CliRunner().invoke(cli, ["list", "--json"]).output)
    assert [e["name"] for e in listed["laws"]] == [e.name for e in st.catalog()["laws"]] and "starleth" in listed[
        "robots"
    ]
    assert json.loads(CliRunner().invoke(cli, ["version", "--json"]).output)["stiction"] == st.__version__


INTERRUPTED = """
import os, signal, sys
signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
from stiction.bench import measure, run_report  # imported before the clock starts
from stiction.cli import main
signal.setitimer(signal.ITIMER_REAL, {delay})
sys.argv = ["stiction", *{arguments}]
main()
"""


@pytest.mark.parametrize("delay", [0.05, 0.4])
def test_ctrl_c_leaves_no_broken_file(delay, tmp_path):
    old = "the report of last week"
    (tmp_path / "report.html").write_text(old)
    arguments = ["compare", "pile", "--duration", "1000", "--report", "report.html"]
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(delay=delay, arguments=arguments)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 130 and "Traceback" not in done.stderr
    assert (tmp_path / "report.html").read_text() == old and [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    target = tmp_path / "out.json"
    with pytest.raises(KeyboardInterrupt), files.whole_file(target) as part:
        part.write_text("half of i")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
    files.write_text(target, "all of it")
    assert target.read_text() == "all of it" and list(tmp_path.iterdir()) == [target]
    assert target.stat().st_mode & 0o777 == 0o666 & ~_umask()


def test_interrupted_while_a_page_is_made(tmp_path, monkeypatch):
    """Ctrl-C in the middle of writing: neither half a page nor a temporary file."""
    from stiction.bench import measure, run_report

    runs = [measure.measure(lambda: st.scene("cube_slide"), 0.02, "cube", repeats=0)]

    def interrupt(self, text, encoding=None):
        with open(self, "w") as file:
            file.write(text[: len(text) // 2])
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.write_text", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run_report.write(tmp_path / "page.html", "title", "what", runs)
    assert list(tmp_path.iterdir()) == []


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_examples_in_the_help_parse(tmp_path):
    """Options of the examples exist."""
    for path, command in COMMANDS.items():
        known = {flag for p in command.params for flag in (*p.opts, *p.secondary_opts)}
        for line in re.findall(rf"^ +stiction {' '.join(path)}\b(.*)$", help_of(path), re.MULTILINE):
            for flag in re.findall(r"(?<= )--?[a-z][\w-]*", line):
                assert flag in known, f"stiction {' '.join(path)}: the example has {flag}"
