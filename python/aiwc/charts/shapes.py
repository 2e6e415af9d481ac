"""Charts of what kernels are like, whatever the device: profile (radar), likeness, lines."""

from __future__ import annotations

import math

from ..catalogue import catalogue
from ..profiles import lines as lines_of
from . import drawing
from .look import plain
from .text import digits, percent, plural
from .times import NothingToDraw
from .view import View

_AXES = [
    ("opcode_90", "opcodes"), ("total_instruction_count", "instructions"), ("freedom_to_reorder", "freedom to reorder"),
    ("work_items", "work-items"), ("barriers_hit", "barriers"), ("itb_median", "to barrier"),
    ("simd_operand_sum", "SIMD operands"), ("footprint_bytes", "footprint"),
    ("global_memory_address_entropy", "address entropy"), ("local_memory_address_entropy_3", "local entropy"),
    ("unique_branches", "branches"), ("yokota_branch_entropy", "branch entropy"),
    ("linear_branch_entropy", "branch history"),
]


def _axes() -> list[tuple[str, str, bool, bool]]:
    """Key, name, whether it is a fraction, and whether differences of it count as they are."""
    known = {metric.key: metric.fraction for metric in catalogue()}
    return [(key, name, known[key], known[key] or "entropy" in key) for key, name in _AXES if key in known]


def profile(view: View):
    """Radar of AIWC metrics."""
    some = view.kernels[:6]
    axes_of_radar = _axes()
    fig = drawing.figure(view, min(view.width, 560))
    axes = fig.add_subplot(projection="polar")
    axes.set_theta_offset(math.pi / 2)
    axes.set_theta_direction(-1)
    angles = [2 * math.pi * place / len(axes_of_radar) for place in range(len(axes_of_radar))]
    most = {key: max((one.main[key] or 0 for one in view.all_kernels), default=0) for key, *_ in axes_of_radar}
    for index, kernel in enumerate(some):
        values = []
        for key, _, fraction, linear in axes_of_radar:
            value = kernel.main[key] or 0
            scaled = 0 if not value else value if fraction else value / most[key] if linear else (
                math.log1p(value) / math.log1p(most[key]))
            values.append(min(1, scaled))
        drawing.line(axes, view, index, angles + angles[:1], values + values[:1], f"series-{index}",
                     range(len(values)))
    axes.set_ylim(0, 1)
    axes.set_yticks([0.25, 0.5, 0.75, 1], [])
    axes.set_xticks(angles, [name for _, name, *_ in axes_of_radar])
    for angle, label in zip(angles, axes.get_xticklabels(), strict=True):
        side = math.sin(angle)
        label.set_horizontalalignment("center" if abs(side) < 0.15 else "left" if side > 0 else "right")
    axes.tick_params(axis="x", pad=2)
    axes.spines["polar"].set_visible(False)
    drawing.legend(axes, view, [drawing.sample(view, index, kernel.name, line=True)
                                for index, kernel in enumerate(some)], centre=True)
    return fig, (f"What the kernels are like, independently of any device: {len(axes_of_radar)} metrics of AIWC. Shares "
                 "go from 0 in the middle to 1; of others, the rim is the largest value of any kernel of this run, "
                 "counts on a logarithmic scale. Kernels of the same shape ask for the same device.")


def principal(rows):
    """Principal components of a table of numbers whose columns are standardised: scores by row and component,
    the share of the variance of each component, its weights, the columns that vary, and the standardised
    table. The sign of a component is that of its largest weight, which is positive."""
    import numpy

    table = numpy.asarray(rows, dtype=float)
    mean, deviation = table.mean(axis=0), table.std(axis=0)
    kept = numpy.flatnonzero(deviation > 1e-12 * numpy.maximum(1, abs(mean)))
    points = (table[:, kept] - mean[kept]) / deviation[kept]
    values, vectors = numpy.linalg.eigh(points.T @ points / len(points))
    order = numpy.argsort(-values, kind="stable")
    values, weights = numpy.maximum(0, values[order]), vectors[:, order].T
    for weight in weights:
        if weight[numpy.argmax(abs(weight))] < 0:
            weight *= -1
    return points @ weights.T, values / max(values.sum(), 1e-300), weights, kept, points


def likeness(view: View):
    """Kernels by the first two principal components of their metrics."""
    import numpy

    metrics = _axes()
    ones = [(one, plain(one.name, 26), 0) for one in view.all_kernels]
    if view.compare is not None:
        name = plain(view.compare.name, 20)
        ones += [(one, f"{plain(one.name, 26)} ({name})", 6) for one in view.before]
    if len(ones) < 3:
        raise NothingToDraw("there are fewer than three kernels")
    rows = [[(one.main[key] or 0) if linear else math.log1p(one.main[key] or 0) for key, _, _, linear in metrics]
            for one, *_ in ones]
    scores, shares, weights, kept, points = principal(rows)
    if len(shares) < 2:
        raise NothingToDraw("the kernels differ in fewer than two metrics")
    fig = drawing.figure(view, 430)
    axes = fig.subplots()
    for place, ((_, _, index), score) in enumerate(zip(ones, scores, strict=True)):
        drawing.mark(axes, view, index, score[0], score[1], 8, f"series-{place}")
    for which, set_limits in enumerate((axes.set_xlim, axes.set_ylim)):
        low, high = scores[:, which].min(), scores[:, which].max()
        margin = 0.12 * (high - low) or 1
        set_limits(low - margin, high + margin)
    named = [", ".join(metrics[kept[place]][1] for place in numpy.argsort(-abs(weight), kind="stable")[:3])
             for weight in weights[:2]]
    axes.set_xlabel(f"first component, {percent(shares[0])}: {named[0]}")
    axes.set_ylabel(f"second, {percent(shares[1])}: {named[1]}")
    for axis in (axes.xaxis, axes.yaxis):
        drawing.formatted(axis, lambda value: digits(0 if abs(value) < 1e-9 else value, 2))
    axes.tick_params(length=0)
    drawing.apart(axes, [(label, score[0], score[1]) for (_, label, _), score in zip(ones, scores, strict=True)])
    if view.compare is not None:
        drawing.legend(axes, view, [drawing.sample(view, 0, view.run.name), drawing.sample(view, 6, view.compare.name)])
    focus = next(place for place, (one, *_) in enumerate(ones) if one is view.kernels[0])
    far = numpy.linalg.norm(points - points[focus], axis=1)
    far[focus] = numpy.inf
    return fig, ("Kernels that are close to each other are alike in the metrics of the radar, whatever the device. The "
                 "axes are the two directions in which these kernels differ most, and the metrics that count most in "
                 f"them. {plain(view.kernels[0].name)} is most like {ones[int(far.argmin())][1]}.")


#: Name and count of each column of the chart of source lines.
MEASURES = {
    "instructions": "instructions",
    "cache misses": "cache_misses",
    "idle lanes": "idle_lanes",
    "mispredicted": "mispredictions",
}


def lines(view: View):
    """Source lines of the kernel that takes longest: instructions, misses, idle lanes, mispredicted branches."""
    most = 30
    kernel = view.kernels[0]
    rows = [row for row in lines_of([kernel.main], 64 * 1024, 32) if any(row[key] for key in MEASURES.values())]
    if not rows:
        raise NothingToDraw("the profile has no lines: the program was built without them")
    totals = {key: sum(row[key] or 0 for row in rows) for key in MEASURES.values()}
    shown = sorted(rows, reverse=True,
                   key=lambda row: max((row[key] or 0) / totals[key] for key in totals if totals[key]))[:most]
    shown.sort(key=lambda row: (row["line"] == 0, row["line"]))
    source = (kernel.kernel.source or "").splitlines()
    room = max(14, int(view.width * 0.42 / 6))
    names = []
    for row in shown:
        number = row["line"]
        text = source[number - 1].strip() if 0 < number <= len(source) else "" if number else "without a line"
        names.append(plain(f"{number or '?':>4}  {text}", room))
    fig = drawing.figure(view, 70 + 17 * len(shown))
    panels = fig.subplots(1, len(MEASURES), sharey=True)
    for place, (axes, (name, key)) in enumerate(zip(panels, MEASURES.items(), strict=True)):
        shares = [(row[key] or 0) / totals[key] if totals[key] else 0 for row in shown]
        axes.barh(range(len(shown)), shares, height=0.72, color=view.colour(1), alpha=0.85, gid=f"series-{place}")
        for row, share in enumerate(shares):
            if share >= 0.01:
                axes.annotate(percent(share), (share, row), (3, 0), textcoords="offset points", va="center",
                              fontsize=7.5)
        axes.set_xlim(0, max(max(shares), 0.05) * 1.9)
        axes.set_ylim(len(shown) - 0.4, -0.6)
        axes.set_xticks([])
        axes.tick_params(length=0)
        axes.grid(visible=False)
        axes.set_title(name, loc="left", fontsize=9)
    panels[0].set_yticks(range(len(shown)), names, family="DejaVu Sans Mono", fontsize=7.5, color=view.theme.ink,
                         ha="left")
    panels[0].tick_params(axis="y", pad=room * 4.65)
    hottest = max(rows, key=lambda row: row["instructions"])
    return fig, (f"Where the instructions, the misses of a cache of 64 KiB, the idle lanes of groups of 32 and the "
                 f"mispredicted branches of {plain(kernel.name, 60)} are, as shares of all: line {hottest['line'] or '?'} has "
                 f"{percent(hottest['instructions'] / max(1, totals['instructions']))} of the instructions."
                 + ("" if source else " The run has not kept the source.")
                 + (f" {plural(len(rows) - len(shown), 'line')} with less are left out." if len(rows) > most else ""))

