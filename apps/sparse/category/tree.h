/// Grows decision trees, by OpenCV.
#pragma once

#include "sparse/category.h"

#include <vector>

/// A matrix of the training set.
struct Labelled {
  aiwc::sparse::CategoryFeatures features;
  aiwc::sparse::Category category = aiwc::sparse::Category::kUniform;
};

/// A tree over some features, of at most `depth` questions on a way, without leaves of fewer than
/// about five matrices. A class with fewer matrices weighs as much as they are.
aiwc::sparse::CategoryTree grownTree(const std::vector<Labelled> &training,
                                     const std::vector<aiwc::sparse::CategoryFeature> &features,
                                     int depth);
