"""The modes of files hold for this thread, also where it is root's, who may read everything."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_VERSION = 0x2008_0522  # of the two structures, as <linux/capability.h> has it
_PASSES_MODES = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH
_GET_BITS, _SET_BITS = 27, 28  # prctl: PR_GET_SECUREBITS, PR_SET_SECUREBITS
_AS_IT_IS = 1 << 2  # SECBIT_NO_SETUID_FIXUP: access(2) goes by what this thread may do, not by what root might


class _Head(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Set(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


@contextmanager
def that_hold() -> Iterator[None]:
    """Give up what passes over modes, for this thread and those that it starts, and take it back."""
    if not hasattr(os, "geteuid"):
        pytest.skip("this system has no permissions of that kind")
    if os.geteuid() != 0:
        yield
        return
    if not sys.platform.startswith("linux"):
        pytest.skip("root may read everything")
    system, head, sets = ctypes.CDLL(None, use_errno=True), _Head(_VERSION, 0), (_Set * 2)()

    def done(result: int) -> int:
        assert result >= 0, os.strerror(ctypes.get_errno())
        return result

    done(system.capget(ctypes.byref(head), sets))
    before, bits = sets[0].effective, done(system.prctl(_GET_BITS, 0, 0, 0, 0))
    done(system.prctl(_SET_BITS, bits | _AS_IT_IS, 0, 0, 0))
    sets[0].effective = before & ~_PASSES_MODES
    done(system.capset(ctypes.byref(head), sets))
    try:
        yield
    finally:
        sets[0].effective = before
        done(system.capset(ctypes.byref(head), sets))
        done(system.prctl(_SET_BITS, bits, 0, 0, 0))
