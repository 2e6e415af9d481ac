#include "advice/report.h"

#include "advice/ranking.h"
#include "advice/words.h"
#include "common/version.h"
#include "predict/report.h"
#include "text/source_lines.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace aiwc::advice {

namespace {

std::string titleOf(const Finding &finding) {
  return finding.title.empty() ? std::string(info(finding.rule).title) : finding.title;
}

using Json = nlohmann::ordered_json;

/// The width of sentences: longer lines are hard to read.
size_t widthOn(const text::Terminal &terminal) {
  return std::clamp<size_t>(terminal.columns, 40, 100);
}

std::string inLines(std::string_view text, size_t indent, const text::Terminal &terminal) {
  return text::wrapped(text, indent, widthOn(terminal));
}

std::string dumped(const Json &json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// The source line with this number; one without text if there is none.
text::SourceLine lineOf(std::string_view source, uint64_t number) {
  const auto lines = text::numberedLines(source);
  const auto line = lines.find(number);
  return line == lines.end() ? text::SourceLine{number, {}} : line->second;
}

/// "line 33", or "blur.cl:33".
std::string placeOf(const Evidence &evidence, const Source &source) {
  return source.file.empty() || source.isKept
             ? fmt::format("line {}", evidence.line)
             : fmt::format("{}:{}", text::printable(source.file, 200), evidence.line);
}

Json evidenceJson(const Finding &finding) {
  Json rows = Json::array();
  for (const Evidence &evidence : finding.evidence)
    rows.push_back(
        {{"line", evidence.line == 0 ? Json() : Json(evidence.line)}, {"text", evidence.text}});
  return rows;
}

std::vector<Edit> editsIn(const Source &source, const Finding &finding, std::string_view kernel) {
  return source.code ? editsOf(finding.change, kernel, *source.code) : std::vector<Edit>();
}

Json editsJson(const Finding &finding, const Advised &kernel) {
  Json edits = Json::array();
  for (const Edit &edit : editsIn(kernel.source, finding, kernel.kernel))
    edits.push_back({{"line", edit.line}, {"before", edit.before}, {"after", edit.after}});
  return edits;
}

/// The edits as a fix of SARIF; an empty array if there are none.
Json fixesJson(const Finding &finding, const Advised &kernel) {
  Json replacements = Json::array();
  for (const Edit &edit : editsIn(kernel.source, finding, kernel.kernel))
    replacements.push_back({{"deletedRegion",
                             {{"startLine", edit.place},
                              {"startColumn", 1},
                              {"endLine", edit.place},
                              {"endColumn", edit.before.size() + 1}}},
                            {"insertedContent", {{"text", edit.after}}}});
  if (replacements.empty() || kernel.source.file.empty())
    return Json::array();
  return Json::array(
      {{{"description", {{"text", finding.remedy}}},
        {"artifactChanges", Json::array({{{"artifactLocation", {{"uri", kernel.source.file}}},
                                          {"replacements", replacements}}})}}});
}

} // namespace

std::string toText(std::span<const DescriptionLine> description, const text::Terminal &terminal) {
  constexpr size_t kSubject = 16;
  std::string text;
  for (const DescriptionLine &line : description) {
    const std::string block = inLines(line.text, kSubject + 2, terminal);
    text += "  " +
            text::emphasised(fmt::format("{:<{}}", line.subject, kSubject),
                             text::Emphasis::kHeading, terminal) +
            block.substr(kSubject + 2);
  }
  return text;
}

std::string summary(std::span<const Finding> findings) {
  std::vector<std::string> parts;
  for (const Finding &finding : findings) {
    std::string part(titleOf(finding));
    if (const uint64_t line = finding.line(); line > 0)
      part += fmt::format(" (line {})", line);
    parts.push_back(part + gainText(finding));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

namespace {

/// The lines to change, as they are to be.
std::string editsText(const std::vector<Edit> &edits, const Source &source,
                      const text::Terminal &terminal) {
  std::string text;
  constexpr size_t kMost = 6;
  constexpr size_t kIndent = 9;
  constexpr size_t kLongestLine = 1000; // whole, so that it can be copied
  for (const Edit &edit : edits) {
    if (&edit - edits.data() == kMost) {
      text += inLines(fmt::format("and {} further lines", edits.size() - kMost), 5, terminal);
      break;
    }
    text += inLines(placeOf({edit.line, {}}, source) + " becomes", 5, terminal);
    for (const std::string &line : text::split(edit.after, '\n'))
      if (!text::trimmed(line).empty() || edit.after.empty())
        text += fmt::format("{}{}\n", std::string(kIndent, ' '),
                            text::printable(text::trimmed(line), kLongestLine));
  }
  return text;
}

std::string remedyOf(const Finding &finding, std::string_view kernel, const Source &source) {
  return finding.remedy + (source.code ? sketchOf(finding.change, kernel, *source.code) : "");
}

/// What follows a finding's heading.
std::string bodyOf(const Finding &finding, const Source &source, std::string_view kernel,
                   const text::Terminal &terminal) {
  std::string text = inLines(finding.problem, 3, terminal);
  for (const Evidence &evidence : finding.evidence) {
    const std::string place =
        evidence.line == 0 ? "" : fmt::format("{}: ", placeOf(evidence, source));
    text += inLines(place + evidence.text, 5, terminal);
    constexpr size_t kIndent = 9;
    if (const std::string_view line = text::trimmed(lineOf(source.text, evidence.line).text);
        evidence.line > 0 && !line.empty())
      text += fmt::format("{}{}\n", std::string(kIndent, ' '),
                          text::printable(line, widthOn(terminal) - kIndent - 3));
  }
  return text + inLines(remedyOf(finding, kernel, source), 3, terminal) +
         editsText(editsIn(source, finding, kernel), source, terminal);
}

/// A heading; its first line is not indented.
std::string headed(const std::string &title, const std::string &rest,
                   const text::Terminal &terminal) {
  using text::Emphasis;
  const std::string lines = inLines(title + rest, 3, terminal).substr(3);
  if (!lines.starts_with(title)) // too long for a line
    return text::emphasised(lines.substr(0, lines.size() - 1), Emphasis::kHeading, terminal) + "\n";
  return text::emphasised(title, Emphasis::kHeading, terminal) +
         text::emphasised(lines.substr(title.size(), lines.size() - title.size() - 1),
                          Emphasis::kWarning, terminal) +
         "\n";
}

} // namespace

std::string toText(std::span<const Finding> findings, const Source &source, std::string_view kernel,
                   const text::Terminal &terminal) {
  std::string text;
  size_t number = 0;
  for (const Finding &finding : findings) {
    text +=
        (number == 0 ? "" : "\n") +
        headed(fmt::format("{}. {}", number + 1, titleOf(finding)), gainText(finding), terminal) +
        bodyOf(finding, source, kernel, terminal);
    ++number;
  }
  return text;
}

namespace {

/// What each of the findings saves, by device; empty for one device or without numbers.
std::string savingsTable(const std::vector<std::string> &titles,
                         const std::vector<RankedFinding> &findings,
                         std::span<const std::string> devices, const std::vector<double> &seconds,
                         const text::Terminal &terminal) {
  std::vector<std::vector<std::string>> rows = {{""}, {"the run's time"}};
  for (size_t i = 0; i < devices.size(); ++i) {
    rows[0].push_back(devices[i]);
    rows[1].push_back(seconds[i] > 0 ? predict::duration(seconds[i]) : "-");
  }
  for (size_t n = 0; n < findings.size(); ++n) {
    if (findings[n].byDevice.empty())
      continue;
    rows.push_back({titles[n]});
    std::ranges::copy(findings[n].byDevice, std::back_inserter(rows.back()));
  }
  if (devices.size() < 2 || rows.size() == 2)
    return "";
  return "\nSaved of the run's time\n" +
         text::textTable(rows, {true},
                         {.indent = "  ", .names = {0}, .terminal = terminal, .heading = true});
}

} // namespace

std::string toText(std::span<const Advised> kernels, std::span<const std::string> devices,
                   std::optional<size_t> first, bool all, const text::Terminal &terminal) {
  std::vector<const Advised *> byTime; // those of the kernels
  std::vector<KernelFindings> found;
  for (const Advised &kernel : kernels)
    if (!kernel.kernel.empty()) {
      byTime.push_back(&kernel);
      found.push_back({kernel.findings, kernel.seconds});
    }
  const std::vector<const Advised *> inOrder = byTime;
  const size_t kernelCount = found.size();
  const std::vector<double> seconds = secondsOfRun(found, devices.size());
  std::string text;
  std::ranges::stable_sort(byTime, std::ranges::greater{}, [&](const Advised *kernel) {
    return largestShare(kernel->seconds, seconds);
  });
  const size_t lead = first.value_or(leadDevice(seconds));
  size_t hiddenKernels = 0;
  for (const Advised *kernel : byTime) {
    if (!all && kernelCount > 1 && largestShare(kernel->seconds, seconds) < kLeastShare) {
      ++hiddenKernels;
      continue;
    }
    text += kernel->title + "\n";
    const size_t on = kernel->seconds[lead] > 0 ? lead : leadDevice(kernel->seconds);
    std::string line = fmt::format("On {}: ", devices[on]);
    if (kernelCount > 1)
      line += fmt::format("{} of the run's predicted time. ",
                          percent(kernel->seconds[on] / seconds[on]));
    if (kernel->limits[on])
      line += fmt::format("{}{}.", kernelCount > 1 ? "Mostly " : "mostly ",
                          inWords(*kernel->limits[on]));
    if (kernelCount > 1 || kernel->limits[on])
      text += inLines(line, 2, terminal);
  }
  if (hiddenKernels > 0)
    text += inLines(fmt::format("{} with less than 1 % of the time each",
                                plural(static_cast<double>(hiddenKernels), "further kernel")),
                    0, terminal);
  size_t number = 0;
  size_t hidden = 0; // findings
  std::vector<RankedFinding> shown;
  std::vector<std::string> titles;
  for (const RankedFinding &row : ranked(found, devices, first)) {
    if (!all && kernelCount > 1 && !row.notable) {
      ++hidden;
      continue;
    }
    const Advised &kernel = *inOrder[row.kernel];
    const Finding &finding = kernel.findings[row.finding];
    const std::string where = kernelCount > 1 ? fmt::format(" in {}", kernel.label) : "";
    titles.push_back(fmt::format("{}. {}{}", ++number, titleOf(finding), where));
    text += "\n" + headed(titles.back(), row.saves, terminal) +
            bodyOf(finding, kernel.source, kernel.kernel, terminal);
    shown.push_back(row);
  }
  text += savingsTable(titles, shown, devices, seconds, terminal);
  if (number + hidden == 0)
    text += kernelCount > 0 ? "\nNothing found that is likely to gain 5 % or more.\n" : "";
  if (hidden > 0)
    text += fmt::format("\n{} can save less than 1 % of the run each (--all shows them)\n",
                        plural(static_cast<double>(hidden), "further finding"));
  for (const Advised &kernel : kernels) {
    if (!kernel.kernel.empty())
      continue;
    for (const Finding &finding : kernel.findings)
      text += "\n" + headed(fmt::format("{}: {}", kernel.title, titleOf(finding)), "", terminal) +
              bodyOf(finding, {}, {}, terminal);
  }
  return text;
}

std::string toJson(std::span<const Advised> kernels) {
  Json result = Json::array();
  for (const Advised &kernel : kernels) {
    Json findings = Json::array();
    for (const Finding &finding : kernel.findings) {
      Json gains = Json::array();
      for (const Gain &gain : finding.gains)
        gains.push_back({{"device", gain.device},
                         {"at_most", gain.factor},
                         {"saved_s", gain.savedSeconds},
                         {"likely", gain.likely ? Json(*gain.likely) : Json()},
                         {"likely_saved_s", gain.likely ? Json(gain.likelySavedSeconds) : Json()},
                         {"range", Json::array({gain.range().low, gain.range().high})}});
      findings.push_back({{"rule", info(finding.rule).key},
                          {"problem", finding.problem},
                          {"remedy", remedyOf(finding, kernel.kernel, kernel.source)},
                          {"evidence", evidenceJson(finding)},
                          {"costed", finding.isCosted},
                          {"gains", gains},
                          {"edits", editsJson(finding, kernel)}});
    }
    const auto orNull = [](const std::string &name) { return name.empty() ? Json() : Json(name); };
    result.push_back(
        {{"kernel", orNull(kernel.kernel)}, {"file", orNull(kernel.file)}, {"findings", findings}});
  }
  return dumped(result);
}

std::string toSarif(std::span<const Advised> kernels) {
  Json ruleList = Json::array();
  for (const RuleInfo &rule : rules())
    ruleList.push_back({{"id", rule.key},
                        {"shortDescription", {{"text", rule.title}}},
                        {"fullDescription", {{"text", rule.about}}}});
  // Code scanning of GitHub takes no result without a file. The application's are at the first
  // kernel's.
  const auto named = std::ranges::find_if(
      kernels, [](const Advised &kernel) { return !kernel.source.file.empty(); });
  Json results = Json::array();
  for (const Advised &kernel : kernels) {
    const bool isNamed = !kernel.source.file.empty();
    const std::string file =
        isNamed || named == kernels.end() ? kernel.source.file : named->source.file;
    for (const Finding &finding : kernel.findings) {
      std::string message = fmt::format(
          "{}{}. {}",
          kernel.kernel.empty() ? "The application" : fmt::format("Kernel {}", kernel.label),
          gainText(finding), finding.problem);
      for (const Evidence &evidence : finding.evidence)
        message += evidence.line == 0 ? fmt::format(" {}.", evidence.text)
                                      : fmt::format(" Line {}: {}.", evidence.line, evidence.text);
      Json location = Json::object();
      if (!kernel.kernel.empty())
        location["logicalLocations"] =
            Json::array({{{"name", kernel.kernel}, {"kind", "function"}}});
      const uint64_t line = isNamed ? finding.line() : 0;
      if (!file.empty())
        location["physicalLocation"] = {
            {"artifactLocation", {{"uri", file}}},
            {"region", {{"startLine", line == 0 ? 1 : lineOf(kernel.source.text, line).place}}}};
      results.push_back(
          {{"ruleId", info(finding.rule).key},
           {"ruleIndex", static_cast<size_t>(finding.rule)},
           {"level", finding.largestGain() >= 2 ? "warning" : "note"},
           {"message",
            {{"text",
              fmt::format("{} {}", message, remedyOf(finding, kernel.kernel, kernel.source))}}},
           {"locations", location.empty() ? Json::array() : Json::array({location})}});
      if (Json fixes = fixesJson(finding, kernel); !fixes.empty())
        results.back()["fixes"] = std::move(fixes);
    }
  }
  return dumped(
      {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
       {"version", "2.1.0"},
       {"runs", Json::array({{{"tool",
                               {{"driver",
                                 {{"name", "aiwc"}, {"version", kVersion}, {"rules", ruleList}}}}},
                              {"results", results}}})}});
}

} // namespace aiwc::advice
