"""Numbers and names for people, in the words of `aiwc report`."""

from __future__ import annotations

import math
from collections.abc import Sequence


def digits(value: float, count: int) -> str:
    """`value` to `count` significant digits, thousands in groups."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else str(value)
    rounded = float(f"{value:.{count - 1}e}")
    if abs(rounded) >= 1e15 or abs(rounded) < 1e-4:
        return f"{rounded:.{count - 1}g}"
    places = max(0, count - 1 - math.floor(math.log10(abs(rounded))))
    text = f"{rounded:,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.995 * size or unit == "µs" and seconds >= 0.1 * size:
            return f"{digits(seconds / size, 2)} {unit}"
    return f"{digits(seconds * 1e9, 2)} ns" if seconds > 0 else "0"


def size(count: float) -> str:
    """A number of bytes: "32 KiB"."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{digits(count, 3)} {unit}"
        count /= 1024
    return f"{digits(count, 3)} TiB"


def short(value: float) -> str:
    for unit, factor in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if abs(value) >= factor:
            return f"{digits(value / factor, 3)} {unit}"
    return digits(value, 3)


def percent(share: float) -> str:
    return "<1 %" if 0 < share < 0.01 else f"{digits(100 * share, 2)} %"


def times(factor: float) -> str:
    return f"{digits(factor, 2 if factor < 100 else 3)}×"


def plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def listed(names: Sequence[str]) -> str:
    return "".join(names) if len(names) < 2 else f"{', '.join(names[:-1])} and {names[-1]}"


def printable(text: str, length: int = 200) -> str:
    """`text` on one line, of at most `length` characters; those that no page or drawing can hold appear as
    \\xNN."""
    result = "".join(c if c.isprintable() else "".join(f"\\x{byte:02x}" for byte in c.encode("utf-8", "surrogatepass"))
                     for c in text)
    return result if len(result) <= length else result[:length - 1] + "…"
