#include "try_changes.h"

#include "advice/edits.h"
#include "advice/words.h"
#include "common/error.h"
#include "common/file.h"
#include "diff_output.h"
#include "kernel_launch/capture.h"
#include "kernel_launch/command.h"
#include "launcher.h"
#include "processes/clang_tokens.h"
#include "processes/program.h"
#include "rerun.h"
#include "run/folder.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace aiwc::cli {

namespace {

namespace fs = std::filesystem;
using advice::Edit;

constexpr std::string_view kAdviseName = "aiwc advise";
constexpr size_t kColumns = 100;

/// How to make a run of the kernel that can be repeated with a changed source.
std::string commandFor(const advice::Advised &kernel) {
  const std::string file = kernel.source.file.empty() ? "FILE.cl" : kernel.source.file;
  return fmt::format("aiwc kernel {} --kernel {} --global SIZE --local SIZE --arg auto",
                     processes::shellWord(file), processes::shellWord(kernel.kernel));
}

bool isText(kernel_launch::FileKind kind) {
  return kind == kernel_launch::FileKind::kOpenClC || kind == kernel_launch::FileKind::kCuda;
}

kernel_launch::Command commandOf(const run::Run &run, const std::string &folder,
                                 std::span<const advice::Advised> kernels) {
  const auto kernel =
      std::ranges::find_if(kernels, [](const advice::Advised &one) { return !one.kernel.empty(); });
  if (!run::isKernelHost(run.command))
    throw Error(fmt::format(
        "{}: {}: --try expects a run of aiwc kernel, which knows the arguments of the launch; make "
        "one: {}",
        kAdviseName, text::printable(folder, 4096),
        kernel == kernels.end() ? "aiwc kernel FILE --global SIZE --arg auto"
                                : text::printable(commandFor(*kernel), 4096)));
  kernel_launch::Command command =
      kernel_launch::commandOf({run.command.begin() + 1, run.command.end()});
  for (std::string &file : command.files)
    file = (fs::path(run.folder) / file).lexically_normal().string(); // an absolute one stays
  const kernel_launch::FileKind kind = kernel_launch::fileKindOf(command.files.front());
  if (!isText(kind) && kind != kernel_launch::FileKind::kCapture)
    throw Error(fmt::format("{}: {}: --try expects a program in OpenCL C or CUDA, whose text can "
                            "be changed",
                            kAdviseName, text::printable(command.files.front(), 4096)));
  return command;
}

/// The text without the zeros that the layer ends it with.
std::string withoutZeros(std::string text) {
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

/// A program of the run, in OpenCL C or CUDA.
struct TriedProgram {
  std::string file, text;
  std::string kernel; ///< of a capture: the kernel that it launches; empty: any
};

std::vector<TriedProgram> programsOf(const kernel_launch::Command &command,
                                     const std::vector<fs::path> &captures) {
  std::vector<TriedProgram> programs;
  const auto add = [&](const std::string &file, const std::string &kernel) {
    if (isText(kernel_launch::fileKindOf(file)))
      programs.push_back({file, withoutZeros(readFile(file, "the program")), kernel});
  };
  for (const fs::path &folder : captures) {
    const kernel_launch::Capture capture = kernel_launch::readCapture(folder);
    add(capture.program.string(), capture.kernel);
  }
  if (captures.empty())
    add(command.files.front(), "");
  return programs;
}

/// The text with its lines replaced. Throws Error if a line is not what the edit says.
std::string edited(const std::string &text, const std::vector<Edit> &edits,
                   const std::string &file) {
  std::vector<std::string> lines = text::split(text, '\n');
  for (const Edit &edit : edits) {
    if (edit.place > lines.size() || lines[edit.place - 1] != edit.before)
      throw Error(fmt::format("{}: {}:{}: is not the line that ran, or stands in a file that it "
                              "includes: expected \"{}\"",
                              kAdviseName, text::printable(file, 4096), edit.line,
                              text::printable(edit.before)));
    lines[edit.place - 1] = edit.after;
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

struct Change {
  std::string name;  ///< of its folder
  std::string title; ///< for people
  const advice::Advised *kernel;
  advice::Change change;

  std::vector<Edit> editsOf(const advice::SourceCode &code) const {
    return advice::editsOf(change, kernel->kernel, code);
  }
  /// Whether the program is the one that the change is of: captures of one run may have different
  /// programs. One of another text than the kernel's is said to be wrong where it is edited.
  bool isOf(const TriedProgram &program) const {
    return program.kernel.empty() ||
           (program.kernel == kernel->kernel && kernel->source.text.starts_with(program.text));
  }
};

/// The program's text with these changes. Throws Error if its lines are not those of the changes.
std::string textWith(std::span<const Change *const> changes, const TriedProgram &program) {
  std::string text = program.text;
  for (const Change *change : changes)
    if (change->isOf(program))
      text = edited(text, change->editsOf(advice::SourceCode(text, processes::clangTokens(text))),
                    program.file);
  return text;
}

/// Runs the programs of a run of `aiwc kernel` again.
class Trials {
public:
  Trials(const std::string &folder, kernel_launch::Command command, const run::Run &run)
      : run_(folder), folder_(fs::absolute(folder) / "try"), command_(std::move(command)),
        workFolder_(run.folder) {
    if (kernel_launch::fileKindOf(command_.files.front()) == kernel_launch::FileKind::kCapture)
      for (const std::string &file : command_.files)
        for (fs::path &capture : kernel_launch::capturesIn(file))
          captures_.push_back(std::move(capture));
    programs_ = programsOf(command_, captures_);
    for (std::string &option : keptOptions(run))
      options_.push_back(std::move(option));
    // Those that `kernelWords` gives again, and the one that makes results wrong.
    std::erase(options_, "--aiwc");
    for (const char *withArgument : {"--max-errors", "--aiwc-budget"})
      if (const auto at = std::ranges::find(options_, withArgument); at != options_.end())
        options_.erase(at, at + std::min<std::ptrdiff_t>(2, options_.end() - at));
    std::error_code ignored; // what cannot be removed cannot be made either
    fs::remove_all(folder_, ignored);
    makeFolder(kAdviseName, folder_ / kResults);
  }

  const std::vector<TriedProgram> &programs() const { return programs_; }

  /// Runs the programs as they are. Throws Error if that fails.
  void runAsItIs() const {
    kernel_launch::Command command = command_;
    command.writtenResults = (folder_ / kResults).string();
    if (const int status = execute(std::string(kAsItIs), command); status != 0)
      throw Error(fmt::format("{}: the program as it is ended with status {}: see {}", kAdviseName,
                              status, (folder_ / "as-it-is.txt").string()));
  }

  /// Runs the programs with these changes. Returns why they are no replacement; empty if they are.
  std::string refusalOf(const std::string &name, std::span<const Change *const> changes) const {
    kernel_launch::Command command = command_;
    if (captures_.empty() && changes.size() == 1)
      launchFewer(changes.front()->change, command);
    if (captures_.empty())
      copyProgram(folder_ / name, changes, command);
    else
      copyCaptures(folder_ / name, changes, command);
    command.expectedResults = (folder_ / kResults).string();
    const int status = execute(name, command);
    if (status == 0) {
      const uint64_t more = errorsIn(name) - std::min(errorsIn(name), errorsIn(kAsItIs));
      return more == 0 ? ""
                       : fmt::format("the simulator reports {} that the program as it is does not "
                                     "have, see {}",
                                     advice::plural(static_cast<double>(more), "error"),
                                     (folder_ / name).string() + ".txt");
    }
    const std::string said = (folder_ / name).string() + ".txt";
    if (const auto reason = kernelError(said))
      return fmt::format("{}: {}", status == 1 ? "other results" : "it does not run",
                         text::printable(*reason, 400));
    return fmt::format("it ended with status {}, see {}", status, said);
  }

  /// The folder of the run that `refusalOf` has made.
  std::string runOf(const std::string &name) const {
    return (run_ / "try" / name / "run").string();
  }

private:
  static constexpr std::string_view kResults = "results";
  static constexpr std::string_view kAsItIs = "as-it-is";

  /// What the simulator reported in all launches of a run.
  uint64_t errorsIn(std::string_view name) const {
    uint64_t errors = 0;
    for (const run::Launch &launch : run::readRun(folder_ / name / "run" / "run.json").launches)
      errors += launch.simulatorErrors;
    return errors;
  }

  /// A launch in one dimension, with as many work-items as do after the change, if its arguments do
  /// not follow from the number of work-items.
  static void launchFewer(const advice::Change &change, kernel_launch::Command &command) {
    const auto isGiven = [](const std::string &argument) {
      const std::string value = argument.substr(argument.find('=') + 1);
      return value.starts_with("buffer:") ||
             value.find_first_not_of("0123456789.+-ef") == std::string::npos;
    };
    if (change.workItems > 0 && command.global.size() == 1 &&
        command.global[0].find('x') == std::string::npos &&
        std::ranges::all_of(command.arguments, isGiven))
      command.global[0] = std::to_string(change.workItems);
  }

  /// The changed program in a folder, as the program of the command.
  void copyProgram(const fs::path &folder, std::span<const Change *const> changes,
                   kernel_launch::Command &command) const {
    const TriedProgram &program = programs_.front();
    const fs::path original = program.file;
    const std::string text = textWith(changes, program);
    const fs::path copy = folder / original.filename();
    makeFolder(kAdviseName, folder);
    replaceFile(copy, text);
    command.files = {copy.string()};
    if (text.find("#include \"") != std::string::npos) // files beside the original
      command.buildOptions +=
          fmt::format(" -I \"{}\"", fs::absolute(original).parent_path().string());
  }

  /// All captures with their changed programs in a folder, as the captures of the command: links to
  /// what is not changed, which may be large.
  void copyCaptures(const fs::path &folder, std::span<const Change *const> changes,
                    kernel_launch::Command &command) const {
    command.files.clear();
    for (const fs::path &capture : captures_) {
      const fs::path original = fs::absolute(capture).lexically_normal();
      const fs::path copy = folder / std::to_string(command.files.size()) / original.filename();
      makeFolder(kAdviseName, copy);
      const auto program = std::ranges::find_if(programs_, [&](const TriedProgram &one) {
        return fs::absolute(one.file).lexically_normal().parent_path() == original;
      });
      std::error_code failed;
      for (fs::directory_iterator at(original, failed), end; !failed && at != end;
           at.increment(failed)) {
        const fs::path name = at->path().filename();
        if (program != programs_.end() && name == fs::path(program->file).filename())
          replaceFile(copy / name, textWith(changes, *program));
        else
          fs::create_symlink(at->path(), copy / name, failed);
        if (failed)
          break;
      }
      if (failed)
        throw Error(withReason(fmt::format("{}: {} cannot be made", kAdviseName, copy.string()),
                               failed.value()));
      command.files.push_back(copy.string());
    }
  }

  int execute(const std::string &name, const kernel_launch::Command &command) const {
    std::vector<std::string> options = options_;
    options.insert(options.end(),
                   {"--aiwc-quiet", "--aiwc-output", (folder_ / name / "run").string()});
    return runAndWait(kAdviseName, kernelWords(kAdviseName, std::move(options), command),
                      workFolder_, folder_ / (name + ".txt"));
  }

  fs::path run_, folder_;
  kernel_launch::Command command_;
  std::vector<fs::path> captures_; ///< none: the run is of a program
  std::vector<TriedProgram> programs_;
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
                         const std::string &devices) {
  const run::Run run = runToRepeat(folder);
  const kernel_launch::Command command = commandOf(run, folder, kernels);
  std::vector<Change> changes;
  for (const advice::Advised &kernel : kernels)
    for (const advice::Finding &finding : kernel.findings) {
      Change change = {std::string(info(finding.rule).key), finding.title, &kernel, finding.change};
      if (kernel.source.code && !change.editsOf(*kernel.source.code).empty())
        changes.push_back(std::move(change));
    }
  const bool areOfSeveral = std::ranges::any_of(
      changes, [&](const Change &change) { return change.kernel != changes.front().kernel; });
  for (size_t i = 0; areOfSeveral && i < changes.size(); ++i) {
    changes[i].title += " in " + text::printable(changes[i].kernel->kernel, 60);
    changes[i].name = fmt::format("{}-{}", i + 1, changes[i].name);
  }
  if (changes.empty())
    return "\nNothing to try: no finding has a change that is an edit of the text.\n";
  const Trials trials(folder, command, run);
  for (const Change &change : changes) { // the lines of findings are those of the file
    const std::vector<Edit> edits = change.editsOf(*change.kernel->source.code);
    bool isOfAny = false;
    for (const TriedProgram &program : trials.programs())
      if (change.isOf(program)) {
        edited(program.text, edits, program.file);
        isOfAny = true;
      }
    if (!isOfAny)
      throw Error(fmt::format("{}: {}: no program of the run's captures is the one that kernel {} "
                              "ran from: expected the captures as they were",
                              kAdviseName, text::printable(folder, 4096),
                              text::printable(change.kernel->kernel, 60)));
  }
  trials.runAsItIs();
  std::string said;
  std::vector<const Change *> good;
  const auto say = [&](const std::string &name, const std::string &title,
                       const std::string &refused) {
    said += "\nTried: " + title + "\n";
    said += refused.empty() ? "  results as before\n" +
                                  indented(differenceOfRuns(folder, trials.runOf(name), devices))
                            : text::wrapped(refused, 2, kColumns);
  };
  for (const Change &change : changes) {
    const Change *const one = &change;
    const std::string refused = trials.refusalOf(change.name, std::span(&one, 1));
    say(change.name, change.title, refused);
    if (refused.empty())
      good.push_back(one);
  }
  if (good.size() > 1)
    say("together", "all of these together", trials.refusalOf("together", good));
  return said;
}

} // namespace aiwc::cli
