"""Device profiles."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable
from ctypes import byref, c_double, c_void_p

from . import _library
from .catalogue import parameters


class Device:
    """A device that times are predicted for. `devices` makes these objects."""

    id: str  #: "gtx1080"
    name: str  #: for people
    vendor: str
    series: str  #: may be ""
    type: str  #: "cpu", "gpu", "integrated_gpu" or "accelerator"
    year: int  #: when it was launched
    opencl: bool  #: whether an OpenCL implementation for it exists

    def __init__(self, library: _library.Handle, handle: int):
        self._library = library  # owns the handle
        self.handle = handle
        facts = _library.filled(_library.DeviceFacts, "device_describe", handle)
        for name in ("id", "name", "vendor", "series", "type"):
            setattr(self, name, _library.text(getattr(facts, name)))
        self.year = facts.year
        self.opencl = bool(facts.opencl)

    @functools.cached_property
    def parameters(self) -> dict[str, float | None]:
        """The value of each parameter by its name, in the unit that `aiwc.parameters()` says; None if
        it is not known."""
        values = {}
        for index, parameter in enumerate(parameters()):
            value = c_double()
            _library.call("device_parameter", self.handle, index, byref(value))
            values[parameter.name] = None if value.value != value.value else value.value
        return values

    def __repr__(self) -> str:
        return f"<aiwc.Device {self.id}: {self.name}>"


def devices(ids: str | Iterable[str] | None = None, folder: str | os.PathLike | None = None) -> list[Device]:
    """The devices with these ids (a list, or separated by commas), in this order; without `ids`, all that
    have OpenCL, by id; with "all", all.

    `folder` has device profiles; by default these are the folders of AIWC_DEVICES, or the profiles that
    come with the library. Raises NotFound for an unknown id, with similar ones, BadArgument for one that
    is given twice, and BadFile for a folder that cannot be read.
    """
    library = _library.Handle("device_library_free", "device_library_open",
                              None if folder is None else _library.encoded(folder))
    handle = c_void_p()
    if ids is None or ids == "all":
        found = []
        for index in range(_library.call("device_count", library.value)):
            _library.call("device_at", library.value, index, byref(handle))
            found.append(Device(library, handle.value))
        return [device for device in found if device.opencl or ids == "all"]
    chosen = ids.split(",") if isinstance(ids, str) else _library.sequence("ids", ids, "ids of devices", str)
    refuse_repeats(chosen)
    found = []
    for one in chosen:
        if "\0" in one:
            raise _library.NotFound(f"device {one!r}: expected an id such as gtx1080")
        _library.call("device_find", library.value, one.encode("utf-8", "surrogateescape"), byref(handle))
        found.append(Device(library, handle.value))
    return found


def refuse_repeats(ids: list[str]) -> None:
    """Raises BadArgument for an id that is given twice: times of devices are compared, of each once."""
    for place, one in enumerate(ids):
        if one in ids[:place]:
            raise _library.BadArgument(f"device {one!r} is given twice: expected each once")
