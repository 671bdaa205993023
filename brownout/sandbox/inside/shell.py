"""The command server: one a sandbox, alive as long as the session.

Requests come as JSON over one inherited SOCK_SEQPACKET; input and output travel as descriptors, so what a
command prints never passes through here. A command that reads this program's memory or environment is refused
by the kernel (the process is not dumpable).
"""

import ctypes
import json
import os
import resource
import select
import signal
import socket
import struct
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from brownout.sandbox.inside.frames import FrameError
    from brownout.sandbox.inside.messages import CommandAnswer, CommandRequest
    from brownout.sandbox.inside.tree import Tree
else:
    from frames import FrameError
    from messages import CommandAnswer, CommandRequest
    from tree import Tree


_PR_SET_DUMPABLE = 4
_LONGEST = 1 << 18
_CANNOT_RUN = 126


class Shell:
    """Answers requests one after the other; a `kill` may interrupt the command that runs."""

    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.tree = Tree([os.environb[b"HOME"], b"/tmp"])

    def serve(self) -> None:
        while True:
            message, descriptors = self._receive()
            if message is None:
                self._kill_all()
                return
            try:
                answer = self._answer(message, descriptors)
            finally:
                for descriptor in descriptors:
                    os.close(descriptor)
            if answer is not None:
                self.control.send(json.dumps(answer).encode())

    def _answer(self, message: CommandRequest, descriptors: list[int]) -> CommandAnswer | None:
        request = message["op"]
        if request == "kill":
            self._kill_all()
            return None
        try:
            if request == "run":
                return self._run(message, descriptors)
            if request == "send":
                self.tree.send(descriptors[0], message["everything"])
            elif request == "fill":
                self.tree.fill(descriptors[1], message["most"], message["known"])
            return {"error": ""}
        except (OSError, FrameError) as error:
            return {"error": f"{type(error).__name__}: {error}"}

    def _receive(self) -> tuple[CommandRequest | None, list[int]]:
        space = socket.CMSG_SPACE(2 * struct.calcsize("i"))
        data, ancillary, _, _ = self.control.recvmsg(_LONGEST, space, socket.MSG_CMSG_CLOEXEC)
        descriptors: list[int] = []
        for level, kind, payload in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                descriptors += struct.unpack(f"{len(payload) // 4}i", payload)
        return (json.loads(data) if data else None), descriptors

    def _run(self, message: CommandRequest, descriptors: list[int]) -> CommandAnswer:
        try:
            child = os.fork()
        except OSError:  # programs left in the background hold every process the sandbox may have
            os.write(descriptors[0], b"sh: Cannot fork; programs in the background were ended\n")
            self._kill_all()
            return {"status": _CANNOT_RUN << 8, "cpu": 0.0}
        if child == 0:
            _become(message, descriptors)
        status, usage = self._wait(child)
        self.tree.date(message["now"])
        return {"status": status, "cpu": usage.ru_utime + usage.ru_stime}

    def _wait(self, child: int) -> tuple[int, resource.struct_rusage]:
        handle = os.pidfd_open(child)
        try:
            waiting = select.poll()
            waiting.register(handle, select.POLLIN)
            waiting.register(self.control, select.POLLIN)
            while True:
                ready = [descriptor for descriptor, _ in waiting.poll()]
                if self.control.fileno() in ready:
                    self._receive()  # `kill`, or the supervisor is gone; both mean the end of this command
                    self._kill_all()
                    waiting.unregister(self.control)
                if handle in ready:
                    _, status, usage = os.wait4(child, 0)
                    return status, usage
        finally:
            os.close(handle)

    def _kill_all(self) -> None:
        """End every process of the sandbox but this one and its init. The workspace stays."""
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)


def _become(message: CommandRequest, descriptors: list[int]) -> NoReturn:
    """Turn this freshly forked process into the command."""
    try:
        os.setsid()
        source = descriptors[1] if len(descriptors) > 1 else os.open("/dev/null", os.O_RDONLY)
        for target, descriptor in ((0, source), (1, descriptors[0]), (2, descriptors[0])):
            os.dup2(descriptor, target)
        os.closerange(3, 1024)
        limit = message["cpu"]
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores these two
            signal.signal(number, signal.SIG_DFL)
        os.umask(0o022)
        try:
            os.chdir(message["cwd"])
            environment = {**os.environ, **message["environment"], "PWD": message["cwd"]}
            environment["WORLD_ENTROPY"] += f":{os.getpid()}"  # process ids go on from command to command
            os.execve("/bin/sh", ["sh", "-c", message["command"]], environment)
        except OSError as error:
            os.write(2, f"sh: {error.strerror}: {error.filename or ''}\n".encode("utf-8", "replace"))
    finally:
        os._exit(_CANNOT_RUN)


def main() -> None:
    preloaded = ctypes.CDLL(None)
    preloaded.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    quiet = os.open("/dev/null", os.O_RDWR)
    os.dup2(quiet, 2)
    os.close(quiet)
    if preloaded.brownout_serve_entropy():  # entropy.c
        raise OSError("no thread for the sandbox's entropy")
    shell = Shell(control)
    if len(sys.argv) > 2:  # connections to this port are served from outside: the listener itself is handed over
        listener = socket.create_server(("127.0.0.1", int(sys.argv[2])), backlog=64)
        socket.send_fds(control, [b"ready"], [listener.fileno()])
        listener.close()
    else:
        control.send(b"ready")
    with suppress(ConnectionError):
        shell.serve()


if __name__ == "__main__":
    main()
