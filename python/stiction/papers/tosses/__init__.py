# SPDX-License-Identifier: BSD-2-Clause
"""Real tosses of a real cube: the public recordings of Pfrommer, Halm, Posa, "ContactNets" (CoRL 2020), fitted and predicted.

`fitted.CUBES` holds the values that were found on the training part, per method. `cube_toss` is the cube with those of the main one,
`predict` throws it.
"""

from __future__ import annotations

import numpy as np

from ..rows import skipped
from ..study import Section, Settings, Study
from . import figures, recordings, recovery, sections
from .cube import Cube
from .fitted import CUBES
from .models import OURS
from .recordings import Motion

TITLE = "Real tosses of a real cube"
TEXT = (
    "456 recordings of an acrylic cube thrown on a plate (148 Hz), from the public data of S. Pfrommer, M. Halm, M. Posa, ContactNets, "
    "CoRL 2020. Tosses at even places of the file are the training part (228), those at odd places are held out (228). A toss is predicted "
    "from its first sample to its last. Errors are means over samples, then over tosses: the position of the middle in percent of the cube's "
    "width (104.8 mm), the rotation in degrees.\n"
    "Every method has the same shape, gravity and edge, and was fitted with the same search, the same number of evaluations and the same "
    "tosses (every second one of the training part). Fitted are friction, moments of inertia, centre of mass, rounding of the edges, and what "
    "the contacts of the method have of their own. The values that were found stand in fitted.py; here they are used."
)


def cube_toss() -> Cube:
    """The cube with the values that were fitted for law coulomb with springs; `cube.world(cube_toss())` is a world with it."""
    return OURS[0].plain.with_values(**CUBES[OURS[0].name])


def predict(first: np.ndarray, samples: int) -> Motion:
    """A toss from its first sample, at 148 Hz.

    first: 13 numbers as in the recordings, position, quaternion (w, x, y, z), velocity (world axes), angular velocity (body axes).
    """
    row = np.asarray(first, dtype=float).reshape(1, -1)
    start = recordings.toss("first", np.repeat(row, max(samples, 2), axis=0))
    made = OURS[0].predict(cube_toss(), [start])[0]
    return Motion(made.position[:samples], made.rotation[:samples])


def run(settings: Settings) -> Study:
    """Everything; settings.quick predicts every sixth toss and leaves the fit out."""
    study = Study(TITLE, settings)
    study.add(Section("What this is", TEXT))
    study.add(recovery.section(settings.quick))
    file = recordings.find_file(settings.data)
    if file is None:
        study.add(
            Section(
                "Predictions",
                rows=[skipped("real tosses", "the recordings, tosses/tosses.npz in the folder of --data")],
            )
        )
        return study
    training, held_out = recordings.split(recordings.load(file))
    study.add(sections.measured(training, held_out))
    predicted = sections.predictions(held_out, settings.quick)
    section = sections.compared(predicted)
    section.figures.append(lambda: figures.errors(predicted))
    study.add(section)
    if not settings.quick:
        study.add(sections.fitting(training))
    return study


__all__ = ["cube_toss", "predict", "run"]
