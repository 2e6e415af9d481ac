#include "try_changes.h"

#include "advice/edits.h"
#include "common/error.h"
#include "common/file.h"
#include "diff.h"
#include "kernel.h"
#include "kernel_launch/command.h"
#include "launcher.h"
#include "rerun.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

namespace aiwc::cli {

namespace {

namespace fs = std::filesystem;
using advice::Edit;

constexpr std::string_view kName = "aiwc advise";
constexpr size_t kColumns = 100;

/// The words of a shell command.
std::string quoted(const std::string &word) {
  const bool isPlain = std::ranges::all_of(word, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-+./=:,").find(static_cast<char>(c)) != std::string_view::npos;
  });
  return isPlain && !word.empty() ? word : "'" + word + "'";
}

/// How to make a run of the kernel that can be repeated with a changed source.
std::string commandFor(const advice::Advised &kernel) {
  const std::string file = kernel.source.file.empty() ? "FILE.cl" : kernel.source.file;
  return fmt::format("aiwc kernel {} --kernel {} --global SIZE --local SIZE --arg auto",
                     quoted(file), quoted(kernel.kernel));
}

kernel_launch::Command commandOf(const run::Run &run, const std::string &folder,
                                 std::span<const advice::Advised> kernels) {
  const auto kernel =
      std::ranges::find_if(kernels, [](const advice::Advised &one) { return !one.kernel.empty(); });
  if (!run::isKernelHost(run.command))
    throw Error(fmt::format(
        "{}: {}: --try expects a run of aiwc kernel, which knows the arguments of the launch; make "
        "one: {}",
        kName, text::printable(folder, 4096),
        kernel == kernels.end() ? "aiwc kernel FILE --global SIZE --arg auto"
                                : text::printable(commandFor(*kernel), 4096)));
  kernel_launch::Command command =
      kernel_launch::commandOf({run.command.begin() + 1, run.command.end()});
  for (std::string &file : command.files)
    file = (fs::path(run.folder) / file).lexically_normal().string(); // an absolute one stays
  const kernel_launch::FileKind kind = kernel_launch::fileKindOf(command.files.front());
  if (kind != kernel_launch::FileKind::kOpenClC && kind != kernel_launch::FileKind::kCuda)
    throw Error(fmt::format("{}: {}: --try expects a program in OpenCL C or CUDA, whose text can "
                            "be changed",
                            kName, text::printable(command.files.front(), 4096)));
  return command;
}

/// The text with its lines replaced. Throws Error if a line is not what the edit says.
std::string edited(const std::string &text, const std::vector<Edit> &edits,
                   const std::string &file) {
  std::vector<std::string> lines = text::split(text, '\n');
  for (const Edit &edit : edits) {
    if (edit.line == 0 || edit.line > lines.size() || lines[edit.line - 1] != edit.before)
      throw Error(fmt::format("{}: {}:{}: is not the line that ran, or stands in a file that it "
                              "includes: expected \"{}\"",
                              kName, text::printable(file, 4096), edit.line,
                              text::printable(edit.before)));
    lines[edit.line - 1] = edit.after;
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

struct Change {
  std::string name;  ///< of its folder
  std::string title; ///< for people
  std::string kernel;
  advice::Change change;
};

/// Runs the program of a run of `aiwc kernel` again.
class Trials {
public:
  Trials(const std::string &folder, kernel_launch::Command command, const run::Run &run)
      : run_(folder), folder_(fs::absolute(folder) / "try"), command_(std::move(command)),
        text_(readFile(command_.files.front(), "the program")), workFolder_(run.folder) {
    for (std::string &option : keptOptions(run))
      options_.push_back(std::move(option));
    // Those that `kernelWords` gives again, and the one that makes results wrong.
    std::erase_if(options_, [](const std::string &option) {
      return option == "--aiwc" || option == "--aiwc-only-sampled";
    });
    if (const auto limit = std::ranges::find(options_, "--max-errors"); limit != options_.end())
      options_.erase(limit, limit + std::min<std::ptrdiff_t>(2, options_.end() - limit));
    std::error_code failed;
    fs::remove_all(folder_, failed);
    fs::create_directories(folder_ / kResults, failed);
    if (failed)
      throw Error(withReason(fmt::format("{}: {} cannot be made", kName, folder_.string()),
                             failed.value()));
  }

  const std::string &text() const { return text_; }
  const std::string &file() const { return command_.files.front(); }

  /// Runs the program as it is. Throws Error if that fails.
  void runAsItIs() const {
    kernel_launch::Command command = command_;
    command.writtenResults = (folder_ / kResults).string();
    if (const int status = execute("as-it-is", command); status != 0)
      throw Error(fmt::format("{}: the program as it is ended with status {}: see {}", kName,
                              status, (folder_ / "as-it-is.txt").string()));
  }

  /// Runs the program with this text. Returns why it is no replacement; empty if it is one.
  std::string refusalOf(const std::string &name, const std::string &text) const {
    const fs::path original = command_.files.front();
    const fs::path copy = folder_ / name / original.filename();
    std::error_code failed;
    fs::create_directories(copy.parent_path(), failed);
    replaceFile(copy, text);
    kernel_launch::Command command = command_;
    command.files = {copy.string()};
    command.expectedResults = (folder_ / kResults).string();
    if (text.find("#include \"") != std::string::npos) // files beside the original
      command.buildOptions += (command.buildOptions.empty() ? "-I " : " -I ") +
                              fs::absolute(original).parent_path().string();
    const int status = execute(name, command);
    if (status == 0)
      return "";
    const std::string said = (folder_ / name).string() + ".txt";
    constexpr std::string_view kPrefix = "aiwc kernel: ";
    for (const std::string &line : text::split(readFileIfAny(said).value_or(""), '\n'))
      if (line.starts_with(kPrefix))
        return fmt::format("{}: {}", status == 1 ? "other results" : "it does not run",
                           text::printable(line.substr(kPrefix.size()), 400));
    return fmt::format("it ended with status {}, see {}", status, said);
  }

  /// The folder of the run that `refusalOf` has made.
  std::string runOf(const std::string &name) const {
    return (run_ / "try" / name / "run").string();
  }

private:
  static constexpr std::string_view kResults = "results";

  int execute(const std::string &name, const kernel_launch::Command &command) const {
    std::vector<std::string> options = options_;
    options.insert(options.end(),
                   {"--aiwc-quiet", "--aiwc-output", (folder_ / name / "run").string()});
    std::vector<std::string> words = {launcherPath(kName)};
    for (std::string &word : kernelWords(kName, std::move(options), command))
      words.push_back(std::move(word));
    return runAndWait(kName, std::move(words), workFolder_, folder_ / (name + ".txt"));
  }

  fs::path run_, folder_;
  kernel_launch::Command command_;
  std::string text_;
  std::string workFolder_;
  std::vector<std::string> options_;
};

std::string indented(const std::string &text) {
  std::string result;
  for (const std::string &line : text::split(text, '\n'))
    result += line.empty() ? "\n" : "  " + line + "\n";
  result.pop_back(); // what follows the last end of line
  return result;
}

} // namespace

std::string triedChanges(const std::string &folder, std::span<const advice::Advised> kernels,
                         const std::string &devices,
                         const std::vector<std::string> &deviceFolders) {
  const run::Run run = runToRepeat(folder, "--try");
  std::vector<Change> changes;
  const kernel_launch::Command command = commandOf(run, folder, kernels);
  for (const advice::Advised &kernel : kernels)
    for (const advice::Finding &finding : kernel.findings)
      if (!advice::editsOf(finding.change, kernel.kernel, kernel.source.text).empty())
        changes.push_back(
            {std::string(info(finding.rule).key), finding.title, kernel.kernel, finding.change});
  if (changes.empty())
    return "\nNothing to try: no finding has a change that is an edit of the text.\n";
  const Trials trials(folder, command, run);
  const auto textWith = [&](const Change &change, const std::string &text) {
    return edited(text, editsOf(change.change, change.kernel, text), trials.file());
  };
  for (const advice::Advised &kernel : kernels) // the lines of findings are those of the file
    for (const advice::Finding &finding : kernel.findings)
      edited(trials.text(), editsOf(finding.change, kernel.kernel, kernel.source.text),
             trials.file());
  trials.runAsItIs();
  std::string said;
  std::vector<const Change *> good;
  const auto say = [&](const std::string &name, const std::string &title,
                       const std::string &refused) {
    said += "\nTried: " + title + "\n";
    said += refused.empty()
                ? "  results as before\n" +
                      indented(differenceOfRuns(folder, trials.runOf(name), devices, deviceFolders))
                : text::wrapped(refused, 2, kColumns);
  };
  for (const Change &change : changes) {
    const std::string refused = trials.refusalOf(change.name, textWith(change, trials.text()));
    say(change.name, change.title, refused);
    if (refused.empty())
      good.push_back(&change);
  }
  if (good.size() > 1) {
    std::string text = trials.text();
    for (const Change *change : good)
      text = textWith(*change, text);
    say("together", "all of these together", trials.refusalOf("together", text));
  }
  return said;
}

} // namespace aiwc::cli
