#!/usr/bin/env python3
"""Writes a sparse matrix of a structure that aiwc-sparse generate does not have: structures.py STRUCTURE NON_ZEROS SEED > FILE

A square Matrix Market pattern of about NON_ZEROS non-zeros:

elasticity   finite elements: triangles between the points of a grid that are moved at random, some of
             whose diagonals are flipped; three unknowns at a point, all coupled with those of the point
             and of its neighbours; points in the order of a Morton curve with some exchanged
kronecker    a stochastic Kronecker graph of a 3 x 3 matrix, two communities and a bridge; seven powers
             and more, nodes in random order (Leskovec et al. 2010; R-MAT is 2 x 2 and in order)
roads        junctions of a plane, joined to near ones by chains of 2 to 40 nodes; chains are numbered one
             after the other, junctions first
documents    terms of documents: 5 to 500 terms of each, of which the k-th is as frequent as 1/(k + 3)
             (Zipf and Mandelbrot); documents and terms in random order
circuit      elements between near nodes, a few of them far, and supplies to which many nodes connect
"""
import math
import random
import sys


def morton(x, y):
    key = 0
    for bit in range(16):
        key |= (x >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1)
    return key


def symmetric(edges):
    return {pair for a, b in edges for pair in ((a, b), (b, a))}


def elasticity(non_zeros, rng):
    # Seven points around each, nine non-zeros for each pair.
    side = max(3, round(math.sqrt(non_zeros / 63)))
    order = sorted(((x, y) for x in range(side) for y in range(side)), key=lambda at: morton(*at))
    for _ in range(len(order) // 50):
        a, b = rng.randrange(len(order)), rng.randrange(len(order))
        order[a], order[b] = order[b], order[a]
    number = {at: i for i, at in enumerate(order)}
    near = [{i} for i in range(len(order))]

    def join(a, b):
        near[number[a]].add(number[b])
        near[number[b]].add(number[a])

    for x in range(side):
        for y in range(side):
            if x + 1 < side:
                join((x, y), (x + 1, y))
            if y + 1 < side:
                join((x, y), (x, y + 1))
            if x + 1 < side and y + 1 < side:
                if rng.random() < 0.6:
                    join((x, y), (x + 1, y + 1))
                else:
                    join((x + 1, y), (x, y + 1))
    return 3 * len(order), ((3 * i + u, 3 * j + v) for i, of in enumerate(near) for u in range(3)
                            for j in sorted(of) for v in range(3))


def kronecker(non_zeros, rng):
    powers = max(7, round(math.log(non_zeros / 12, 3)))
    nodes = 3 ** powers
    places = [(0, 0, .26), (0, 1, .12), (1, 0, .10), (1, 1, .22), (1, 2, .03), (2, 1, .04),
              (2, 2, .16), (0, 2, .02), (2, 0, .05)]
    shares = [share for _, _, share in places]
    name = list(range(nodes))
    rng.shuffle(name)
    found = set()
    while len(found) < non_zeros:
        row = column = 0
        for r, c, _ in rng.choices(places, shares, k=powers):
            row, column = 3 * row + r, 3 * column + c
        found.add((name[row], name[column]))
    return nodes, found


def roads(non_zeros, rng):
    # A chain of 21 nodes in the mean has 44 non-zeros, in both directions; three begin at a junction.
    side = max(2, round(math.sqrt(non_zeros / 44 / 1.5)))
    junctions = side * side
    edges, nodes = [], junctions
    for x in range(side):
        for y in range(side):
            for dx, dy in ((1, 0), (0, 1), (1, 1)):
                if x + dx < side and y + dy < side and rng.random() < (0.65 if dx + dy < 2 else 0.2):
                    before = x * side + y
                    for _ in range(rng.randint(2, 40)):
                        edges.append((before, nodes))
                        before = nodes
                        nodes += 1
                    edges.append((before, (x + dx) * side + y + dy))
    return nodes, symmetric(edges)


def documents(non_zeros, rng):
    count = max(200, round(non_zeros / 60))
    weights, sums = 0.0, []
    for k in range(count):
        weights += 1 / (k + 3)
        sums.append(weights)
    terms = list(range(count))
    rng.shuffle(terms)
    found = set()
    for document in range(count):
        size = min(500, max(5, round(rng.lognormvariate(math.log(55), 0.7))))
        found.update((document, term) for term in rng.choices(terms, cum_weights=sums, k=size))
    return count, found


def circuit(non_zeros, rng):
    nodes = max(100, round(non_zeros / 7))
    edges = []
    for node in range(nodes):
        for _ in range(rng.choice((1, 2, 3))):
            other = (node + round(rng.expovariate(1 / 40)) + 1 if rng.random() < 0.95
                     else rng.randrange(nodes))
            if other < nodes and other != node:
                edges.append((node, other))
        if rng.random() < 0.45:
            edges.append((node, rng.choice((0, nodes // 3, nodes // 2, nodes - 1))))
    return nodes, symmetric((a, b) for a, b in edges if a != b) | {(i, i) for i in range(nodes)}


STRUCTURES = {of.__name__: of for of in (elasticity, kronecker, roads, documents, circuit)}


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in STRUCTURES:
        sys.exit(__doc__)
    rows, places = STRUCTURES[sys.argv[1]](float(sys.argv[2]), random.Random(int(sys.argv[3])))
    places = sorted(places)
    write = sys.stdout.write
    write(f"%%MatrixMarket matrix coordinate pattern general\n{rows} {rows} {len(places)}\n")
    for row, column in places:
        write(f"{row + 1} {column + 1}\n")


if __name__ == "__main__":
    main()
