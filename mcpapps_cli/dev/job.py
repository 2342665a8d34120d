"""A Windows job object: every process in it ends when the last handle to it is closed."""

from __future__ import annotations

import ctypes
from typing import Any

_EXTENDED_LIMITS = 9
_KILL_ON_CLOSE = 0x2000
_SET_QUOTA_AND_TERMINATE = 0x0101


class _Basic(ctypes.Structure):
    _fields_ = (
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", ctypes.c_uint32),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", ctypes.c_uint32),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", ctypes.c_uint32),
        ("SchedulingClass", ctypes.c_uint32),
    )


class _Extended(ctypes.Structure):
    _fields_ = (
        ("BasicLimitInformation", _Basic),
        ("IoInfo", ctypes.c_uint64 * 6),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    )


class Job:
    """Ends its processes, and whatever they start, with this process."""

    def __init__(self) -> None:
        self._kernel: Any = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined]
        self._kernel.CreateJobObjectW.restype = ctypes.c_void_p
        self._kernel.OpenProcess.restype = ctypes.c_void_p
        self._handle = ctypes.c_void_p(self._kernel.CreateJobObjectW(None, None))
        limits = _Extended()
        limits.BasicLimitInformation.LimitFlags = _KILL_ON_CLOSE
        self._kernel.SetInformationJobObject(
            self._handle, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
        )

    def add(self, pid: int) -> None:
        """Put a process into the job; one that has ended already needs none."""
        process = self._kernel.OpenProcess(_SET_QUOTA_AND_TERMINATE, False, pid)
        if process:
            handle = ctypes.c_void_p(process)
            self._kernel.AssignProcessToJobObject(self._handle, handle)
            self._kernel.CloseHandle(handle)
