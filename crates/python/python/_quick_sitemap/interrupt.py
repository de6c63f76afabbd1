"""Ctrl-C while an engine reads rows."""

from __future__ import annotations

import ctypes
import threading


def interrupt_main() -> None:
    """Raises KeyboardInterrupt in the main thread as soon as it runs Python code. Unlike that of `_thread`, it does not
    disturb the printing of an exception."""
    main = ctypes.c_ulong(threading.main_thread().ident or 0)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(main, ctypes.py_object(KeyboardInterrupt))
