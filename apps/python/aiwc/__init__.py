"""Runs of `oclgrind --aiwc`, their profiles and the times that devices take for them, as data frames.

    import aiwc

    run = aiwc.read_run("aiwc-app")      # the folder that oclgrind --aiwc wrote
    run.metrics()                        # a row per profile, a column per metric
    run.lines()                          # a row per source line
    aiwc.predict(run, "gtx1080,k40m")    # a row per kernel and device

The numbers come from libaiwc.so: no metric and no time is computed here, except for sums. Data frames
need pandas, which is imported when it is first used.

Errors are exceptions derived from `aiwc.Error` with the library's message, one line that names the
file, device or argument. Units are seconds, bytes and joules.
"""

from ._library import (
    BadArgument,
    BadFile,
    Error,
    LibraryMissing,
    MissingParameter,
    NotFound,
    UnusableProfile,
    version,
)
from .catalogue import Metric, Parameter, catalogue, parameters
from .devices import Device, devices
from .predictions import predict, rank
from .profiles import Profile
from .runs import Kernel, Launch, Run, RunWarning, read_run

__all__ = [
    "BadArgument", "BadFile", "Device", "Error", "Kernel", "Launch", "LibraryMissing", "Metric", "MissingParameter", "NotFound", "Parameter", "Profile", "Run", "RunWarning", "UnusableProfile",
    "catalogue", "devices", "parameters", "predict", "rank", "read_run", "version",
]
