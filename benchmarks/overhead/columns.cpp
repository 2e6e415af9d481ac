#include "columns.h"

#include "eod/statistics/quantile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace aiwc::overhead {
namespace {

struct Cell {
  enum class Kind { kUnknown, kAtLeast, kValue } kind = Kind::kUnknown;
  double value = 0;
};

std::optional<size_t> indexOf(const Plan &plan, const std::string &variant) {
  for (size_t v = 0; v < plan.variants.size(); ++v)
    if (plan.variants[v].name == variant)
      return v;
  return std::nullopt;
}

bool isIn(const Plan &plan, const Column &column) {
  return indexOf(plan, column.variant) && (column.to.empty() || indexOf(plan, column.to));
}

std::vector<double> values(const std::vector<Usage> &rounds, const Column &column) {
  std::vector<double> result;
  for (const Usage &usage : rounds)
    result.push_back(column.quantity(usage));
  return result;
}

Cell cellOf(const Plan &plan, const Settings &settings, const Usages &usages,
            const Column &column) {
  const std::vector<double> over = values(usages[*indexOf(plan, column.variant)], column);
  if (over.empty() && !column.bounded)
    return {};
  const auto limit = static_cast<double>(settings.cpuLimitS);
  if (column.to.empty())
    return over.empty() ? Cell{Cell::Kind::kAtLeast, limit}
                        : Cell{Cell::Kind::kValue, statistics::median(over)};
  const std::vector<double> under = values(usages[*indexOf(plan, column.to)], column);
  if (under.empty())
    return {};
  if (over.empty())
    return {Cell::Kind::kAtLeast, limit / statistics::median(under)};
  std::vector<double> ratios;
  for (size_t round = 0; round < over.size(); ++round)
    ratios.push_back(over[round] / under[round]);
  return {Cell::Kind::kValue, statistics::median(ratios)};
}

std::string textOf(const Cell &cell, const Column &column) {
  if (cell.kind == Cell::Kind::kUnknown)
    return "-";
  return fmt::format("{}{:.{}f}", cell.kind == Cell::Kind::kAtLeast ? "> " : "", cell.value,
                     column.digits);
}

std::string meanOf(const std::vector<Cell> &cells, const Column &column) {
  double logarithms = 0;
  size_t count = 0;
  for (const Cell &cell : cells)
    if (cell.kind == Cell::Kind::kValue) {
      logarithms += std::log(cell.value);
      ++count;
    }
  return column.to.empty() || count == 0
             ? ""
             : fmt::format("**{:.{}f}**", std::exp(logarithms / static_cast<double>(count)),
                           column.digits);
}

} // namespace

std::string markdownTable(const Plan &plan, const Settings &settings,
                          const std::vector<Usages> &usages, const std::vector<Column> &columns) {
  std::string head = "| workload |";
  std::string rule = "|---|";
  std::string means = "| **geometric mean** |";
  std::vector<std::string> rows;
  for (const Workload &workload : plan.workloads)
    rows.push_back(fmt::format("| {} |", workload.name));
  for (const Column &column : columns) {
    if (!isIn(plan, column))
      continue;
    head += ' ' + column.head + " |";
    rule += "---:|";
    std::vector<Cell> cells;
    for (size_t w = 0; w < usages.size(); ++w) {
      cells.push_back(cellOf(plan, settings, usages[w], column));
      rows[w] += ' ' + textOf(cells.back(), column) + " |";
    }
    means += ' ' + meanOf(cells, column) + " |";
  }
  std::string text = head + '\n' + rule + '\n';
  for (const std::string &row : rows)
    text += row + '\n';
  const bool hasRatios =
      std::ranges::any_of(columns, [](const Column &column) { return !column.to.empty(); });
  return hasRatios ? text + means + '\n' : text;
}

} // namespace aiwc::overhead
