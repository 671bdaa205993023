"""The session's proxy is the only thing a sandbox can reach."""

import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from brownout.sandbox import Sandbox

pytestmark = pytest.mark.sandbox


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Path]:
    """A proxy that answers every request with its first line; in a folder the sandbox's user cannot enter."""
    tmp_path.chmod(0o700)
    path = tmp_path / "proxy"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()

        def serve() -> None:
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                with client:
                    line = client.recv(65536).split(b"\r\n")[0]
                    client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(line), line))

        thread = Thread(target=serve)
        thread.start()
        yield path
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


FETCH = "python3 -c 'import urllib.request as u; print(u.urlopen(\"http://api.github.test/user\", timeout=5).read().decode())'"


def test_a_client_reaches_the_proxy_and_nothing_else(proxy: Path, now: float) -> None:
    with Sandbox(user="mara", hostname="h", egress=proxy) as box:
        assert box.run(FETCH, now=now).output == b"GET http://api.github.test/user HTTP/1.1\n"
        assert (
            box.run(
                "cat < /dev/tcp/1.1.1.1/80 || python3 -c 'import socket; socket.create_connection((\"1.1.1.1\", 80), 2)'",
                now=now,
            ).exit_code
            != 0
        )
        assert (
            str(proxy.parent).encode()
            not in box.run("cat /proc/self/mountinfo /proc/net/unix /proc/*/environ", now=now).output
        )


def test_two_sessions_use_the_same_port_and_different_proxies(proxy: Path, now: float) -> None:
    with (
        Sandbox(user="mara", hostname="h", egress=proxy) as one,
        Sandbox(user="mara", hostname="h", egress=proxy) as two,
    ):
        assert one.run(FETCH, now=now).exit_code == two.run(FETCH, now=now).exit_code == 0


def test_a_program_inside_cannot_take_the_port_over(proxy: Path, now: float) -> None:
    with Sandbox(user="mara", hostname="h", egress=proxy) as box:
        finished = box.run("python3 -c 'import socket; socket.create_server((\"127.0.0.1\", 3128))'", now=now)
        assert b"Address already in use" in finished.output


def test_a_proxy_that_is_down_is_a_closed_connection(tmp_path: Path, now: float) -> None:
    with Sandbox(user="mara", hostname="h", egress=tmp_path / "nobody") as box:
        assert b"RemoteDisconnected" in box.run(FETCH, now=now).output


def test_the_company_certificate_is_trusted_where_there_is_one(proxy: Path, now: float) -> None:
    with Sandbox(user="mara", hostname="h", egress=proxy, files={"/etc/company-ca.pem": b"pem"}) as box:
        output = box.run("env | grep -c company-ca.pem; env | grep -ci proxy=", now=now).output
    assert output == b"5\n6\n"
    with Sandbox(user="mara", hostname="h") as box:
        assert box.run("env | grep -ci -e company-ca -e proxy=", now=now).output == b"0\n"
