"""The system-call filter: a classic BPF program, assembled here so that no wheel is needed.

Refuses what has no use in an agent's terminal and has been a way out of sandboxes, or a way to hold memory
that no limit counts (memory files, System V segments and queues).
"""

import errno
import platform
from struct import pack
from typing import Final

from brownout.core.errors import SandboxUnavailable

__all__ = ["seccomp_filter"]

# name: (x86_64, aarch64), from the kernel's unistd tables; -1: does not exist there.
_REFUSED: Final[dict[str, tuple[int, int]]] = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "kcmp": (312, 272),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "unshare": (272, 97), "setns": (308, 268), "sethostname": (170, 161), "setdomainname": (171, 162),
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "fanotify_init": (300, 262),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "personality": (135, 92), "clock_settime": (227, 112), "settimeofday": (164, 170),
    "adjtimex": (159, 171), "clock_adjtime": (305, 266), "syslog": (103, 116), "vhangup": (153, 58),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142),
    "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89), "quotactl": (179, 60),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "lookup_dcookie": (212, 18),
    "iopl": (172, -1), "ioperm": (173, -1), "modify_ldt": (154, -1),
}  # fmt: skip
# Answered with "no such call", so that libraries fall back to the older one.
_ABSENT: Final[dict[str, tuple[int, int]]] = {
    "clone3": (435, 435), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "shmget": (29, 194), "msgget": (68, 186),
}  # fmt: skip
_CLONE, _IOCTL, _SOCKET, _SOCKETPAIR = (56, 220), (16, 29), (41, 198), (53, 199)
_AUDIT_ARCH: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_NEW_NAMESPACES: Final = 0x7E020080  # CLONE_NEW{TIME,NS,CGROUP,UTS,IPC,USER,PID,NET}
_TERMINAL_INJECTION: Final = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_FAMILIES: Final = (1, 2, 10)  # UNIX, INET, INET6

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data


def _step(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return pack("<HBBI", code, then, otherwise, value)


def _refuse(number: int, error: int) -> bytes:
    return _step(_EQUAL, number, 0, 1) + _step(_RETURN, _ERRNO | error)


def _argument(index: int) -> bytes:
    return _step(_LOAD, _ARGUMENTS + 8 * index)


def _only_for(number: int, steps: bytes) -> bytes:
    """`steps` for that call alone; they must end in a return."""
    return _step(_EQUAL, number, 0, len(steps) // 8) + steps


def seccomp_filter(machine: str | None = None) -> bytes:
    """The filter for `machine` (default: this one) as an array of `struct sock_filter`.

    Raises:
        SandboxUnavailable: no table for that processor.
    """
    machine = machine or platform.machine()
    if machine not in _AUDIT_ARCH:
        raise SandboxUnavailable(f"the sandbox knows the system calls of x86_64 and aarch64, not of {machine}")
    column = 0 if machine == "x86_64" else 1
    eperm, enosys, family = errno.EPERM, errno.ENOSYS, errno.EAFNOSUPPORT
    allow, refuse = _step(_RETURN, _ALLOW), _step(_RETURN, _ERRNO | eperm)
    program = _step(_LOAD, _ARCH) + _step(_EQUAL, _AUDIT_ARCH[machine], 1, 0) + _step(_RETURN, _KILL)
    program += _step(_LOAD, _NUMBER)
    if machine == "x86_64":  # the x32 calls share this architecture's name
        program += _step(_AT_LEAST, 0x40000000, 0, 1) + _step(_RETURN, _ERRNO | enosys)
    for numbers in _ABSENT.values():
        program += _refuse(numbers[column], enosys)
    for numbers in _REFUSED.values():
        if numbers[column] >= 0:
            program += _refuse(numbers[column], eperm)
    program += _only_for(_CLONE[column], _argument(0) + _step(_ANY_BIT, _NEW_NAMESPACES, 0, 1) + refuse + allow)
    inject = b"".join(_refuse(request, eperm) for request in _TERMINAL_INJECTION)
    program += _only_for(_IOCTL[column], _argument(1) + inject + allow)
    known = b"".join(_step(_EQUAL, number, 0, 1) + allow for number in _FAMILIES)
    for call in (_SOCKET, _SOCKETPAIR):
        program += _only_for(call[column], _argument(0) + known + _step(_RETURN, _ERRNO | family))
    return program + allow
