/// Descriptions and findings as text, JSON and SARIF.
#pragma once

#include "advice/description.h"
#include "advice/findings.h"
#include "advice/limit.h"
#include "text/terminal.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::advice {

/// A kernel's source, for the lines of findings; all may be empty.
struct Source {
  std::string file; ///< as it is to be named
  std::string_view text;
  const SourceCode *code = nullptr; ///< of the text, for what to change in it
  bool isKept = false;              ///< by a run, under a name that says nothing to people
};

/// A line or two for each subject, aligned.
std::string toText(std::span<const DescriptionLine> description,
                   const text::Terminal &terminal = {});
/// What was found, in a line: titles, first places, gains. Empty if nothing was.
std::string summary(std::span<const Finding> findings);
/// What was found, numbered, with the places in `source`. `kernel` is the name of the kernel, for
/// what to change in it.
std::string toText(std::span<const Finding> findings, const Source &source,
                   std::string_view kernel = {}, const text::Terminal &terminal = {});

/// A kernel and what was found in it.
struct Advised {
  std::string title;  ///< the kernel and its launches, for people
  std::string kernel; ///< its name; empty: the application
  std::string label;  ///< the same for people, told apart from others of this name
  std::string file;   ///< of the profile
  Source source;
  std::vector<Finding> findings;
  std::vector<double> seconds;                   ///< predicted time of all its launches, by device
  std::vector<std::optional<Limit>> limits = {}; ///< likewise, what limits them
};

/// What was found in a run: first the kernels' titles, what limits each on the lead device, and the
/// share of the run's time that it takes there if there are several. Then the findings of all
/// kernels, those first that save most of the run's time on that device; a table of what they save
/// by device; then what concerns the application. `devices`: ids, in the order of the gains;
/// `first`: the lead device, else the one on which the run is fastest. Unless `all`, what takes or
/// can save less than 1 % of the run on each device is only counted.
std::string toText(std::span<const Advised> kernels, std::span<const std::string> devices,
                   std::optional<size_t> first, bool all, const text::Terminal &terminal = {});

/// An array with an object per kernel: `kernel`, `file` and `findings`. The first two are null for
/// what concerns the whole application.
std::string toJson(std::span<const Advised> kernels);
/// SARIF 2.1.0 (OASIS), a result per finding, at its first place with a known line.
std::string toSarif(std::span<const Advised> kernels);

} // namespace aiwc::advice
