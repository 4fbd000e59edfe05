"""Takes from this process what a statement does not need: memory, time, files, processes and (Linux) system calls (X-20).

There is no way back: it is done in a process of one statement, after all that it reads is open.
"""

import contextlib
import ctypes
import errno
import os
import platform
import re
import resource
import struct
from pathlib import Path

_CALLS = {
    "x86_64": (
        0xC000003E,
        (
            "read:0 write:1 close:3 fstat:5 poll:7 lseek:8 mmap:9 mprotect:10 munmap:11 brk:12 rt_sigaction:13 "
            "rt_sigprocmask:14 rt_sigreturn:15 pread64:17 writev:20 sched_yield:24 mremap:25 madvise:28 nanosleep:35 "
            "getpid:39 exit:60 uname:63 gettimeofday:96 getrusage:98 sysinfo:99 sigaltstack:131 gettid:186 time:201 "
            "futex:202 sched_getaffinity:204 clock_gettime:228 clock_getres:229 clock_nanosleep:230 exit_group:231 "
            "set_robust_list:273 getcpu:309 getrandom:318 membarrier:324 rseq:334"
        ),
        234,
    ),
    "aarch64": (
        0xC00000B7,
        (
            "close:57 lseek:62 read:63 write:64 writev:66 pread64:67 ppoll:73 fstat:80 exit:93 exit_group:94 futex:98 "
            "set_robust_list:99 nanosleep:101 clock_gettime:113 clock_getres:114 clock_nanosleep:115 "
            "sched_getaffinity:123 sched_yield:124 sigaltstack:132 rt_sigaction:134 rt_sigprocmask:135 rt_sigreturn:139 "
            "uname:160 getrusage:165 getcpu:168 gettimeofday:169 getpid:172 gettid:178 sysinfo:179 brk:214 munmap:215 "
            "mremap:216 mmap:222 mprotect:226 madvise:233 getrandom:278 membarrier:283 rseq:293"
        ),
        131,
    ),
}
"""By machine: what the kernel calls it, the system calls that stay, and the number of tgkill, which may hit the process itself.

What stays works on memory and on what is open already. All else (open, socket, fork, exec, kill, …) fails with EPERM.
"""

_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENT = 0, 4, 16
_KILL, _ALLOW, _REFUSE = 0x80000000, 0x7FFF0000, 0x00050000 | errno.EPERM
_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER, _DIE_WITH_PARENT = 38, 22, 2, 1
_SIGKILL = 9


def confine(memory: int, seconds: float) -> None:
    """Allow this process `memory` bytes beyond what it has, and `seconds` of one core.

    What a system does not know is left out: the README says what that is.
    """
    os.nice(5)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NPROC, 0)
    _limit(resource.RLIMIT_CPU, int(seconds) + 2)
    if size := _address_space():
        _limit(resource.RLIMIT_AS, size + memory)
    if platform.system() == "Linux":
        _close_calls()


def _limit(kind: int, value: int) -> None:
    with contextlib.suppress(OSError, ValueError):  # a lower one is set already
        resource.setrlimit(kind, (value, value))


def _address_space() -> int:
    """Bytes of address space in use; 0 where the system does not tell."""
    try:
        found = re.search(r"VmSize:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"))
    except OSError:
        return 0
    return int(found[1]) << 10 if found else 0


def _close_calls() -> None:
    """A seccomp filter: the listed system calls, and no other."""
    known = _CALLS.get(platform.machine())
    if known is None:
        return
    program = _program(*known)
    steps = ctypes.create_string_buffer(program, len(program))
    holder = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(steps))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_DIE_WITH_PARENT, _SIGKILL, 0, 0, 0)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    # A kernel without seccomp says no here; the other limits are in force then.
    libc.prctl(_SECCOMP, _FILTER, ctypes.c_char_p(holder), 0, 0)


def _program(architecture: int, calls: str, tgkill: int) -> bytes:
    numbers = [int(number) for number in re.findall(r":(\d+)", calls)]
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        *((_EQUAL, len(numbers) - position + 2, 0, number) for position, number in enumerate(numbers)),
        (_EQUAL, 0, 3, tgkill),
        (_LOAD, 0, 0, _ARGUMENT),
        (_EQUAL, 0, 1, os.getpid()),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
    return b"".join(struct.pack("HBBI", *step) for step in steps)
