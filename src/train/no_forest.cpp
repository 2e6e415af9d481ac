#include "common/error.h"
#include "train/forest.h"

namespace aiwc::train {

void requireForests() {
  throw Error(
      "no random forest: this build has no OpenCV: expected one made with libopencv-ml-dev");
}

std::vector<double> forestPredictions(const TrainingSet & /*set*/,
                                      const std::vector<std::vector<double>> & /*features*/,
                                      const Fold & /*fold*/) {
  requireForests();
  return {};
}

} // namespace aiwc::train
