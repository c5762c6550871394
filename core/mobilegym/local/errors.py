"""Errors of the local executor.

LocalError                 what was asked cannot start as it stands (exit 2)
 + FolderError
 |  x FolderBusy           another run is at work there
 |  x FolderTaken          an earlier run lies there
 |  x NothingToResume
 + MachineError
    x MissingProgram
    x PortInUse
    x NoSpace
RunFailed                  it started and could not go on (exit 1)
"""

from __future__ import annotations


class LocalError(Exception):
    """The message says what to change."""

    exit_code = 2


class FolderError(LocalError):
    """Something about the run's folder."""


class FolderBusy(FolderError):
    """Another executor, or a child of it that is still stopping, uses the folder."""


class FolderTaken(FolderError):
    """The folder holds an earlier run."""


class NothingToResume(FolderError):
    """There is no earlier run in the folder."""


class MachineError(LocalError):
    """Something about this machine."""


class MissingProgram(MachineError):
    """A program or a file that the run needs is not here."""


class PortInUse(MachineError):
    """Somebody else listens there."""


class NoSpace(MachineError):
    """The disk is too small for the run."""


class RunFailed(Exception):
    """A part of the run could not be kept alive."""

    exit_code = 1

    def __init__(self, part: str, why: str, log_tail: str = "") -> None:
        tail = "\n".join(f"  | {line}" for line in log_tail.splitlines())
        super().__init__(f"{part}: {why}" + (f"\n{tail}" if tail else ""))
        self.part = part
