#include "train/forest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <opencv2/core/utility.hpp>
#include <opencv2/ml.hpp>
#include <string>
#include <utility>

namespace aiwc::train {

namespace {

constexpr int kTrees = 505;
constexpr int kFeaturesPerSplit = 30;
constexpr int kLeastToSplit = 9;
constexpr int kDeepest = 25; ///< as deep as OpenCV allows

/// The number of each device, in the order of ids and data sets.
std::vector<float> deviceNumbers(const TrainingSet &set) {
  std::map<std::pair<std::string, std::string>, size_t> sorted;
  for (size_t d = 0; d < set.devices.size(); ++d)
    sorted.emplace(std::pair(set.devices[d].profile.id, set.devices[d].dataSet), d);
  std::vector<float> numbers(set.devices.size());
  float next = 0;
  for (const auto &[name, device] : sorted)
    numbers[device] = next++;
  return numbers;
}

} // namespace

void requireForests() {}

std::vector<double> forestPredictions(const TrainingSet &set,
                                      const std::vector<std::vector<double>> &features,
                                      const Fold &fold) {
  const std::vector<float> devices = deviceNumbers(set);
  const int columns = static_cast<int>(features.at(0).size()) + 1;
  const auto matrixOf = [&](const std::vector<size_t> &times) {
    cv::Mat matrix(static_cast<int>(times.size()), columns, CV_32F);
    for (int row = 0; row < matrix.rows; ++row) {
      const MeasuredTime &time = set.times[times[static_cast<size_t>(row)]];
      for (int column = 0; column + 1 < columns; ++column)
        matrix.at<float>(row, column) =
            static_cast<float>(features[time.workload][static_cast<size_t>(column)]);
      matrix.at<float>(row, columns - 1) = devices[time.device];
    }
    return matrix;
  };
  cv::Mat response(static_cast<int>(fold.training.size()), 1, CV_32F);
  std::vector<bool> known(set.devices.size());
  for (int row = 0; row < response.rows; ++row) {
    const MeasuredTime &time = set.times[fold.training[static_cast<size_t>(row)]];
    response.at<float>(row) = static_cast<float>(std::log(time.micros));
    known[time.device] = true;
  }

  const cv::Ptr<cv::ml::RTrees> forest = cv::ml::RTrees::create();
  forest->setActiveVarCount(std::min(kFeaturesPerSplit, columns));
  forest->setMinSampleCount(kLeastToSplit);
  forest->setMaxDepth(kDeepest);
  forest->setRegressionAccuracy(0);
  forest->setTermCriteria({cv::TermCriteria::MAX_ITER, kTrees, 0});
  cv::setRNGSeed(1);
  forest->train(matrixOf(fold.training), cv::ml::ROW_SAMPLE, response);

  const cv::Mat test = matrixOf(fold.test);
  cv::Mat predicted;
  forest->predict(test, predicted);
  std::vector<double> result;
  result.reserve(fold.test.size());
  for (size_t i = 0; i < fold.test.size(); ++i)
    result.push_back(known[set.times[fold.test[i]].device]
                         ? static_cast<double>(predicted.at<float>(static_cast<int>(i)))
                         : std::numeric_limits<double>::quiet_NaN());
  return result;
}

} // namespace aiwc::train
