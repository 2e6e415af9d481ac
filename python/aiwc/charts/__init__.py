"""The charts of `aiwc report`, drawn with matplotlib, for papers, slides and notebooks.

    chart = aiwc.charts.draw("ranking", run, devices="gtx1080,k40c,i7-6700k")
    chart.save("ranking.svg")
    print(chart.meaning)

`python3 -m aiwc.charts RUN -o DIR`, or `aiwc-charts`, writes them to files. A notebook shows a chart that is
the value of a cell.
"""

from __future__ import annotations

import io
import os
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import _library
from ..predictions import Devices, _chosen
from ..runs import Run, read_run
from . import machine, shapes, times
from .look import style
from .times import NothingToDraw
from .view import FIRST_DEVICES, View

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["CHARTS", "FORMATS", "Chart", "NothingToDraw", "draw", "draw_all"]

#: The charts by their names, in the order of the report.
CHARTS = {
    "ranking": times.ranking, "kernels": times.kernels, "why": times.why, "lines": shapes.lines, "split": times.split,
    "roofline": machine.roofline, "caches": machine.caches, "parallelism": machine.parallelism,
    "profile": shapes.profile, "likeness": shapes.likeness, "compare": times.compare,
}
FORMATS = ("svg", "png", "pdf")


@dataclass(frozen=True)
class Chart:
    """A chart and what it says."""

    name: str
    figure: "Figure"  #: matplotlib's, to be changed or saved
    meaning: str  #: a sentence or two
    view: View

    def bytes(self, form: str = "svg") -> bytes:
        """The chart as svg, png (two dots per pixel) or pdf. The same chart always gives the same bytes."""
        if form not in FORMATS:
            raise _library.BadArgument(f"format {form!r}: expected one of {', '.join(FORMATS)}")
        metadata = {"svg": {"Date": None, "Title": self.name, "Description": self.meaning}, "png": {},
                    "pdf": {"CreationDate": None, "Title": self.name, "Subject": self.meaning}}[form]
        content = io.BytesIO()
        with style(self.view.theme), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph .* missing from")  # a box is drawn in its place
            self.figure.savefig(content, format=form, metadata=metadata)
        return content.getvalue()

    def save(self, path: str | os.PathLike) -> None:
        """Writes the chart; the format is the end of the name. Raises BadArgument for another end, and BadFile
        if the file cannot be written."""
        content = self.bytes(os.path.splitext(os.fspath(path))[1][1:])
        try:
            with open(path, "wb") as file:
                file.write(content)
        except OSError as error:
            raise _library.BadFile(f"{os.fspath(path)}: cannot be written: {error.strerror}") from None

    def _repr_svg_(self) -> str:
        return self.bytes("svg").decode()


def _view(run: Run | str | os.PathLike, devices: Devices, compare: Run | str | os.PathLike | None, options) -> View:
    read = run if isinstance(run, Run) else read_run(run)
    other = compare if compare is None or isinstance(compare, Run) else read_run(compare)
    return View(read, _chosen(devices), compare=other, **options)


def _drawn(name: str, view: View) -> Chart:
    with style(view.theme):
        figure, meaning = CHARTS[name](view)
    return Chart(name, figure, meaning.replace(r"\$", "$"), view)


def draw(name: str, run: Run | str | os.PathLike, devices: Devices = FIRST_DEVICES, *,
         compare: Run | str | os.PathLike | None = None, kernel: str | None = None, dark: bool = False,
         width: int = 900, model: str | os.PathLike | None = None) -> Chart:
    """Draws one of `CHARTS` of a run.

    `devices` are as for `aiwc.predict`; by default those of `aiwc report`. `compare` is an earlier run,
    `kernel` the name of the only kernel to draw. `width` is in pixels of 1/96 inch; `dark` is for a dark
    page.

    Raises NotFound for an unknown chart, device or kernel, NothingToDraw if the run has no such chart, and
    whatever `aiwc.predict` does."""
    if name not in CHARTS:
        raise _library.NotFound(f"chart {name!r}: expected one of {', '.join(CHARTS)}")
    return _drawn(name, _view(run, devices, compare, {"kernel": kernel, "dark": dark, "width": width, "model": model}))


def draw_all(run: Run | str | os.PathLike, devices: Devices = FIRST_DEVICES, *, names=None, compare=None, **options):
    """The charts with these names, by default all, one after the other, as pairs of a name and a Chart, or the
    NothingToDraw that says why the run has none. Arguments are those of `draw`."""
    for name in names or CHARTS:
        if name not in CHARTS:
            raise _library.NotFound(f"chart {name!r}: expected one of {', '.join(CHARTS)}")
    view = _view(run, devices, compare, options)
    for name in names or CHARTS:
        try:
            yield name, _drawn(name, view)
        except NothingToDraw as nothing:
            yield name, nothing
