#include "metrics/shared/analysis.h"

#include "common/error.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace aiwc::metrics {
namespace {

struct Family {
  std::string_view name;
  std::unique_ptr<Analysis> (*make)(const trace::Program &, const Settings &);
};

constexpr auto kFamilies = std::to_array<Family>({
#define AIWC_FAMILY(family) {#family, family::make},
    AIWC_TRACED_FAMILIES(AIWC_FAMILY)
#undef AIWC_FAMILY
});

} // namespace

void Analysis::add(const Analysis &, uint64_t) {
  assert(!"a family whose results can be added several times");
}

std::vector<std::string> AnalysisSet::families() {
  std::vector<std::string> names;
  names.reserve(kFamilies.size());
  for (const Family &family : kFamilies)
    names.emplace_back(family.name);
  return names;
}

AnalysisSet::AnalysisSet(const trace::Program &program, const AnalysisOptions &options,
                         const std::shared_ptr<ReuseOrder> &order, const ProgramTables *tables,
                         WorkingMemory *memory)
    : program_(program),
      ownTables_(tables ? nullptr : std::make_unique<const ProgramTables>(program)) {
  if (options.only)
    for (const std::string &name : *options.only)
      if (std::ranges::find(kFamilies, name, &Family::name) == kFamilies.end())
        throw Error("analysis '" + name + "': expected a name of AnalysisSet::families()");
  WorkingMemory own; // each analysis keeps what it takes of it
  const Settings settings{options, order, tables ? *tables : *ownTables_, memory ? *memory : own};
  for (const Family &family : kFamilies)
    if (!options.only || std::ranges::find(*options.only, family.name) != options.only->end()) {
      names_.push_back(family.name);
      analyses_.push_back(family.make(program, settings));
    }
}

void AnalysisSet::beginGroup(const trace::Program &program, const trace::Group &group) {
  for (const auto &analysis : analyses_)
    analysis->beginGroup(program, group);
}

void AnalysisSet::consume(const trace::Chunk &chunk) {
  consumeMarked(repeats_.mark(chunk));
}

void AnalysisSet::consumeMarked(const MarkedChunk &chunk) {
  for (const auto &analysis : analyses_)
    analysis->consume(chunk);
}

void AnalysisSet::endGroup() {
  for (const auto &analysis : analyses_)
    analysis->endGroup();
}

void AnalysisSet::merge(AnalysisSet &other) {
  assert(analyses_.size() == other.analyses_.size());
  for (size_t i = 0; i < analyses_.size(); ++i)
    analyses_[i]->merge(*other.analyses_[i]);
}

void AnalysisSet::add(const AnalysisSet &other, uint64_t times) {
  for (size_t i = 0; i < analyses_.size(); ++i) {
    const auto same = std::ranges::find(other.names_, names_[i]) - other.names_.begin();
    analyses_[i]->add(*other.analyses_[static_cast<size_t>(same)], times);
  }
}

void AnalysisSet::finish(profile::KernelProfile &profile) const {
  // All rows, in order: one that is added later moves those behind it.
  std::vector<uint32_t> lines;
  for (const trace::Operation &operation : program_.operations)
    if (lines.empty() || lines.back() != operation.line)
      lines.push_back(operation.line);
  std::ranges::sort(lines);
  for (const uint32_t line : lines)
    profile.histograms.lineRow(line);
  for (const auto &analysis : analyses_)
    analysis->finish(profile);
  std::erase_if(profile.histograms.lines, [](const profile::LineRow &row) {
    return row == profile::LineRow{.line = row.line};
  });
}

void AnalysisSet::sums(profile::KernelProfile &profile) const {
  for (const auto &analysis : analyses_)
    analysis->sums(profile);
}

} // namespace aiwc::metrics
