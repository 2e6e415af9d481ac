"""Times of kernels on devices."""

from __future__ import annotations

import contextlib
import math
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Union

from . import _library
from .devices import Device
from .devices import devices as find_devices
from .devices import refuse_repeats
from .profiles import Profile
from .runs import Run, RunWarning

if TYPE_CHECKING:
    import pandas

#: What a prediction is of, and the devices that it is for.
Profiles = Union[Run, Profile, Iterable[Profile]]
Devices = Union[None, str, Iterable[Union[str, Device]]]

#: What predictions are for unless devices are named, as those of `aiwc predict`.
USUAL_DEVICES = "rtx5090,h200-sxm,rx9070xt,ryzen9-9950x"

_TRANSFERS = "transfers"


@contextlib.contextmanager
def _options(model: str | os.PathLike | None, transfers: float) -> Iterator[int]:
    options = _library.Handle("options_free", "options_new")
    transfers = _library.real("transfers", transfers, "0 (hidden) to 1 (all exposed)")
    if model == "automatch":
        _library.call("options_set_automatch", options.value)
    elif model is not None and model != "published":
        _library.call("options_set_model", options.value,
                      _library.Handle("model_free", "model_read", _library.encoded(model)).value)
    _library.call("options_set_transfers", options.value, transfers)
    yield options.value


def _parts(options: int) -> list[tuple[str, str]]:
    """Key and name of the parts of the model's times."""
    rows = [_library.filled(_library.Part, "part_at", options, index)
            for index in range(_library.call("part_count", options))]
    return [(_library.text(row.key), _library.text(row.name)) for row in rows]


def _chosen(devices: Devices, cards: bool = False) -> list[Device]:
    """The devices. One that is given twice is two `cards` of one model, or refused."""
    if devices == "all":
        chosen = find_devices(devices)
    else:
        devices = USUAL_DEVICES if devices is None else devices
        given = devices.split(",") if isinstance(devices, str) else _library.sequence(
            "devices", devices, "ids or Device objects", (str, Device))
        names = list(dict.fromkeys(device for device in given if isinstance(device, str)))
        found = dict(zip(names, find_devices(names), strict=True)) if names else {}
        chosen = [found[device] if isinstance(device, str) else device for device in given]
    if not chosen:
        raise _library.BadArgument("no devices: expected at least one")
    if not cards:
        refuse_repeats([device.id for device in chosen])
    return chosen


def usable(what: Profiles) -> list[Profile]:
    """The profiles that predictions are made of: incomplete ones of a run's folder are left out, with a
    RunWarning, unless there are no others."""
    if isinstance(what, Profile):
        return [what]
    if not isinstance(what, Run):
        return _library.sequence("what", what, "a run, a profile or several", Profile)
    complete = [profile for profile in what.launched if profile.complete]
    left_out = len(what.launched) - len(complete)
    if not what.is_folder or not complete or not left_out:
        return what.launched
    warnings.warn(f"{what.path}: {left_out} of {len(what.launched)} profiles left out, because "
                  f"{'it is' if left_out == 1 else 'they are'} incomplete", RunWarning, stacklevel=4)
    return complete


class _Sum:
    """The time of several launches on one device."""

    def __init__(self, parts: Sequence[tuple[str, str]]):
        self.keys = [key for key, _ in parts]
        self.launches = 0
        self.seconds = self.low = self.high = self.energy = 0.0
        self.parts = {key: 0.0 for key in (*self.keys, _TRANSFERS)}
        self.known = False

    def add(self, one: _library.Prediction) -> None:
        self.launches += 1
        self.seconds += one.seconds
        self.low += one.low_s
        self.high += one.high_s
        self.energy += one.energy_joules
        self.known = bool(one.known_device)
        for place, key in enumerate(self.keys):
            self.parts[key] += one.parts_s[place]
        self.parts[_TRANSFERS] += one.transfers_s

    def bound_by(self) -> str:
        largest = max(self.keys, key=lambda key: self.parts[key])
        return _TRANSFERS if self.parts[_TRANSFERS] > self.parts[largest] else largest


def _group(place: int, profile: Profile, by: str) -> tuple:
    if by == "run":
        return ()
    if by == "kernel":
        return profile.identity
    return (place,)


_TIE = 0.2  # from this probability of being faster on, a device is a tie with the best one


def _probability(one: "_Sum", best: "_Sum", correlation: float) -> float:
    """The probability that a device is faster than the best one, from two times, their 80 % intervals and the
    correlation of their errors; NaN for the best one."""
    if one is best or not (one.low > 0 and best.low > 0):
        return math.nan
    a, b = (math.log(x.high / x.low) / 2.5632 for x in (one, best))
    deviation = math.sqrt(a * a + b * b - 2 * correlation * a * b)
    ratio = math.log(one.seconds / best.seconds)
    return math.erfc(ratio / deviation / math.sqrt(2)) / 2 if deviation > 0 else float(ratio <= 0)


def predict(what: Profiles, devices: Devices = None, *, model: str | os.PathLike | None = None,
            transfers: float = 0.0, by: str = "kernel") -> "pandas.DataFrame":
    """The predicted time of each kernel on each device, as `aiwc predict` prints it.

    `what` is a run, a profile or several; `devices` ids (a list, or separated by commas), Device objects, or
    None for USUAL_DEVICES. `model` is "published" (the default), "automatch" or a file that
    `aiwc-model train` wrote. `transfers`, 0 to 1, is the share of the time of host transfers that nothing hides.
    `by` is "kernel" (all launches of a kernel together), "launch" or "run" (all launches together).

    A row per kernel and device, kernels in the order of their first launches, devices by rank:
    kernel ("" for a run), launches, device, known_device (whether the model was fitted to times of it), rank
    (from 1, equal times share one), seconds, low and high (the 80 % interval; NaN without one), chance (of being
    faster than the best device; NaN for that one, and without intervals), tie (whether that is 0.2 or more),
    relative (to the best time), bound_by (the largest part),
    PART_s for each part of the model and transfers_s, which add up to seconds, and energy_joules (NaN if the
    device's power is not known). With by="launch" also the profile's file.

    Raises UnusableProfile for a profile that cannot be predicted, and MissingParameter if one of `devices`
    lacks a parameter; with "all", such a device is left out, with a RunWarning.
    """
    return _predict(what, devices, model, transfers, by, cards=False)


def _predict(what: Profiles, devices: Devices, model: str | os.PathLike | None, transfers: float, by: str,
             cards: bool) -> "pandas.DataFrame":
    import pandas

    if by not in ("kernel", "launch", "run"):
        raise _library.BadArgument(f"by is {by!r}: expected kernel, launch or run")
    profiles = usable(what)
    if not profiles:
        raise _library.BadArgument("no profiles: expected at least one")
    chosen = _chosen(devices, cards)
    with _options(model, transfers) as options:
        parts = _parts(options)
        correlation = _library.call("error_correlation", options)
        columns = (["file"] if by == "launch" else []) + [
            "kernel", "launches", "device", "known_device", "rank", "seconds", "low", "high", "chance", "tie",
            "relative", "bound_by", *(f"{key}_s" for key, _ in parts), f"{_TRANSFERS}_s", "energy_joules"]
        groups: dict[tuple, Profile] = {}
        for launch, profile in enumerate(profiles):
            groups.setdefault(_group(launch, profile, by), profile)
        sums: dict[tuple[tuple, int], _Sum] = {}
        for place, device in enumerate(chosen):
            try:
                of_device: dict[tuple, _Sum] = {}
                times = {handle: _library.filled(_library.Prediction, "predict", handle, device.handle, options)
                         for handle in dict.fromkeys(profile.handle for profile in profiles)}
                for launch, profile in enumerate(profiles):
                    of_device.setdefault(_group(launch, profile, by), _Sum(parts)).add(times[profile.handle])
            except _library.MissingParameter as missing:
                if devices != "all":
                    raise
                warnings.warn(f"left out: {missing}", RunWarning, stacklevel=3)
                continue
            sums |= {(group, place): total for group, total in of_device.items()}
    rows = []
    for group, first in groups.items():
        found = [(place, sums[group, place]) for place in range(len(chosen)) if (group, place) in sums]
        found.sort(key=lambda row: row[1].seconds)
        best = found[0][1] if found else None
        for place, total in found:
            rows.append({
                "file": first.file, "kernel": "" if by == "run" else first.kernel, "launches": total.launches,
                "device": chosen[place].id, "known_device": total.known,
                "rank": 1 + sum(other.seconds < total.seconds for _, other in found), "seconds": total.seconds,
                "low": total.low, "high": total.high, "chance": (probability := _probability(total, best, correlation)),
                "tie": probability >= _TIE,
                "relative": total.seconds / best.seconds if best.seconds > 0 else 1.0, "bound_by": total.bound_by(),
                "energy_joules": total.energy} | {f"{key}_s": value for key, value in total.parts.items()})
    return pandas.DataFrame(rows, columns=columns)


def rank(what: Profiles, devices: Devices = None, *, model: str | os.PathLike | None = None,
         transfers: float = 0.0) -> "pandas.DataFrame":
    """The devices by the predicted time of all launches together, fastest first: the rows of `predict` with
    by="run", without the kernel. A device that is given twice is two cards of one model."""
    return _predict(what, devices, model, transfers, "run", cards=True).drop(columns="kernel")
