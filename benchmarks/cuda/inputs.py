#!/usr/bin/env python3
"""Writes inputs for programs of the CUDA suite (suite.py) whose own input data lie outside their repository.

    inputs.py SOURCES

SOURCES has a folder per program. The files have the names that the programs' makefiles give them, and the formats that their sources
read. Numbers are random, from a fixed seed; sizes are those of the original, or the part of them that the notes below name. Files that
exist are kept.
"""
import array
import pathlib
import random
import sys


def graph(out):
    """2^16 nodes (1/16) with 2 to 10 edges each: first edge and degree of each node; where the search begins; target and cost of
    each edge."""
    nodes = 1 << 16
    degrees = [random.randint(2, 10) for _ in range(nodes)]
    first = 0
    lines = [str(nodes)]
    for degree in degrees:
        lines.append(f"{first} {degree}")
        first += degree
    lines += ["0", str(first), *(f"{random.randrange(nodes)} {random.randint(1, 10)}" for _ in range(first))]
    out.write_text("\n".join(lines) + "\n")


def points(out):
    """10,000 points (1/50) of 34 features."""
    out.write_text("".join(f"{i} " + " ".join(f"{random.random():.4f}" for _ in range(34)) + "\n" for i in range(10_000)))


def temperatures(out):
    out.write_text("".join(f"{random.uniform(320, 340):.3f}\n" for _ in range(512 * 512)))


def powers(out):
    out.write_text("".join(f"{random.uniform(0, 0.01):.6f}\n" for _ in range(512 * 512)))


def hurricanes(out):
    """Records of 48 characters: latitude from the 29th, longitude from the 34th."""
    out.write_text("".join(f"{'1950 9 6 12 4 GORDON':28}{random.uniform(7, 70):5.1f}{random.uniform(0, 358):5.1f}{'  35   0':10}\n"
                           for _ in range(4276)))


def locations(out):
    """Latitude and longitude of 2^21 places, no two of which are nearly antipodes: the programs' loops would not end."""
    out.write_text("".join(f"{random.uniform(10, 60):.5f} {random.uniform(-60, 60):.5f}\n" for _ in range(1 << 21)))


def matrices(out):
    """100,000 matrices (1/10) of 3 x 3."""
    out.write_text("100000\n" + "".join(" ".join(f"{random.uniform(-1, 1):.6f}" for _ in range(9)) + "\n" for _ in range(100_000)))


def regression(out):
    """96,453 pairs, as the program expects."""
    xs = [random.uniform(-20, 40) for _ in range(96_453)]
    out.write_text("".join(f"{x:.4f}\t{1.1 * x - 3 + random.gauss(0, 2):.4f}\n" for x in xs))


def image(out):
    """1024 x 1024 floats (1/16)."""
    out.write_bytes(array.array("f", (random.random() for _ in range(1 << 20))).tobytes())


def bits(out):
    out.write_bytes(bytes(random.getrandbits(1) for _ in range(1_000_000)))


def genome(out):
    out.write_text("".join(random.choices("ACGT", k=1_000_000)))


def words(out):
    """200,000 words (1/85) of a vocabulary of 2,000."""
    vocabulary = ["".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=random.randint(2, 9))) for _ in range(2000)]
    weights = [1 / (i + 1) for i in range(len(vocabulary))]
    out.write_text(" ".join(random.choices(vocabulary, weights, k=200_000)) + "\n")


FILES = {
    "data/bfs/graph1MW_6.txt": graph,
    "data/kmeans/kdd_cup": points,
    "data/hotspot/temp_512": temperatures,
    "data/hotspot/power_512": powers,
    **{f"data/nn/cane4_{i}.db": hurricanes for i in range(10)},
    "geodesic-sycl/locations.txt": locations,
    "svd3x3-cuda/Dataset_1M.txt": matrices,
    "lr-sycl/assets/temperature.txt": regression,
    "hogbom-cuda/data/dirty_4096.img": image,
    "hogbom-cuda/data/psf_4096.img": image,
    "permutate-cuda/test_data/truerand_1bit.bin": bits,
    "sa-cuda/genome.txt": genome,
    "word2vec-cuda/text8": words,
}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sources = pathlib.Path(sys.argv[1])
    for name, write in FILES.items():
        out = sources / name
        if not out.exists():
            random.seed(name)
            out.parent.mkdir(parents=True, exist_ok=True)
            write(out)


if __name__ == "__main__":
    main()
