#include "show_lines.h"

#include "common/file.h"
#include "embed/opencl_c.h"
#include "kernel_launches.h"
#include "text/text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

namespace aiwc::cli {

namespace {

using views::LineCountField;
using views::LineListing;
using Json = nlohmann::ordered_json;

std::string headerOf(const KernelLaunches &launches) {
  const NamedProfile &first = *launches.profiles.front();
  const std::string file = text::printable(first.file, 4096);
  if (launches.profiles.size() == 1)
    return fmt::format("{}, {}, invocation {}", file, launches.label,
                       first.profile->provenance.invocation);
  return fmt::format("{} to {}, {}, {} launches together", file,
                     text::printable(launches.profiles.back()->file, 4096), launches.label,
                     launches.profiles.size());
}

} // namespace

std::string linesText(const std::vector<NamedProfile> &profiles, const ShowLinesOptions &options,
                      const text::Terminal &terminal) {
  constexpr std::string_view kSource = "the kernel's source";
  const std::string given = options.source.empty() ? "" : readFile(options.source, kSource);
  std::string text;
  for (const KernelLaunches &launches : launchesByKernel(profiles)) {
    text += (text.empty() ? "" : "\n") +
            text::emphasised(headerOf(launches), text::Emphasis::kHeading, terminal) + "\n";
    for (const std::string &note : launches.notes())
      text += text::wrapped(note, 2, terminal.columns);
    if (!options.source.empty() &&
        embed::bareHash(given) != launches.heaviest().profile->provenance.sourceHash)
      text += fmt::format("  {} is not the source that the kernel was built from: the text of a "
                          "line may be wrong\n",
                          text::printable(options.source, 4096));
    const std::string kept = options.source.empty() && !launches.heaviest().source.empty()
                                 ? readFile(launches.heaviest().source, kSource)
                                 : "";
    text += views::lineTable(
        views::lineListing(launches.read(), options.counts), options.counts,
        {.source = options.source.empty() ? kept : given, .columns = terminal.columns});
  }
  return text;
}

std::string linesJson(const std::vector<NamedProfile> &profiles, const ShowLinesOptions &options) {
  Json kernels = Json::array();
  for (const KernelLaunches &launches : launchesByKernel(profiles)) {
    const LineListing listing = views::lineListing(launches.read(), options.counts);
    Json files = Json::array();
    for (const NamedProfile *named : launches.profiles)
      files.push_back(named->file);
    Json rows = Json::array();
    for (const views::LineCounts &counts : listing.lines) {
      Json row;
      for (const LineCountField &field : views::kLineCountFields)
        row[std::string(field.key)] = counts.*field.member;
      rows.push_back(std::move(row));
    }
    const profile::Provenance &provenance = launches.heaviest().profile->provenance;
    kernels.push_back(
        {{"kernel", provenance.kernel},
         {"source_hash", provenance.sourceHash},
         {"files", std::move(files)},
         {"notes", launches.notes()},
         {"work_items", listing.workItems},
         {"line_bytes", listing.cacheLineBytes == 0 ? Json() : Json(listing.cacheLineBytes)},
         {"cache_bytes", options.counts.cacheBytes},
         {"lanes", options.counts.lanes},
         {"lines", std::move(rows)}});
  }
  return kernels.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string linesCsv(const std::vector<NamedProfile> &profiles, const ShowLinesOptions &options) {
  std::string text = "file,kernel,launches,work_items";
  for (const LineCountField &field : views::kLineCountFields)
    text += fmt::format(",{}", field.key);
  text += "\n";
  for (const KernelLaunches &launches : launchesByKernel(profiles)) {
    const LineListing listing = views::lineListing(launches.read(), options.counts);
    const NamedProfile &first = *launches.profiles.front();
    for (const views::LineCounts &counts : listing.lines) {
      text += fmt::format("{},{},{},{}", text::csvField(first.file),
                          text::csvField(first.profile->provenance.kernel),
                          launches.profiles.size(), listing.workItems);
      for (const LineCountField &field : views::kLineCountFields)
        text += fmt::format(",{}", counts.*field.member);
      text += "\n";
    }
  }
  return text;
}

} // namespace aiwc::cli
