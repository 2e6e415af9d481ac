"""What the library knows of metrics and of the parameters of devices."""

from __future__ import annotations

import functools
from typing import NamedTuple

from . import _library


class Metric(NamedTuple):
    """A metric of profiles; docs/metrics.md defines them."""

    key: str  #: in JSON, CSV and data frames: "fp_ops"
    name: str  #: in the literature; the key if it has none
    unit: str  #: "" for a number
    category: str  #: "Compute", "Parallelism", "Memory" or "Control"
    definition: str  #: one sentence
    integer: bool  #: whether it is a count
    fraction: bool  #: whether it is a fraction, from 0 to 1


class Parameter(NamedTuple):
    """A parameter of devices; docs/devices.md explains them."""

    name: str  #: as in `aiwc predict --what-if`: "dram_bandwidth"
    key: str  #: in device profiles, ending in the unit: "dram_bandwidth_gb_per_s"
    unit: str  #: "" for a number
    description: str


@functools.lru_cache(maxsize=None)
def catalogue() -> tuple[Metric, ...]:
    """All metrics, in the order of `aiwc show --metrics`."""
    rows = []
    for index in range(_library.call("metric_count")):
        row = _library.filled(_library.Metric, "metric_at", index)
        rows.append(Metric(*(_library.text(getattr(row, name)) for name in Metric._fields[:5]),
                           bool(row.integer), bool(row.fraction)))
    return tuple(rows)


@functools.lru_cache(maxsize=None)
def places() -> dict[str, int]:
    """The place of each metric in the catalogue, by its key."""
    return {metric.key: place for place, metric in enumerate(catalogue())}


@functools.lru_cache(maxsize=None)
def parameters() -> tuple[Parameter, ...]:
    """All parameters of devices."""
    rows = []
    for index in range(_library.call("parameter_count")):
        row = _library.filled(_library.Parameter, "parameter_at", index)
        rows.append(Parameter(*(_library.text(getattr(row, name)) for name in Parameter._fields)))
    return tuple(rows)
