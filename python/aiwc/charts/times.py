"""Charts of times: ranking, kernels, why, split, compare. Each returns its figure and what it means."""

from __future__ import annotations

import math

from ..predictions import split as divide
from . import drawing
from .look import dash, plain
from .text import duration, percent, plural, times
from .view import View


class NothingToDraw(Exception):
    """Why a run has no such chart."""


def ranking(view: View):
    """Predicted time by device, with intervals."""
    entries = view.entries
    if any(math.isnan(entry.low) for entry in entries):
        raise NothingToDraw("this model has no intervals")
    fig = drawing.figure(view, 62 + 28 * len(entries))
    axes = fig.subplots()
    low = min(entry.low for entry in entries) * 0.9
    high = max(entry.high for entry in entries) * 1.1
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    for row, entry in enumerate(entries):
        index = view.look_of(entry.device)
        colour = view.colour(index)
        axes.plot([entry.low, entry.high], [row, row], color=colour, alpha=0.35, linewidth=5, solid_capstyle="butt",
                  gid=f"series-{row}")
        for end in (entry.low, entry.high):
            axes.plot([end, end], [row - 0.22, row + 0.22], color=colour, linewidth=1.5)
        drawing.mark(axes, view, index, entry.seconds, row, 9)
        axes.annotate(duration(entry.seconds) + (" tie" if entry.tie else ""), (1, row),
                      xycoords=("axes fraction", "data"), xytext=(8, 0), textcoords="offset points", va="center")
    axes.set_yticks(range(len(entries)), [plain(entry.device.id) for entry in entries], color=view.theme.ink)
    axes.set_ylim(len(entries) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="both", length=0)
    axes.set_xlabel("predicted time, logarithmic")
    drawing.formatted(axes.xaxis, duration, drawing.log_ticks(low, high, max(2, (view.width - 200) // 75)))
    return fig, (f"The mark is the predicted time of {view.title}, the bar the interval that holds four of five times "
                 "of programs that the model was not fitted to. Devices whose bars overlap that of the first are a "
                 "tie.")


def kernels(view: View):
    """Predicted time by kernel and device."""
    most = 16
    rows = [(one.name, [view.seconds_of(one, entry.device) for entry in view.entries]) for one in view.kernels]
    rows.sort(key=lambda row: -row[1][0])
    fig = drawing.grouped_bars(view, rows[:most],
                               [(entry.device.id, view.look_of(entry.device)) for entry in view.entries], duration,
                               "predicted time of all launches")
    best = view.entries[0]
    return fig, (f"How the time divides among the kernels, all launches of a kernel together: {plain(rows[0][0])} takes "
                 f"{percent(rows[0][1][0] / best.seconds)} of the time on {best.device.id}."
                 + (f" The chart has the {most} longest of {len(rows)}." if len(rows) > most else ""))


def why(view: View):
    """Parts of the predicted time by device."""
    entries = view.entries
    rows = [(name, [entry.terms[key] / entry.seconds for entry in entries]) for key, name in view.parts.items()]
    rows = sorted((row for row in rows if max(row[1]) >= 0.005), key=lambda row: -sum(row[1]))
    columns = min(len(entries), max(1, (view.width - 130) // 105))
    blocks = math.ceil(len(entries) / columns)
    fig = drawing.figure(view, blocks * (46 + 26 * len(rows)))
    panels = fig.subplots(blocks, columns, squeeze=False)
    for axes in panels.flat[len(entries):]:
        axes.set_visible(False)
    for place, (axes, entry) in enumerate(zip(panels.flat, entries)):
        index = view.look_of(entry.device)
        shares = [values[place] for _, values in rows]
        axes.barh(range(len(rows)), shares, height=0.6, color=view.colour(index), alpha=0.78, gid=f"series-{place}")
        for row, share in enumerate(shares):
            axes.axhline(row + 0.5, color=view.theme.rule, linewidth=0.6)
            if share > 0:
                axes.annotate(percent(share), (share, row), (3, 0), textcoords="offset points", va="center",
                              fontsize=8)
        axes.set_xlim(0, 1 / max(0.15, 1 - 42 / max(50, (view.width - 150) / columns)))
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.tick_params(length=0)
        axes.grid(visible=False)
        for side in axes.spines.values():
            side.set_visible(False)
        cut = max(6, int((view.width - 150) / columns / 7))
        axes.set_title(f"{plain(entry.device.id, cut)}\n{duration(entry.seconds)}", loc="left", fontsize=9)
    for axes in panels[:, 0]:
        axes.set_yticks(range(len(rows)), [name for name, _ in rows], color=view.theme.ink)
    best = entries[0]
    return fig, (f"Which part of its time for {view.title} each device spends on what: on {best.device.id}, most of it is "
                 f"{view.parts[best.bound_by]}. A device with more of what the longest bar needs is faster; parts below "
                 "half a percent are left out.")


def split(view: View):
    """A launch divided among the devices."""
    if len(view.entries) < 2:
        raise NothingToDraw("choose two devices or more to divide a launch among them")
    kernel = view.kernels[0]
    devices = [entry.device for entry in view.entries]
    division = divide(kernel.main, devices, model=view.model)
    shares = division.shares.to_dict("records")
    groups = sum(share["work_groups"] for share in shares)
    gain = division.single_seconds / division.seconds
    end = max(division.seconds, division.single_seconds if gain > 1.02 else 0) * 1.04
    fig = drawing.figure(view, 90 + 30 * len(devices))
    axes = fig.subplots()
    axes.set_xlim(0, end)
    axes.set_ylim(len(devices) - 0.4, -0.6)
    for row, (device, share) in enumerate(zip(devices, shares, strict=True)):
        index = view.look_of(device)
        text = f"{plural(share['work_groups'], 'work-group')}, {percent(share['work_groups'] / groups)}"
        axes.barh([row], [share["finish_s"]], height=0.66, color=view.colour(index), alpha=0.78, gid=f"series-{row}")
        inside = share["finish_s"] / end * (view.width - 160) > 7 * len(text) + 20
        axes.annotate(text if share["work_groups"] else "nothing", (0 if inside else share["finish_s"], row), (6, 0),
                      textcoords="offset points", va="center",
                      bbox={"facecolor": view.theme.paper, "edgecolor": "none", "pad": 1.2, "alpha": 0.85})
    marks = [(division.seconds, f"all done: {duration(division.seconds)}")]
    if gain > 1.02:
        marks.append((division.single_seconds, f"{division.single} by itself: {duration(division.single_seconds)}"))
    for level, (at, text) in enumerate(marks):
        axes.axvline(at, color=view.theme.ink, linewidth=0.9, linestyle=dash(4))
        axes.annotate(text, (at, 1), xycoords=("data", "axes fraction"), xytext=(0, 3 + 13 * level),
                      textcoords="offset points", ha="right" if at > 0.6 * end else "center", fontsize=8.5)
    axes.set_yticks(range(len(devices)), [plain(device.id) for device in devices], color=view.theme.ink)
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="both", length=0)
    axes.set_xlabel("time since the common start")
    drawing.from_zero(axes.xaxis, duration, (view.width - 200) // 80)
    used = [share["device"] for share in shares if share["work_groups"]]
    what = f"The longest launch of {plain(kernel.name)} ({plural(groups, 'work-group')})"
    if len(used) > 1:
        return fig, (f"{what}, divided along {'xyz'[division.dimension]} so that the last device ends as early as "
                     f"possible: {times(gain)} faster than {division.single} by itself, as aiwc split says. Devices "
                     "work at the same time, each with its own link.")
    return fig, f"{what} is done first if {used[0]} does all of it: dividing it would gain nothing."


def compare(view: View):
    """Time before and after by kernel."""
    if view.compare is None:
        raise NothingToDraw("there is no run to compare with")
    before = {old.name: old for old in view.before}
    pairs = [(one, before[one.name]) for one in view.kernels if one.name in before]
    if not pairs:
        raise NothingToDraw(f"{view.compare.path} has none of these kernels")
    device = view.entries[0].device
    rows = [(one.name, [view.seconds_of(old, device), view.seconds_of(one, device)]) for one, old in pairs]
    rows.sort(key=lambda row: -row[1][1])
    fig = drawing.grouped_bars(view, rows[:12], [(f"{plain(view.compare.name, 30)} (before)", 6),
                                                 (f"{plain(view.run.name, 30)} (now)", 0)],
                               duration, f"predicted time on {device.id}")
    old, new = (sum(values[i] for _, values in rows) for i in (0, 1))
    change = f"{times(old / new)} faster" if new <= old else f"{times(new / old)} slower"
    return fig, (f"The kernels that both runs have, on {device.id}: {duration(old)} before, {duration(new)} now, "
                 f"{change}.")
