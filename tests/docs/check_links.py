#!/usr/bin/env python3
"""check_links.py ROOT: every relative link and anchor of the documents leads somewhere, every file of the tree that
a document names in `code` exists, and so does every document that a source names."""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve()
WINGS = ["src", "compiler", "plugin", "host", "apps"]
FOLDERS = [*WINGS, "benchmarks", "cmake", "devices", "docs", "examples", "kernels", "scripts", "tests"]
DOCUMENTS = sorted(ROOT.glob("*.md")) + sorted(
    path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md")
)
SOURCES = [path for folder in FOLDERS
           for path in (ROOT / folder).rglob("*")
           if path.is_file() and path.suffix != ".pyc"]
# What a name in `code` must begin with to be taken for a file of the tree, or for a header of a library.
TREE = "(?:" + "|".join(FOLDERS) + ")/"
LIBRARIES = {path.name: path.parent for wing in WINGS for path in sorted((ROOT / wing).iterdir()) if path.is_dir()}


def without_code_blocks(text):
    return re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.M | re.S)


def anchors(path):
    found = []
    for heading in re.findall(r"^#+ +(.*?) *$", without_code_blocks(path.read_text()), flags=re.M):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.append(f"{anchor}-{found.count(anchor)}" if anchor in found else anchor)
    return found


def broken(document):
    text = without_code_blocks(document.read_text())
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = document.parent / name if name else document
        if not path.exists():
            yield f"link to {target}: no such file"
        elif anchor and path.suffix == ".md" and anchor not in anchors(path):
            yield f"link to {target}: no such heading"
    for name in re.findall(r"`([^`\n]+)`", text):
        if re.fullmatch(TREE + r"[\w./*-]*", name):
            base = ROOT
        elif re.fullmatch(r"\w+/[\w./-]+\.(?:h|cpp)", name) and name.split("/")[0] in LIBRARIES:
            base = LIBRARIES[name.split("/")[0]]
        else:
            continue
        if not any(base.glob(name.rstrip("/"))):
            yield f"`{name}`: no such file"


def missing(source):
    """The documents that a source names and that do not exist."""
    for name in sorted(set(re.findall(rb"\bdocs/[a-zA-Z_-]+\.md\b", source.read_bytes()))):
        if not (ROOT / name.decode()).exists():
            yield f"{name.decode()}: no such file"


problems = [
    f"{document.relative_to(ROOT)}: {problem}" for document in DOCUMENTS for problem in broken(document)
] + [f"{source.relative_to(ROOT)}: {problem}" for source in SOURCES for problem in missing(source)]
print("\n".join(problems) or f"{len(DOCUMENTS)} documents, every link leads somewhere")
sys.exit(1 if problems or len(DOCUMENTS) < 20 else 0)
