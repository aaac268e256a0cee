# SPDX-License-Identifier: BSD-2-Clause
"""Pictures and films without a window or a graphics card, for papers.

For example:

    st.render.picture(sim, "still.png")
    st.render.film(st.recording.source("run.mcap"), "run.gif")
    st.render.usd(st.recording.source("run.mcap"), "run.usda")

Modules:

    camera, surface, picture   where from, what of, how bright: one picture
    film, painter              pictures in a row, of simulators and of recordings
    usd                        a recording as a scene that other programs draw
"""

from .film import Film
from .painter import Filming, Painter, film, picture
from .usd import usd

__all__ = ["Film", "Filming", "Painter", "film", "picture", "usd"]
