// The irregular reductions: loops over the edges of a graph that add to both ends of an edge.
#include "eod/common/error.h"
#include "tiling.h"
#include "workload.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

namespace aiwc::irregular {
namespace {

/// The non-zeros off the diagonal, in the order of the matrix.
struct Edges {
  Indices firsts, seconds;
};

Edges edgesOf(const Matrix &matrix) {
  Edges edges;
  for (uint32_t row = 0; row < matrix.rows; ++row)
    for (const uint32_t column : matrix.row(row))
      if (column != row) {
        edges.firsts.push_back(row);
        edges.seconds.push_back(column);
      }
  if (edges.firsts.empty())
    throw eod::UsageError("all non-zeros are on the diagonal: expected an edge between two nodes");
  return edges;
}

/// What an edge adds to its first node and subtracts from its second.
struct Term {
  double value;
  double error; ///< the most that it may be off in float
};

/// Sums of terms, `width` of them per node. Each is rounded once per edge of the node.
class Sums {
public:
  Sums(uint32_t nodes, uint32_t width)
      : width_(width), edges_(nodes), magnitudes_(uint64_t{nodes} * width) {
    reference_.expected.resize(magnitudes_.size());
    reference_.allowed.resize(magnitudes_.size());
  }
  void countEdge(uint32_t first, uint32_t second) {
    ++edges_[first];
    ++edges_[second];
  }
  void add(uint32_t first, uint32_t second, uint32_t component, const Term &term) {
    for (const auto &[node, sign] : {std::pair(first, 1.0), {second, -1.0}}) {
      const uint64_t at = uint64_t{node} * width_ + component;
      reference_.expected[at] += sign * term.value;
      reference_.allowed[at] += term.error;
      magnitudes_[at] += std::abs(term.value) + term.error;
    }
  }
  Reference take() {
    for (size_t at = 0; at < magnitudes_.size(); ++at)
      reference_.allowed[at] +=
          roundingBound(magnitudes_[at], static_cast<double>(edges_[at / width_]));
    return std::move(reference_);
  }

private:
  uint32_t width_;
  std::vector<uint64_t> edges_;
  std::vector<double> magnitudes_;
  Reference reference_;
};

Numbers states(const Matrix &matrix) {
  return randomNumbers(matrix.rows, -1, 1, 1);
}

Numbers areas(uint64_t edges) {
  return randomNumbers(edges, 0.5F, 1.5F, 2);
}

/// The sums of edge_flux in flux.cl.
Reference fluxes(const Matrix &matrix) {
  const Edges edges = edgesOf(matrix);
  const Numbers state = states(matrix);
  const Numbers area = areas(edges.firsts.size());
  Sums sums(matrix.rows, 1);
  for (size_t i = 0; i < area.size(); ++i) {
    const double left = state[edges.firsts[i]];
    const double right = state[edges.seconds[i]];
    const double mean = 0.25 * (left * left + right * right);
    const double upwind = 0.5 * std::abs(0.5 * (left + right)) * (right - left);
    sums.countEdge(edges.firsts[i], edges.seconds[i]);
    // No number goes through more than six roundings.
    sums.add(edges.firsts[i], edges.seconds[i], 0,
             {area[i] * (mean - upwind), area[i] * roundingBound(mean + std::abs(upwind), 6)});
  }
  return sums.take();
}

/// Molecules anywhere in a box of edge 1, whatever the matrix: which of the pairs are nearer than
/// the cut-off is a matter of chance, six out of ten. The units are chosen so that forces are about
/// 1; lengths are squared.
constexpr float kCutOff = 0.49F;
constexpr float kSigma = 0.25F;
constexpr float kCore = 0.1F;
constexpr uint32_t kAxes = 3;

Numbers positions(const Matrix &matrix) {
  return randomNumbers(uint64_t{matrix.rows} * kAxes, 0, 1, 1);
}

/// The sums of force_per_distance in force.cl, times the distance.
Reference forces(const Matrix &matrix) {
  const Edges edges = edgesOf(matrix);
  const Numbers position = positions(matrix);
  Sums sums(matrix.rows, kAxes);
  for (size_t i = 0; i < edges.firsts.size(); ++i) {
    std::array<double, kAxes> distance{};
    double square = 0;
    for (size_t k = 0; k < distance.size(); ++k) {
      distance[k] = static_cast<double>(position[size_t{kAxes} * edges.firsts[i] + k]) -
                    position[size_t{kAxes} * edges.seconds[i] + k];
      square += distance[k] * distance[k];
    }
    // In float, a pair may be on the other side of the cut-off if it is this near to it: a rounding
    // of the difference, which the square doubles, one of the square, two of the sum.
    const double uncertain = roundingBound(square, 8);
    if (square >= kCutOff + uncertain)
      continue;
    const bool certain = square < kCutOff - uncertain;
    const double s = kSigma / (square + kCore);
    const double cube = s * s * s;
    const double force = s * cube * (2 * cube - 1);
    // Roundings up to s: 8, and 6 for sum and division (2.5 units in the last place). s counts four
    // times in the first product, then three times in the cube: fewer than 128 in all.
    const double error = roundingBound(s * cube * (2 * cube + 1), 128);
    sums.countEdge(edges.firsts[i], edges.seconds[i]);
    for (uint32_t k = 0; k < distance.size(); ++k) {
      const double most = std::abs(distance[k]);
      sums.add(edges.firsts[i], edges.seconds[i], k,
               {force * distance[k], most * (error + (certain ? 0 : std::abs(force)))});
    }
  }
  return sums.take();
}

uint32_t countOf(const Edges &edges) {
  return static_cast<uint32_t>(edges.firsts.size());
}

} // namespace

Workload euler(const Matrix &matrix, const Settings &) {
  Edges edges = edgesOf(matrix);
  const uint32_t count = countOf(edges);
  Workload workload;
  std::vector<Argument> arguments{workload.add("firsts", std::move(edges.firsts)),
                                  workload.add("seconds", std::move(edges.seconds)),
                                  workload.add("areas", areas(count)),
                                  workload.add("states", states(matrix))};
  const BufferIndex residuals = workload.add("residuals", Numbers(matrix.rows), true);
  arguments.emplace_back(residuals);
  arguments.emplace_back(count);
  workload.launches.push_back({"euler", count, 0, std::move(arguments)});
  workload.result = residuals.index;
  workload.reference = [&matrix] { return fluxes(matrix); };
  return workload;
}

Workload eulerTiled(const Matrix &matrix, const Settings &settings) {
  const uint32_t count = countOf(edgesOf(matrix));
  const Tiling tiling = tile(matrix, settings.tile, Conflict::kNode);
  // The edge's number among the non-zeros off the diagonal gives its area, as in `euler`.
  const Numbers area = areas(count);
  Indices edgeOf(matrix.nonZeros());
  uint32_t edge = 0;
  for (uint32_t row = 0; row < matrix.rows; ++row)
    for (uint64_t i = matrix.rowBegins[row]; i < matrix.rowBegins[row + 1]; ++i)
      edgeOf[i] = matrix.columnOf[i] == row ? edge : edge++;
  Numbers laneAreas(tiling.nonZeros.size());
  for (size_t lane = 0; lane < laneAreas.size(); ++lane)
    if (tiling.nonZeros[lane] != kIdle)
      laneAreas[lane] = area[edgeOf[tiling.nonZeros[lane]]];
  Workload workload;
  std::vector<Argument> arguments{
      workload.add("group_begins", tiling.groupBegins), workload.add("lane_firsts", tiling.rows),
      workload.add("lane_seconds", tiling.columns),
      workload.add("lane_areas", std::move(laneAreas)), workload.add("states", states(matrix))};
  const BufferIndex residuals = workload.add("residuals", Numbers(matrix.rows), true);
  arguments.emplace_back(residuals);
  addRounds(workload, tiling, "euler_tiled", arguments, {});
  workload.result = residuals.index;
  workload.lanes = lanesOf(tiling);
  workload.reference = [&matrix] { return fluxes(matrix); };
  return workload;
}

Workload moldyn(const Matrix &matrix, const Settings &) {
  Edges edges = edgesOf(matrix);
  const uint32_t count = countOf(edges);
  Workload workload;
  std::vector<Argument> arguments{workload.add("firsts", std::move(edges.firsts)),
                                  workload.add("seconds", std::move(edges.seconds)),
                                  workload.add("positions", positions(matrix))};
  const BufferIndex forcesOf = workload.add("forces", Numbers(uint64_t{matrix.rows} * kAxes), true);
  arguments.insert(arguments.end(), {forcesOf, count, kCutOff, kSigma, kCore});
  workload.launches.push_back({"moldyn", count, 0, std::move(arguments)});
  workload.result = forcesOf.index;
  workload.reference = [&matrix] { return forces(matrix); };
  return workload;
}

Workload moldynTiled(const Matrix &matrix, const Settings &settings) {
  edgesOf(matrix); // which refuses a matrix without edges
  const Tiling tiling = tile(matrix, settings.tile, Conflict::kNode);
  Workload workload;
  std::vector<Argument> arguments{
      workload.add("group_begins", tiling.groupBegins), workload.add("lane_firsts", tiling.rows),
      workload.add("lane_seconds", tiling.columns), workload.add("positions", positions(matrix))};
  const BufferIndex forcesOf = workload.add("forces", Numbers(uint64_t{matrix.rows} * kAxes), true);
  arguments.emplace_back(forcesOf);
  addRounds(workload, tiling, "moldyn_tiled", arguments, {kCutOff, kSigma, kCore});
  workload.result = forcesOf.index;
  workload.lanes = lanesOf(tiling);
  workload.reference = [&matrix] { return forces(matrix); };
  return workload;
}

} // namespace aiwc::irregular
