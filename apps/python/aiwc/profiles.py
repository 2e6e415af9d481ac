"""The profile of one kernel launch."""

from __future__ import annotations

import ctypes
import functools
import json
import os
from collections.abc import Iterable, Sequence
from ctypes import byref, c_size_t, c_uint64, c_void_p

from . import _library
from .catalogue import catalogue, places

_SIZES = ("global_offset", "global_size", "local_size")
#: The columns of `aiwc show --csv --wide` before the metrics.
COLUMNS = (["file", "kernel", "invocation", "work_dim"] + [f"{size}_{axis}" for size in _SIZES for axis in "xyz"]
           + ["source_hash", "build_options", "engine", "complete", "simulator_errors", "sampled_groups",
              "total_groups", "line_bytes"])


class Profile:
    """A JSON profile (docs/formats.md). Raises BadFile if the file is none.

    `profile["fp_ops"]` is the value of a metric: an int for a count, a float, or None for no value.
    """

    file: str  #: its path
    kernel: str
    work_dim: int
    global_offset: tuple[int, int, int]  #: in work-items; 0 beyond work_dim
    global_size: tuple[int, int, int]  #: in work-items; 1 beyond work_dim
    local_size: tuple[int, int, int]
    invocation: int  #: number of the launch of this kernel name in its process, from 0
    source_hash: str
    code_hash: str  #: of the code that the kernel executes; "" if the profile does not tell
    build_options: str
    engine: str  #: "interpreter" or "compiled"
    complete: bool  #: whether the launch ran to its end
    reason: str  #: why not
    simulator_errors: int
    sampled_groups: int  #: 0, as is total_groups, if all work-groups were characterised
    total_groups: int
    line_bytes: int  #: of a cache line; 0 if reuse distances were not measured
    floating_point: bool  #: whether predictions count its work in floating-point operations

    def __init__(self, file: str | os.PathLike):
        raw = _library.encoded(file)
        self.file = os.fsdecode(raw)
        self._read(_library.Handle("profile_free", "profile_read", raw))

    def with_transfers(self, transfers: Sequence[int], invocation: int | None = None) -> Profile:
        """The profile of a launch that this one represents, but for its transfers: bytes and number of those to
        the device, then of those from it; and but for its number, if that is given."""
        moved = _library.Transfers(*_library.integers("transfers", transfers, 4))
        represented = Profile.__new__(Profile)
        represented.file = self.file
        represented._read(_library.Handle("profile_free", "profile_new", self.handle, byref(moved), ctypes.sizeof(moved)))
        if invocation is not None:
            represented.invocation = invocation
        return represented

    def _read(self, handle: _library.Handle) -> None:
        self._handle = handle
        self.kernel = _library.text(_library.call("profile_kernel", self.handle))
        sizes = _library.filled(_library.NdRange, "profile_ndrange", self.handle)
        self.work_dim = sizes.work_dim
        for name in _SIZES:
            setattr(self, name, tuple(getattr(sizes, name)))
        origin = _library.filled(_library.Provenance, "profile_provenance", self.handle)
        for name in ("source_hash", "code_hash", "build_options", "engine", "reason"):
            setattr(self, name, _library.text(getattr(origin, name)))
        for name in ("invocation", "simulator_errors", "sampled_groups", "total_groups", "line_bytes"):
            setattr(self, name, getattr(origin, name))
        self.complete = bool(origin.complete)
        self.floating_point = bool(origin.floating_point)

    @property
    def identity(self) -> tuple[str, str, str]:
        """What tells kernels apart: the name and the hash of the code, or, where that is unknown, of the source,
        with the build options."""
        if self.code_hash:
            return self.kernel, self.code_hash, ""
        return self.kernel, self.source_hash, self.build_options

    @property
    def handle(self) -> int:
        return self._handle.value

    @property
    def sampled(self) -> bool:
        """Whether only a sample of the work-groups was characterised."""
        return self.total_groups > 0

    @functools.cached_property
    def _values(self) -> list[_library.Value]:
        return [_library.filled(_library.Value, "profile_value", self.handle, index)
                for index in range(len(catalogue()))]

    def _value(self, key: str) -> _library.Value:
        place = places().get(_library.word("key", key, "the key of a metric"))
        if place is None:
            raise _library.NotFound(f"{key!r}: is not a metric: expected a key of `aiwc show --metrics`")
        return self._values[place]

    def __getitem__(self, key: str) -> int | float | None:
        value = self._value(key)
        return (None, value.count, value.real)[value.kind]

    def error(self, key: str) -> float | None:
        """The absolute standard error of the metric, in its unit, if work-groups were sampled; None if the
        metric is exact, or its error not known."""
        error = self._value(key).standard_error
        return None if error != error else error

    def metrics(self) -> dict[str, int | float | None]:
        """All metrics by their keys."""
        return {metric.key: self[metric.key] for metric in catalogue()}

    def row(self) -> dict[str, object]:
        """The row of `aiwc show --csv --wide`."""
        values = [self.file, self.kernel, self.invocation, self.work_dim, *self.global_offset, *self.global_size,
                  *self.local_size, self.source_hash, self.build_options, self.engine, self.complete,
                  self.simulator_errors, self.sampled_groups, self.total_groups, self.line_bytes]
        return dict(zip(COLUMNS, values, strict=True)) | self.metrics()

    def misses(self, cache_bytes: Sequence[int]) -> tuple[list[int], int]:
        """For each size in bytes, how many accesses of cache lines miss a fully associative LRU cache of
        this size that is empty when the launch begins; and the number of all accesses."""
        sizes = _library.array(c_uint64, _library.integers("cache_bytes", cache_bytes))
        misses = (c_uint64 * max(1, len(sizes)))()
        accesses = c_uint64()
        _library.call("profile_misses", self.handle, sizes, len(sizes), misses, byref(accesses))
        return list(misses)[:len(sizes)], accesses.value

    @functools.cached_property
    def json(self) -> dict:
        """The file as Python's json reads it, for what has no accessor: histograms, loops, accesses."""
        try:
            with open(self.file, encoding="utf-8", errors="replace") as content:
                return json.load(content)
        except OSError as error:
            raise _library.BadFile(f"{self.file}: cannot be read: {error.strerror}: expected a profile") from None

    def histogram(self, name: str) -> list[tuple[int, int]]:
        """A histogram of the profile by its key, such as "asap_fp_levels": pairs of a value and its
        occurrences, values increasing. Raises NotFound for a name that is none."""
        rows = self.json["histograms"].get(_library.word("name", name, "the key of a histogram"))
        if not isinstance(rows, list) or any(not isinstance(row, list) for row in rows):
            raise _library.NotFound(f"{self.file}: has no histogram {name!r}: expected one of docs/formats.md")
        return [tuple(row) for row in rows]

    def __repr__(self) -> str:
        sizes = "x".join(map(str, self.global_size[:self.work_dim]))
        return f"<aiwc.Profile {self.file}: {self.kernel}, {sizes} work-items>"


def handles(profiles: Iterable[Profile]) -> ctypes.Array:
    these = _library.sequence("profiles", profiles, "profiles", Profile)
    return _library.array(c_void_p, [profile.handle for profile in these])


#: The counts of a source line, in the order of `aiwc show --lines --csv`.
LINE_COLUMNS = [name for name, _ in _library.Line._fields_]


def lines(profiles: Sequence[Profile], cache_bytes: int = 32768, lanes: int = 32) -> list[dict[str, int]]:
    """What each source line did, as sums over launches of one kernel, in the order of the source, line 0
    (what has no known line) at the end. Raises BadArgument unless `lanes` is 8, 16, 32 or 64."""
    cache_bytes = _library.integer("cache_bytes", cache_bytes, 1)
    lanes = _library.integer("lanes", lanes, 8, 64, "8, 16, 32 or 64")
    these = handles(profiles)
    size = ctypes.sizeof(_library.Line)
    count = c_size_t()
    _library.call("lines", these, len(these), cache_bytes, lanes, None, size, 0, byref(count))
    rows = (_library.Line * max(1, count.value))()
    _library.call("lines", these, len(these), cache_bytes, lanes, rows, size, count.value, byref(count))
    return [{name: getattr(row, name) for name in LINE_COLUMNS} for row in rows[:count.value]]
