#include "eod/kmeans/kmeans_reference.h"

#include "eod/common/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace aiwc::eod::kmeans {
namespace {

double squaredDistance(const Shape &shape, const float *point, const float *centre) {
  double sum = 0;
  for (uint32_t f = 0; f < shape.features; ++f) {
    const double difference = static_cast<double>(point[f]) - centre[f];
    sum += difference * difference;
  }
  return sum;
}

/// What one point's assignment is worth.
struct Assignment {
  double assigned = 0; ///< squared distance to the centre it was given
  double nearest = std::numeric_limits<double>::infinity();
  uint32_t candidates = 0; ///< centres that rounding cannot tell from the nearest
};

Assignment assess(const Shape &shape, const float *point, const Points &centres, int32_t given,
                  double slack) {
  std::vector<double> distances(shape.clusters);
  Assignment result;
  for (uint32_t c = 0; c < shape.clusters; ++c) {
    distances[c] = squaredDistance(shape, point, &centres[static_cast<size_t>(c) * shape.features]);
    result.nearest = std::min(result.nearest, distances[c]);
  }
  result.assigned = distances[given];
  result.candidates = static_cast<uint32_t>(
      std::ranges::count_if(distances, [&](double d) { return d <= result.nearest * slack; }));
  return result;
}

} // namespace

Points clusteredPoints(const Shape &shape, uint64_t seed) {
  constexpr float kSpread = 0.5f; // of the points of a cluster; the means lie in a cube of edge 1
  Random random(seed);
  Points means(static_cast<size_t>(shape.clusters) * shape.features);
  for (float &mean : means)
    mean = random.uniform();
  Points points;
  points.reserve(static_cast<size_t>(shape.points) * shape.features);
  for (uint32_t p = 0; p < shape.points; ++p) {
    const size_t cluster = random.below(shape.clusters);
    for (uint32_t f = 0; f < shape.features; ++f)
      points.push_back(means[cluster * shape.features + f] + kSpread * random.normal());
  }
  return points;
}

Points initialCentres(const Shape &shape, const Points &points, uint64_t seed) {
  Random random(~seed);
  std::vector<uint32_t> chosen;
  while (chosen.size() < shape.clusters) {
    const uint32_t point = random.below(shape.points);
    if (std::ranges::find(chosen, point) == chosen.end())
      chosen.push_back(point);
  }
  Points centres;
  for (uint32_t point : chosen) {
    const auto begin = points.begin() + static_cast<ptrdiff_t>(point) * shape.features;
    centres.insert(centres.end(), begin, begin + shape.features);
  }
  return centres;
}

Points movedCentres(const Shape &shape, const Points &points,
                    const std::vector<int32_t> &membership, const Points &centres) {
  std::vector<double> sums(centres.size());
  std::vector<uint32_t> members(shape.clusters);
  for (uint32_t p = 0; p < shape.points; ++p) {
    const auto cluster = static_cast<size_t>(membership[p]);
    ++members[cluster];
    for (uint32_t f = 0; f < shape.features; ++f)
      sums[cluster * shape.features + f] += points[static_cast<size_t>(p) * shape.features + f];
  }
  Points moved = centres;
  for (size_t i = 0; i < moved.size(); ++i)
    if (const uint32_t count = members[i / shape.features])
      moved[i] = static_cast<float>(sums[i] / count);
  return moved;
}

Verdict checkIterations(const Shape &shape, const Points &points,
                        const std::vector<Iteration> &iterations) {
  const double roundings = (shape.features + 2) * 0x1p-24;
  const double gamma = roundings / (1 - roundings);
  const double slack = (1 + gamma) / (1 - gamma);
  uint64_t ties = 0;
  double lastSum = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < iterations.size(); ++i) {
    const auto &[centres, membership] = iterations[i];
    if (i > 0 && centres != movedCentres(shape, points, iterations[i - 1].membership,
                                         iterations[i - 1].centres))
      return {false, fmt::format("iteration {}: the centres are not the means", i)};
    double sum = 0;
    for (uint32_t p = 0; p < shape.points; ++p) {
      if (membership[p] < 0 || static_cast<uint32_t>(membership[p]) >= shape.clusters)
        return {false, fmt::format("iteration {}: point {} is in cluster {} of {}", i, p,
                                   membership[p], shape.clusters)};
      const Assignment found = assess(shape, &points[static_cast<size_t>(p) * shape.features],
                                      centres, membership[p], slack);
      if (!(found.assigned <= found.nearest * slack))
        return {false, fmt::format("iteration {}: point {} went to a centre at squared distance "
                                   "{}, the nearest is at {}",
                                   i, p, found.assigned, found.nearest)};
      ties += found.candidates > 1;
      sum += found.assigned;
    }
    // The centres are rounded to single precision, the assignments to the slack.
    if (sum > lastSum * slack)
      return {false, fmt::format("iteration {}: the sum of squared distances rose from {} to {}", i,
                                 lastSum, sum)};
    lastSum = sum;
  }
  return {true, fmt::format("{} iterations, every point at its nearest centre within {:.2g}, {} "
                            "ties, sum of squared distances {:.6g}",
                            iterations.size(), slack - 1, ties, lastSum)};
}

Verdict checkTransposed(const Shape &shape, const Points &points,
                        const std::vector<float> &features) {
  for (uint32_t p = 0; p < shape.points; ++p)
    for (uint32_t f = 0; f < shape.features; ++f)
      if (features[static_cast<size_t>(f) * shape.points + p] !=
          points[static_cast<size_t>(p) * shape.features + f])
        return {false,
                fmt::format("feature {} of point {} is not where the transpose has it", f, p)};
  return {true, "transposed exactly"};
}

} // namespace aiwc::eod::kmeans
