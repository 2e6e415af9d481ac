#!/usr/bin/env python3
"""run_console.py DOCUMENT FOLDER: what a document shows of a terminal is what happens.

The blocks ```console of the document hold commands (lines that begin with "$ ") and their output, standard error
included. This runs all of them in one shell, in a new folder with a copy of FOLDER's files, and compares the output
with the document. A line "..." in the document stands for any number of lines that are left out.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def steps(text):
    """The commands and, of each, the lines that follow it in its block."""
    for block in re.findall(r"^```console\n(.*?)^```$", text, flags=re.M | re.S):
        command, shown = None, []
        for line in block.splitlines():
            if line.startswith("$ "):
                if command is not None:
                    yield command, shown
                command, shown = line[2:], []
            elif command is not None and command.endswith("\\"):
                command += "\n" + line
            else:
                shown.append(line.rstrip())
        if command is not None:
            yield command, shown


def agrees(shown, lines):
    """Whether `lines` are those shown, with any number of lines for each "..."."""
    pattern = "".join("(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in lines)) is not None


document, folder = map(pathlib.Path, sys.argv[1:])
with tempfile.TemporaryDirectory() as work:
    shutil.copytree(folder, work, dirs_exist_ok=True)
    count = 0
    for command, shown in steps(document.read_text()):
        count += 1
        ran = subprocess.run(
            ["bash", "-c", command], cwd=work, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        if ran.returncode != 0 or not agrees(shown, ran.stdout.splitlines()):
            print(f"{document.name}: $ {command}\nexit status {ran.returncode}, output:\n{ran.stdout}")
            print("the document shows:\n" + "\n".join(shown))
            sys.exit(1)
    print(f"{document.name}: {count} commands do what the document shows")
    sys.exit(0 if count else 1)
