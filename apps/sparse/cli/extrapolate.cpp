#include "extrapolate/extrapolate.h"

#include "command_line/output.h"
#include "commands.h"
#include "profile/json.h"
#include "profile/store.h"
#include "run/folder.h"
#include "run/run.h"
#include "sparse/matrix.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace aiwc::cli {

namespace {

namespace fs = std::filesystem;
using extrapolate::Pattern;
using text::printable;

struct ExtrapolateArguments {
  std::vector<std::string> runs;
  std::vector<std::string> samples;
  std::string whole;
  std::string output;
};

/// A run on a sample.
struct SampleRun {
  fs::path file; ///< run.json
  run::Run run;
  std::string sample; ///< the file of the matrix
  std::string how;    ///< how it was taken, as `aiwc-sparse sample` wrote it
  std::optional<Pattern> pattern;
};

/// Whether the file begins as a Matrix Market file that `aiwc-sparse sample` wrote does.
bool isSample(const fs::path &file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored))
    return false;
  try {
    std::string sample;
    sparse::readMatrix(file.string(), {}, &sample);
    return !sample.empty();
  } catch (const Error &) {
    return false; // another file of the application
  }
}

/// The argument of the run's command that is a sample; `--input=FILE` counts, too.
std::string sampleOf(const run::Run &run, const std::string &name) {
  for (size_t i = 1; i < run.command.size(); ++i) {
    const std::string &argument = run.command[i];
    const size_t equals = argument.find('=');
    for (const std::string &text :
         {argument, equals == std::string::npos ? std::string() : argument.substr(equals + 1)})
      if (!text.empty() && isSample(fs::path(run.folder) / text))
        return (fs::path(run.folder) / text).string();
  }
  throw Error(
      fmt::format("{}: no argument of its command is a file of aiwc-sparse sample: expected "
                  "--sample FILE, the matrix that it ran on",
                  name));
}

SampleRun sampleRunOf(const std::string &argument, const std::string &sample) {
  SampleRun made;
  made.file = run::onlyRunOf(argument);
  const std::string name = printable(made.file.string(), 4096);
  made.run = run::readRun(made.file);
  if (!made.run.finished())
    throw Error(
        fmt::format("{}: the run has not ended, or was killed: expected a whole run", name));
  made.sample = sample.empty() ? sampleOf(made.run, name) : sample;
  made.pattern.emplace(sparse::readMatrix(made.sample, {}, &made.how));
  return made;
}

/// The value of `key=value` in a sample's comment.
std::string wordOf(const std::string &comment, const std::string &key) {
  const size_t at = (" " + comment).find(" " + key + "=");
  if (at == std::string::npos)
    return "";
  const size_t begin = at + key.size() + 1;
  return comment.substr(begin, comment.find(' ', begin) - begin);
}

/// A sample of another matrix is a mistake.
void checkOrigin(const SampleRun &run, const Pattern &whole, const std::string &file) {
  const std::vector<std::pair<std::string, uint64_t>> expected{
      {"rows", whole[extrapolate::Quantity::kRows]},
      {"columns", whole[extrapolate::Quantity::kColumns]},
      {"non_zeros", whole[extrapolate::Quantity::kNonZeros]}};
  for (const auto &[key, number] : expected)
    if (const std::string word = wordOf(run.how, key);
        !word.empty() && word != fmt::format("{}", number))
      throw Error(fmt::format("{}: was taken from a matrix with {} = {}: expected {}, as {} has",
                              printable(run.sample, 4096), key, printable(word), number, file));
}

std::string fromText(const std::vector<SampleRun> &runs) {
  std::vector<std::string> parts;
  for (const SampleRun &run : runs) {
    const std::string method = wordOf(run.how, "method");
    const auto share = static_cast<double>((*run.pattern)[extrapolate::Quantity::kNonZeros]);
    parts.push_back(
        fmt::format("{}{:.0f} non-zeros", method.empty() ? "" : method + " of ", share));
  }
  std::string text = fmt::format("{}", fmt::join(parts, "; "));
  constexpr size_t kLongest = 200;
  if (text.size() > kLongest)
    text = text.substr(0, kLongest) + "...";
  return text;
}

/// The launches of a run with a profile, by kernel, in order.
std::map<std::string, std::vector<const run::Launch *>> launchesOf(const SampleRun &run) {
  std::map<std::string, std::vector<const run::Launch *>> launches;
  for (const run::Launch &launch : run.run.launches)
    if (launch.hasProfile())
      launches[launch.kernel].push_back(&launch);
  for (auto &[kernel, of] : launches)
    std::ranges::sort(of, {}, [](const run::Launch *launch) {
      return std::pair(launch->process, launch->number);
    });
  return launches;
}

class Extrapolator {
public:
  explicit Extrapolator(const ExtrapolateArguments &arguments) : arguments_(arguments) {
    if (!arguments.samples.empty() && arguments.samples.size() != arguments.runs.size())
      throw Error(
          fmt::format("aiwc-sparse extrapolate: {} of --sample for {} runs: expected one for each "
                      "run, or none",
                      arguments.samples.size(), arguments.runs.size()));
    const std::string whole = printable(arguments.whole, 4096);
    for (size_t i = 0; i < arguments.runs.size(); ++i)
      runs_.push_back(
          sampleRunOf(arguments.runs[i], arguments.samples.empty() ? "" : arguments.samples[i]));
    whole_.emplace(sparse::readMatrix(arguments.whole));
    for (const SampleRun &run : runs_)
      checkOrigin(run, *whole_, whole);
    // The nearest sample comes first, and its launches are those of the result.
    std::ranges::stable_sort(runs_, [](const SampleRun &a, const SampleRun &b) {
      return (*a.pattern)[extrapolate::Quantity::kNonZeros] >
             (*b.pattern)[extrapolate::Quantity::kNonZeros];
    });
    from_ = fromText(runs_);
  }

  std::string run() {
    std::vector<std::map<std::string, std::vector<const run::Launch *>>> launches;
    for (const SampleRun &run : runs_)
      launches.push_back(launchesOf(run));
    if (launches.front().empty())
      throw Error(fmt::format("{}: has no profile: expected one at least",
                              printable(runs_.front().file.string(), 4096)));
    std::string text;
    size_t kernels = 0;
    std::map<std::string, std::string> done; // profile of the nearest run -> that of the result
    run::Run result;
    result.command = runs_.front().run.command;
    result.options = runs_.front().run.options;
    result.folder = runs_.front().run.folder;
    result.started = run::timestamp();
    result.toolVersion = runs_.front().run.toolVersion;
    result.oclgrindVersion = runs_.front().run.oclgrindVersion;
    const run::RunFile file(arguments_.output, result);
    profile::ProfileStore store(arguments_.output);
    for (const auto &[kernel, of] : launches.front()) {
      const auto sameNumber = [&, &name = kernel, number = of.size()](const auto &other) {
        const auto found = other.find(name);
        return found != other.end() && found->second.size() == number;
      };
      const bool all = std::ranges::all_of(launches, sameNumber);
      if (!all) {
        warn(fmt::format(
            "aiwc-sparse extrapolate: {} is left out: the runs launched it differently often, "
            "so how often depends on the matrix",
            printable(kernel)));
        continue;
      }
      for (size_t i = 0; i < of.size(); ++i) {
        run::Launch launch = *of[i];
        auto known = done.find(launch.profile);
        if (known == done.end()) {
          std::vector<profile::KernelProfile> profiles;
          std::vector<extrapolate::SampleLaunch> samples;
          profiles.reserve(runs_.size());
          for (size_t k = 0; k < runs_.size(); ++k) {
            profiles.push_back(profile::readProfile(runs_[k].file.parent_path() /
                                                    launches[k].at(kernel)[i]->profile));
            samples.push_back({&*runs_[k].pattern, &profiles.back()});
          }
          extrapolate::Extrapolated made =
              extrapolate::extrapolate(samples, *whole_, from_, models_);
          if (!made.items.of) {
            warn(fmt::format(
                "aiwc-sparse extrapolate: {} is left out: its {} work-items are none for each "
                "row, non-zero or column of the sample",
                printable(kernel), profiles.front().count("work_items"_metric)));
            break;
          }
          if (of[i] == of.front()) {
            text += said(kernel, made);
            ++kernels;
          }
          const std::string name = store.write(made.profile).filename().string();
          known = done.emplace(launch.profile, name).first;
          sizes_.emplace(name, made.profile);
        }
        const profile::KernelProfile &made = sizes_.at(known->second);
        launch.profile = known->second;
        launch.globalSize = made.provenance.globalSize;
        launch.instructions = made.count("total_instruction_count"_metric);
        result.launches.push_back(launch);
        copySource(launch);
      }
    }
    if (result.launches.empty()) {
      file.remove();
      throw Unsatisfied("no kernel of the samples can be extrapolated");
    }
    std::ranges::sort(result.launches, {}, [](const run::Launch &launch) {
      return std::pair(launch.process, launch.number);
    });
    result.seconds = 0;
    file.replace(result);
    return fmt::format("{} kernel{} of {} in {}, from {}\n", kernels, kernels == 1 ? "" : "s",
                       printable(arguments_.whole, 4096), printable(arguments_.output, 4096),
                       from_) +
           text;
  }

private:
  void copySource(const run::Launch &launch) const {
    if (launch.source.empty())
      return;
    std::error_code ignored; // a profile without its source is of use, too
    fs::copy_file(runs_.front().file.parent_path() / launch.source,
                  fs::path(arguments_.output) / launch.source, fs::copy_options::skip_existing,
                  ignored);
  }

  std::string said(const std::string &kernel, const extrapolate::Extrapolated &made) const {
    std::string text = fmt::format("  {}: ", printable(kernel));
    // A kernel without a quantity for its work-items was left out.
    text += fmt::format("{} work-item{} for each of the {}", made.items.each,
                        made.items.each == 1 ? "" : "s", toString(made.items.of.value()));
    text += made.loops ? fmt::format(", goes through the {}", toString(*made.loops))
                       : ", no loop through the matrix was found";
    text +=
        made.gathered.empty()
            ? "; reuse as in the sample"
            : fmt::format("; reuse of {} by the pattern ({:.1f} % of the sample's line accesses "
                          "differ)",
                          printable(fmt::format("{}", fmt::join(made.gathered, ", ")), 200),
                          100 * made.reuseMismatch);
    return text + "\n";
  }

  const ExtrapolateArguments &arguments_;
  std::vector<SampleRun> runs_;
  std::optional<Pattern> whole_;
  extrapolate::GatherModels models_;
  std::string from_;
  std::map<std::string, profile::KernelProfile> sizes_; ///< by file name
};

} // namespace

void addExtrapolate(Command app) {
  auto arguments = std::make_shared<ExtrapolateArguments>();
  Command command = app.subcommand(
      "extrapolate",
      "Make profiles for a whole sparse matrix from runs on samples of it (aiwc-sparse sample)");
  command
      .option("RUN", &arguments->runs,
              "Folder of a run of the application on a sample, or its file run.json")
      .required();
  command.option("--to", &arguments->whole, "File of the whole matrix").type("FILE").required();
  command
      .option("--sample", &arguments->samples,
              "The matrix that a run worked on, one for each run; without it, the argument of "
              "its command that aiwc-sparse sample wrote")
      .type("FILE")
      .repeatable();
  command.option("-o,--output", &arguments->output, "Folder for the profiles, which is made")
      .type("FOLDER")
      .required();
  command.examples(
      {{"aiwc-sparse extrapolate run5 run10 --to web.mtx -o whole", "from two samples"},
       {"aiwc-sparse extrapolate run10 --sample part.mtx --to web.mtx -o whole",
        "from one, whose matrix the command did not name"}});
  command.action([arguments] {
    std::error_code ignored;
    if (fs::exists(arguments->output, ignored))
      throw Error(
          fmt::format("aiwc-sparse extrapolate: -o {}: exists: expected the name of a new folder",
                      printable(arguments->output, 4096)));
    Extrapolator extrapolator(*arguments);
    print(extrapolator.run());
  });
}

} // namespace aiwc::cli
