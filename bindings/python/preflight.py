"""preflight for Python, through its C library and ctypes."""

import ctypes
import json
import os

_library = None


class PreflightError(Exception):
    """A body that is no request, or wrong options. report has what is known."""

    def __init__(self, report):
        super().__init__(report.get("error", "preflight failed"))
        self.report = report


def load(path=None):
    """Loads the library: path, $PREFLIGHT_LIBRARY, or libpreflight.so beside this file."""
    global _library
    if path is None:
        beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libpreflight.so")
        path = os.environ.get("PREFLIGHT_LIBRARY", beside)
    _library = ctypes.CDLL(path)
    _library.preflight_free.argtypes = [ctypes.c_void_p]


def _call(name, inputs, outputs):
    if _library is None:
        load()
    args = []
    for data in inputs:
        args += [ctypes.c_char_p(data), ctypes.c_size_t(len(data))]
    got = [(ctypes.c_void_p(), ctypes.c_size_t()) for _ in range(outputs)]
    for pointer, length in got:
        args += [ctypes.byref(pointer), ctypes.byref(length)]
    status = getattr(_library, name)(*args)
    try:
        return status, [ctypes.string_at(p, n.value) for p, n in got]
    finally:
        for pointer, _ in got:
            _library.preflight_free(pointer)


def _options(options):
    return json.dumps(options).encode() if options else b""


def fix(body: bytes, **options):
    """Repairs a request body, and returns the body to send and a report.

    options are those of wire.Options, such as provider="anthropic". A history that cannot be
    repaired is returned unchanged, and the report has "error". A body that is no request raises
    PreflightError.
    """
    status, (fixed, report) = _call("preflight_fix", [body, _options(options)], 2)
    report = json.loads(report)
    if status == 2:
        raise PreflightError(report)
    return fixed, report


def check(body: bytes, **options):
    """Returns the violations of a request body, [] for a valid one."""
    status, (report,) = _call("preflight_check", [body, _options(options)], 1)
    report = json.loads(report)
    if "violations" not in report:
        raise PreflightError(report)
    return report["violations"]


def explain(text: str):
    """Returns the rule that a provider's error text is about, None for an unknown text."""
    status, (report,) = _call("preflight_explain", [text.encode()], 1)
    return json.loads(report) if status == 0 else None
