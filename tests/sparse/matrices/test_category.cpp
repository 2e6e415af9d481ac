// Categories of matrices: features by definition, trees, and their files.
#include "common/error.h"
#include "sparse/category.h"
#include "sparse/generate.h"
#include "support/files.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

using namespace aiwc::sparse;
using Catch::Matchers::Contains;
using F = CategoryFeature;

namespace {

std::string refusal(const std::string &nodes, const std::string &before = "\"schema_version\": 1") {
  try {
    categoryTreeFromJson("{" + before + ", \"nodes\": " + nodes + "}", "tree.json");
  } catch (const aiwc::Error &error) {
    return error.what();
  }
  return "read";
}

CategoryTree twoQuestions() {
  CategoryTree tree;
  tree.nodes = {{.leaf = false,
                 .category = Category::kUniform,
                 .feature = F::kClustering,
                 .threshold = 0.25,
                 .left = 1,
                 .right = 4},
                {.leaf = false,
                 .category = Category::kUniform,
                 .feature = F::kRowMax,
                 .threshold = 10,
                 .left = 2,
                 .right = 3},
                {.leaf = true,
                 .category = Category::kUniform,
                 .feature = {},
                 .threshold = 0,
                 .left = 0,
                 .right = 0},
                {.leaf = true,
                 .category = Category::kSkewed,
                 .feature = {},
                 .threshold = 0,
                 .left = 0,
                 .right = 0},
                {.leaf = true,
                 .category = Category::kSkewed,
                 .feature = {},
                 .threshold = 0,
                 .left = 0,
                 .right = 0}};
  return tree;
}

CategoryFeatures withValues(double clustering, double peak) {
  CategoryFeatures features;
  features.values[static_cast<size_t>(F::kClustering)] = clustering;
  features.values[static_cast<size_t>(F::kRowMax)] = peak;
  return features;
}

} // namespace

TEST_CASE("Features of a small matrix") {
  // 1 1 . . 1    3 non-zeros, blocks of 2 and 1
  // . . . . .    none
  // . 1 1 1 1    4 non-zeros, a block of 4
  // 1 . . . .    1 non-zero
  const std::vector<Entry> entries = {{0, 0, 1}, {0, 1, 1}, {0, 4, 1}, {2, 1, 1},
                                      {2, 2, 1}, {2, 3, 1}, {2, 4, 1}, {3, 0, 1}};
  const CategoryFeatures of = categoryFeatures(matrixOf(4, 5, entries, false),
                                               {.coefficient = 0.5, .error = 0, .nodes = 4});
  CHECK(of[F::kNonZeros] == 8);
  CHECK(of[F::kDensity] == 0.4);
  CHECK(of[F::kRowMin] == 0);
  CHECK(of[F::kRowMax] == 4);
  CHECK(of[F::kRowMean] == 2);
  CHECK(of[F::kRowSd] == Approx(std::sqrt(2.5))); // 1, 4, 4 and 1 over 4
  CHECK(of[F::kBlocks] == 4);
  CHECK(of[F::kBlocksMin] == 0);
  CHECK(of[F::kBlocksMax] == 2);
  CHECK(of[F::kBlocksMean] == 1);
  CHECK(of[F::kBlocksSd] == Approx(std::sqrt(0.5)));
  CHECK(of[F::kSizeMin] == 1);
  CHECK(of[F::kSizeMax] == 4);
  CHECK(of[F::kSizeMean] == 2);
  CHECK(of[F::kSizeSd] == Approx(std::sqrt(1.5))); // 0, 1, 4 and 1 over 4
  CHECK(of[F::kClustering] == 0.5);
  CHECK(name(F::kNonZeros) == "nnz_tot");
  CHECK(name(F::kClustering) == "clustering");
  CHECK(name(F::kRowMax) == "nnz_max");
  for (const double value : categoryFeatures(matrixOf(0, 0, {}, false), {}).values)
    CHECK(value == 0);
}

TEST_CASE("A tree decides by its questions, and says which") {
  const CategoryTree tree = twoQuestions();
  CHECK(decide(tree, withValues(0.25, 10)).category == Category::kUniform);
  CHECK(decide(tree, withValues(0.25, 10.5)).category == Category::kSkewed);
  CHECK(decide(tree, withValues(0.5, 1)).category == Category::kSkewed);
  const CategoryDecision decision = decide(tree, withValues(0.125, 40));
  REQUIRE(decision.steps.size() == 2);
  CHECK(decision.steps[0].text() == "clustering 0.125 <= 0.25");
  CHECK(decision.steps[1].text() == "nnz_max 40 > 10");
  CHECK(decide(CategoryTree{}, withValues(1, 1)).steps.empty());
  CHECK(name(Category::kUniform) == "uniform");
  CHECK(name(Category::kSkewed) == "skewed");
}

TEST_CASE("A tree is the same after writing and reading") {
  for (const CategoryTree &tree : {twoQuestions(), CategoryTree{}, publishedCategoryTree()}) {
    const std::string text = toJson(tree);
    const CategoryTree read = categoryTreeFromJson(text, "tree.json");
    CHECK(toJson(read) == text);
    for (const double clustering : {0.0, 0.3})
      for (const double peak : {1.0, 20.0})
        CHECK(decide(read, withValues(clustering, peak)).category ==
              decide(tree, withValues(clustering, peak)).category);
  }
}

TEST_CASE("The published tree is apps/sparse/category/category.json, and knows both categories") {
  CHECK(toJson(publishedCategoryTree()) == aiwc::test::contents(AIWC_TEST_CATEGORY));
  bool skewed = false;
  bool uniform = false;
  for (const CategoryTree::Node &node : publishedCategoryTree().nodes) {
    skewed = skewed || (node.leaf && node.category == Category::kSkewed);
    uniform = uniform || (node.leaf && node.category == Category::kUniform);
  }
  CHECK(skewed);
  CHECK(uniform);
  // The ends of the scale: no structure, and hubs in a corner.
  const auto made = [](Shape shape) {
    return generate({.shape = shape,
                     .rows = 50000,
                     .nonZerosPerRow = 12,
                     .seed = 77,
                     .parameter = {},
                     .values = false});
  };
  CHECK(categoryOf(made(Shape::kUniform)).category == Category::kUniform);
  CHECK(categoryOf(made(Shape::kRmat)).category == Category::kSkewed);
}

TEST_CASE("Files that are no tree are refused") {
  const std::string leaf = R"({"category": "uniform"})";
  const auto split = [](const std::string &left, const std::string &right) {
    return R"({"feature": "clustering", "threshold": 0.5, "left": )" + left + R"(, "right": )" +
           right + "}";
  };
  CHECK(refusal("[" + leaf + "]") == "read");
  CHECK(refusal("[" + split("1", "2") + ", " + leaf + ", " + leaf + "]") == "read");
  CHECK_THAT(refusal("[]"), Contains("tree.json:1:") && Contains("nodes has 0 nodes: expected 1"));
  CHECK_THAT(refusal("7"), Contains("nodes is a number: expected an array"));
  CHECK_THAT(refusal("[" + leaf + "]", "\"schema_version\": 2"), Contains("schema_version"));
  CHECK_THAT(refusal("[" + leaf + "]", "\"schema_version\": 1, \"more\": 1"), Contains("more"));
  CHECK_THAT(refusal(R"([{"category": "round"}])"),
             Contains("nodes[0].category is \"round\": expected \"uniform\" or \"skewed\""));
  CHECK_THAT(refusal(R"([{"category": "uniform", "left": 1}])"), Contains("nodes[0].left"));
  CHECK_THAT(refusal(R"([{"feature": "clustering", "threshold": 1, "left": 1}, )" + leaf + "]"),
             Contains("right"));
  CHECK_THAT(refusal(R"([{"feature": "size", "threshold": 1, "left": 1, "right": 2}, )" + leaf +
                     ", " + leaf + "]"),
             Contains("nodes[0].feature is \"size\": expected one of nnz_tot, "));
  CHECK_THAT(refusal(R"([{"feature": "clustering", "threshold": "x", "left": 1, "right": 2}, )" +
                     leaf + ", " + leaf + "]"),
             Contains("nodes[0].threshold is a string: expected a number"));
  // Ways that end nowhere, in a circle, or in one place.
  CHECK_THAT(refusal("[" + split("1", "3") + ", " + leaf + ", " + leaf + "]"),
             Contains("nodes[0].right is 3: expected a node behind this one, 1 to 2"));
  CHECK_THAT(
      refusal("[" + split("1", "2") + ", " + leaf + ", " + split("0", "3") + ", " + leaf + "]"),
      Contains("nodes[2].left is 0: expected a node behind this one, 3 to 3"));
  CHECK_THAT(refusal("[" + split("1", "1") + ", " + leaf + "]"),
             Contains("expected one way to each node"));
  CHECK_THAT(refusal("[" + split("1", "2") + ", " + leaf + ", " + leaf + ", " + leaf + "]"),
             Contains("no node leads to nodes[3]"));
  CHECK_THAT(refusal("[" + split("-1", "2") + ", " + leaf + ", " + leaf + "]"),
             Contains("nodes[0].left is -1"));
}
