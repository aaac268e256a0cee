# SPDX-License-Identifier: BSD-2-Clause
"""`stiction solve`, `stiction generate` and `stiction export`: contact problems in files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from ..output import tables
from ..output.files import write_text
from ..output.progress import each
from .common import (
    Sentence,
    dt_option,
    example,
    json_option,
    law_option,
    parameters,
    print_json,
    simulator,
    solver_option,
    stepper_option,
)

_form = click.option(
    "--form",
    type=click.Choice(["local", "global"]),
    default="local",
    show_default=True,
    help="W and q, or M, H, f and w",
)


@click.command(
    epilog=example("stiction solve problem.hdf5 --solver nsgs --tolerance 1e-6", "stiction solve *.dat --json")
)
@click.argument("files", nargs=-1, required=True)
@solver_option
@click.option(
    "--law", help="friction law under which the problems are solved; coulomb by default, meaningless for an LCP"
)
@click.option(
    "--facets", type=int, default=4, show_default=True, help="sides of the pyramid law; more than 4 need lemke"
)
@click.option("--angle", type=float, default=0.0, show_default=True, help="turn of the pyramid about the normal [rad]")
@click.option("--tolerance", type=float, default=1e-8, show_default=True, help="relative tolerance of the judge")
@click.option("--time-limit", type=float, help="seconds allowed per problem")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="an option of the solver (stiction list solvers)"
)
@click.option("--condense", is_flag=True, help="form W of global problems instead of solving with M and H")
@click.option("--history", "history_path", help="write the residual at every iteration to this JSON file")
@click.option("--output", help="write impulse and velocity of the one problem to this .npz file")
@json_option
def solve(
    files: tuple[str, ...], solver: str, law: str | None, facets: int, angle: float, tolerance: float, time_limit: float | None,
    options: tuple[str, ...], condense: bool, history_path: str | None, output: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Solve problems from FCLIB (.hdf5), Siconos (.dat) and LCP (.npz) files. Exits with 1 if one is not solved."""
    from ..problems import solve_files as problem_files

    if output and len(files) != 1:
        raise Sentence(f"--output takes the result of one problem, got {len(files)} files")
    extra = parameters(options, "--option")
    if (facets, angle) != (4, 0.0) and law != "pyramid":
        raise Sentence("--facets and --angle need --law pyramid")
    ask = problem_files.Question(solver, law, facets, angle, tolerance, time_limit, extra, bool(history_path), condense)
    answers = [problem_files.solve(file, ask) for file in each(files, "solve", unit="problem", ticking=True)]
    if history_path:
        write_text(history_path, json.dumps([answer.history() for answer in answers]))
    if output:
        answers[0].save(output)
    if as_json:
        print_json([answer.summary() for answer in answers])
    else:
        click.echo(problem_files.table(answers))
    if any(not answer.solved for answer in answers):
        sys.exit(1)


def _steps(text: str) -> range:
    """`10`, `10:20` or `10:20:2`, the end not included."""
    words = text.split(":")
    if len(words) > 3 or not all(word.isdigit() for word in words):
        raise Sentence(f"--steps needs numbers as 10, 10:20 or 10:20:2, got '{text}'")
    numbers = [int(word) for word in words]
    steps = range(numbers[0], numbers[0] + 1) if len(numbers) == 1 else range(*numbers) if numbers[-1] else range(0)
    if not steps:
        raise Sentence(f"--steps {text} holds no step")
    return steps


@click.command(epilog=example("stiction export anymal_stand --steps 10:20 --output problems"))
@click.argument("what", metavar="SCENE|ROBOT|FILE")
@click.option(
    "--steps",
    default="0:1",
    show_default=True,
    metavar="A:B:C",
    help="which steps, counted from 0; the end is not included",
)
@click.option("--output", required=True, metavar="DIR", help="folder for the files; made if it is not there")
@_form
@law_option
@solver_option
@stepper_option
@dt_option
@click.option("--tolerance", type=float, default=1e-10, show_default=True, help="of the solution that is stored")
@click.option("--least", type=int, default=1, show_default=True, help="leave out problems with fewer contacts")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="a physical parameter of the scene")
@click.option("--height", type=float, help="height from which a ROBOT or FILE is dropped [m]; 1 by default")
@json_option
def export(
    what: str, steps: str, output: str, form: str, law: str, solver: str, stepper: str, dt: float | None, tolerance: float, least: int,
    settings: tuple[str, ...], height: float | None, as_json: bool,
) -> None:  # fmt: skip
    """Simulate and write the contact problems of some steps, all islands, to FCLIB files with their solution."""
    from ..problems import export as exports

    wanted = _steps(steps)
    sim = simulator(what, height, law=law, solver=solver, stepper=stepper, dt=dt, **parameters(settings))
    written = exports.export(sim, wanted, output, name=Path(what).stem, form=form, tolerance=tolerance, least=least)
    if as_json:
        print_json([w.summary() for w in written])
        return
    rows = [
        [w.file or "not written", str(w.step), str(w.contacts), w.status, tables.number(w.b3), w.note] for w in written
    ]
    click.echo(
        tables.text_table(["", "step", "contacts", "solution", "B3", ""], rows)
        if rows
        else "no contacts in these steps"
    )


@click.command(epilog=example("stiction generate stack --count 5 --contacts 100 --output problems"))
@click.argument("family")
@click.option("--seed", type=int, default=0, show_default=True, help="of the first problem; the others follow")
@click.option("--count", type=int, default=1, show_default=True, help="how many problems")
@click.option("--contacts", type=int, help="about so many contacts, the rest drawn at random; for `sample` the most")
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="a parameter of the family (docs/generators.md)"
)
@click.option(
    "--output", default=".", show_default=True, metavar="DIR", help="folder for the files; made if it is not there"
)
@_form
@json_option
def generate(
    family: str,
    seed: int,
    count: int,
    contacts: int | None,
    settings: tuple[str, ...],
    output: str,
    form: str,
    as_json: bool,
) -> None:
    """Write generated problems to FCLIB files: stack wall tower heap train table packing wedge arch duplicated mass_ratio
    robot adversarial infeasible, or a mixed sample."""
    from ..generate import files

    written = files.write(
        family, output, seed=seed, count=count, contacts=contacts, form=form, settings=parameters(settings)
    )
    if as_json:
        print_json([w._asdict() for w in written])
        return
    click.echo(
        tables.text_table(
            ["", "contacts", "velocities"],
            [[w.file or w.note, str(w.contacts), str(w.velocities or "")] for w in written],
        )
    )
