#include "extrapolate/access_laws.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace aiwc::extrapolate {

using profile::AccessKind;
using profile::AccessRow;
using profile::MemorySpace;

namespace {

/// What three standard errors of a sampled launch may be (README.md, "Quick start").
constexpr double kEstimated = 0.03;

bool reaches(uint64_t accesses, uint64_t number) {
  return static_cast<double>(accesses) >= (1 - kEstimated) * static_cast<double>(number);
}
bool is(uint64_t accesses, uint64_t number) {
  return reaches(accesses, number) &&
         static_cast<double>(accesses) <= (1 + kEstimated) * static_cast<double>(number);
}

double perVisit(const AccessRow &row, const AccessContext &context) {
  return static_cast<double>(row.accesses) /
         static_cast<double>(std::max<uint64_t>(1, context.visits));
}

uint64_t bytesOfOne(const AccessRow &row) {
  return std::max<uint64_t>(1, row.bytes / std::max<uint64_t>(1, row.accesses));
}

bool isRepeatedAtomic(const Place &place, const AccessContext &context) {
  return place.row.kind == AccessKind::kAtomic && context.firstAt.has_value();
}

bool holdsBothNodes(const Place &place, const AccessContext &context) {
  return isGather(place.row, context) && context.byVisit &&
         (isRepeatedAtomic(place, context)
              ? context.firstAt == Quantity::kUsedNodes
              : place.gathersOfArray > 1 || std::round(perVisit(place.row, context)) >= 2);
}
bool holdsRowNode(const Place &place, const AccessContext &context) {
  return isGather(place.row, context) && context.byVisit &&
         (isRepeatedAtomic(place, context) ? context.firstAt == Quantity::kNonEmptyRows
                                           : context.singlesByRow);
}
bool holdsColumnNode(const Place &place, const AccessContext &context) {
  return isGather(place.row, context);
}
bool holdsNonZeros(const Place &place, const AccessContext &context) {
  return reaches(place.row.accesses, context.visits) && (context.byVisit || place.row.loop != 0);
}
bool holdsRows(const Place &place, const AccessContext &context) {
  return !context.byVisit && !place.row.dataDependent &&
         (is(place.row.accesses, context.rows) || is(place.row.accesses, context.nonEmptyRows));
}

struct LawRow {
  AccessLaw law;
  bool (*holds)(const Place &, const AccessContext &);
};
constexpr std::array kLaws{
    LawRow{AccessLaw::kBothNodes, holdsBothNodes}, LawRow{AccessLaw::kRowNode, holdsRowNode},
    LawRow{AccessLaw::kColumnNode, holdsColumnNode}, LawRow{AccessLaw::kNonZeros, holdsNonZeros},
    LawRow{AccessLaw::kRows, holdsRows}};

void addStream(std::vector<Stream> &streams, const AccessRow &row) {
  const auto known = std::ranges::find(streams, row.array, &Stream::array);
  if (known != streams.end())
    ++known->times;
  else
    streams.push_back({row.array, bytesOfOne(row)});
}

void addGather(std::vector<Gather> &gathers, const Place &place, bool byRow, double times,
               const AccessContext &context) {
  const AccessRow &row = place.row;
  const auto known = std::ranges::find_if(gathers, [&](const Gather &other) {
    return other.array == row.array && other.byRow == byRow;
  });
  if (known != gathers.end()) {
    known->times += times;
    return;
  }
  // An index has several elements if the array has more bytes than an element for each column.
  const uint64_t bytes = bytesOfOne(row);
  const double elements = std::round(static_cast<double>(row.footprint) /
                                     static_cast<double>(std::max<uint64_t>(1, context.columns)) /
                                     static_cast<double>(bytes));
  gathers.push_back(
      {row.array, byRow, static_cast<uint64_t>(std::max(1.0, elements)) * bytes, times});
}

std::vector<GatheredArray> arraysOf(const std::vector<Gather> &gathers,
                                    std::span<const AccessRow> places,
                                    const AccessContext &context) {
  std::map<std::string, GatheredArray> arrays;
  for (const Gather &gather : gathers) {
    const Quantity indices = gather.byRow ? Quantity::kNonEmptyRows : Quantity::kUsedColumns;
    const auto [known, fresh] =
        arrays.try_emplace(gather.array, GatheredArray{gather.array, indices});
    if (known->second.indices != indices)
      known->second.indices = Quantity::kUsedNodes;
    known->second.span = gather.span;
  }
  for (const AccessRow &row : places)
    if (isGather(row, context)) {
      GatheredArray &array = arrays.at(row.array);
      array.elements = array.span / bytesOfOne(row);
      array.isRead = array.isRead || row.kind != AccessKind::kWrite;
      array.isWritten = array.isWritten || row.kind != AccessKind::kRead;
    }
  std::vector<GatheredArray> all;
  all.reserve(arrays.size());
  for (auto &[name, array] : arrays)
    all.push_back(std::move(array));
  return all;
}

/// The table with the accesses of one place in one row. A gather whose neighbours are often side by
/// side has several.
std::vector<AccessRow> byPlace(const std::vector<AccessRow> &table) {
  std::vector<AccessRow> places;
  std::vector<uint64_t> largest;
  for (const AccessRow &row : table) {
    const auto known = std::ranges::find_if(places, [&](const AccessRow &other) {
      return other.line == row.line && other.array == row.array && other.kind == row.kind &&
             other.space == row.space && other.function == row.function && other.loop == row.loop;
    });
    if (known == places.end()) {
      places.push_back(row);
      largest.push_back(row.accesses);
      continue;
    }
    uint64_t &most = largest[static_cast<size_t>(known - places.begin())];
    if (row.accesses > most) {
      most = row.accesses;
      known->laneStride = row.laneStride;
      known->loopStride = row.loopStride;
    }
    known->accesses += row.accesses;
    known->bytes += row.bytes;
    known->footprint = std::max(known->footprint, row.footprint);
    known->dataDependent = known->dataDependent || row.dataDependent;
  }
  return places;
}

} // namespace

bool isGather(const AccessRow &row, const AccessContext &context) {
  return row.space != MemorySpace::kLocal && row.dataDependent && context.visits > 0 &&
         reaches(row.accesses, context.visits);
}

AccessLaw lawOf(const Place &place, const AccessContext &context) {
  if (place.row.space == MemorySpace::kLocal || place.row.accesses == 0)
    return AccessLaw::kNone;
  const auto *const law =
      std::ranges::find_if(kLaws, [&](const LawRow &row) { return row.holds(place, context); });
  return law == kLaws.end() ? AccessLaw::kNone : law->law;
}

Accesses accessesOf(std::span<const AccessRow> places, const AccessContext &context) {
  Accesses of;
  of.traversal.visits = context.visited;
  std::map<std::string, size_t> gathersOf;
  for (const AccessRow &row : places)
    if (isGather(row, context))
      ++gathersOf[row.array];
  for (const AccessRow &row : places) {
    const auto found = gathersOf.find(row.array);
    const Place place{row, found == gathersOf.end() ? 0 : found->second};
    const double times = perVisit(row, context);
    std::vector<Gather> &gathers = of.traversal.gathers;
    const AccessLaw law = lawOf(place, context);
    switch (law) {
    case AccessLaw::kBothNodes: {
      const double ofEach = place.gathersOfArray == 1 ? times / 2 : times;
      addGather(gathers, place, true, ofEach, context);
      addGather(gathers, place, false, ofEach, context);
      break;
    }
    case AccessLaw::kRowNode:
    case AccessLaw::kColumnNode:
      addGather(gathers, place, law == AccessLaw::kRowNode, times, context);
      break;
    case AccessLaw::kNonZeros:
      addStream(of.traversal.perNonZero, row);
      break;
    case AccessLaw::kRows:
      addStream(of.traversal.perRow, row);
      break;
    case AccessLaw::kNone:
      break;
    }
  }
  of.arrays = arraysOf(of.traversal.gathers, places, context);
  return of;
}

std::vector<AccessRow> placesOf(const std::vector<AccessRow> &table,
                                std::span<const std::vector<AccessRow> *const> others) {
  std::vector<AccessRow> places = byPlace(table);
  for (AccessRow &row : places) {
    for (const std::vector<AccessRow> *const other : others)
      for (const AccessRow &of : *other)
        row.dataDependent = row.dataDependent || (of.dataDependent && of.line == row.line &&
                                                  of.array == row.array && of.kind == row.kind);
    // Rows that share an element at their border read few twice.
    constexpr double kReused = 0.95;
    if (row.loop != 0 && !row.laneStride && !row.loopStride &&
        static_cast<double>(row.footprint) < kReused * static_cast<double>(row.bytes))
      row.dataDependent = true;
  }
  return places;
}

} // namespace aiwc::extrapolate
