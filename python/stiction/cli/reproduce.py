# SPDX-License-Identifier: BSD-2-Clause
"""`stiction reproduce PAPER`: the tables and figures of a paper again, beside the published numbers."""

from __future__ import annotations

import click

from .. import papers
from ..output.progress import Progress
from ..output.suggest import unknown_name
from ..papers import rows
from .common import example, json_option, print_json


@click.command(
    short_help="Redo the tables and figures of a paper.",
    epilog=example("stiction reproduce stewart-trinkle --quick --report page.html"),
)
@click.argument("paper")
@click.option("--quick", is_flag=True, help="fewer and coarser runs: seconds instead of minutes")
@click.option(
    "--data",
    type=click.Path(),
    help="folder of third-party data; default: STICTION_DATA. Rows that need it are skipped without it",
)
@click.option("--strict", is_flag=True, help="a skipped row is a failed row")
@click.option(
    "--report", type=click.Path(dir_okay=False), help="also write a page with tables and figures (HTML, one file)"
)
@json_option
def reproduce(paper: str, quick: bool, data: str | None, strict: bool, report: str | None, as_json: bool) -> int:
    """Redo a paper: contact-models (Le Lidec et al. 2024), exponential (Hammoud et al. 2022),
    moreau (Gehring et al. 2014), relaxed-contact (Wakisaka, Sugihara 2014), stewart-trinkle (2000), tosses (recordings of a real cube).

    Exit code 1 if a row fails."""
    if paper not in papers.PAPERS:
        raise unknown_name("paper", paper, [*papers.PAPERS])
    with Progress(f"reproduce {paper}", unit="section", ticking=True) as bar:

        def say(text: str) -> None:
            bar.hide()
            if not as_json:
                click.echo(text)
            bar.advance()

        study = papers.reproduce(paper, quick=quick, data=data, strict=strict, say=say)
    if report:
        study.write(report)
    if as_json:
        print_json([row.as_json() for row in study.rows])
    else:
        click.echo(rows.closing(study.rows))
    return 0 if study.ok else 1
