"""How charts look: the colours, dashes and markers of `aiwc report` (src/report/page), so that nobody needs to
tell colours apart. A test compares the two."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import NamedTuple

from .text import printable

DASHES = ["", "7 3", "2 3", "9 3 2 3", "4 2", "1 2", "12 4", "6 2 1 2 1 2"]
MARKERS = ["o", "s", "^", "D", "v", "x", "+", "_"]
LOOKS = len(MARKERS)
PIXELS_PER_INCH = 96


class Theme(NamedTuple):
    """Colours of a light or a dark page."""

    paper: str
    ink: str
    quiet: str
    rule: str
    hot: str
    colours: tuple[str, ...]  #: of the series


LIGHT = Theme("#ffffff", "#1c1f23", "#5a626b", "#d9dde2", "#f7a35c",
              ("#0072b2", "#d55e00", "#00875f", "#a8498c", "#8a6d00", "#2b95cf", "#5c6670", "#8b2c2c"))
DARK = Theme("#15181c", "#e8eaed", "#a3abb5", "#353b43", "#a3501a",
             ("#56a8e8", "#ff8b4a", "#35c99a", "#e29acb", "#e0c04a", "#8fd3ff", "#aab4be", "#ff9c9c"))


def plain(text: str, length: int = 40) -> str:
    """`text` for a drawing: on one line, cut, and never read as mathematics."""
    return printable(text, length).replace("$", r"\$")


def marker(index: int) -> str:
    return MARKERS[index % LOOKS]


def dash(index: int) -> object:
    """matplotlib's line style, for a line that is two points wide: dashes are multiples of its width."""
    pattern = [float(length) * 0.375 for length in DASHES[index % LOOKS].split()]
    return (0, tuple(pattern)) if pattern else "solid"


@contextlib.contextmanager
def style(theme: Theme) -> Iterator[None]:
    """Settings of matplotlib for all that is drawn and written inside. Files depend on nothing but what is
    drawn: no date, no random name, no settings of the user."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({
            "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "font.size": 9,
            "figure.facecolor": theme.paper, "savefig.facecolor": theme.paper, "axes.facecolor": theme.paper,
            "figure.dpi": PIXELS_PER_INCH, "savefig.dpi": 2 * PIXELS_PER_INCH,
            "text.color": theme.ink, "axes.labelcolor": theme.quiet, "axes.edgecolor": theme.rule,
            "xtick.color": theme.rule, "ytick.color": theme.rule, "xtick.labelcolor": theme.quiet,
            "ytick.labelcolor": theme.quiet, "axes.grid": True, "grid.color": theme.rule, "grid.linewidth": 0.75,
            "axes.axisbelow": True, "axes.spines.top": False, "axes.spines.right": False, "lines.linewidth": 1.5,
            "lines.markersize": 6, "lines.scale_dashes": True, "legend.frameon": False, "legend.fontsize": 9,
            "legend.labelcolor": theme.quiet, "xtick.minor.size": 0, "ytick.minor.size": 0,
            "svg.hashsalt": "aiwc", "svg.fonttype": "none", "pdf.fonttype": 42})
        yield
