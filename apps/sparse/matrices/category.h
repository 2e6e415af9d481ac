/// Whether the non-zeros of a sparse matrix are spread uniformly or skewed, which decides how it is
/// sampled: features, and a decision tree over them (the paper that sparse/sample.h names).
#pragma once

#include "sparse/clustering.h"
#include "sparse/matrix.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::sparse {

enum class Category : uint8_t { kUniform, kSkewed };
std::string_view name(Category category); ///< "uniform", "skewed"

/// A block is a run of non-zeros beside each other in one row.
enum class CategoryFeature : uint8_t {
  kNonZeros, ///< nnz_tot
  kDensity,  ///< nnz_frac, 0 to 1
  // Non-zeros per row: nnz_min, nnz_max, nnz_mu (mean), nnz_sig (standard deviation).
  kRowMin,
  kRowMax,
  kRowMean,
  kRowSd,
  kBlocks, ///< nnzb_tot
  // Blocks per row: nnzb_min, ...
  kBlocksMin,
  kBlocksMax,
  kBlocksMean,
  kBlocksSd,
  // Non-zeros per block: snzb_min, ...
  kSizeMin,
  kSizeMax,
  kSizeMean,
  kSizeSd,
  kClustering, ///< clustering: the clustering coefficient
};
inline constexpr size_t kCategoryFeatures = 16;
std::string_view name(CategoryFeature feature); ///< "nnz_tot", ...

/// Values by CategoryFeature. The first fifteen are those of the paper's table I; standard
/// deviations are of the population.
struct CategoryFeatures {
  std::array<double, kCategoryFeatures> values = {};
  double operator[](CategoryFeature feature) const {
    return values.at(static_cast<size_t>(feature));
  }
};

/// Takes one pass over the non-zeros. `clustering` is known already, since it can be exact or
/// sampled.
CategoryFeatures categoryFeatures(const Matrix &matrix, const Clustering &clustering);

/// One question of a tree, and the answer.
struct CategoryStep {
  CategoryFeature feature = CategoryFeature::kNonZeros;
  double value = 0;
  double threshold = 0;
  /// "clustering 0.02 <= 0.1".
  std::string text() const;
};

struct CategoryDecision {
  Category category = Category::kUniform;
  std::vector<CategoryStep> steps; ///< from the root; empty if the tree is one leaf
};

/// A binary decision tree. Node 0 is the root; a node comes before its children.
struct CategoryTree {
  struct Node {
    bool leaf = true;
    Category category = Category::kUniform; ///< of a leaf
    CategoryFeature feature = CategoryFeature::kNonZeros;
    double threshold = 0;
    /// The next node if the feature is at most the threshold, and if it is more.
    size_t left = 0, right = 0;
  };
  std::vector<Node> nodes{Node{}};
};

CategoryDecision decide(const CategoryTree &tree, const CategoryFeatures &features);

/// The tree that this version of the library was released with, apps/sparse/category/category.json.
const CategoryTree &publishedCategoryTree();

/// What the published tree decides.
CategoryDecision categoryOf(const CategoryFeatures &features);
/// The same for a matrix, with the sampled clustering coefficient of seed 1.
CategoryDecision categoryOf(const Matrix &matrix);

/// Reads the tree in `text`, the content of `file`. Throws Error `file:line:column: ...: expected
/// ...` for what is no tree: an unknown feature or category, a threshold that is no number, a child
/// that does not exist, comes before its parent or has a second one.
CategoryTree categoryTreeFromJson(std::string_view text, const std::string &file);
std::string toJson(const CategoryTree &tree);

} // namespace aiwc::sparse
