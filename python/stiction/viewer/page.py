# SPDX-License-Identifier: BSD-2-Clause
"""The motion as one HTML file that needs nobody: scene and animation inside, and a browser rule that forbids every request.

The rule (a Content-Security-Policy) makes the browser itself refuse outside addresses, whatever the script in the page asks.
"""

from __future__ import annotations

import html
import itertools
from typing import TYPE_CHECKING

from .player import Player
from .stage import Shown, Stage

if TYPE_CHECKING:
    import viser

RATE = 30.0  # frames per second of the animation
POLICY = ("default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob: data:; worker-src blob: data:; "
          "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; connect-src data: blob:")  # fmt: skip
NOTICE = ("<div style='position:fixed;left:10px;bottom:56px;z-index:9999;max-width:26em;padding:6px 10px;border-radius:6px;"
          "background:rgba(255,255,255,.85);font:12px/1.4 sans-serif;color:#333' id='stiction-notice'>{title}. Exported from the "
          "stiction viewer: the motion and the arrows are here, plots and widgets stay behind.</div>")  # fmt: skip


def as_page(server: viser.ViserServer, player: Player, stages: list[Stage], shown: Shown, title: str) -> str:
    """What the tracks hold up to now, played back; to be called in the player's thread."""
    first = player.tracks[0]
    frames = _thin_out([first.frame(i).time for i in range(len(first))])
    before = [track.at for track in player.tracks]
    _show_at(player, stages, shown, first.frame(frames[0]).time)
    serializer = server.get_scene_serializer()
    for last, index in itertools.pairwise(frames):
        serializer.insert_sleep(max(0.0, first.frame(index).time - first.frame(last).time))
        _show_at(player, stages, shown, first.frame(index).time)
    page = serializer.as_html()
    for track, at, stage in zip(player.tracks, before, stages, strict=True):
        stage.show(track.frame(at), shown)
    return _finish(page, title)


def _thin_out(times: list[float]) -> list[int]:
    """Indices of frames about 1/RATE apart, the first and the last among them."""
    kept = [0]
    for i, time in enumerate(times):
        if time >= times[kept[-1]] + 1.0 / RATE - 1e-9:
            kept.append(i)
    return kept if kept[-1] == len(times) - 1 else [*kept, len(times) - 1]


def _show_at(player: Player, stages: list[Stage], shown: Shown, time: float) -> None:
    """Every track at its last frame up to a time."""
    for track, stage in zip(player.tracks, stages, strict=True):
        low, high = 0, len(track) - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if track.frame(middle).time <= time + 1e-9 else (low, middle - 1)
        stage.show(track.frame(low), shown)


def _finish(page: str, title: str) -> str:
    """Title, rule and notice; the rule has to stand before the first script."""
    head = page.index("<head>") + len("<head>")
    rule = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    body = page.rindex("</body>")
    notice = NOTICE.format(title=html.escape(title))
    return f"{page[:head]}{rule}{page[head:body]}{notice}{page[body:]}"
