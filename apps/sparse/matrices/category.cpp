#include "sparse/category.h"

#include "sparse/published_category.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aiwc::sparse {

namespace {

constexpr std::array<std::string_view, kCategoryFeatures> kNames = {
    "nnz_tot",  "nnz_frac", "nnz_min",  "nnz_max",   "nnz_mu",   "nnz_sig",
    "nnzb_tot", "nnzb_min", "nnzb_max", "nnzb_mu",   "nnzb_sig", "snzb_min",
    "snzb_max", "snzb_mu",  "snzb_sig", "clustering"};

/// The smallest, largest and mean of counts, and their standard deviation.
class Moments {
public:
  void add(uint64_t count) {
    ++number_;
    least_ = std::min(least_, count);
    most_ = std::max(most_, count);
    sum_ += count;
    squares_ += count * count;
  }
  double sum() const { return static_cast<double>(sum_); }
  double mean() const { return number_ == 0 ? 0 : sum() / static_cast<double>(number_); }
  double sd() const {
    if (number_ == 0)
      return 0;
    // Both products are exact in 128 bits.
    const auto all = static_cast<Wide>(squares_) * number_ - static_cast<Wide>(sum_) * sum_;
    return std::sqrt(static_cast<double>(all)) / static_cast<double>(number_);
  }
  double least() const { return number_ == 0 ? 0 : static_cast<double>(least_); }
  double most() const { return static_cast<double>(most_); }

private:
  __extension__ using Wide = unsigned __int128;
  uint64_t number_ = 0, sum_ = 0, least_ = UINT64_MAX, most_ = 0;
  uint64_t squares_ = 0; ///< at most the longest row times the non-zeros
};

} // namespace

std::string_view name(Category category) {
  return category == Category::kUniform ? "uniform" : "skewed";
}

std::string_view name(CategoryFeature feature) {
  return kNames.at(static_cast<size_t>(feature));
}

CategoryFeatures categoryFeatures(const Matrix &matrix, const Clustering &clustering) {
  Moments rows;
  Moments blocks;
  Moments sizes;
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    const auto columns = matrix.row(row);
    rows.add(columns.size());
    uint64_t count = 0;
    for (size_t begin = 0; begin < columns.size();) {
      size_t end = begin + 1;
      while (end < columns.size() && columns[end] == columns[end - 1] + 1)
        ++end;
      sizes.add(end - begin);
      begin = end;
      ++count;
    }
    blocks.add(count);
  }
  const double positions = static_cast<double>(matrix.rows) * matrix.columns;
  return {{rows.sum(), positions > 0 ? rows.sum() / positions : 0, rows.least(), rows.most(),
           rows.mean(), rows.sd(), blocks.sum(), blocks.least(), blocks.most(), blocks.mean(),
           blocks.sd(), sizes.least(), sizes.most(), sizes.mean(), sizes.sd(),
           clustering.coefficient}};
}

std::string CategoryStep::text() const {
  return fmt::format("{} {:.4g} {} {:.4g}", name(feature), value, value <= threshold ? "<=" : ">",
                     threshold);
}

CategoryDecision decide(const CategoryTree &tree, const CategoryFeatures &features) {
  CategoryDecision decision;
  const CategoryTree::Node *node = &tree.nodes.front();
  while (!node->leaf) {
    const double value = features[node->feature];
    decision.steps.push_back({node->feature, value, node->threshold});
    node = &tree.nodes.at(value <= node->threshold ? node->left : node->right);
  }
  decision.category = node->category;
  return decision;
}

const CategoryTree &publishedCategoryTree() {
  static const CategoryTree tree =
      categoryTreeFromJson(kPublishedCategory, "apps/sparse/category/category.json");
  return tree;
}

CategoryDecision categoryOf(const CategoryFeatures &features) {
  return decide(publishedCategoryTree(), features);
}

CategoryDecision categoryOf(const Matrix &matrix) {
  CategoryFeatures features = categoryFeatures(matrix, Clustering{});
  CategoryDecision without = categoryOf(features);
  // What takes longest is found out only if the tree asks for it.
  if (std::ranges::none_of(without.steps, [](const CategoryStep &step) {
        return step.feature == CategoryFeature::kClustering;
      }))
    return without;
  features.values.back() = sampledClusteringCoefficient(matrix).coefficient;
  return categoryOf(features);
}

} // namespace aiwc::sparse
