# SPDX-License-Identifier: BSD-2-Clause
"""Fuzzing: broken files of every format are loaded and simulated in other processes. None may end by a signal, hang, take more than
2 GB or raise anything but a sentence.

    python tests/python/fuzz/fuzz.py --seconds 600 --jobs 2          new cases for ten minutes
    python tests/python/fuzz/fuzz.py --kinds urdf,mcap --first 5000  cases from number 5000 on, of two formats
    python tests/python/fuzz/fuzz.py --case urdf:123 --keep out      one case again; its file is written to the folder out

Cases are numbers: the same one is the same file for ever, unless corpus.py or mutate.py change.
"""

import argparse
import collections
import os
import queue
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import corpus
import mutate

LIMIT = 10.0  # seconds of a processor for one case
PATIENCE = 10.0  # times as long by the clock, on a machine that is busy with other things


@dataclass
class Found:
    """What came of a run; a failure is `kind:seed` and what happened."""

    outcomes: collections.Counter = field(default_factory=collections.Counter)
    failures: list[tuple[str, str]] = field(default_factory=list)

    @property
    def cases(self) -> int:
        return sum(self.outcomes.values())


class Worker:
    """A process that runs cases one after the other, made anew after each one that ended it."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        environment = dict(
            os.environ, PYTHONPATH=os.pathsep.join(sys.path), OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1"
        )
        command = [sys.executable, str(Path(__file__).with_name("targets.py"))]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        self.answers: queue.Queue[str] = queue.Queue()
        out = self.process.stdout

        def read(answers: "queue.Queue[str]" = self.answers) -> None:
            for line in out:
                answers.put(line.rstrip("\n"))
            answers.put("")  # it has ended

        threading.Thread(target=read, daemon=True).start()
        self.fresh = True

    def worked(self) -> float:
        """Seconds of a processor that the process has used."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def answer(self, limit: float) -> str:
        """What the process says, within `limit` seconds of its own. One that sleeps for ever ends by the clock."""
        start, end = self.worked(), time.monotonic() + PATIENCE * limit
        while True:
            try:
                return self.answers.get(timeout=1.0)
            except queue.Empty:
                if self.worked() - start > limit or time.monotonic() > end:
                    raise

    def run(self, kind: str, seed: int) -> str:
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write(f"{kind} {seed}\n")
            self.process.stdin.flush()
            said = self.answer(LIMIT + (60.0 if self.fresh else 0.0))  # imports and the corpus come first
        except (queue.Empty, BrokenPipeError):
            said = "hang"
        self.fresh = False
        if said in ("", "hang"):
            self.process.kill()
            code = self.process.wait()
            self.process = None
            said = f"bad hang of more than {LIMIT:g} s" if said == "hang" else f"bad ended with code {code}"
        return said

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def run(
    seconds: float,
    first: int = 0,
    kinds: tuple[str, ...] = corpus.KINDS,
    jobs: int = 1,
    say: bool = False,
    count: int = 1 << 60,
) -> Found:
    """Cases first, first + 1, … of all kinds in turn, until the time is up or `count` of each kind are done."""
    found, lock, end = Found(), threading.Lock(), time.monotonic() + seconds
    numbers = iter(range(first, first + count))

    def work() -> None:
        worker = Worker()
        while time.monotonic() < end:
            with lock:
                number = next(numbers, None)
            if number is None:
                break
            for kind in kinds:
                if time.monotonic() >= end:
                    break
                said = worker.run(kind, number)
                with lock:
                    found.outcomes[f"{kind} {said.split()[0]}"] += 1
                    if said.startswith("bad"):
                        found.failures.append((f"{kind}:{number}", said))
                        if say:
                            print(f"{kind}:{number}  {said}", flush=True)
        worker.close()

    threads = [threading.Thread(target=work) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--kinds", default=",".join(corpus.KINDS))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--case", help="kind:number, run again")
    parser.add_argument("--keep", type=Path, help="folder for the files of failures")
    given = parser.parse_args()
    if given.case:
        kind, number = given.case.split(":")
        worker = Worker()
        said = worker.run(kind, int(number))
        worker.close()
        print(given.case, said.replace(" | ", "\n  "))
        failures = [(given.case, said)]
    else:
        found = run(given.seconds, given.first, tuple(given.kinds.split(",")), given.jobs, say=True)
        for name, count in sorted(found.outcomes.items()):
            print(f"{name:16} {count}")
        print(f"{found.cases} cases, {len(found.failures)} failures")
        failures = found.failures
    for case, _ in failures if given.keep else ():
        kind, number = case.split(":")
        given.keep.mkdir(parents=True, exist_ok=True)
        (given.keep / f"{number}.{kind}").write_bytes(mutate.mutated(kind, int(number), corpus.seeds(kind)))
    return 1 if any(said.startswith("bad") for _, said in failures) else 0


if __name__ == "__main__":
    sys.exit(main())
