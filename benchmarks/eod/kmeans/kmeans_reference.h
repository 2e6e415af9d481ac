#pragma once

#include "eod/common/application.h"

#include <cstdint>
#include <vector>

namespace aiwc::eod::kmeans {

struct Shape {
  uint32_t points = 0;
  uint32_t features = 30;
  uint32_t clusters = 5;
};

/// Point-major: the features of point p begin at p * shape.features.
using Points = std::vector<float>;

/// Points around `clusters` means, normally distributed and overlapping, so that the centres need
/// several iterations to settle.
Points clusteredPoints(const Shape &shape, uint64_t seed);

/// Distinct points, drawn at random. At least as many points as clusters are needed.
Points initialCentres(const Shape &shape, const Points &points, uint64_t seed);

/// The mean of every cluster's points, summed in double precision; an empty cluster's centre
/// stays.
Points movedCentres(const Shape &shape, const Points &points,
                    const std::vector<int32_t> &membership, const Points &centres);

/// One iteration: where the centres were, and which one each point was assigned to.
struct Iteration {
  Points centres;
  std::vector<int32_t> membership;
};

/// Replays the iterations serially, in double precision. In each of them every point must have
/// gone to a centre that is nearest up to the rounding of single precision: a sum of f squares of
/// differences has a relative error of at most gamma = (f + 2) u / (1 - (f + 2) u), u = 2^-24, so
/// d(assigned) (1 - gamma) <= d(nearest) (1 + gamma). Points that have several such centres are
/// ties, which a device may break as its rounding falls; they are counted and reported. The
/// centres must be the means of the previous assignment, and the sum of squared distances must
/// never rise, which holds for Lloyd's algorithm whatever the input.
Verdict checkIterations(const Shape &shape, const Points &points,
                        const std::vector<Iteration> &iterations);

/// Whether `features` is `points` transposed, exactly.
Verdict checkTransposed(const Shape &shape, const Points &points,
                        const std::vector<float> &features);

} // namespace aiwc::eod::kmeans
