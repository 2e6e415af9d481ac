/// The options of a session, one per row. This table defines the command lines of the launcher and
/// of `aiwc run`, their --help, the environment between launcher and plugin, the completions of the
/// shells, and the manual pages. To add an option, add a row here and a member to SessionOptions.
#pragma once

#include "common/name_patterns.h"
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
        .help = "Write the run to this folder, which is made if it does not exist (default: "
                "aiwc-<application>)",
        .manual = "Write the run to the folder DIR: the profiles, the sources of their kernels, "
                  "and `run.json`, which says what ran. "
                  "The folder is made if it does not exist. "
                  "A folder that already holds a run is refused, unless `--aiwc-append` is given. "
                  "The default is a new folder in the current one, `aiwc-` and the name of the "
                  "application, with a number if there already is such a folder.",
    },
    Option{
        .flag = "--aiwc-append",
        .variable = "AIWC_APPEND",
        .value = kValueOf<&SessionOptions::append, parseSwitch>,
        .help = "Add the run to a folder that already holds one",
        .manual = "Add the run to a folder that already holds one or more. "
                  "No file is overwritten: the numbers of the profiles go on, and the second run "
                  "is described by `run_2.json`.",
    },
    Option{
        .flag = "--aiwc-allow-empty",
        .variable = "AIWC_ALLOW_EMPTY",
        .value = kValueOf<&SessionOptions::allowEmpty, parseSwitch>,
        .help = "Exit with 0, not 4, if the application does and nothing was characterised",
        .manual = "Exit with 0 if the application does and nothing was characterised. "
                  "Without this option the status is then 4, so that a script does not go on "
                  "without profiles.",
    },
    Option{
        .flag = "--aiwc-kernel",
        .variable = "AIWC_KERNEL",
        .value = kValueOf<&SessionOptions::kernels, parseNames>,
        .argument = "NAMES",
        .expected = NamePatterns::kExpected,
        .help = "Characterise only the kernels of these names or patterns with * and ?, separated "
                "by commas",
        .manual = "Characterise only the kernels of these names, separated by commas. "
                  "In a name, `*` stands for any characters and `?` for one, as in a shell; a "
                  "pattern describes the whole name. "
                  "The other kernels run, too, but leave no profile.",
    },
    Option{
        .flag = "--aiwc-invocations",
        .variable = "AIWC_INVOCATIONS",
        .value = kValueOf<&SessionOptions::invocations, parseInvocations>,
        .argument = "WHICH",
        .expected = "A, A-, -B or A-B with whole numbers 0 <= A <= B, counted from 0; or /N or "
                    "A-B/N with N >= 1",
        .help = "Characterise invocations A-B of each kernel, counted from 0 (also A, A-, -B), or "
                "every N-th (/N, A-B/N); default: one of each kind",
        .manual =
            "Which launches have a profile of their own. "
            "By default, the first of those that are of the same kind: same kernel, "
            "source, build options, NDRange, values of arguments, sizes and layout of buffers, and "
            "contents of buffers on which addresses, branches or loops depend. "
            "Its profile represents the others, each with its own transfers, in whatever "
            "adds launches up. "
            "With `A-B`, `A`, `A-` or `-B`, each of these invocations; both ends are included. "
            "With `/N`, such as `/10` or `100-/10`, every N-th of them; with `0-`, all. "
            "Invocations are counted from 0, for each kernel name separately, in each "
            "process. "
            "The other invocations run, too.",
    },
    Option{
        .flag = "--aiwc-line-size",
        .variable = "AIWC_LINE_SIZE",
        .value = kValueOf<&SessionOptions::lineSize, parseLineSize>,
        .argument = "BYTES",
        .expected = "32, 64, 128 or 256 (bytes)",
        .offered = "32 64 128 256",
        .help =
            "Size of the cache lines of reuse distances: 32, 64, 128 or 256 bytes (default: 64)",
        .manual = "Measure reuse distances of cache lines of 32, 64, 128 or 256 bytes. "
                  "The default is 64.",
    },
    Option{
        .flag = "--aiwc-sample-groups",
        .variable = "AIWC_SAMPLE_GROUPS",
        .value = kValueOf<&SessionOptions::sampleGroups, parseSampleGroups>,
        .argument = "N",
        .expected = "a whole number above 0",
        .help = "Characterise N work-groups of each launch, spread over it, and estimate the rest "
                "(default: as the accuracy says)",
        .manual = "Characterise N work-groups of each launch, spread over it. "
                  "The other work-groups run, too, so the results of the kernels are complete. "
                  "Sums in the profile are scaled to the whole launch. The profile is marked as "
                  "sampled, gives the standard error of each estimated metric, and marks the "
                  "metrics that are bounds or describe only the sample. "
                  "A launch of at most N work-groups is characterised completely. "
                  "The default is to characterise as many as `--aiwc-accuracy` needs.",
    },
    Option{
        .flag = "--aiwc-accuracy",
        .variable = "AIWC_ACCURACY",
        .value = kValueOf<&SessionOptions::accuracy, parseAccuracy>,
        .argument = "HOW",
        .expected = "exact, standard or fast, also with the instructions of a long launch, such as "
                    "fast:1000000",
        .offered = "exact standard fast",
        .help = "Characterise all work-groups of long launches (exact), or so many that standard "
                "errors are below 1 % (standard, the default) or 5 % (fast)",
        .manual = "How accurate the profiles of long launches are. "
                  "`exact` characterises all work-groups. "
                  "`standard`, the default, characterises a sample of a launch that executes more "
                  "than 10^9 instructions, and enlarges it until "
                  "the standard errors of the metrics that matter to the time are below 1 %. "
                  "What the other work-groups execute is counted, so that heavy ones are in the "
                  "sample. "
                  "`fast` does so above 10^8 instructions, for 5 %. "
                  "A number behind a word, such as `fast:1000000`, replaces these numbers of "
                  "instructions; behind `exact`, for launches of which `--aiwc-budget` leaves some "
                  "work-groups out. "
                  "Launches that are interpreted are characterised completely. "
                  "`--aiwc-sample-groups` takes precedence.",
    },
    Option{
        .flag = "--aiwc-budget",
        .variable = "AIWC_BUDGET",
        .value = kValueOf<&SessionOptions::budget, parseBudget>,
        .argument = "TIME",
        .expected = "0, or a time with its unit, such as 60s or 5min (s, m, min or h)",
        .help = "Spend this time on launches, such as 60s: one that would take more than is left "
                "runs only the work-groups of its sample (0: all do), and its results are wrong",
        .manual =
            "Spend about so much time on the launches of a process, such as `60s`, `5min` or `1h`. "
            "A launch that would take more than is left, at its present speed, is undone, and only "
            "the work-groups of its sample run, which takes a fraction of the time; so do later "
            "launches of the kernel with as many work-groups, and, once the time is used up, all "
            "launches. "
            "Of a launch that is then like one before, with the same values of arguments, nothing "
            "runs: it has that one's profile. "
            "Of launches of one kernel with the same NDRange, four are then enough; launches that "
            "would have to be interpreted do not run if the last like them was or data are "
            "unfinished; and when twice the time is used up, no launch like one before runs. "
            "`0` leaves no time, and characterises each launch. "
            "The results of such a launch are wrong: what later launches read of them is "
            "unfinished, and the application may do anything with them, such as repeat a loop for "
            "ever. "
            "Its profile says so, `run.json` has `others_left_out`, and the summary counts such "
            "launches. "
            "Whether a launch is one may differ from run to run, as times do; the profile of a "
            "launch that is one does not, if what it reads does not. "
            "A better sample that would take more than is left is not tried; `run.json` then has "
            "`smaller_sample`. "
            "Launches that are interpreted, that are not characterised, or of which all "
            "work-groups are, and those of kernels that use what an atomic on global memory "
            "returns, so that a work-group depends on others, run completely until then. "
            "With `--aiwc-accuracy exact`, a launch that would take too long has the sample of "
            "`standard`.",
    },
    Option{
        .flag = "--aiwc-local-size",
        .variable = "AIWC_LOCAL_SIZE",
        .value = kValueOf<&SessionOptions::localSizes, parseLocalSizes>,
        .argument = "KERNEL=SIZE",
        .expected = "KERNEL=AxBxC, one to three sizes with a product from 1 to 1024, and more of "
                    "these after commas, each kernel once",
        .help = "Launch KERNEL with this local size, such as 64 or 16x16, where it can have it",
        .manual = "Launch the kernel KERNEL with the local size SIZE in place of the "
                  "application's: one to three numbers with `x` between them, such as 64 or 16x16, "
                  "whose product is at most 1024. "
                  "More kernels may follow after commas. "
                  "A launch keeps the application's local size if its NDRange has another number "
                  "of dimensions, if the size does not divide its global size, or if the kernel "
                  "has the attribute `reqd_work_group_size`. "
                  "The profile has the local size that was used. "
                  "Where the application gives no local size (NULL), and neither does this option, "
                  "work-groups have up to 256 work-items, as on devices, and not one, as in "
                  "Oclgrind alone; KERNEL=1 gives them one. "
                  "A kernel whose result depends on its local size computes something else.",
    },
    Option{
        .flag = "--aiwc-as",
        .variable = "AIWC_AS",
        .value = kValueOf<&SessionOptions::device, parseText>,
        .argument = "DEVICE",
        .expected = "the id of a device, as aiwc devices list prints it",
        .help = "Answer the application's questions about the device as this one does (default: a "
                "GPU with 32 compute units)",
        .manual = "The application sees this device of `aiwc devices list`: its type, compute "
                  "units, clock, local memory, memory and caches, the most work-items of a "
                  "work-group and their preferred multiple, vector widths, and no double precision "
                  "if it has none. "
                  "An application that asks for them launches what it would launch there. "
                  "The vendor and all that the simulator cannot run stay Oclgrind's. "
                  "The default is a GPU with 32 compute units, multiples of 32, 48 KiB of local "
                  "memory and up to 1024 work-items in a work-group. "
                  "Oclgrind's own options, such as `--compute-units`, take precedence. "
                  "Devices of your own come from the folders in `AIWC_DEVICES`.",
    },
    Option{
        .flag = "--aiwc-opencl",
        .variable = "AIWC_OPENCL",
        .value = kValueOf<&SessionOptions::openCl, parseOpenClVersion>,
        .argument = "VERSION",
        .expected = "1.2 or 3.0",
        .offered = "1.2 3.0",
        .help = "Tell the application that the device has this version of OpenCL: 1.2 or 3.0 "
                "(default: 1.2)",
        .manual = "The version that platform and device say they have. "
                  "Applications that need OpenCL 2 or 3 look for it, and others may choose other "
                  "kernels for it. "
                  "What the simulator has of OpenCL 3.0 it has with both.",
    },
    Option{
        .flag = "--aiwc-engine",
        .variable = "AIWC_ENGINE",
        .value = kValueOf<&SessionOptions::engine, parseEngine>,
        .argument = "ENGINE",
        .expected = "compiled, optimised, interpreter or auto",
        .offered = "compiled optimised interpreter auto",
        .help = "Run kernels with this engine: auto (the default: compiles the kernels that it "
                "can), compiled (names those it cannot), optimised (the best code at once) or "
                "interpreter",
        .manual = "Run the kernels with this engine. "
                  "`interpreter` is Oclgrind's own. "
                  "`auto`, the default, compiles a kernel to machine code, which takes a fraction "
                  "of the time, and again to better code once its launches have executed much. "
                  "The profile is the same, except for the fields that describe the engine. "
                  "A kernel that cannot be compiled, or a launch with an error that Oclgrind "
                  "reports, is interpreted, and the profile gives the reason. "
                  "`compiled` prints on standard error which kernels were interpreted, and why. "
                  "`optimised` does so, too, and compiles the best code at once, which takes "
                  "longer for short launches.",
    },
    Option{
        .flag = "--aiwc-threads",
        .variable = "AIWC_THREADS",
        .value = kValueOf<&SessionOptions::threads, parseThreads>,
        .argument = "N",
        .expected = "a whole number from 1 to 256",
        .help = "Run and analyse compiled kernels with N threads (default: one per core)",
        .manual = "Run and analyse compiled kernels with N threads, 1 to 256. "
                  "The default is one thread per core. "
                  "Profiles do not depend on N.",
    },
    Option{
        .flag = "--aiwc-cache",
        .variable = "AIWC_CACHE",
        .value = kValueOf<&SessionOptions::cache, parseCache>,
        .argument = "DIR|none",
        .expected = "a folder, or none",
        .offered = "none",
        .help = "Keep the machine code of compiled kernels in this folder for later runs "
                "(default: ~/.cache/aiwc)",
        .manual = "Keep the machine code of compiled kernels, and what `--aiwc-targets` found, in "
                  "this folder, where later runs find it, or nowhere (`none`). "
                  "The default is `$XDG_CACHE_HOME/aiwc`, or `~/.cache/aiwc`. "
                  "A folder is not used if it, or a file in it, belongs to another user or others "
                  "may write to it. "
                  "It holds at most 256 MiB; what was used longest ago is deleted first. "
                  "Profiles do not depend on it.",
    },
    Option{
        .flag = "--aiwc-verbose",
        .variable = "AIWC_VERBOSE",
        .value = kValueOf<&SessionOptions::verbose, parseSwitch>,
        .help = "Print all metrics of each launch as it ends, and which kernels are interpreted "
                "and why",
        .manual = "Print on standard error which kernels are interpreted instead of compiled, and "
                  "why; how many pieces of machine code were compiled, and how many came from the "
                  "cache; and, unless `--aiwc-quiet` is given, all metrics of each launch when it "
                  "ends.",
    },
    Option{
        .flag = "--aiwc-targets",
        .variable = "AIWC_TARGETS",
        .value = kValueOf<&SessionOptions::targets, parseSwitch>,
        .help = "Add to the profiles which private memory the kernels access on AMD and NVIDIA",
        .manual = "Compile each kernel, after the run, for gfx906, gfx1030 and PTX, and add to its "
                  "profiles how many bytes its code reads and writes there of private arrays that "
                  "no register holds, and of registers that are spilled. "
                  "This takes up to half a second for each kernel and device as a rule, and ten at "
                  "most, unless an earlier run has done it (`--aiwc-cache`). "
                  "What cannot be compiled is left out: a line says what.",
    },
    Option{
        .flag = "--aiwc-quiet",
        .variable = "AIWC_QUIET",
        .value = kValueOf<&SessionOptions::quiet, parseSwitch>,
        .help = "Print no summary and no progress",
        .manual = "Print no progress, no summary at the end, and no message when nothing was "
                  "characterised, unless that is a failure. "
                  "Errors and the output of `--aiwc-verbose` are still printed, and `run.json` has "
                  "everything.",
    },
};

/// The option whose launcher flag is `flag`; nullptr if there is none.
const Option *findOption(std::string_view flag);

/// Sets the option to the value of `text`. `name` is the flag or the variable that the user wrote.
/// Throws Error, `<name> is '<text>': expected ...`, if the text is invalid.
void readOption(const Option &option, std::string_view text, std::string_view name,
                SessionOptions &options);

} // namespace aiwc
