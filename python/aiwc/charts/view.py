"""What a chart is drawn of: a run, devices, and what follows from them."""

from __future__ import annotations

import functools
import os
from collections import Counter
from collections.abc import Iterable

from .. import _library
from ..devices import Device
from ..predictions import part_names, predict
from ..profiles import Profile
from ..runs import Kernel, Run
from .look import DARK, LIGHT, plain

#: Two CPUs and three GPUs of different vendors, of those that the published model knows best.
FIRST_DEVICES = "i7-6700k,i5-3350,gtx1080,k40c,fiji-furyx"


class Entry:
    """A device and the time that the kernels take on it."""

    def __init__(self, device: Device, row: dict):
        self.device = device
        self.seconds, self.low, self.high = row["seconds"], row["low"], row["high"]
        self.tie, self.bound_by, self.known = bool(row["tie"]), row["bound_by"], bool(row["known_device"])
        self.terms = {key[:-2]: value for key, value in row.items() if key.endswith("_s")}


class Used:
    """A kernel, without the launches that cannot be predicted."""

    def __init__(self, kernel: Kernel, profiles: list[Profile]):
        self.kernel = kernel
        self.name = kernel.name
        self.profiles = profiles

    @property
    def main(self) -> Profile:
        """The launch that stands for the kernel: the one that executes most instructions."""
        return max(self.profiles, key=lambda profile: profile["total_instruction_count"] or 0)

    @functools.cached_property
    def counted(self) -> list[tuple[Profile, int]]:
        """The different profiles, and how many launches each stands for."""
        return list(Counter(self.profiles).items())

    @functools.cached_property
    def floating_point(self) -> bool:
        return any(profile.floating_point for profile in self.profiles)

    @functools.cached_property
    def operations(self) -> float:
        """Of all launches: floating-point operations, or instructions if there are hardly any."""
        key = "fp_ops" if self.floating_point else "total_instruction_count"
        return sum(profile[key] or 0 for profile in self.profiles)

    def misses(self, sizes: list[int]) -> tuple[list[int], int]:
        """Profile.misses, summed over the launches."""
        total = [0] * len(sizes)
        accesses = 0
        for profile, launches in self.counted:
            misses, of_launch = profile.misses(sizes)
            total = [sum_of_others + launches * missed for sum_of_others, missed in zip(total, misses, strict=True)]
            accesses += launches * of_launch
        return total, accesses

    def missed_bytes(self, cache_bytes: int) -> int:
        return sum(launches * profile.misses([cache_bytes])[0][0] * profile.line_bytes
                   for profile, launches in self.counted)


class View:
    """A run on devices. `kernel` chooses one kernel by its name; all others are left out."""

    def __init__(self, run: Run, devices: Iterable[Device], *, compare: Run | None = None, kernel: str | None = None,
                 dark: bool = False, width: int = 900, model: str | os.PathLike | None = None):
        self.run = run
        self.compare = compare
        self.theme = DARK if dark else LIGHT
        self.width = width
        self.model = model
        self.devices = list(devices)
        self.all_kernels = self._usable(run)
        self.kernels = self.all_kernels
        if kernel is not None:
            self.kernels = [one for one in self.all_kernels if kernel in (one.name, one.kernel.kernel)]
            if not self.kernels:
                names = ", ".join(plain(one.name, 60) for one in self.all_kernels[:10])
                raise _library.NotFound(f"{run.path}: has no kernel {plain(kernel, 60)}: expected one of {names}")
        fastest = self.entries[0].device
        weight = {id(one): self.seconds_of(one, fastest) for one in self.kernels}
        self.kernels = sorted(self.kernels, key=lambda one: -weight[id(one)])

    def _usable(self, run: Run) -> list[Used]:
        """The kernels of a run that have a launch that can be predicted. Raises the first one's reason if
        there are none."""
        reason = None
        found = []
        for kernel in run.kernels:
            profiles = []
            for profile in kernel.profiles:
                try:
                    predict(profile, self.devices[:1], model=self.model)
                    profiles.append(profile)
                except _library.UnusableProfile as error:
                    reason = reason or error
            if profiles:
                found.append(Used(kernel, profiles))
        if not found:
            raise reason
        return found

    def _predicted(self, profiles: list[Profile], by: str = "run"):
        return predict(profiles, self.devices, model=self.model, by=by)

    @functools.cached_property
    def entries(self) -> list[Entry]:
        """The devices by the time of all kernels, fastest first."""
        by_id = {device.id: device for device in self.devices}
        frame = self._predicted([profile for one in self.kernels for profile in one.profiles])
        return [Entry(by_id[row["device"]], row) for row in frame.to_dict("records")]

    @functools.lru_cache(maxsize=None)
    def _seconds(self, used: Used) -> dict[str, float]:
        frame = self._predicted(used.profiles)
        return dict(zip(frame["device"], frame["seconds"], strict=True))

    def seconds_of(self, used: Used, device: Device) -> float:
        """The time of all launches of the kernel."""
        return self._seconds(used)[device.id]

    @functools.cached_property
    def before(self) -> list[Used]:
        """The kernels of the run that this one is compared with."""
        return self._usable(self.compare) if self.compare is not None else []

    @functools.cached_property
    def parts(self) -> dict[str, str]:
        return part_names(self.model)

    def look_of(self, device: Device) -> int:
        """Which colour, dash and marker a device has: always those of its place in the list."""
        return next(place for place, other in enumerate(self.devices) if other.id == device.id)

    @property
    def title(self) -> str:
        if len(self.kernels) == 1:
            return plain(self.kernels[0].name, 60)
        return "all kernels"  # no others were chosen

    def colour(self, index: int) -> str:
        return self.theme.colours[index % len(self.theme.colours)]
