# SPDX-License-Identifier: BSD-2-Clause
"""All solvers of a law on sets of problem files: profiles, shares, budgets, scaling and the bars of `auto`, as JSON, tables and plots.

    python bench/solvers --set fclib --tolerances 1e-4,1e-6,1e-8,1e-12 --time-limit 10 --output out/fclib
    python bench/solvers --set generated --count 60 --output out/generated           a new seed at every run, printed and stored
    python bench/solvers --set large --solvers auto,interior_point,apgd --tolerances 1e-8 --time-limit 120 --output out/large
    python bench/solvers --replot out/fclib                                          figures and tables again from its records
    python bench/solvers/fresh.py --count 2000 --output out/fresh                    auto alone on fresh problems (fresh.py)

Every run has its own process (stiction.bench.profiles.run, as `stiction compare --problems`). Writes records.json, bars.json, tables.txt and
the figures profile_<tolerance>, shares, budgets, scaling, against_best as .svg and .png.
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import bars
import plots
import sets
from stiction.bench.profiles import records as profiles
from stiction.bench.profiles import run as profile_run
from stiction.bench.profiles import tables as profile_tables
from stiction.bench.profiles.records import Record
from stiction.bench.profiles.worker import BUDGETS

TOLERANCES = "1e-4,1e-6,1e-8,1e-10,1e-12"
TARGET = 1e-8  # the tolerance at which auto is compared with the others


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python bench/solvers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--set", choices=("fclib", "generated", "large", "all"), default="fclib")
    parser.add_argument("--files", nargs="+", help="these problem files instead of a set")
    parser.add_argument("--law", default="coulomb")
    parser.add_argument("--solvers", help="names, separated by commas; all of the law by default")
    parser.add_argument("--tolerances", default=TOLERANCES)
    parser.add_argument("--time-limit", type=float, default=10.0, help="seconds per run; 10 by default")
    parser.add_argument(
        "--auto-limit",
        type=float,
        default=60.0,
        help="seconds per run of auto for bar A; 60 by default, 0 leaves it out",
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument(
        "--jobs", type=int, default=1, help="solvers side by side; CPU time is measured, but limits are wall time"
    )
    parser.add_argument("--count", type=int, default=60, help="generated problems")
    parser.add_argument("--largest", type=int, default=0, help="leave out problems of more contacts; 0 keeps all")
    parser.add_argument("--seed", type=int, help="of the generated problems; a new one by default")
    parser.add_argument("--output", type=Path, default=Path("out/solvers"))
    parser.add_argument(
        "--merge",
        type=Path,
        metavar="DIR",
        help="take the records of solvers that are not run now from DIR/records.json",
    )
    parser.add_argument("--replot", type=Path, metavar="DIR", help="no runs: figures and tables of DIR/records.json")
    return parser.parse_args()


def files_of(ask: argparse.Namespace) -> list[str]:
    """Problem files of the set; generated ones are written to OUTPUT/problems first."""
    found = list(ask.files or [])
    if not ask.files and ask.set in ("fclib", "all"):
        found += sets.fclib()
    if not ask.files and ask.set in ("generated", "all"):
        found += sets.generated(ask.output / "problems", ask.count, ask.seed)
    if not ask.files and ask.set == "large":
        found += sets.large(ask.output / "problems", ask.seed)
    return sets.within(found, ask.largest)


def run(ask: argparse.Namespace) -> None:
    ask.output.mkdir(parents=True, exist_ok=True)
    ask.seed = sets.new_seed() if ask.seed is None else ask.seed
    files = files_of(ask)
    tolerances = [float(t) for t in ask.tolerances.split(",")]
    solvers = ask.solvers.split(",") if ask.solvers else profile_run.solvers_of(ask.law)
    print(
        f"{len(files)} problems, {len(solvers)} solvers, tolerances {ask.tolerances}, limit {ask.time_limit:g} s, seed {ask.seed}",
        flush=True,
    )
    begin, done = time.monotonic(), 0
    log = open(ask.output / "progress.jsonl", "w", encoding="utf-8")  # noqa: SIM115  (kept if the run is stopped)

    def progress(r: Record) -> None:
        nonlocal done
        done += 1
        log.write(json.dumps(r.summary(), allow_nan=False) + "\n")
        log.flush()
        print(
            f"{time.monotonic() - begin:7.1f} s  {done:5d}  {r.problem}  {r.solver}  {r.tolerance:g}  {r.status}  {r.b3:.1e}  {r.spent:.3g} s",
            flush=True,
        )

    common: dict[str, Any] = {"law": ask.law, "progress": progress, "budgets": BUDGETS, "histories": False}
    every: dict[str, Any] = {
        "tolerances": tolerances,
        "limit": ask.time_limit,
        "repeats": ask.repeats,
        "skip_after_limit": True,
        **common,
    }
    with ThreadPoolExecutor(ask.jobs) as pool:  # threads wait for worker processes
        alone = (
            pool.submit(
                profile_run.run,
                files,
                [bars.DRIVER],
                tolerances=[1e-8, 1e-12],
                limit=ask.auto_limit,
                repeats=1,
                **common,
            )
            if ask.auto_limit
            else None
        )
        parts = list(pool.map(lambda solver: profile_run.run(files, [solver], **every), solvers))
        driver = alone.result() if alone else []
    earlier: dict[str, Any] = json.loads((ask.merge / "records.json").read_text()) if ask.merge else {"records": []}
    others = [Record.from_summary(r) for r in earlier["records"] if r["solver"] not in solvers]
    records = profiles.merge(*parts, *([others] if others else []))
    stored = {
        "machine": sets.machine(), "set": "files" if ask.files else ask.set, "seed": ask.seed, "law": ask.law, "tolerances": tolerances,
        "limit": ask.time_limit, "repeats": ask.repeats, "jobs": ask.jobs, "auto_limit": ask.auto_limit,
        "merged": [earlier.get("machine"), *sorted({r.solver for r in others})] if others else [],
        "records": [r.summary() for r in records], "auto": [r.summary() for r in driver],
    }  # fmt: skip
    (ask.output / "records.json").write_text(json.dumps(stored, indent=1, allow_nan=False))
    show(ask.output, stored)


def show(folder: Path, stored: dict[str, Any]) -> None:
    """Tables and figures of records; problems that nobody solves stay in the count, duplicates count once."""
    everything = [Record.from_summary(r) for r in stored["records"]]
    driver = [Record.from_summary(r) for r in stored["auto"]]
    kept, refused = profile_tables.ran(everything)
    counted = profiles.counted(kept)
    tables = profile_tables.all_tables(kept, pairwise=True)[1:]
    at = TARGET if TARGET in stored["tolerances"] else min(stored["tolerances"])
    rows = bars.against_best(kept, at)
    found = {"machine": stored["machine"], "seed": stored["seed"], "C": rows, "G": bars.budget_rows(driver)}
    tables.append(bars.best_table(rows, at))
    if driver:
        tables += [bars.reached(driver), bars.budget_table(found["G"])]
    (folder / "bars.json").write_text(json.dumps(found, indent=1))
    text = "\n".join(
        [json.dumps(stored["machine"]), "", *(t.text() for t in tables), *(f"not run: {line}" for line in refused)]
    )
    (folder / "tables.txt").write_text(text + "\n")
    written = plots.write(folder, "shares", lambda: plots.shares(counted)) + plots.write(
        folder, "budgets", lambda: plots.budgets(counted)
    )
    written += plots.write(folder, "scaling", lambda: plots.scaling(counted, at)) + plots.write(
        folder, "against_best", lambda: plots.against_best(rows, at)
    )
    for t in stored["tolerances"]:
        written += plots.write(folder, f"profile_{profile_tables.power(t)}", partial(plots.profile, counted, t))
    print(text)
    print(f"written to {folder}: records.json bars.json tables.txt {' '.join(written)}")


def main() -> None:
    ask = arguments()
    if ask.replot:
        show(ask.replot, json.loads((ask.replot / "records.json").read_text()))
    else:
        run(ask)


if __name__ == "__main__":
    main()
