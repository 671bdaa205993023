"""The only way out of a sandbox: connections to its loopback port 3128 reach the session's proxy.

The listening socket is made inside and handed out, so nothing of the host is mounted, no program inside can
take the port, and the proxy's socket needs no permission for the sandbox's user.
"""

import socket
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Final

__all__ = ["CERTIFICATE", "PORT", "SocketRelay", "proxy_variables"]

PORT: Final = 3128
CERTIFICATE: Final = "/etc/company-ca.pem"
_MOST_CONNECTIONS: Final = 64
_LAST_WORDS: Final = 5.0


def proxy_variables(has_certificate: bool) -> dict[str, str]:
    """What makes unmodified clients use the proxy and, where there is one, trust the company's certificate."""
    proxy = f"http://127.0.0.1:{PORT}"
    names = ["HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"]
    variables = dict.fromkeys(names, proxy) | {"NO_PROXY": "", "no_proxy": ""}
    if has_certificate:
        trust = ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "NODE_EXTRA_CA_CERTS"]
        variables |= dict.fromkeys(trust, CERTIFICATE)
    return variables


class SocketRelay:
    """Pumps bytes between the sandbox's connections and a UNIX socket, in threads, until closed."""

    def __init__(self, listener: socket.socket, proxy: Path) -> None:
        self._listener = listener
        self._proxy = str(proxy)
        self._open: set[socket.socket] = set()
        self._lock = Lock()
        self._thread = Thread(target=self._accept, name="sandbox-egress", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Refuse new connections and end those that are open."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()
        with self._lock:
            for connection in self._open:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                if len(self._open) >= 2 * _MOST_CONNECTIONS:
                    client.close()
                    continue
                self._open.add(client)
            Thread(target=self._serve, args=(client,), name="sandbox-egress", daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with self._lock:
            self._open.add(server)
        try:
            try:
                server.connect(self._proxy)
            except OSError:
                client.settimeout(_LAST_WORDS)
                client.recv(65536)  # closed with words unread, it would be reset instead: which, would be chance
                raise
            back = Thread(target=_pump, args=(server, client), name="sandbox-egress", daemon=True)
            back.start()
            _pump(client, server)
            back.join()
        except OSError:
            pass  # the client sees a closed connection, as when a real proxy is down
        finally:
            with self._lock:
                self._open -= {client, server}
            client.close()
            server.close()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
    with suppress(OSError):
        source.shutdown(socket.SHUT_RD)
