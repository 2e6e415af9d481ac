"""libaiwc.so through ctypes: its functions, structs and errors. apps/capi/aiwc.h documents them."""

from __future__ import annotations

import ctypes
import functools
import operator
import os
import pathlib
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint64, c_void_p

try:  # written by the installation: where the library lies, relative to this file
    from ._location import LIBRARY as _INSTALLED
except ImportError:
    _INSTALLED = None

_SONAME = "libaiwc.so.0"


class Error(Exception):
    """What could not be done, in one line. The other errors of this package are derived from it."""


class LibraryMissing(Error, ImportError):
    """libaiwc.so cannot be loaded, or is older than this package."""


class BadArgument(Error, ValueError):
    """An argument is out of range, or of another type."""


class NotFound(Error, LookupError):
    """There is no such device, metric, kernel or chart."""


class BadFile(Error):
    """A file cannot be read, or is not what it should be."""


class UnusableProfile(Error):
    """A profile cannot be predicted on any device, such as that of an incomplete launch."""


class MissingParameter(Error):
    """The profile of a device lacks a parameter that the prediction needs."""


_ERRORS = {1: BadArgument, 2: NotFound, 3: BadFile, 4: UnusableProfile, 5: MissingParameter, 6: MemoryError}


class Metric(ctypes.Structure):
    _fields_ = [(name, c_char_p) for name in ("key", "name", "unit", "category", "definition")] + [
        ("integer", c_int), ("fraction", c_int)]


class DeviceFacts(ctypes.Structure):
    _fields_ = [(name, c_char_p) for name in ("id", "name", "vendor", "series", "type")] + [
        ("year", c_int), ("opencl", c_int)]


class Parameter(ctypes.Structure):
    _fields_ = [(name, c_char_p) for name in ("name", "key", "unit", "description")]


class NdRange(ctypes.Structure):
    _fields_ = [("work_dim", c_size_t), ("global_offset", c_size_t * 3), ("global_size", c_size_t * 3),
                ("local_size", c_size_t * 3)]


class Transfers(ctypes.Structure):
    _fields_ = [(f"{way}_{what}", c_uint64) for way in ("host_to_device", "device_to_host")
                for what in ("bytes", "transfers")]


class Provenance(ctypes.Structure):
    _fields_ = [("invocation", c_uint64), ("source_hash", c_char_p), ("build_options", c_char_p),
                ("engine", c_char_p), ("reason", c_char_p), ("simulator_errors", c_uint64),
                ("sampled_groups", c_uint64), ("total_groups", c_uint64), ("line_bytes", c_uint64),
                ("complete", c_int), ("floating_point", c_int), ("code_hash", c_char_p)]


class Value(ctypes.Structure):
    _fields_ = [("kind", c_int), ("count", c_uint64), ("real", c_double), ("standard_error", c_double)]


class Line(ctypes.Structure):
    _fields_ = [(name, c_uint64) for name in (
        "line", "instructions", "fp_ops", "bytes", "cache_accesses", "cache_misses", "idle_lanes", "branches",
        "mispredictions")]


class Part(ctypes.Structure):
    _fields_ = [("key", c_char_p), ("name", c_char_p), ("term", c_int)]


MOST_PARTS = 16


class Prediction(ctypes.Structure):
    _fields_ = [(name, c_double) for name in (
        "seconds", "compute_s", "cache_s", "dram_s", "latency_s", "launch_s", "transfers_s", "low_s", "high_s",
        "energy_joules")] + [
        ("bound_by", c_int), ("known_device", c_int), ("largest_part", c_char_p), ("parts_s", c_double * MOST_PARTS)]


_P = c_void_p  # a handle
# Of each function: what it returns (None: nothing, "status": an aiwc_status), and its arguments.
_FUNCTIONS = {
    "version": (c_char_p, []),
    "error_message": (c_char_p, []),
    "metric_count": (c_size_t, []),
    "metric_at": ("status", [c_size_t, POINTER(Metric), c_size_t]),
    "device_library_open": ("status", [c_char_p, POINTER(_P)]),
    "device_library_free": (None, [_P]),
    "device_count": (c_size_t, [_P]),
    "device_at": ("status", [_P, c_size_t, POINTER(_P)]),
    "device_find": ("status", [_P, c_char_p, POINTER(_P)]),
    "device_describe": ("status", [_P, POINTER(DeviceFacts), c_size_t]),
    "device_parameter": ("status", [_P, c_size_t, POINTER(c_double)]),
    "parameter_count": (c_size_t, []),
    "parameter_at": ("status", [c_size_t, POINTER(Parameter), c_size_t]),
    "profile_read": ("status", [c_char_p, POINTER(_P)]),
    "profile_new": ("status", [_P, POINTER(Transfers), c_size_t, POINTER(_P)]),
    "profile_free": (None, [_P]),
    "profile_kernel": (c_char_p, [_P]),
    "profile_ndrange": ("status", [_P, POINTER(NdRange), c_size_t]),
    "profile_provenance": ("status", [_P, POINTER(Provenance), c_size_t]),
    "profile_value": ("status", [_P, c_size_t, POINTER(Value), c_size_t]),
    "profile_misses": ("status", [_P, POINTER(c_uint64), c_size_t, POINTER(c_uint64), POINTER(c_uint64)]),
    "lines": ("status", [POINTER(_P), c_size_t, c_uint64, c_uint, POINTER(Line), c_size_t, c_size_t,
                         POINTER(c_size_t)]),
    "model_read": ("status", [c_char_p, POINTER(_P)]),
    "model_free": (None, [_P]),
    "options_new": ("status", [POINTER(_P)]),
    "options_free": (None, [_P]),
    "options_set_model": ("status", [_P, _P]),
    "options_set_automatch": ("status", [_P]),
    "options_set_transfers": ("status", [_P, c_double]),
    "error_correlation": (c_double, [_P]),
    "part_count": (c_size_t, [_P]),
    "part_at": ("status", [_P, c_size_t, POINTER(Part), c_size_t]),
    "predict": ("status", [_P, _P, _P, POINTER(Prediction), c_size_t]),
}


def _path() -> str:
    """The library to load: that of AIWC_LIBRARY, that of the installation that this package is part
    of, or that of the system."""
    chosen = os.environ.get("AIWC_LIBRARY")
    if chosen:
        return chosen
    if _INSTALLED:
        beside = pathlib.Path(__file__).parent.absolute() / _INSTALLED
        if beside.exists():
            return str(beside)
    return _SONAME


@functools.lru_cache(maxsize=None)
def _loaded() -> ctypes.CDLL:
    path = _path()
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise LibraryMissing(f"{path}: cannot be loaded: {error}: expected libaiwc.so of aiwc "
                             f"(Debian package libaiwc0), or AIWC_LIBRARY=FILE") from None
    for name, (result, arguments) in _FUNCTIONS.items():
        try:
            function = getattr(library, f"aiwc_{name}")
        except AttributeError:
            raise LibraryMissing(f"{path}: has no function aiwc_{name}: expected libaiwc.so of the version of this "
                                 f"package, or a later one") from None
        function.restype = c_int if result == "status" else result
        function.argtypes = arguments
    return library


def call(name: str, *arguments):
    """Calls aiwc_`name`. Raises the error of its status if it returns one that is not AIWC_OK."""
    library = _loaded()
    result = getattr(library, f"aiwc_{name}")(*arguments)
    if _FUNCTIONS[name][0] == "status" and result:
        raise _ERRORS.get(result, Error)(text(library.aiwc_error_message()))
    return result


def filled(struct: type, name: str, *arguments):
    """The struct that aiwc_`name`(arguments..., &struct, sizeof struct) fills in."""
    value = struct()
    call(name, *arguments, byref(value), ctypes.sizeof(value))
    return value


class Handle:
    """A handle that aiwc_`name`(arguments..., &handle) returns; aiwc_`free` frees it with this object."""

    def __init__(self, free: str, name: str, *arguments):
        handle = c_void_p()
        call(name, *arguments, byref(handle))
        self.value = handle.value
        self._free = getattr(_loaded(), f"aiwc_{free}")

    def __del__(self):
        if getattr(self, "value", None):
            self._free(self.value)
            self.value = None


def text(raw: bytes | None) -> str:
    """A string of the library. Bytes that are not UTF-8 become U+FFFD, as in JSON profiles."""
    return (raw or b"").decode("utf-8", "replace")


def encoded(path: str | os.PathLike) -> bytes:
    """A path for the library. Raises BadArgument for one that no file can have."""
    try:
        raw = os.fsencode(path)
    except TypeError:
        raise _refused("path", path, "the path of a file or folder") from None
    except UnicodeEncodeError:
        raise _refused("path", path, "one in the encoding of file names") from None
    if b"\0" in raw:
        raise BadArgument(f"{path!r}: has a NUL: expected the path of a file")
    return raw


# ctypes takes an integer modulo 2^64, and reports a wrong type without the parameter's name. What callers
# pass goes through these functions. Each raises BadArgument.


def _refused(name: str, value, expected: str) -> BadArgument:
    shown = repr(value).replace("\n", " ")
    return BadArgument(f"{name} is {shown if len(shown) <= 60 else shown[:57] + '...'}: expected {expected}")


def integer(name: str, value, least: int = 0, most: int = 2**64 - 1, expected: str | None = None) -> int:
    """An integer from `least` to `most`."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or not least <= number <= most:
        limit = "2^64 - 1" if most == 2**64 - 1 else most
        raise _refused(name, value, expected or f"an integer from {least} to {limit}")
    return number


def integers(name: str, values, count: int | None = None) -> list[int]:
    """Integers from 0 to 2^64 - 1; `count` of them if it is given."""
    numbers = sequence(name, values, "a list of integers")
    if count not in (None, len(numbers)):
        raise _refused(name, values, f"{count} integers")
    return [integer(f"{name}[{place}]", number) for place, number in enumerate(numbers)]


def real(name: str, value, expected: str) -> float:
    """A number; the library checks its range."""
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise _refused(name, value, expected) from None


def word(name: str, value, expected: str) -> str:
    """A string."""
    if not isinstance(value, str):
        raise _refused(name, value, expected)
    return value


def sequence(name: str, values, expected: str, kind: type | tuple[type, ...] = object) -> list:
    """What can be iterated over, each element a `kind`."""
    try:
        if isinstance(values, (str, bytes)):
            raise TypeError
        found = list(values)
    except TypeError:
        raise _refused(name, values, expected) from None
    for place, value in enumerate(found):
        if not isinstance(value, kind):
            raise _refused(f"{name}[{place}]", value, expected)
    return found


def array(element: type, values) -> ctypes.Array:
    values = list(values)
    return (element * len(values))(*values)


def version() -> str:
    """The version of libaiwc.so, "major.minor.patch"."""
    return text(call("version"))
