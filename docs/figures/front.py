# SPDX-License-Identifier: BSD-2-Clause
"""Draws the moving picture of the front page: python docs/figures/front.py [FILE.gif]

One robot, one push of 200 N to the side, two contact laws, side by side. Drawn by our own renderer, without a window.
The same engine gives the same pictures.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import stiction as st
from stiction.drawing.frame import frame_of
from stiction.drawing.visuals import drawing_of
from stiction.render import Film, Painter
from stiction.render.painter import caption

FILE = Path(__file__).resolve().parent / "front.gif"
SIZE = (400, 300)  # of one half [pixels]
LAWS = {"coulomb": "exact Coulomb friction", "raisim": "RaiSim's rule"}
PUSH = 200.0  # [N], for 0.2 s
FIRST, LAST = 0.4, 2.0  # what is shown of the run [s]
PICTURES_PER_SECOND, SPEED = 12.5, 0.4


def main(file: Path = FILE) -> Path:
    """Draw both laws and write the film.

    Parameters
    ----------
    file
        Where it goes, a name that ends in .gif.

    Returns
    -------
    Path
        The file.
    """
    halves = [list(pictures(law, words)) for law, words in LAWS.items()]
    with Film(file, (2 * SIZE[0], SIZE[1]), PICTURES_PER_SECOND) as film:
        for pair in zip(*halves, strict=True):
            film.add(np.concatenate(pair, axis=1))
        for _ in range(round(PICTURES_PER_SECOND)):  # a second to look at the end
            film.add(np.concatenate(pair, axis=1))
    return film.path


def pictures(law: str, words: str):
    """Pictures of the run under one law, `SPEED` times as fast as life."""
    sim = st.scene("starleth_push", law=law, force=PUSH)
    painter = Painter(drawing_of(sim), SIZE, azimuth=-20.0, elevation=16.0, zoom=0.95, follow=False)
    sim.step(n=round(FIRST / sim.dt))
    for k in range(round((LAST - FIRST) / SPEED * PICTURES_PER_SECOND)):
        due = FIRST + k * SPEED / PICTURES_PER_SECOND
        sim.step(n=max(1, round((due - sim.time) / sim.dt)))
        yield caption(painter.paint(frame_of(sim, 0)), f"{words}   t = {sim.time:.2f} s")


if __name__ == "__main__":
    print(main(*map(Path, sys.argv[1:2])))
