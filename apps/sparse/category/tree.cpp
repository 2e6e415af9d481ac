#include "tree.h"

#include <cstddef>
#include <opencv2/core.hpp>
#include <opencv2/ml.hpp>

using namespace aiwc::sparse;

namespace {

/// Copies the tree below an OpenCV node, and returns the place of its copy.
size_t copied(const cv::ml::DTrees &from, int index, const std::vector<CategoryFeature> &features,
              CategoryTree &to) {
  const cv::ml::DTrees::Node &node = from.getNodes().at(static_cast<size_t>(index));
  const size_t place = to.nodes.size();
  to.nodes.emplace_back();
  if (node.split < 0) {
    to.nodes[place].category = node.value > 0.5 ? Category::kSkewed : Category::kUniform;
    return place;
  }
  const cv::ml::DTrees::Split &split = from.getSplits().at(static_cast<size_t>(node.split));
  CategoryTree::Node copy;
  copy.leaf = false;
  copy.feature = features.at(static_cast<size_t>(split.varIdx));
  copy.threshold = static_cast<double>(split.c);
  copy.left = copied(from, node.left, features, to);
  copy.right = copied(from, node.right, features, to);
  // A question whose answers are the same is none.
  const CategoryTree::Node &left = to.nodes[copy.left];
  const CategoryTree::Node &right = to.nodes[copy.right];
  if (left.leaf && right.leaf && left.category == right.category) {
    to.nodes[place].category = left.category;
    to.nodes.resize(place + 1);
  } else
    to.nodes[place] = copy;
  return place;
}

} // namespace

CategoryTree grownTree(const std::vector<Labelled> &training,
                       const std::vector<CategoryFeature> &features, int depth) {
  const int rows = static_cast<int>(training.size());
  const int columns = static_cast<int>(features.size());
  cv::Mat samples(rows, columns, CV_32F);
  cv::Mat responses(rows, 1, CV_32S);
  for (int row = 0; row < rows; ++row) {
    const Labelled &one = training[static_cast<size_t>(row)];
    for (int column = 0; column < columns; ++column)
      samples.at<float>(row, column) =
          static_cast<float>(one.features[features[static_cast<size_t>(column)]]);
    responses.at<int>(row) = one.category == Category::kSkewed ? 1 : 0;
  }
  const cv::Ptr<cv::ml::DTrees> grown = cv::ml::DTrees::create();
  grown->setMaxDepth(depth);
  grown->setMinSampleCount(10);
  grown->setCVFolds(0); // no pruning: the depth is small
  grown->setUseSurrogates(false);
  grown->train(samples, cv::ml::ROW_SAMPLE, responses);
  CategoryTree tree;
  tree.nodes.clear();
  copied(*grown, grown->getRoots().front(), features, tree);
  return tree;
}
