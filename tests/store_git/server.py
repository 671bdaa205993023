"""A small smart HTTP server over one session, as the real one will be: git reads a mirror and pushes into rows."""

import gzip
import os
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from brownout.store import StoreSession
from brownout.store.git import (
    GIT_ENVIRONMENT,
    BaseRepository,
    Push,
    PushRefusal,
    RefUpdate,
    Repository,
    advertise_push,
    mirror,
    protected,
    receive_pack,
    upload_pack_command,
)
from tests.store_git.sample import NAME


class Server:
    """Serves `NAME` of a session on loopback."""

    def __init__(self, session: StoreSession, base: BaseRepository, folder: Path) -> None:
        self.session, self.base, self.folder = session, base, folder
        self.rule: Callable[[RefUpdate], PushRefusal | None] = protected("main")
        self.pushes: list[Push] = []
        self.largest_pack = 4 << 20

    @property
    def repository(self) -> Repository:
        return Repository(self.session.rows, NAME, self.base)

    def __call__(self, environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        service = environ["PATH_INFO"].rpartition("/")[2]
        if service == "refs":
            asked = environ["QUERY_STRING"].removeprefix("service=git-")
            if asked == "receive-pack":
                return self.answer(start, "receive-pack-advertisement", advertise_push(self.repository))
            found = b"001e# service=git-upload-pack\n0000" + self.upload_pack(environ, b"", advertises=True)
            return self.answer(start, "upload-pack-advertisement", found)
        body = read_body(environ)
        if service == "git-upload-pack":
            return self.answer(start, "upload-pack-result", self.upload_pack(environ, body, advertises=False))
        push = receive_pack(self.repository, body, self.rule, self.largest_pack)
        self.pushes.append(push)
        return self.answer(start, "receive-pack-result", push.response)

    def upload_pack(self, environ: dict[str, Any], body: bytes, *, advertises: bool) -> bytes:
        command = upload_pack_command(mirror(self.repository, self.folder), advertises=advertises)
        environment = {**GIT_ENVIRONMENT, "PATH": os.defpath, "GIT_PROTOCOL": environ.get("HTTP_GIT_PROTOCOL", "")}
        return subprocess.run(command, input=body, capture_output=True, check=True, env=environment).stdout

    def answer(self, start: Callable[..., object], kind: str, body: bytes) -> list[bytes]:
        start("200 OK", [("Content-Type", f"application/x-git-{kind}"), ("Content-Length", str(len(body)))])
        return [body]


def read_body(environ: dict[str, Any]) -> bytes:
    stream = environ["wsgi.input"]
    if environ.get("HTTP_TRANSFER_ENCODING") == "chunked":
        body = b""
        while size := int(stream.readline(), 16):
            body += stream.read(size)
            stream.readline()
        stream.readline()
    else:
        body = stream.read(int(environ.get("CONTENT_LENGTH") or 0))
    return gzip.decompress(body) if environ.get("HTTP_CONTENT_ENCODING") == "gzip" else body


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nobody reads it."""


class Closing(WSGIServer):
    daemon_threads = True


@contextmanager
def serving(server: Server) -> Iterator[str]:
    """The URL under which the repository is served meanwhile."""
    with make_server("127.0.0.1", 0, server, Closing, Quiet) as http:
        thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{http.server_port}/{NAME}.git"
        finally:
            http.shutdown()
            thread.join()
