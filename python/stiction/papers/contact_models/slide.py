# SPDX-License-Identifier: BSD-2-Clause
"""The sliding cube: what each law does to its path (Fig. 9), to its height and to its energy (Fig. 10)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...output.tables import number
from .. import rows
from ..rows import EARLIER, Row, closed_form, published
from ..study import Section, Table
from . import cube
from . import published as p
from .cube import CubeRun
from .measures import fixed, near

DEGREES = (0, 30, 45)
TEXT = (
    "A cube of 1 kg slides at 1 m/s, μ = .4, dt 1 ms. Closed form: at rest after v0/(μ g) = .2548 s and 127.4 mm; in steps of 1 ms 126.9 mm. The "
    "pyramid brakes each of its axes on its own: straight only along an axis or a corner, and √2 too strong there. The convex law launches the "
    "cube at μ v0/(1 + μ²). How the four corners share that impulse depends on direction and solver, and with it the Signorini residual. raisim "
    "brakes too little, because its friction does not oppose the slip. Energies are kinetic and potential together: with them the hovering convex "
    "cube has the measured .18736 J at .1 s."
)


@dataclass(frozen=True)
class Slides:
    by_law: dict[tuple[str, int], CubeRun]
    newton: dict[str, CubeRun]


def runs() -> Slides:
    by_law = {(law, degrees): cube.slide(law, degrees) for law in p.LAWS for degrees in DEGREES}
    newton = {
        rule: cube.slide("convex", 30, "newton", regularisation=rule.split(",")[0], **extra)
        for rule, (_, extra) in p.NEWTON_PEAKS.items()
    }
    return Slides(by_law, newton)


def path(run: CubeRun, degrees: float) -> tuple[np.ndarray, np.ndarray]:
    """Way along and aside of the first velocity [mm]."""
    a = np.radians(degrees)
    x, y = 1e3 * run.x[:, 0], 1e3 * run.x[:, 1]
    return np.cos(a) * x + np.sin(a) * y, -np.sin(a) * x + np.cos(a) * y


def energy_error(run: CubeRun) -> float:
    return float(np.abs(run.energy - 0.5 * p.MASS * cube.braked(run.t) ** 2).max())


def section(found: Slides) -> Section:
    judged = [*_ways(found), *_peaks(found), *_energies(found), *_steps(found)]
    lines = []
    for (law, degrees), run in found.by_law.items():
        along, aside = path(run, degrees)
        lines.append([f"{law}, {degrees}°", f"{run.stop:.3f}", f"{along[-1]:.2f}", fixed(aside[-1], 2), fixed(1e3 * run.lift, 3),
                      number(energy_error(run)), number(float(run.signorini.max())),
                      f"{run.iterations / len(run.t):.1f}", str(run.unaccepted)])  # fmt: skip
    header = [
        "law, direction",
        "rest [s]",
        "along [mm]",
        "aside [mm]",
        "rise [mm]",
        "energy error [J]",
        "Signorini [W]",
        "iterations/step",
        "unaccepted",
    ]
    return Section("Sliding cube (Figs. 9 and 10)", TEXT, judged, [Table("300 steps, solver auto", header, lines)])


def _ways(found: Slides) -> list[Row]:
    out = []
    for degrees in DEGREES:
        along, aside = path(found.by_law["coulomb", degrees], degrees)
        out.append(
            rows.at_most(
                f"coulomb {degrees}°: distance from the closed form in steps [mm]",
                abs(float(along[-1]) - _travel()),
                1e-3,
                against=closed_form("v - μ g t, in steps"),
            )
        )
        out.append(
            rows.at_most(
                f"coulomb {degrees}°: aside [mm]",
                float(np.abs(aside).max()),
                1e-3,
                against=closed_form("friction opposes the slip"),
            )
        )
    for (law, degrees), (stop, way, off) in p.SLIDE.items():
        run = found.by_law[law, degrees]
        along, aside = path(run, degrees)
        out += [
            near(f"{law} {degrees}°: time to rest [s]", stop, run.stop, 2e-3),
            near(f"{law} {degrees}°: along [mm]", way, float(along[-1]), 1.0),
        ]
        if law == "pyramid":
            out.append(near(f"pyramid {degrees}°: aside [mm]", off, float(aside[-1]), 0.5 if degrees == 30 else 1e-3))
    out.append(near("raisim 0°: time to rest [s]", p.RAISIM_STOP, found.by_law["raisim", 0].stop, 2e-3))
    turned = cube.slide("pyramid", 30, law_options={"angle": np.radians(30.0)})
    return [
        *out,
        rows.at_most(
            "pyramid 30°, its axes turned with the velocity: aside [mm]",
            float(np.abs(path(turned, 30)[1]).max()),
            1e-3,
            against=closed_form("straight along an axis of the pyramid"),
        ),
    ]


def _travel() -> float:
    """Sum of dt v over the steps, each with the speed at its end [mm]."""
    return float(1e3 * p.STEP * cube.braked(p.STEP * np.arange(1, 400)).sum())


def _peaks(found: Slides) -> list[Row]:
    convex = found.by_law["convex", 30]
    fig9, fig10 = published("Fig. 9"), published("Fig. 10")
    aside = np.abs(path(found.by_law["pyramid", 30], 30)[1]).max()
    raisim, exact = (energy_error(found.by_law[law, 0]) for law in ("raisim", "coulomb"))
    out = [
        rows.at_least(
            "pyramid leaves the straight line, 30°: aside [mm]", float(aside), 10.0, "deviates", against=fig9
        ),
        rows.at_least(
            "convex bounces: largest rise, all directions [mm]",
            1e3 * max(found.by_law["convex", d].lift for d in DEGREES),
            1.0,
            "bounces",
            against=fig10,
        ),
        rows.at_least(
            "raisim: energy error over that of coulomb", raisim / max(exact, 1e-12), 1e3, "off", against=fig10
        ),
        near("convex 30°: peak [mm]", p.SLIDE_PEAK, 1e3 * convex.lift, 0.2),
        rows.close(
            "convex 0°: Signorini residual of the worst corner [W]",
            None,
            p.SLIDE_SIGNORINI,
            float(found.by_law["convex", 0].signorini.max()),
            0.02,
            against=EARLIER,
        ),
    ]
    # of the first step: u_N = μ u_T and λ on the edge of the cone give its launch in closed form
    fall = p.GRAVITY * p.STEP
    launch = (p.MU + fall) / (1.0 + p.MU**2) - fall
    out.append(
        near(
            "convex 30°: launch speed, closed form of a step [m/s]",
            launch,
            float(convex.x[0, 2] / p.STEP),
            1e-6,
            against=closed_form("u_N = μ u_T on the edge of the cone"),
        )
    )
    for law in ("coulomb", "raisim", "pyramid"):
        out.append(
            rows.at_most(
                f"{law}: rise, all directions [m]",
                max(found.by_law[law, degrees].lift for degrees in DEGREES),
                1e-9,
                against=published("Fig. 10"),
            )
        )
    return out + [
        near(f"convex, newton with R of {rule}: peak [mm]", p.NEWTON_PEAKS[rule][0], 1e3 * run.lift, 0.1)
        for rule, run in found.newton.items()
    ]


def _energies(found: Slides) -> list[Row]:
    out = []
    for law, (energy, error, tolerance) in p.SLIDE_ENERGY.items():
        run = found.by_law[law, 0]
        out.append(near(f"{law} 0°: energy at 0.1 s [J]", energy, float(run.energy[run.at(0.1)]), 2e-5))
        out.append(near(f"{law} 0°: largest energy error [J]", error, energy_error(run), tolerance))
    return out


def _steps(found: Slides) -> list[Row]:
    """Test 18 of the specification: every step of admm accepted, at few iterations."""
    runs = [cube.slide("coulomb", degrees, "admm") for degrees in (0, 15, 30, 40, 45)]
    steps = sum(len(run.t) for run in runs)
    gains = {
        law: max(float(np.diff(found.by_law[law, degrees].energy, prepend=0.5).max()) for degrees in DEGREES)
        for law in p.LAWS
    }
    return [
        *(
            rows.at_most(
                f"{law}: largest gain of energy in a step [J]",
                gains[law],
                1e-9,
                against=closed_form("contacts take energy out"),
            )
            for law in ("coulomb", "raisim", "pyramid")
        ),
        rows.told("convex: largest gain of energy in a step [J]", gains["convex"]),
        rows.at_most(
            "coulomb, admm: unaccepted of 1500 steps in five directions",
            float(sum(run.unaccepted for run in runs)),
            0.0,
            against=EARLIER,
        ),
        rows.told("coulomb, admm: mean iterations of a step", sum(run.iterations for run in runs) / steps),
    ]
