# SPDX-License-Identifier: BSD-2-Clause
"""The viewer's port: bound to this machine, closed to pages of other sites. Oracles: the kernel's list of sockets, answers to raw requests."""

import http.client
import socket
from pathlib import Path

import pytest

import stiction as st
from viewer_client import connect

pytest.importorskip("viser")
pytestmark = pytest.mark.xdist_group("viewer")  # one server at a time


@pytest.fixture(scope="module")
def viewer():
    with st.view(st.scene("anymal_stand", targets="moving"), port=0) as viewer:
        yield viewer


def test_port_is_bound_to_this_machine_only(viewer):
    """The kernel's own list of listening sockets names the address."""
    port = viewer.server.get_port()
    listening = [
        line.split() for file in ("tcp", "tcp6") for line in Path(f"/proc/net/{file}").read_text().splitlines()[1:]
    ]
    found = {
        words[1].split(":")[0] for words in listening if words[3] == "0A" and int(words[1].split(":")[1], 16) == port
    }
    assert found == {"0100007F"}  # 127.0.0.1


def test_other_addresses_of_this_machine_are_refused(viewer):
    """Debian routes all of 127/8 to itself: 127.0.0.2 stands for another host."""
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.2", viewer.server.get_port()), timeout=2).close()


def test_share_requests_go_nowhere(viewer):
    assert viewer.server.request_share_url() is None
    from viser import _messages

    handlers = viewer.server._websock_server._incoming_handlers[_messages.ShareUrlRequest]
    for handler in handlers:
        handler(0, _messages.ShareUrlRequest())
    assert viewer.server._share_tunnel is None


def test_bad_addresses_are_refused_in_a_sentence(viewer):
    with pytest.raises(ValueError, match="another port"):
        st.view(st.scene("cube_slide"), port=viewer.server.get_port())
    with pytest.raises(ValueError, match=r"cannot listen at 203.0.113.1"):
        st.view(st.scene("cube_slide"), host="203.0.113.1", port=0)
    with pytest.raises(ValueError, match="port is 70000"):
        st.view(st.scene("cube_slide"), port=70000)


# What browsers send: the name in the address bar is Host, the site of the page that asks is Origin.
@pytest.mark.parametrize("host, origin, status", [
    ("127.0.0.1:{port}", None, 101),  # no browser
    ("127.0.0.1:{port}", "http://127.0.0.1:{port}", 101),
    ("localhost:{port}", "http://localhost:{port}", 101),
    ("localhost:9000", "http://localhost:9000", 101),  # ssh -L 9000:localhost:{port}
    ("127.0.0.1:{port}", "https://evil.example", 403),
    ("127.0.0.1:{port}", "http://127.0.0.1:8888", 403),  # another server on this machine
    ("127.0.0.1:{port}", "http://localhost:{port}", 403),
    ("127.0.0.1:{port}", "null", 403),  # a file, or a frame in a sandbox
    ("127.0.0.1:{port}", "http://127.0.0.1:{port}.evil.example", 403),
    ("evil.example:{port}", "http://evil.example:{port}", 403),  # DNS rebinding
    ("evil.example:{port}", None, 403),
    ("192.0.2.1:{port}", None, 403),
    ("[::1", None, 403),
])  # fmt: skip
def test_pages_of_other_sites_are_refused(viewer, host, origin, status):
    port = viewer.server.get_port()
    headers = {"Host": host.format(port=port), "Connection": "Upgrade", "Upgrade": "websocket",
               "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}  # fmt: skip
    if origin is not None:
        headers["Origin"] = origin.format(port=port)
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    link.request("GET", "/", headers=headers)
    assert link.getresponse().status == status
    link.close()


def test_client_of_another_site_hears_nothing(viewer):
    from websockets.exceptions import InvalidStatus

    connect(viewer, origin=viewer.url).close()
    with pytest.raises(InvalidStatus, match="403"):
        connect(viewer, origin="https://evil.example")


def test_pages_are_served_to_own_names_only(viewer):
    for host, status in (("localhost", 200), ("evil.example", 403)):
        link = http.client.HTTPConnection("127.0.0.1", viewer.server.get_port(), timeout=30)
        link.request("GET", "/", headers={"Host": host})
        assert link.getresponse().status == status
        link.close()


def test_names_follow_what_the_server_was_bound_to():
    from stiction.viewer.guard import is_own

    machine = socket.gethostname().lower()
    assert is_own("192.0.2.1", "0.0.0.0") and is_own(machine, "0.0.0.0") and is_own("2001:db8::1", "::")
    assert is_own("robot.example", "robot.example") and is_own("::1", "127.0.0.1")
    assert not is_own("evil.example", "0.0.0.0") and not is_own("", "0.0.0.0")
    assert not is_own("192.0.2.2", "192.0.2.1") and not is_own("evil.example", "localhost")
