#!/usr/bin/env python3
"""check_links.py ROOT: every relative link and anchor of the documents leads somewhere, and every file of the tree that
a document names in `code` exists."""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve()
FOLDERS = ["docs", "results", "examples", "kernels", "devices", "benchmarks", "tests", "src", "plugin", "sparse", "python"]
DOCUMENTS = sorted(ROOT.glob("*.md")) + sorted(
    path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md")
)
# What a name in `code` must begin with to be taken for a file of the tree.
TREE = r"(?:src|plugin|launcher|tests|benchmarks|docs|examples|kernels|devices|results|scripts|cmake|man)/"
LIBRARIES = r"(?:bitcode|capi|cli|common|embed|metrics|predict|profile|scaling|session|trace)/"


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
        elif re.fullmatch(LIBRARIES + r"[\w./-]+\.(?:h|cpp)", name):
            base = ROOT / "src"
        else:
            continue
        if not any(base.glob(name.rstrip("/"))):
            yield f"`{name}`: no such file"


problems = [
    f"{document.relative_to(ROOT)}: {problem}" for document in DOCUMENTS for problem in broken(document)
]
print("\n".join(problems) or f"{len(DOCUMENTS)} documents, every link leads somewhere")
sys.exit(1 if problems or len(DOCUMENTS) < 20 else 0)
