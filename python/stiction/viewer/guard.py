# SPDX-License-Identifier: BSD-2-Clause
"""Keeps foreign web pages out.

Any page that is open in the user's browser may ask 127.0.0.1 for a websocket; the browser only adds where the page is from (`Origin`),
and the server has to look. A page whose own name was made to point here (DNS rebinding) betrays itself by `Host`. viser looks at
neither and offers no hook, so that the function which opens its socket is wrapped while it starts.
"""

from __future__ import annotations

import contextlib
import http
import ipaddress
import socket
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

_one_at_a_time = threading.Lock()


def is_own(name: str, bound: str) -> bool:
    """Whether a page may be addressed by `name` (without port) if the server was bound to `bound`."""
    if name in ("localhost", bound.lower()):
        return True
    here, asked = _address(bound), _address(name)
    everywhere = here is not None and here.is_unspecified  # 0.0.0.0
    if asked is not None:  # no foreign page can have an address of ours for its name
        return everywhere or asked.is_loopback
    machine = socket.gethostname().lower()
    return everywhere and name in (machine, f"{machine}.local")


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def refusal(headers: Any, bound: str) -> str:
    """Why a request is refused; empty if it is not. Programs that are no browsers send no Origin."""
    host, origin = headers.get("Host", "").lower(), headers.get("Origin")
    try:
        name = urlsplit(f"//{host}").hostname or ""
        site = None if origin is None else urlsplit(origin.lower()).netloc
    except ValueError:
        return "Host or Origin cannot be read.\n"
    if not is_own(name, bound):
        return f"This viewer was not asked to answer to '{name}'; open it by its address, or give the name as host.\n"
    if site is not None and site != host:
        return "Pages of other sites may not talk to this viewer.\n"
    return ""


@contextlib.contextmanager
def guarded(bound: str) -> Iterator[None]:
    """A viser server that starts inside answers 403 to foreign pages."""
    from websockets.asyncio import server

    opened = False

    def serve(*arguments: Any, process_request: Any, **options: Any) -> Any:
        def look_first(connection: Any, request: Any) -> Any:
            words = refusal(request.headers, bound)
            return (
                connection.respond(http.HTTPStatus.FORBIDDEN, words) if words else process_request(connection, request)
            )

        nonlocal opened
        opened = True
        return plain(*arguments, process_request=look_first, **options)

    with _one_at_a_time:
        plain = server.serve
        server.serve = serve  # type: ignore[assignment,misc]
        try:
            yield
        finally:
            server.serve = plain  # type: ignore[misc]
    if not opened:
        raise RuntimeError("viser opened its port in a way that cannot be guarded; the viewer needs viser 1.1.1")
