"""Runs: folders that `oclgrind --aiwc` wrote."""

from __future__ import annotations

import functools
import json
import os
import pathlib
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import _library
from .catalogue import catalogue
from .profiles import COLUMNS, LINE_COLUMNS, Profile, lines

if TYPE_CHECKING:
    import pandas


class RunWarning(UserWarning):
    """Something of a run is missing or was left out."""


@dataclass(frozen=True)
class Launch:
    """A kernel launch, as run.json lists it (docs/formats.md, "Runs")."""

    process: int  #: number of its process
    number: int  #: of the launch in its process, from 0
    kernel: str
    invocation: int  #: of this kernel name in its process, from 0
    global_size: tuple[int, ...]  #: in work-items, one per dimension of the NDRange
    local_size: tuple[int, ...]
    global_offset: tuple[int, ...]
    arguments: tuple[dict, ...]  #: with name, type, kind, bytes, and value or allocation
    engine: str
    profile: str | None  #: path of its profile; None if it has none
    alike_to: int | None  #: number of the launch of its process that this profile is of, if not its own
    source: str | None  #: path of the kernel's source; None if the run has not kept it
    facts: dict = field(repr=False)  #: all that run.json says of it


@dataclass(frozen=True)
class Kernel:
    """The profiles of a kernel."""

    name: str  #: the kernel's name, and what tells it from others of this name
    profiles: tuple[Profile, ...]  #: at least one, in the order of the launches; launches of one kind share theirs
    sources: dict[str, str] = field(repr=False)  #: of the run

    @property
    def kernel(self) -> str:
        return self.profiles[0].kernel

    @functools.cached_property
    def heaviest(self) -> Profile:
        """The launch that executes most instructions: it stands for the kernel where one launch has to."""
        return max(self.profiles, key=lambda profile: profile["total_instruction_count"] or 0)

    @functools.cached_property
    def source(self) -> str | None:
        """The text that line numbers refer to, if the run has kept it. Bytes that are not UTF-8 become
        U+FFFD."""
        path = self.sources.get(self.heaviest.file)
        if path is None:
            return None
        try:
            return pathlib.Path(path).read_bytes().decode("utf-8", "replace")
        except OSError as error:
            raise _library.BadFile(f"{path}: cannot be read: {error.strerror}: expected the kernels' source") from None

    def lines(self, cache_bytes: int = 32768, lanes: int = 32) -> list[dict[str, int]]:
        """What each source line did: `Run.lines`."""
        return lines(self.profiles, cache_bytes, lanes)


class Run:
    """The launches of a run and their profiles. `read_run` makes these objects."""

    path: str  #: as it was given
    name: str  #: for people: the folder or file
    command: list[str]  #: the application and its arguments; [] for profiles that no run lists
    seconds: float | None  #: from the application's start to its end, in the simulator
    launches: list[Launch]  #: all that the run lists, with and without a profile

    def __init__(self, path: str | os.PathLike):
        self.path = os.fsdecode(_library.encoded(path))
        self.name = os.path.basename(os.path.abspath(self.path))
        self.command = []
        self.seconds = None
        self.launches = []
        # Of each launch with a profile the file; if an earlier launch has this file, too, its own transfers;
        # and then, if the launch was characterised, its number of this kernel.
        self._launched: list[tuple[str, tuple[int, ...] | None, int | None]] = []
        self._sources: dict[str, str] = {}  # by profile
        self.is_folder = os.path.isdir(self.path)
        if self.is_folder:
            self._add_folder(self.path)
            if not self._launched:
                raise _library.BadFile(f"{self.path}: has no profiles: expected the folder of a run, or files "
                                       "aiwc_*.json in this folder or in folders in it")
        else:
            self._launched.append((self.path, None, None))
            _ = self.profiles  # raises what is wrong with the file

    def _add_folder(self, folder: str) -> None:
        try:
            names = sorted(os.listdir(folder), key=_natural)
        except OSError as error:
            raise _library.BadFile(f"{folder}: cannot be read: {error.strerror}") from None
        runs = [name for name in names if re.fullmatch(r"run(_[0-9]+)?\.json", name)]
        unlisted = {name for name in names
                    if name.startswith("aiwc_") and name.endswith(".json") and not name.endswith(".aiwc.json")}
        for name in runs:
            self._add_run(folder, name, unlisted)
        for path in (os.path.join(folder, name) for name in names if name in unlisted):
            self._launched.append((path, None, None))
        if not runs and not unlisted:
            for name in names:
                inner = os.path.join(folder, name)
                if not name.startswith(".") and os.path.isdir(inner):
                    self._add_folder(inner)

    def _add_run(self, folder: str, name: str, unlisted: set[str]) -> None:
        file = os.path.join(folder, name)
        content = _run_json(file)
        self.command = self.command or content["command"]
        self.seconds = self.seconds if self.seconds is not None else content.get("seconds")
        missing = 0
        listed: set[str] = set()  # and in the folder
        for facts in content["launches"]:
            profile = facts.get("profile")
            source = facts.get("source")
            # A name from the file of a run leads nowhere else.
            if source != os.path.basename(source or "/") or not os.path.isfile(os.path.join(folder, source)):
                source = None
            alike_to = facts.get("alike_to")
            own = profile in unlisted
            present = own or profile in listed
            path = os.path.join(folder, profile) if present else None
            missing += profile is not None and alike_to is None and not present
            self.launches.append(Launch(
                facts["process"], facts["number"], facts["kernel"], facts["invocation"],
                *(tuple(facts[key][:facts["work_dim"]]) for key in ("global_size", "local_size", "global_offset")),
                tuple(facts.get("arguments", ())), facts.get("engine", ""), path, alike_to,
                None if source is None else os.path.join(folder, source), facts))
            if own:
                unlisted.remove(profile)
                listed.add(profile)
                if source is not None:
                    self._sources[path] = os.path.join(folder, source)
            if present:
                moved = None if own else tuple(
                    int(facts.get(way, {}).get(what, 0)) for way in ("host_to_device", "device_to_host")
                    for what in ("bytes", "transfers"))
                stands_in = alike_to is not None or facts.get("nearest_to") is not None
                self._launched.append((path, moved, None if own or stands_in else facts["invocation"]))
        if missing:
            warnings.warn(f"{file}: {missing} of its profiles {'is' if missing == 1 else 'are'} not in the folder",
                          RunWarning, stacklevel=4)
        if content.get("seconds") is None:
            warnings.warn(f"{file}: the run has not ended, or was killed", RunWarning, stacklevel=4)
        if errors := content.get("errors"):
            warnings.warn(f"{file}: not all of the run is there: {errors[0]}", RunWarning, stacklevel=4)

    @functools.cached_property
    def profiles(self) -> list[Profile]:
        """The profiles of the launches that were characterised, read when they are first used: in the order of
        the launches, then those that no run lists. Launches that share a file each have their own transfers
        and number. Raises BadFile for a file that is no profile."""
        return [profile for profile, (_, moved, number) in zip(self.launched, self._launched, strict=True)
                if moved is None or number is not None]

    @functools.cached_property
    def launched(self) -> list[Profile]:
        """A profile for each launch that has one, in the order of the launches: its own, or that of the launch
        that represents it, with its own transfers. Predictions and sums over the launches are made of these."""
        made: dict[tuple, Profile] = {}
        for file, moved, number in self._launched:
            if moved is None:
                made[file, None, None] = Profile(file)
            elif (file, moved, number) not in made:
                made[file, moved, number] = made[file, None, None].with_transfers(moved, number)
        return [made[launched] for launched in self._launched]

    @functools.cached_property
    def kernels(self) -> list[Kernel]:
        """The profiles by kernel, in the order of their first launches. Kernels of one name with different code
        are different kernels."""
        groups: dict[tuple[str, str, str], list[Profile]] = {}
        for profile in self.launched:
            groups.setdefault(profile.identity, []).append(profile)
        return [Kernel(_label(key, groups), tuple(profiles), self._sources) for key, profiles in groups.items()]

    def metrics(self, errors: bool = False) -> "pandas.DataFrame":
        """A row per launch that was characterised, with the columns of `aiwc show --csv --wide`: the file, the
        kernel, its NDRange and what made the profile, then a column per metric, under its key. A missing value
        is NaN. With `errors`, each metric that has a standard error in one of the profiles (sampled
        work-groups) is followed by a column KEY_error."""
        import pandas

        columns = list(COLUMNS)
        rows = [profile.row() for profile in self.profiles]
        for metric in catalogue():
            columns.append(metric.key)
            if errors and any(profile.error(metric.key) is not None for profile in self.profiles):
                columns.append(f"{metric.key}_error")
                for row, profile in zip(rows, self.profiles, strict=True):
                    row[f"{metric.key}_error"] = profile.error(metric.key)
        return pandas.DataFrame({column: _column([row[column] for row in rows]) for column in columns})

    def lines(self, cache_bytes: int = 32768, lanes: int = 32, per_launch: bool = False) -> "pandas.DataFrame":
        """A row per kernel and source line, with the columns of `aiwc show --lines --csv`: the file of the
        first profile, the kernel, its launches and work-items, then the counts of the line, sums over the
        launches. Lines are in the order of the source; line 0 is what has no known line. `cache_bytes`
        is the size of the cache whose misses are counted, `lanes` (8, 16, 32 or 64) the size of the
        groups whose idle lanes are. With `per_launch`, each launch has rows of its own."""
        import pandas

        groups = [[profile] for profile in self.launched] if per_launch else [one.profiles for one in self.kernels]
        rows = []
        for profiles in groups:
            head = {"file": profiles[0].file, "kernel": profiles[0].kernel, "launches": len(profiles),
                    "work_items": sum(_work_items(profile) for profile in profiles)}
            rows += [head | counts for counts in lines(profiles, cache_bytes, lanes)]
        columns = ["file", "kernel", "launches", "work_items", *LINE_COLUMNS]
        return pandas.DataFrame({column: _column([row[column] for row in rows]) for column in columns})

    def __repr__(self) -> str:
        files = {file for file, _, _ in self._launched}
        return f"<aiwc.Run {self.path}: {len(files)} profiles>"


def read_run(path: str | os.PathLike) -> Run:
    """The run in a folder that `oclgrind --aiwc` wrote, all profiles of a folder without a run.json, those
    of the folders in a folder that has neither, or one JSON profile.

    Raises BadFile for anything else. Warns (RunWarning) if a run lists profiles that are not there, or
    has not ended."""
    return Run(path)


def _natural(name: str) -> tuple:
    """Orders numbers in names by their value: k_9 before k_10."""
    key: list[tuple[int, int]] = []
    for part in re.findall("[0-9]+|[^0-9]+", name):
        key += [(ord("0"), int(part))] if part[0] in "0123456789" else [(ord(c), 0) for c in part]
    return key, name


def _run_json(file: str) -> dict:
    expected = "expected the run.json that oclgrind --aiwc wrote"
    try:
        with open(file, encoding="utf-8", errors="replace") as text:
            content = json.load(text)
    except OSError as error:
        raise _library.BadFile(f"{file}: cannot be read: {error.strerror}: {expected}") from None
    except json.JSONDecodeError as error:
        raise _library.BadFile(f"{file}:{error.lineno}:{error.colno}: is not JSON: {error.msg}: {expected}") from None
    except RecursionError:
        raise _library.BadFile(f"{file}: is nested too deeply: {expected}") from None
    schema = content.get("schema_version") if isinstance(content, dict) else None
    if isinstance(schema, int) and schema > 2:
        raise _library.BadFile(f"{file}: schema_version {schema} is newer than 2, the newest this version reads")
    keys = ("process", "number", "kernel", "invocation", "global_size", "local_size")
    try:
        content["launches"] = _in_full(content["launches"])
        sound = schema in (1, 2) and isinstance(content["command"], list) and isinstance(
            content.get("errors", []), list) and all(
            all(key in launch for key in keys) and isinstance(launch.get("profile", ""), (str, type(None)))
            and isinstance(launch.get("alike_to", 0), int) and isinstance(launch.get("nearest_to", 0), int)
            and isinstance(launch.get("source", ""), (str, type(None))) and isinstance(launch["global_size"], list)
            and isinstance(launch["local_size"], list) for launch in content["launches"])
    except (TypeError, KeyError, AttributeError):
        sound = False
    if not sound:
        raise _library.BadFile(f"{file}: lacks what describes a run: {expected}")
    return content


def _in_full(launches: list[dict]) -> list[dict]:
    """The launches with all their members. A launch with `as`, the number of an earlier one of its process, has those of
    that launch which it does not give itself. Raises KeyError if there is no such launch."""
    full: dict[tuple[int, int], dict] = {}
    result = []
    for launch in launches:
        if "as" in launch:
            launch = full[launch["process"], launch["as"]] | launch
            del launch["as"]
        else:
            full[launch["process"], launch["number"]] = launch
        result.append(launch)
    return result


def _work_items(profile: Profile) -> int:
    items = 1
    for size in profile.global_size:
        items *= max(1, size)
    return items


def _column(values: Sequence) -> object:
    """A column of a data frame: None becomes NaN, so that counts with gaps are numbers, not objects."""
    import numpy

    if any(value is None for value in values):
        return numpy.array([numpy.nan if value is None else value for value in values], dtype=float)
    return values


def _label(key: tuple[str, str, str], groups) -> str:
    """The kernel's name; the start of the hash of its code or source, or its build options, if others have
    this name."""
    kernel, source, options = key
    others = [other for other in groups if other[0] == kernel and other != key]
    if not others:
        return kernel
    if any(other[1] != source for other in others):
        return f"{kernel} ({source[:16]})"
    return f"{kernel} ({options[:40] or 'without build options'})"
