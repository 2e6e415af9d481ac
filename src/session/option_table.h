/// The options of a session, one per row. This table defines the command lines of the launcher and
/// of `aiwc run`, their --help, the environment between launcher and plugin, the completions of the
/// shells, and the manual pages. To add an option, add a row here and a member to SessionOptions.
#pragma once

#include "session/option_values.h"
#include "session/options.h"

#include <array>
#include <string>
#include <string_view>

namespace aiwc {

/// Converts the text of an option to a member of SessionOptions, and back.
struct OptionValue {
  void (*read)(const GivenValue &given, SessionOptions &options) = nullptr;
  /// Returns an empty text if the member has its default.
  std::string (*write)(const SessionOptions &options) = nullptr;
};

template <auto member, auto parse>
inline constexpr OptionValue kValueOf = {
    [](const GivenValue &given, SessionOptions &options) { options.*member = parse(given); },
    [](const SessionOptions &options) {
      const auto &value = options.*member;
      return value == SessionOptions().*member ? std::string() : valueText(value);
    }};

struct Option {
  /// The launcher's name of the option, `--aiwc-<name>`. `aiwc run` calls the same option
  /// `--<name>`.
  std::string_view flag;
  std::string_view variable; ///< name of its environment variable
  OptionValue value;
  /// The name of the argument in --help and in the manual. Empty: the option is a switch.
  std::string_view argument = "";
  /// Description of the valid arguments, for messages.
  std::string_view expected = "0 or 1";
  /// The arguments that a shell offers for completion, with blanks between them; kFolders for the
  /// names of folders.
  std::string_view offered = "";
  /// One line, without the full stop.
  std::string_view help;
  /// The text for oclgrind-aiwc(7), if it is longer than `help`: whole sentences. The page sets the
  /// argument's name in italics and text between ` in bold.
  std::string_view manual = "";

  bool takesArgument() const { return !argument.empty(); }
  /// `--<name>`.
  std::string runFlag() const;
};

inline constexpr std::string_view kFolders = "/";

/// An option of the launcher only. It turns characterisation on, as every other option does too.
inline constexpr std::string_view kCharacteriseFlag = "--aiwc";
inline constexpr std::string_view kCharacteriseHelp = "Characterise every kernel invocation";

inline constexpr std::array kOptions = {
    Option{
        .flag = "--aiwc-output",
        .variable = "AIWC_OUTPUT",
        .value = kValueOf<&SessionOptions::output, parseFolder>,
        .argument = "DIR",
        .expected = "a folder",
        .offered = kFolders,
        .help = "Write the profiles to this existing folder (default: .)",
        .manual = "Write the profiles to DIR, a folder that exists. "
                  "The default is the current folder.",
    },
    Option{
        .flag = "--aiwc-kernels",
        .variable = "AIWC_KERNELS",
        .value = kValueOf<&SessionOptions::kernels, parseExpression>,
        .argument = "REGEX",
        .expected = "an ECMAScript regular expression of at most 1000 characters",
        .help = "Characterise the kernels whose name matches",
        .manual = "Characterise the kernels in whose name the ECMAScript regular expression REGEX "
                  "(at most 1000 characters) matches somewhere. "
                  "Use `^` and `$` to match the whole name. "
                  "The other kernels are simulated all the same.",
    },
    Option{
        .flag = "--aiwc-invocations",
        .variable = "AIWC_INVOCATIONS",
        .value = kValueOf<&SessionOptions::invocations, parseInvocations>,
        .argument = "A-B",
        .expected = "A, A-, -B or A-B with whole numbers 0 <= A <= B, counted from 0",
        .help =
            "Characterise invocations A to B of each kernel, counted from 0 (also A, A- and -B)",
        .manual = "Characterise these invocations of each kernel: `A-B`, `A`, `A-` or `-B`; both "
                  "ends are included. "
                  "Invocations are counted from 0, for each kernel name separately, in each "
                  "process. "
                  "The other invocations are simulated all the same.",
    },
    Option{
        .flag = "--aiwc-line-size",
        .variable = "AIWC_LINE_SIZE",
        .value = kValueOf<&SessionOptions::lineSize, parseLineSize>,
        .argument = "BYTES",
        .expected = "32, 64, 128 or 256 (bytes)",
        .offered = "32 64 128 256",
        .help = "Measure the reuse of lines of 32, 64, 128 or 256 bytes (default: 64)",
        .manual = "Measure reuse distances of lines of 32, 64, 128 or 256 bytes. "
                  "The default is 64.",
    },
    Option{
        .flag = "--aiwc-sample-groups",
        .variable = "AIWC_SAMPLE_GROUPS",
        .value = kValueOf<&SessionOptions::sampleGroups, parseSampleGroups>,
        .argument = "N",
        .expected = "a whole number above 0",
        .help = "Characterise N work-groups of each launch, spread over it, and estimate the rest "
                "(default: all)",
        .manual = "Characterise N work-groups of each launch, spread over it. "
                  "All of them run, and the results of the kernels are complete. "
                  "Sums in the profile are scaled to the whole launch; the profile says that it is "
                  "sampled, gives the standard error of each metric that is estimated, and tells "
                  "which ones are bounds or hold for the sample alone. "
                  "A launch of no more than N work-groups is characterised as without this "
                  "option, which is the default.",
    },
    Option{
        .flag = "--aiwc-engine",
        .variable = "AIWC_ENGINE",
        .value = kValueOf<&SessionOptions::engine, parseEngine>,
        .argument = "ENGINE",
        .expected = "compiled, interpreter or auto",
        .offered = "compiled interpreter auto",
        .help = "Run kernels by the interpreter, compiled, or auto (default: auto, compiled where "
                "possible)",
        .manual = "What runs the kernels. "
                  "`interpreter` is Oclgrind itself. "
                  "`auto` compiles a kernel to machine code that leaves the same profile, but for "
                  "what it says of the engine, in a fraction of the time; a kernel that it cannot "
                  "compile, and a launch that does something for Oclgrind to report, is "
                  "interpreted, and the profile tells why. "
                  "`compiled` does the same and tells on standard error which kernels were "
                  "interpreted, and why. "
                  "The default is `auto`.",
    },
    Option{
        .flag = "--aiwc-threads",
        .variable = "AIWC_THREADS",
        .value = kValueOf<&SessionOptions::threads, parseThreads>,
        .argument = "N",
        .expected = "a whole number from 1 to 256",
        .help = "Analyse what compiled kernels do by N threads (default: all cores)",
        .manual = "Analyse what compiled kernels do by N threads, 1 to 256. "
                  "The default is as many as there are cores. "
                  "Profiles do not depend on N.",
    },
    Option{
        .flag = "--aiwc-verbose",
        .variable = "AIWC_VERBOSE",
        .value = kValueOf<&SessionOptions::verbose, parseSwitch>,
        .help = "Tell which kernels are interpreted, and why",
        .manual = "Tell on standard error which kernels are interpreted although another engine "
                  "might run them, and why.",
    },
    Option{
        .flag = "--aiwc-embed",
        .variable = "AIWC_EMBED",
        .value = kValueOf<&SessionOptions::embed, parseSwitch>,
        .help = "Write the programs, too, with their profiles inside",
        .manual = "Write the programs, too: next to the profiles, a copy of each program of which "
                  "a kernel was characterised, with the profiles of its kernels inside, as `aiwc "
                  "embed` puts them there. "
                  "Of several invocations of a kernel with the same NDRange the one with the most "
                  "instructions is embedded, and none that is incomplete.",
    },
    Option{
        .flag = "--aiwc-csv",
        .variable = "AIWC_CSV",
        .value = kValueOf<&SessionOptions::csv, parseSwitch>,
        .help = "Write the metrics of each profile as CSV, too",
        .manual = "Write the metrics of each profile as CSV, too, in a file beside it.",
    },
    Option{
        .flag = "--aiwc-quiet",
        .variable = "AIWC_QUIET",
        .value = kValueOf<&SessionOptions::quiet, parseSwitch>,
        .help = "Print no summaries and no progress",
        .manual = "Print no summaries, no progress and no remark when nothing was characterised. "
                  "Errors are still reported, and so is what `--aiwc-verbose` asks for.",
    },
};

/// The option whose launcher flag is `flag`; nullptr if there is none.
const Option *findOption(std::string_view flag);

/// Sets the option to the value of `text`. `name` is the flag or the variable that the user wrote.
/// Throws Error, `<name> is '<text>': expected ...`, if the text is invalid.
void readOption(const Option &option, std::string_view text, std::string_view name,
                SessionOptions &options);

} // namespace aiwc
