// Clustering coefficients of known graphs, and by definition.
#include "sparse/clustering.h"
#include "sparse/generate.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

using namespace aiwc::sparse;

namespace {

Matrix graphOf(uint32_t nodes, const std::vector<std::pair<uint32_t, uint32_t>> &edges) {
  std::vector<Entry> entries;
  for (const auto &[a, b] : edges) {
    entries.push_back({a, b, 1});
    entries.push_back({b, a, 1});
  }
  return matrixOf(nodes, nodes, entries, false);
}

/// The definition.
double byDefinition(const Matrix &graph) {
  std::set<std::pair<uint32_t, uint32_t>> edges;
  for (uint32_t row = 0; row < graph.rows; ++row)
    for (const uint32_t column : graph.row(row))
      edges.emplace(row, column);
  double sum = 0;
  for (uint32_t node = 0; node < graph.rows; ++node) {
    double links = 0;
    double k = 0;
    for (const uint32_t a : graph.row(node)) {
      k += a != node ? 1 : 0;
      for (const uint32_t b : graph.row(node))
        if (a != node && b != node && a != b && edges.count({a, b}) > 0)
          ++links;
    }
    sum += k < 2 ? 0 : links / (k * (k - 1));
  }
  return sum / graph.rows;
}

} // namespace

TEST_CASE("Clustering coefficients of known graphs") {
  const Matrix complete = generate({.shape = Shape::kUniform,
                                    .rows = 20,
                                    .nonZerosPerRow = 20,
                                    .seed = 1,
                                    .parameter = {},
                                    .values = false}); // with the diagonal, which does not count
  CHECK(clusteringCoefficient(complete).coefficient == 1);
  CHECK(clusteringCoefficient(complete).nodes == 20);
  std::vector<std::pair<uint32_t, uint32_t>> tree;
  for (uint32_t node = 1; node < 50; ++node)
    tree.emplace_back(node, (node - 1) / 3);
  CHECK(clusteringCoefficient(graphOf(50, tree)).coefficient == 0);
  // A triangle 0 1 2 with node 3 at node 0: 1/3, 1, 1 and 0.
  CHECK(clusteringCoefficient(graphOf(4, {{0, 1}, {1, 2}, {2, 0}, {0, 3}})).coefficient ==
        Approx((1.0 / 3 + 2) / 4));
  // With one direction of the edge 1-2 only, node 0 has 1 of 6 links; 1 has the neighbours 0 and 2,
  // of which 2 leads to 0 and 0 to 2; and 2 only has 0.
  const std::vector<Entry> directed = {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 0, 1},
                                       {0, 2, 1}, {0, 3, 1}, {3, 0, 1}};
  CHECK(clusteringCoefficient(matrixOf(4, 4, directed, false)).coefficient ==
        Approx((1.0 / 6 + 1) / 4));
  // Watts and Strogatz: a ring of k neighbours has 3 (k - 2) / (4 (k - 1)).
  for (const double k : {4.0, 6.0, 10.0}) {
    const Matrix ring = generate({.shape = Shape::kSmallWorld,
                                  .rows = 100,
                                  .nonZerosPerRow = k,
                                  .seed = 1,
                                  .parameter = 0,
                                  .values = false});
    CHECK(clusteringCoefficient(ring).coefficient == Approx(3 * (k - 2) / (4 * (k - 1))));
  }
  CHECK(clusteringCoefficient(matrixOf(3, 4, {}, false)).nodes == 0);
  CHECK(sampledClusteringCoefficient(matrixOf(3, 3, {}, false)).nodes == 0);
}

TEST_CASE("The clustering coefficient is its definition, and samples are within their errors") {
  size_t compared = 0;
  double squares = 0;
  for (const ShapeInfo &info : shapes()) {
    INFO(info.name);
    const Matrix graph = generate({.shape = info.shape,
                                   .rows = 700,
                                   .nonZerosPerRow = 12,
                                   .seed = 2,
                                   .parameter = {},
                                   .values = false});
    const Clustering exact = clusteringCoefficient(graph);
    CHECK(exact.coefficient == Approx(byDefinition(graph)));
    CHECK(exact.error == 0);
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      const Clustering sampled = sampledClusteringCoefficient(graph, 0.5, seed);
      CHECK(sampled.nodes >= 100);
      CHECK(std::abs(sampled.coefficient - exact.coefficient) <= 3 * sampled.error + 1e-12);
      if (sampled.error > 0) {
        ++compared;
        squares += std::pow((sampled.coefficient - exact.coefficient) / sampled.error, 2);
      }
    }
  }
  // The errors are not too large, either: on average, a deviation is about one of them.
  REQUIRE(compared > 20);
  CHECK(squares / static_cast<double>(compared) > 0.4);
  CHECK(squares / static_cast<double>(compared) < 2);
}

TEST_CASE("Sampling of the clustering coefficient looks at the fraction of the edges") {
  const Matrix graph = generate({.shape = Shape::kBanded,
                                 .rows = 20000,
                                 .nonZerosPerRow = 10,
                                 .seed = 2,
                                 .parameter = {},
                                 .values = false});
  CHECK(sampledClusteringCoefficient(graph, 0.1).nodes == Approx(2000).epsilon(0.01));
  CHECK(sampledClusteringCoefficient(graph, 0.0001).nodes == 100);
  CHECK(sampledClusteringCoefficient(graph, 0.1, 3).coefficient ==
        sampledClusteringCoefficient(graph, 0.1, 3).coefficient);
}

TEST_CASE("A hub takes the time of its edges, not of their pairs") {
  // A star of 300,000 leaves: pairs would be 10^11.
  std::vector<std::pair<uint32_t, uint32_t>> edges = {{1, 2}};
  for (uint32_t leaf = 1; leaf < 300000; ++leaf)
    edges.emplace_back(0, leaf);
  const double leaves = 299999;
  CHECK(clusteringCoefficient(graphOf(300000, edges)).coefficient ==
        Approx((2 / (leaves * (leaves - 1)) + 2) / 300000));
}
