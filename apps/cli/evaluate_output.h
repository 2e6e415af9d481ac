/// The output of `aiwc-model evaluate`.
#pragma once

#include "train/scores.h"

#include <optional>
#include <string>
#include <vector>

namespace aiwc::cli {

/// How good the predictions of one kind for a set of times are.
struct JudgedRow {
  std::string leftOut; ///< "application", ...
  std::string data;    ///< the data set; ", no doubt" where doubtful times are not judged
  std::string by;      ///< "fitted model", "nearest", ...
  /// None for what predicts no times, only a device.
  std::optional<train::ErrorScore> error;
  bool hasIntervals = false; ///< whether coverage and sure pairs mean anything
  std::optional<train::ChoiceScore> choice;
  bool ranks = true; ///< whether `choice->spearman` and `choice->pairs` are meaningful
};

/// A table for each thing left out. Rows of one `leftOut` must be next to each other.
std::string judgedText(const std::vector<JudgedRow> &rows);
/// A header, then a line per row; empty fields where there is no number.
std::string judgedCsv(const std::vector<JudgedRow> &rows);

} // namespace aiwc::cli
