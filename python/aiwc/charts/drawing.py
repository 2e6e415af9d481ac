"""Pieces that several charts are made of: figures, axes, legends, marks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from .look import PIXELS_PER_INCH, dash, marker, plain
from .text import percent
from .view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def figure(view: View, height: float) -> "Figure":
    """An empty figure as wide as the view, `height` pixels high."""
    from matplotlib.figure import Figure

    result = Figure(figsize=(view.width / PIXELS_PER_INCH, height / PIXELS_PER_INCH), layout="constrained")
    result.get_layout_engine().set(w_pad=0.06, h_pad=0.06)
    return result


def formatted(axis, text: Callable[[float], str], ticks: Sequence[float] | None = None) -> None:
    """Labels an axis with `text`, at `ticks` or where matplotlib puts them."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    axis.set_major_formatter(FuncFormatter(lambda value, _: text(value)))
    axis.set_minor_locator(NullLocator())
    if ticks is not None:
        axis.set_major_locator(FixedLocator(list(ticks)))


def from_zero(axis, text: Callable[[float], str], count: int) -> None:
    """Labels an axis that begins at 0 with `text`, at most at `count` round values, so that two digits are
    enough for each."""
    from matplotlib.ticker import MaxNLocator

    formatted(axis, text)
    axis.set_major_locator(MaxNLocator(nbins=min(9, max(2, count)), steps=[1, 2, 5, 10]))


def log_ticks(low: float, high: float, count: int, base: int = 10) -> list[float]:
    """About `count` round values from low to high."""
    first = math.ceil(math.log(low, base) - 1e-9)
    last = math.floor(math.log(high, base) + 1e-9)
    few = base == 10 and last - first < 2
    step = 1 if few else max(1, math.ceil((last - first) / count))
    values = [m * float(base)**i for i in range(first - 1 if few else first, last + 1, step)
              for m in ((1, 2, 5) if few else (1,))]
    return [value for value in values if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]


def mark(axes: "Axes", view: View, index: int, x: float, y: float, size: float = 7, gid: str | None = None):
    """A marker of this look; filled ones have an edge in the colour of the paper."""
    shape = marker(index)
    open_shape = shape in "x+_"
    line, = axes.plot([x], [y], linestyle="none", marker=shape, markersize=size, color=view.colour(index),
                      markeredgecolor=view.colour(index) if open_shape else view.theme.paper,
                      markeredgewidth=2 if open_shape else 0.6, clip_on=False, zorder=4, gid=gid)
    return line


def sample(view: View, index: int, name: str, line: bool = False):
    """What a legend shows of a look."""
    from matplotlib.lines import Line2D

    shape = marker(index)
    return Line2D([], [], color=view.colour(index), marker=shape, markersize=6,
                  markeredgecolor=view.colour(index) if shape in "x+_" else view.theme.paper,
                  markeredgewidth=1.6 if shape in "x+_" else 0.5, linestyle=dash(index) if line else "none",
                  label=plain(name))


def legend(axes: "Axes", view: View, entries: Sequence, centre: bool = False) -> None:
    """A legend above the axes, from the left or in the centre, in as many columns as fit."""
    if not entries:
        return
    widest = max(len(entry.get_label()) for entry in entries) * 6.4 + 52
    columns = max(1, min(len(entries), int((view.width - 80) / widest)))
    # Legends fill columns first; readers expect rows.
    rows = math.ceil(len(entries) / columns)
    ordered = [entries[row * columns + column] for column in range(columns) for row in range(rows)
               if row * columns + column < len(entries)]
    axes.legend(handles=ordered, ncol=columns, loc="lower center" if centre else "lower left",
                bbox_to_anchor=(0.5, 1.08) if centre else (0, 1.0), borderaxespad=0.3,
                handlelength=3.2, columnspacing=1.4, handletextpad=0.5)


def verticals(axes: "Axes", view: View, lines: Sequence[tuple[float, str, int]]) -> None:
    """Vertical lines (x, name, look) with their names along them; a name that would cover another follows
    it, as long as there is room."""
    fig = axes.figure
    low, high = axes.get_xlim()
    shown = sorted(line for line in lines if low <= line[0] <= high)
    for x, name, index in shown:
        axes.axvline(x, color=view.colour(index), linestyle=dash(index), linewidth=0.9, alpha=0.75, zorder=1,
                     gid=f"vertical-{plain(name)}")
    fig.draw_without_rendering()  # places depend on the layout
    box = axes.get_window_extent()
    pixel = fig.dpi / PIXELS_PER_INCH
    last, down = -math.inf, 0.0
    for x, name, _ in shown:
        at = axes.transData.transform((x, 0))[0]
        if at - last >= 12 * pixel:
            last, down = at, 4 * pixel
        length = (len(name) * 6.2 + 8) * pixel
        if down + length > box.height:
            continue
        beside = 2 * pixel if last + 13 * pixel < box.x1 else -11 * pixel
        axes.annotate(plain(name), ((last + beside - box.x0) / box.width, 1 - down / box.height),
                      xycoords="axes fraction", rotation=90, ha="left", va="top", fontsize=8, color=view.theme.quiet,
                      zorder=3, bbox={"facecolor": view.theme.paper, "edgecolor": "none", "pad": 0.2, "alpha": 0.75})
        down += length


def line(axes: "Axes", view: View, index: int, xs: Sequence[float], ys: Sequence[float], gid: str,
         marks: Sequence[int] = ()) -> None:
    """A line of this look, with markers at the places `marks`."""
    shape = marker(index)
    axes.plot(xs, ys, color=view.colour(index), linestyle=dash(index), marker=shape if marks else "none",
              markevery=list(marks), markersize=6, markeredgewidth=1.6 if shape in "x+_" else 0.5,
              markeredgecolor=view.colour(index) if shape in "x+_" else view.theme.paper, zorder=3, gid=gid)


def grouped_bars(view: View, rows: Sequence[tuple[str, Sequence[float]]], columns: Sequence[tuple[str, int]],
                 text: Callable[[float], str], caption: str) -> "Figure":
    """Horizontal bars: a group per row, a bar per column (its name and look)."""
    fig = figure(view, 80 + len(rows) * (15 * len(columns) + 16) + 22 * math.ceil(len(columns) / 5))
    axes = fig.subplots()
    most = max((max(values) for _, values in rows), default=0) or 1e-12
    step = len(columns) + 1
    for column, (_, index) in enumerate(columns):
        places = [row * step + column for row in range(len(rows))]
        values = [value for _, values in rows for value in values[column:column + 1]]
        axes.barh(places, values, height=0.86, color=view.colour(index), alpha=0.78, gid=f"series-{column}")
        for place, value in zip(places, values, strict=True):
            axes.annotate(text(value), (value, place), (15, 0), textcoords="offset points", va="center", fontsize=8)
            shape = mark(axes, view, index, value, place, 5)
            shape.set_transform(axes.transData + _shift(fig, 7))
    axes.set_yticks([row * step + (len(columns) - 1) / 2 for row in range(len(rows))],
                    [plain(name, 34) for name, _ in rows], color=view.theme.ink)
    axes.set_ylim(len(rows) * step - 0.6, -0.9)
    axes.set_xlim(0, most * (1 + 75 / max(100, view.width - 240)))
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="both", length=0)
    axes.set_xlabel(caption)
    from_zero(axes.xaxis, text, (view.width - 200) // 80)
    legend(axes, view, [sample(view, index, name) for name, index in columns])
    return fig


def _shift(fig, points: float):
    from matplotlib.transforms import ScaledTranslation

    return ScaledTranslation(points / 72, 0, fig.dpi_scale_trans)


def apart(axes: "Axes", texts: Sequence[tuple[str, float, float]]) -> None:
    """Texts above points (in data coordinates); one that would cover another is left out."""
    axes.figure.draw_without_rendering()  # places depend on the layout
    pixel = axes.figure.dpi / PIXELS_PER_INCH
    taken: list[tuple[float, float, float]] = []
    for text, x, y in texts:
        at = axes.transData.transform((x, y))
        half = len(text) * 3.4 * pixel
        if any(abs(at[0] - other[0]) < half + other[2] and abs(at[1] - other[1]) < 13 * pixel for other in taken):
            continue
        taken.append((at[0], at[1], half))
        axes.annotate(text, (x, y), (0, 6), textcoords="offset points", ha="center", fontsize=8.5, zorder=5,
                      annotation_clip=False)


def share_axis(axis) -> None:
    formatted(axis, percent, [0, 0.2, 0.4, 0.6, 0.8, 1])
