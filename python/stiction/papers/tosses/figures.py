# SPDX-License-Identifier: BSD-2-Clause
"""Both errors of every method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...output.extras import need

if TYPE_CHECKING:
    from .sections import Predicted


def errors(found: Sequence[Predicted]) -> Any:
    need("matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.add_subplot()
    for p in found:
        (x, y), (a, b) = p.errors.mean, p.errors.uncertainty
        axes.errorbar(x, y, xerr=a, yerr=b, fmt="o" if p.ours else "s", label=p.name, markersize=4)
    axes.set(xlabel="position [% of the width]", ylabel="rotation [deg]", title="Held-out tosses: mean errors")
    axes.legend(fontsize="x-small")
    return figure
