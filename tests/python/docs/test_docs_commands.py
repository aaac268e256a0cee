# SPDX-License-Identifier: BSD-2-Clause
"""Every `stiction …` that a page shows names a command that exists, with options that it takes. Oracle: the command line itself.

Looked at: lines of code blocks that begin with `stiction` or `./run`, and `stiction …` in the text. Arguments are not run.
"""

import re
import shlex

import click
import pytest

from repository import ROOT
from stiction.cli import cli

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK_LINE = re.compile(r"^(?:stiction|\./run) ([a-z].*?)(?:\s{2,}.*|\s+#.*|;.*)?$", re.MULTILINE)
IN_THE_TEXT = re.compile(r"`(?:stiction|\./run) ([a-z][^`\n]*)`")


def commands(page):
    text = page.read_text()
    blocks = "\n".join(re.findall(r"^```(?!python).*?\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    return [*BLOCK_LINE.findall(blocks), *IN_THE_TEXT.findall(text)]


def complaint(line):
    """What is wrong with a command line, or None."""
    words, command, path = shlex.split(line.replace("…", " ").replace("[", " ").replace("]", " ")), cli, []
    while isinstance(command, click.Group):
        if not words:
            return None  # `stiction log`: the group itself
        path.append(words.pop(0))
        command = command.commands.get(path[-1])
        if command is None:
            return f"there is no command {' '.join(path)}"
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)} | {"--help"}
    unknown = [word for word in words if word.startswith("--") and word.split("=")[0] not in known]
    return f"{' '.join(path)} has no {unknown}" if unknown else None


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_commands_exist(page):
    wrong = {line: complaint(line) for line in commands(page) if complaint(line)}
    assert wrong == {}


def test_wrong_commands_are_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "```sh\nstiction run cube_slide --lw convex   # comment\nstiction rnu x\n```\nand `stiction log info x`"
    )
    found = [complaint(line) for line in commands(page)]
    assert found == ["run has no ['--lw']", "there is no command rnu", None]
