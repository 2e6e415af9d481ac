"""Charts of what devices can do: roofline, caches, parallelism."""

from __future__ import annotations

import math

from . import drawing
from .look import LOOKS, plain
from .text import percent, short, size
from .times import NothingToDraw
from .view import View

_MOST_DEVICES = 6


def roofline(view: View):
    """Operations per second over operations per byte, with the limits of the devices."""
    some = view.kernels[:12]
    roofs = []
    for entry in view.entries[:_MOST_DEVICES]:
        values = entry.device.parameters
        rate = values["fp32_rate"] if values["fp32_rate"] is not None else values["fp64_rate"]
        if rate is not None:
            roofs.append((entry.device, values["cores"] * rate, values["dram_bandwidth"], int(values["cache_size"])))
    points = []
    for number, kernel in enumerate(some, 1):
        for device, peak, slope, cache in roofs:
            if kernel.operations > 0:
                points.append((number, device, kernel.operations / max(1, kernel.missed_bytes(cache)),
                               kernel.operations / view.seconds_of(kernel, device) / 1e9, peak, slope))
    if not points:
        raise NothingToDraw("the kernels compute nothing, or no device has a known peak")
    xs = [point[2] for point in points] + [peak / slope for _, peak, slope, _ in roofs]
    x_low = 10.0**math.floor(math.log10(min(xs) / 2))
    x_high = 10.0**math.ceil(math.log10(max(xs) * 2))
    y_low = 10.0**math.floor(math.log10(min(point[3] for point in points)))
    y_high = 10.0**math.ceil(math.log10(max(peak for _, peak, _, _ in roofs)))
    fig = drawing.figure(view, 420)
    axes = fig.subplots()
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(x_low, x_high)
    axes.set_ylim(y_low, y_high)
    for place, (device, peak, slope, _) in enumerate(roofs):
        begin = max(x_low, y_low / slope)
        drawing.line(axes, view, view.look_of(device), [begin, peak / slope, x_high], [begin * slope, peak, peak],
                     f"series-{place}")
    for _, device, x, y, _, _ in points:
        drawing.mark(axes, view, view.look_of(device), x, min(y, y_high), 8)
    tops: dict[int, tuple[float, float]] = {}  # of each kernel, the highest mark
    for number, _, x, y, _, _ in points:
        if number not in tops or y > tops[number][1]:
            tops[number] = (x, y)
    drawing.apart(axes, [(str(number), x, y) for number, (x, y) in tops.items()])
    floating = any(kernel.floating_point for kernel in some)
    axes.set_xlabel(f"{'floating-point operations' if floating else 'instructions'} per byte of DRAM")
    axes.set_ylabel("10⁹ per second")
    axes.tick_params(length=0)
    drawing.formatted(axes.xaxis, short, drawing.log_ticks(x_low, x_high, 10))
    drawing.formatted(axes.yaxis, short, drawing.log_ticks(y_low, y_high, 6))
    drawing.legend(axes, view, [drawing.sample(view, view.look_of(device), device.id, line=True)
                                for device, *_ in roofs])
    first = roofs[0][0]
    shares = [y / min(peak, x * slope) for _, device, x, y, peak, slope in points if device is first]
    reached = " to ".join(dict.fromkeys((percent(min(shares)), percent(max(shares)))))
    names = ", ".join(f"{number} {plain(kernel.name, 32)}" for number, kernel in enumerate(some, 1))
    return fig, (f"A line is what a device can reach, a mark what it is predicted to reach with a kernel ({names}). "
                 "Below the slope memory limits, below the flat part the cores do; a mark far below its line waits "
                 f"for something else. On {first.id} the kernels reach {reached} of it.")


def caches(view: View):
    """Miss ratio over the size of a cache, with the caches of the devices."""
    verticals = [(device.parameters[symbol], f"{device.id} {symbol.upper()}", view.look_of(device))
                 for device in view.devices[:_MOST_DEVICES] for symbol in ("l1", "l2", "l3")
                 if device.parameters[symbol] is not None]
    most = max([2.0**26] + [x * 1.1 for x, _, _ in verticals])
    sizes = []
    while (bytes_of_cache := 64 * 2**(len(sizes) / 8)) <= most:
        sizes.append(round(bytes_of_cache))
    curves = []
    for index, kernel in enumerate(view.kernels[:LOOKS]):
        misses, accesses = kernel.misses(sizes)
        if accesses:
            curves.append((index, kernel, [count / accesses for count in misses]))
    if not curves:
        raise NothingToDraw("the kernels access no global memory")
    fig = drawing.figure(view, 400)
    axes = fig.subplots()
    axes.set_xscale("log", base=2)
    axes.set_xlim(64, most)
    axes.set_ylim(0, 1.02)
    for place, (index, _, ratios) in enumerate(curves):
        drawing.line(axes, view, index, sizes, ratios, f"series-{place}", range(0, len(sizes), max(1, len(sizes) // 6)))
    axes.set_xlabel("size of the cache")
    axes.set_ylabel("accesses of lines that miss")
    axes.tick_params(length=0)
    drawing.formatted(axes.xaxis, size, drawing.log_ticks(64, most, max(3, view.width // 90), 2))
    drawing.share_axis(axes.yaxis)
    drawing.legend(axes, view, [drawing.sample(view, index, kernel.name, line=True) for index, kernel, _ in curves])
    drawing.verticals(axes, view, verticals)
    _, first, ratios = curves[0]
    fits = next(size_of for size_of, ratio in zip(sizes, ratios, strict=True) if ratio <= ratios[-1] + 0.01)
    return fig, ("How many accesses of cache lines miss a cache of each size (fully associative, least recently used "
                 "leaves), all launches together. Vertical lines are the caches of the devices. "
                 f"{plain(first.name)} needs {size(fits)}; a larger cache serves nothing more.")


def parallelism(view: View):
    """The floating-point operations that can run at once, and the cores of the devices."""
    curves = []
    for index, kernel in enumerate(view.kernels[:LOOKS]):
        levels = kernel.main.histogram("asap_fp_levels")
        total = sum(width * count for width, count in levels)
        if not total:
            continue
        xs, ys, left = [1.0], [1.0], total
        for width, count in levels:
            xs += [max(1, width), max(1, width)]
            ys += [left / total, (left - width * count) / total]
            left -= width * count
        curves.append((index, kernel, xs, ys))
    if not curves:
        raise NothingToDraw("the kernels have no floating-point operations, so there is no schedule of them")
    verticals = [(device.parameters["cores"], f"{device.id} cores", view.look_of(device)) for device in view.devices[:8]
                 if device.parameters["cores"] is not None]
    most = 2 * max(max(max(xs) for _, _, xs, _ in curves), *(x for x, _, _ in verticals))
    fig = drawing.figure(view, 360)
    axes = fig.subplots()
    axes.set_xscale("log")
    axes.set_xlim(1, most)
    axes.set_ylim(0, 1.02)
    for place, (index, _, xs, ys) in enumerate(curves):
        drawing.line(axes, view, index, xs, ys, f"series-{place}", range(0, len(xs), max(1, len(xs) // 6)))
    axes.set_xlabel("floating-point operations that can run at once (width of a level)")
    axes.set_ylabel("operations in levels as wide")
    axes.tick_params(length=0)
    drawing.formatted(axes.xaxis, short, drawing.log_ticks(1, most, max(3, view.width // 90)))
    drawing.share_axis(axes.yaxis)
    drawing.legend(axes, view, [drawing.sample(view, index, kernel.name, line=True) for index, kernel, *_ in curves])
    drawing.verticals(axes, view, verticals)
    _, first, xs, _ = curves[0]
    return fig, ("The share of the floating-point operations that at least so many others can accompany, if nothing "
                 "but data holds them up. Vertical lines are the cores of the devices: left of the fall, they are "
                 f"busy. The widest level of {plain(first.name)} has {short(max(xs))} operations.")


