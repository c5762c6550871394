"""A command under an OCI seccomp profile, as a container runtime starts it: without root, capabilities or new ones.

python under_seccomp.py PROFILE COMMAND...
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from pathlib import Path
from typing import Any

LIBRARY = "libseccomp.so.2"
ALLOW, ERRNO = 0x7FFF0000, 0x00050000  # SCMP_ACT_*
UNKNOWN = -1  # __NR_SCMP_ERROR: a system call that this library does not know, as runtimes skip it too
COMPARE = {"NE": 1, "LT": 2, "LE": 3, "EQ": 4, "GE": 5, "GT": 6, "MASKED_EQ": 7}
UID = 10001


class Argument(ctypes.Structure):
    """struct scmp_arg_cmp"""

    _fields_ = (
        ("index", ctypes.c_uint),
        ("compare", ctypes.c_int),
        ("value", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


def load(profile: dict[str, Any]) -> None:
    """From here on this process and its children are bound by it. Raises OSError."""
    library = ctypes.CDLL(LIBRARY)
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(ERRNO | profile["defaultErrnoRet"])))
    for rule in profile["syscalls"]:
        action = ALLOW if rule["action"] == "SCMP_ACT_ALLOW" else ERRNO | rule["errnoRet"]
        given = [
            Argument(one["index"], COMPARE[one["op"].removeprefix("SCMP_CMP_")], one["value"], one.get("valueTwo", 0))
            for one in rule.get("args", ())
        ]
        arguments = (Argument * len(given))(*given)
        for name in rule["names"]:
            number = library.seccomp_syscall_resolve_name(name.encode())
            if number == UNKNOWN:
                continue
            _require(
                library.seccomp_rule_add_array(context, ctypes.c_uint32(action), number, len(given), arguments), name
            )
    _require(library.seccomp_load(context), "load")  # sets no_new_privs


def _require(code: int, what: str) -> None:
    if code:
        raise OSError(-code, f"seccomp: {what}: {os.strerror(-code)}")


if __name__ == "__main__":
    wanted = json.loads(Path(sys.argv[1]).read_text())
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(UID)
        os.setuid(UID)
    load(wanted)
    os.execv(sys.argv[2], sys.argv[2:])
