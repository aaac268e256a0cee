# SPDX-License-Identifier: BSD-2-Clause
"""The command `stiction`: one module per group of commands. Every error is one sentence and exit code 2."""

from __future__ import annotations

import sys

import click

import stiction as st

from . import bench, check, compare, convert, info, problems, recordings, reproduce, ros2, run, sweep, view
from .common import EXIT_CODES, Commands, Sentence


@click.group(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}, epilog=EXIT_CODES
)
@click.version_option(st.__version__, prog_name="stiction")
def cli() -> None:
    """Contact simulation for robots: many contact laws, solvers and steppers, judged by one outside measure."""


for _command in (
    info.version, info.list_, run.run, bench.bench, compare.demo, compare.compare, problems.solve, problems.generate, problems.export,
    reproduce.reproduce, recordings.replay, recordings.log, recordings.plot, view.view, ros2.ros2, check.check,
    convert.convert, sweep.sweep,
):  # fmt: skip
    cli.add_command(_command)


def main() -> None:
    """Entry point: bad input and missing extras end in one sentence."""
    try:
        code = cli.main(standalone_mode=False)
    except click.ClickException as error:
        if isinstance(error, Sentence):
            error.show()
        else:
            click.echo(f"stiction: {error.format_message()}", err=True)
        sys.exit(2)
    except click.exceptions.Abort:
        sys.exit(130)
    except (st.InvalidInput, ImportError, OSError) as error:
        click.echo(f"stiction: {error}", err=True)
        sys.exit(2)
    sys.exit(code if isinstance(code, int) else 0)


__all__ = ["cli", "main"]
