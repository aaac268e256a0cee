# SPDX-License-Identifier: BSD-2-Clause
"""The keyboard: space plays and pauses, arrows step, Home goes to the start. Ctrl-K in the page lists the commands."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from .player import Player, Task
from .server import in_order

if TYPE_CHECKING:
    import viser


def toggle(player: Player) -> None:
    """Pause what plays, play what stands; to be called in the player's thread."""
    (player.pause if player.playing else player.play)()


def add_keys(server: viser.ViserServer, player: Player) -> None:
    """Bind the keys, for every page that is open or opens later."""
    gui = server.gui
    moves: tuple[tuple[str, Any, Task], ...] = (
        ("Play or pause", "space", partial(toggle, player)),
        ("One step forward", "arrowright", player.step),
        ("One step back", "arrowleft", player.back),
        ("To the start", "home", player.reset),
    )
    for label, key, move in moves:
        gui.add_command(label, hotkey=key).on_trigger(in_order(partial(_do, player, move)))


def _do(player: Player, move: Task, _: Any) -> None:
    player.do(move)
