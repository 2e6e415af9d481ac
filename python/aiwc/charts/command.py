"""The command aiwc-charts."""

from __future__ import annotations

import argparse
import os
import sys
import warnings

from .. import _library
from .text import printable

_WIDTHS = (300, 4000)


def _parser() -> argparse.ArgumentParser:
    from . import CHARTS, FORMATS
    from .view import FIRST_DEVICES

    parser = argparse.ArgumentParser(
        prog="aiwc-charts", description="Draw the charts of `aiwc report` as files, for papers and slides.",
        epilog="Examples: aiwc-charts profiles -o charts | aiwc-charts profiles --chart roofline --format pdf",
        allow_abbrev=False)
    parser.add_argument("run", metavar="RUN", help="the folder of a run, or a JSON profile")
    parser.add_argument("-o", "--output", metavar="DIR", default="charts",
                        help="write the charts into this folder, and make it if it is missing (default: %(default)s)")
    parser.add_argument("--format", choices=FORMATS, default="svg", help="of the files (default: %(default)s)")
    parser.add_argument("--chart", metavar="NAME", action="append", dest="charts", choices=tuple(CHARTS),
                        help=f"draw this chart; may be repeated (default: all): {', '.join(CHARTS)}")
    parser.add_argument("--devices", metavar="IDS", default=FIRST_DEVICES,
                        help="device ids, separated by commas (default: %(default)s)")
    parser.add_argument("--compare", metavar="RUN", help="an earlier run to compare with")
    parser.add_argument("--kernel", metavar="NAME", help="draw only this kernel")
    parser.add_argument("--model", metavar="published|FILE", default="published",
                        help="a file that aiwc model train wrote (default: %(default)s)")
    parser.add_argument("--dark", action="store_true", help="for a dark page")
    parser.add_argument("--width", metavar="PIXELS", type=int, default=900,
                        help="of 1/96 inch; a PNG has two dots per pixel (default: %(default)s)")
    parser.add_argument("--version", action="version", version=f"aiwc-charts {_library.version()}")
    return parser


def _write(options: argparse.Namespace) -> int:
    from . import NothingToDraw, draw_all

    if not _WIDTHS[0] <= options.width <= _WIDTHS[1]:
        raise _library.BadArgument(f"--width {options.width}: expected {_WIDTHS[0]} to {_WIDTHS[1]} pixels")
    if options.model == "automatch":
        raise _library.BadArgument("--model automatch: expected published, or a file that aiwc model train wrote: charts show "
                                   "intervals, which this model does not have")
    written = False
    for name, chart in draw_all(options.run, options.devices, names=options.charts, compare=options.compare,
                                kernel=options.kernel, dark=options.dark, width=options.width, model=options.model):
        if isinstance(chart, NothingToDraw):
            if options.charts or name != "compare":
                _say(f"{name}: left out: {chart}")
            continue
        try:
            os.makedirs(options.output, exist_ok=True)
        except OSError as error:
            raise _library.BadFile(f"{options.output}: cannot be made: {error.strerror}: expected a folder") from None
        path = os.path.join(options.output, f"{name}.{options.format}")
        chart.save(path)
        print(f"{printable(path, 4096)}: {chart.meaning}")
        written = True
    return 0 if written else 1


def _say(message: object) -> None:
    print(f"aiwc-charts: {printable(str(message), 4096)}", file=sys.stderr)


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit status: 0, 1 if something could not be drawn or written, 2 if the
    command line is wrong."""
    warnings.showwarning = lambda message, *_, **__: _say(message)
    for stream in (sys.stdout, sys.stderr):  # whatever the locale is
        stream.reconfigure(errors="backslashreplace")
    try:
        status = _write(_parser().parse_args(arguments))
        sys.stdout.flush()
        return status
    except _library.Error as error:
        _say(error)
    except ImportError as error:
        _say(f"{error}: expected the Debian packages python3-pandas and python3-matplotlib")
    except BrokenPipeError:  # nobody reads the meanings any more; the files are written
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    return 1
