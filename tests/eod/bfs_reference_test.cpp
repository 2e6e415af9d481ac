#include "eod/bfs/bfs_reference.h"
#include "programs.h"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace aiwc::eod;
using bfs::Graph;
using bfs::Kind;
using bfs::kUnreached;
using bfs::Shape;
using Levels = std::vector<uint32_t>;

namespace {

/// 0 -> 1 -> 2 -> 3, 0 -> 2, and 4 alone.
const Graph kSmall{5, {0, 2, 3, 4, 4, 4}, {1, 2, 2, 3}};

Levels neighbours(const Graph &graph, uint32_t node) {
  return {graph.target.begin() + graph.edgeBegin[node],
          graph.target.begin() + graph.edgeBegin[node + 1]};
}

/// The shortest distances by relaxing every edge until nothing changes (Bellman, Ford).
Levels relaxed(const Graph &graph, uint32_t source) {
  Levels levels(graph.nodes, kUnreached);
  levels[source] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t node = 0; node < graph.nodes; ++node)
      for (uint32_t other : neighbours(graph, node))
        if (levels[node] != kUnreached && levels[node] + 1 < levels[other]) {
          levels[other] = levels[node] + 1;
          changed = true;
        }
  }
  return levels;
}

void checkUndirected(const Graph &graph, uint64_t edges) {
  REQUIRE(graph.edgeBegin.size() == graph.nodes + 1);
  CHECK(graph.edgeBegin.front() == 0);
  CHECK(graph.edgeBegin.back() == graph.target.size());
  CHECK(graph.target.size() == 2 * edges);
  for (uint32_t node = 0; node < graph.nodes; ++node) {
    const Levels others = neighbours(graph, node);
    CHECK(std::ranges::is_sorted(others));
    CHECK(std::ranges::adjacent_find(others) == others.end());
    for (uint32_t other : others) {
      REQUIRE(other < graph.nodes);
      CHECK(other != node);
      const Levels back = neighbours(graph, other);
      CHECK(std::ranges::binary_search(back, node));
    }
  }
}

} // namespace

TEST_CASE("levels by hand") {
  CHECK(bfs::search(kSmall, 0) == Levels{0, 1, 1, 2, kUnreached});
  CHECK(bfs::search(kSmall, 2) == Levels{kUnreached, kUnreached, 0, 1, kUnreached});
  const Verdict verdict = bfs::checkLevels(kSmall, 0, {0, 1, 1, 2, kUnreached});
  CHECK(verdict.passed);
  CHECK_THAT(verdict.finding, Catch::Contains("4 of 5 nodes reached, the last at level 2"));
}

TEST_CASE("any wrong level fails") {
  const Levels right{0, 1, 1, 2, kUnreached};
  for (size_t node = 0; node < right.size(); ++node)
    for (uint32_t level : {0u, 1u, 2u, 3u, kUnreached}) {
      Levels levels = right;
      levels[node] = level;
      CHECK(bfs::checkLevels(kSmall, 0, levels).passed == (level == right[node]));
    }
  CHECK_FALSE(bfs::checkLevels(kSmall, 0, {0, 1, 1, 2}).passed);
}

TEST_CASE("a search with a queue finds what relaxation finds") {
  for (Kind kind : {Kind::kScaleFree, Kind::kRoad})
    for (uint32_t nodes : {20, 97, 400}) {
      const Graph graph = bfs::generate({nodes, kind, 2.5}, nodes);
      CHECK(bfs::search(graph, nodes / 3) == relaxed(graph, nodes / 3));
    }
  // Not connected: half as many edges as nodes.
  const Graph sparse = bfs::generate({200, Kind::kScaleFree, 1}, 1);
  CHECK(bfs::search(sparse, 0) == relaxed(sparse, 0));
}

TEST_CASE("a scale-free graph is simple, connected and shallow, and has nodes of high degree") {
  const Shape shape{.nodes = 2000, .degree = 8};
  const Graph graph = bfs::generate(shape, 1);
  checkUndirected(graph, 8000);
  const Levels levels = bfs::search(graph, 0);
  CHECK(*std::ranges::max_element(levels) < 10); // with everything reached
  uint32_t most = 0;
  for (uint32_t node = 0; node < graph.nodes; ++node)
    most = std::max(most, graph.edgeBegin[node + 1] - graph.edgeBegin[node]);
  // Degrees of a random graph of mean 8 stay below 30; here the first nodes have about
  // 4 sqrt(2000).
  CHECK(most > 80);
}

TEST_CASE("a road network is simple, connected, deep, and has at most four roads at a crossing") {
  const Graph graph = bfs::generate({2000, Kind::kRoad, 2.5}, 1);
  checkUndirected(graph, 2500);
  const Levels levels = bfs::search(graph, 0);
  const uint32_t deepest = *std::ranges::max_element(levels);
  CHECK(deepest >= 44 + 43); // rows of 45
  CHECK(deepest < 4 * 45);
  for (uint32_t node = 0; node < graph.nodes; ++node)
    CHECK(neighbours(graph, node).size() <= 4);
}

TEST_CASE("a full grid has the city-block distance from its corner") {
  const auto [least, most] = bfs::edgeRange(12, Kind::kRoad); // 3 rows of 4
  CHECK(least == 11);
  CHECK(most == 3 * 3 + 2 * 4);
  const Graph grid = bfs::generate({12, Kind::kRoad, 17 * 2 / 12.0}, 1);
  checkUndirected(grid, 17);
  CHECK(bfs::search(grid, 0) == Levels{0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5});
}

TEST_CASE("graphs of few nodes, of one, and complete ones") {
  for (uint32_t nodes : {1, 2, 3, 4, 5, 7, 11}) {
    const auto [least, most] = bfs::edgeRange(nodes, Kind::kRoad);
    for (uint64_t edges : {least, most})
      checkUndirected(bfs::generate({nodes, Kind::kRoad, 2.0 * (edges + 0.25) / nodes}, 1), edges);
    const uint64_t pairs = nodes * (nodes - 1) / 2;
    CHECK(bfs::edgeRange(nodes, Kind::kScaleFree).most == pairs);
    checkUndirected(bfs::generate({nodes, Kind::kScaleFree, nodes - 1.0}, 1), pairs);
  }
}

TEST_CASE("generated graphs depend on the seed alone") {
  for (Kind kind : {Kind::kScaleFree, Kind::kRoad}) {
    const Shape shape{100, kind, 2.5};
    CHECK(bfs::generate(shape, 1).target == bfs::generate(shape, 1).target);
    CHECK(bfs::generate(shape, 1).target != bfs::generate(shape, 2).target);
  }
}

TEST_CASE("an entry of the adjacency matrix is an edge from its row to its column") {
  const Graph graph = bfs::graphOf({5, 5, {{0, 1, 1}, {0, 2, 1}, {1, 2, 1}, {2, 3, 1}}});
  CHECK(graph.edgeBegin == kSmall.edgeBegin);
  CHECK(graph.target == kSmall.target);
}

TEST_CASE("--list of bfs: eight neighbours and three numbers per node") {
  const test::Outcome outcome = test::run("bfs", "--list");
  REQUIRE(outcome.status == 0);
  const std::pair<const char *, double> sizes[] = {
      {"tiny", 650}, {"small", 5376}, {"medium", 172032}, {"large", 1048576}};
  for (const auto &[size, nodes] : sizes) {
    CHECK(test::listed(outcome.out, size, 2) == Approx((44 * nodes + 8) / 1024).margin(0.06));
    CHECK(test::listed(outcome.out, size, 3) == Approx((44 * nodes + 8) / 1024).margin(0.06));
  }
}

TEST_CASE("bfs refuses what is no graph") {
  test::checkRefused("bfs", {{"--nodes 0", "expected 1 to"},
                             {"--nodes 4294967295", "expected 1 to"},
                             {"--nodes 10 --source 10", "expected 0 to 9"},
                             {"--nodes 10 --degree 9.2", "expected 0 to 45"},
                             {"--nodes 2000000000", "expected 0 to 2147450879"},
                             {"--degree nan", "--degree"},
                             {"--degree -1", "--degree"},
                             {"--graph road --degree 8", "expected 649 to"},
                             {"--graph road --degree 1", "expected 649 to"},
                             {"--graph star", "--graph"},
                             {"--nodes 80 --size tiny", "excludes"},
                             {"--input /nonexistent/a.mtx", "cannot be read"}});
}

TEST_CASE("bfs takes square Matrix Market files") {
  namespace fs = std::filesystem;
  const std::string path = fs::temp_directory_path() / ("eod_bfs." + std::to_string(getpid()));
  std::ofstream(path) << "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n";
  CHECK_THAT(test::run("bfs", "--input " + path).err, Catch::Contains("no OpenCL platform"));
  CHECK_THAT(test::run("bfs", "--source 2 --input " + path).err, Catch::Contains("0 to 1"));
  CHECK_THAT(test::run("bfs", "--degree 2 --input " + path).err, Catch::Contains("excludes"));
  std::ofstream(path) << "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 2\n";
  test::checkRefused("bfs", {{("--input " + path).c_str(), "adjacency"}});
  fs::remove(path);
}
