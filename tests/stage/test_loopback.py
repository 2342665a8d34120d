from __future__ import annotations

import socket

import pytest

from mcpapps_cli.errors import PortTaken
from mcpapps_cli.stage.loopback import IPV4, IPV6, bind


@pytest.fixture
def taken() -> object:
    with socket.socket() as sock:
        sock.bind((IPV4, 0))
        sock.listen()
        yield sock.getsockname()[1]


def test_explicit_port_that_is_taken_is_an_error_with_its_option(taken: int) -> None:
    with pytest.raises(PortTaken) as caught:
        bind((IPV4,), taken)
    assert caught.value.message == f"port {taken} is in use"
    assert caught.value.help == "pass another --port, or stop the program that holds it"


def test_without_a_port_the_next_free_one_is_taken(taken: int) -> None:
    port, sockets = bind((IPV4,), None, first=taken)
    with sockets[0]:
        assert port != taken
        assert sockets[0].getsockname() == (IPV4, port)


def test_both_families_listen_on_one_port() -> None:
    port, sockets = bind((IPV4, IPV6), 0)
    names = [sock.getsockname()[:2] for sock in sockets]
    for sock in sockets:
        sock.close()
    assert names[0] == (IPV4, port)
    assert all(name == (IPV6, port) for name in names[1:])


def test_explicit_port_taken_on_one_family_is_taken(taken: int) -> None:
    with pytest.raises(PortTaken):
        bind((IPV4, IPV6), taken, option="--sandbox-port")
