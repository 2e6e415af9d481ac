#include "evaluate_output.h"

#include "text/text.h"
#include "train/folds.h"

#include <fmt/format.h>

#include <string_view>

namespace aiwc::cli {

namespace {

/// Every number of a row, with its name in text and in CSV.
struct Column {
  std::string_view text, csv;
  /// Empty where the row does not have it.
  std::string (*cell)(const JudgedRow &row);
};

using train::ChoiceScore;
using train::ErrorScore;

template <double ErrorScore::*member, int digits> std::string errorCell(const JudgedRow &row) {
  if (!row.error || row.error->times == 0)
    return {};
  return fmt::format("{:.{}f}", (*row.error).*member, digits);
}

template <double ChoiceScore::*member, int digits> std::string choiceCell(const JudgedRow &row) {
  return row.choice ? fmt::format("{:.{}f}", (*row.choice).*member, digits) : std::string();
}

template <double ChoiceScore::*member, int digits> std::string rankCell(const JudgedRow &row) {
  return row.ranks ? choiceCell<member, digits>(row) : std::string();
}

std::string timesCell(const JudgedRow &row) {
  return row.error ? fmt::format("{}", row.error->times) : std::string();
}

std::string coverageCell(const JudgedRow &row) {
  return row.hasIntervals ? errorCell<&ErrorScore::coverage, 2>(row) : std::string();
}

template <double ChoiceScore::*member> std::string sureCell(const JudgedRow &row) {
  return row.hasIntervals && row.choice ? choiceCell<member, 3>(row) : std::string();
}

std::string workloadsCell(const JudgedRow &row) {
  return row.choice ? fmt::format("{}", row.choice->workloads) : std::string();
}

constexpr Column kColumns[] = {
    {"times", "times", timesCell},
    {"|ln error|", "ln_error", errorCell<&ErrorScore::lnError, 3>},
    {"factor", "factor", errorCell<&ErrorScore::factor, 2>},
    {"bias", "bias_factor", errorCell<&ErrorScore::bias, 2>},
    {"by app", "by_application", errorCell<&ErrorScore::perApplication, 3>},
    {"cover", "coverage", coverageCell},
    {"choices", "choices", workloadsCell},
    {"rho", "spearman", rankCell<&ChoiceScore::spearman, 3>},
    {"top-1", "top_one", choiceCell<&ChoiceScore::topOne, 3>},
    {"within 5 %", "within_five_percent", choiceCell<&ChoiceScore::withinFive, 3>},
    {"pairs", "pairs", rankCell<&ChoiceScore::pairs, 3>},
    {"sure", "sure_pairs", sureCell<&ChoiceScore::surePairs>},
    {"right", "sure_pairs_right", sureCell<&ChoiceScore::surePairsRight>},
    {"regret", "regret", choiceCell<&ChoiceScore::regret, 3>},
    {"worst", "worst", choiceCell<&ChoiceScore::worst, 1>},
};

/// Why a protocol must not be believed; empty for the honest ones.
std::string_view warning(std::string_view leftOut) {
  return leftOut == train::toString(train::LeaveOut::kRandomTimes)
             ? " (misleading: other times of the same kernels are trained on)"
             : "";
}

} // namespace

std::string judgedText(const std::vector<JudgedRow> &rows) {
  std::vector<std::string> header = {"", ""};
  for (const Column &column : kColumns)
    header.emplace_back(column.text);
  std::string text;
  for (size_t begin = 0; begin < rows.size();) {
    const std::string &leftOut = rows[begin].leftOut;
    std::vector<std::vector<std::string>> table = {header};
    const std::string *data = nullptr;
    for (; begin < rows.size() && rows[begin].leftOut == leftOut; ++begin) {
      const JudgedRow &row = rows[begin];
      std::vector<std::string> &cells = table.emplace_back();
      cells = {data && *data == row.data ? "" : row.data, row.by};
      data = &row.data;
      for (const Column &column : kColumns) {
        const std::string cell = column.cell(row);
        cells.push_back(cell.empty() ? "-" : cell);
      }
    }
    text += fmt::format("{}left out: {}{}\n", text.empty() ? "" : "\n", leftOut, warning(leftOut));
    text += text::textTable(table, {true, true}, {.indent = "  "});
  }
  return text;
}

std::string judgedCsv(const std::vector<JudgedRow> &rows) {
  std::string csv = "left_out,data,predicted_by";
  for (const Column &column : kColumns)
    csv += fmt::format(",{}", column.csv);
  csv += "\n";
  for (const JudgedRow &row : rows) {
    csv += fmt::format("{},{},{}", row.leftOut, text::csvField(row.data), text::csvField(row.by));
    for (const Column &column : kColumns)
      csv += fmt::format(",{}", column.cell(row));
    csv += "\n";
  }
  return csv;
}

} // namespace aiwc::cli
