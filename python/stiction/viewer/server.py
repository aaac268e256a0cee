# SPDX-License-Identifier: BSD-2-Clause
"""The port: bound to this machine unless asked otherwise, and talking to nobody else.

viser can open a tunnel to a server of its makers when a page asks for a share link. Here that is refused, whoever asks. What foreign
pages in the user's browser ask is refused too, see guard.py.
"""

from __future__ import annotations

import contextlib
import io
import socket
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from stiction import InvalidInput

from .guard import guarded

if TYPE_CHECKING:
    import viser

LOCAL = "127.0.0.1"


def require_viser() -> Any:
    """The module viser, or a sentence that names the extra."""
    try:
        import viser
    except ImportError as error:
        raise ImportError(f"the viewer needs viser ({error}): pip install 'stiction[viewer]'") from None
    return viser


def check_address(host: str, port: int) -> None:
    """viser tries the next thousand ports, or hangs if the host is wrong: say what is wrong before it starts."""
    if not 0 <= port <= 65535:
        raise InvalidInput(f"port is {port}, expected 0 (any free one) to 65535")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            reason = error.strerror or str(error)
            raise InvalidInput(
                f"cannot listen at {host}:{port} ({reason}); choose another port (0 is any free one) or host"
            ) from None


def _refuse_share(*_: Any, **__: Any) -> None:
    return None


def open_server(host: str = LOCAL, port: int = 8080, label: str = "stiction") -> viser.ViserServer:
    """A quiet server at host:port."""
    module = require_viser()
    check_address(host, port)
    with contextlib.redirect_stdout(io.StringIO()), guarded(host):  # its banner
        server = module.ViserServer(host=host, port=port, label=label, verbose=False)
    server.request_share_url = _refuse_share
    server.scene.configure_environment_map(None)  # it would bleach the colours, which mean something here
    server.scene.add_light_ambient("/ambient", intensity=0.9)
    server.gui.configure_theme(
        show_logo=False, show_share_button=False, control_width="medium", brand_color=(38, 98, 176)
    )
    opened: viser.ViserServer = server
    return opened


def in_order(react: Callable[[Any], None]) -> Callable[[Any], Coroutine[Any, Any, None]]:
    """A callback that runs where viser reads the messages: one after the other, each with the value that came with it.

    Plain functions go to a pool of threads instead, where a click may overtake the one before it and finds values of later ones.
    `react` must not wait.
    """

    async def callback(event: Any) -> None:
        react(event)

    return callback


def close_server(server: viser.ViserServer) -> None:
    with contextlib.redirect_stdout(io.StringIO()):  # its farewell
        server.stop()


def address(server: viser.ViserServer) -> str:
    host = server.get_host()
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{server.get_port()}"
