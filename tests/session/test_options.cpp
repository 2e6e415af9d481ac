#include "session/escape.h"
#include "session/option_table.h"
#include "support/files.h"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

using namespace aiwc;
using aiwc::test::errorOf;
using Catch::Matchers::StartsWith;

namespace {

/// The variables of a session are those that a test sets, and none before and after it.
class Environment {
public:
  Environment() { clear(); }
  ~Environment() { clear(); }
  Environment(const Environment &) = delete;
  Environment &operator=(const Environment &) = delete;
  void set(std::string_view name, const std::string &value) const {
    ::setenv(std::string(name).c_str(), value.c_str(), 1);
  }

private:
  static void clear() {
    for (const Option &option : kOptions)
      ::unsetenv(std::string(option.variable).c_str());
    ::unsetenv("AIWC_STATUS_FILE");
    ::unsetenv("AIWC_PLUGIN");
  }
};

bool isSet(std::string_view variable) {
  return std::getenv(std::string(variable).c_str()) != nullptr;
}

/// A value of each option that is not the default, as a user writes it.
std::string exampleOf(const Option &option) {
  const std::map<std::string_view, std::string> examples = {
      {"--aiwc-output", "/a b/c"},    {"--aiwc-kernel", "lud_*"},
      {"--aiwc-invocations", "3-17"}, {"--aiwc-line-size", "128"},
      {"--aiwc-sample-groups", "64"}, {"--aiwc-accuracy", "fast:1000000"},
      {"--aiwc-budget", "90s"},       {"--aiwc-engine", "interpreter"},
      {"--aiwc-threads", "3"},        {"--aiwc-local-size", "a=16x8,b=64"},
      {"--aiwc-cache", "none"},       {"--aiwc-as", "gtx1080"},
      {"--aiwc-opencl", "3.0"}};
  if (!option.takesArgument())
    return "1";
  const auto found = examples.find(option.flag);
  INFO(option.flag);
  REQUIRE(found != examples.end());
  return found->second;
}

SessionOptions valueOf(std::string_view flag, std::string_view text) {
  const Option *option = findOption(flag);
  REQUIRE(option);
  SessionOptions options;
  readOption(*option, text, flag, options);
  return options;
}

/// Whether each text is refused in the one line that says what the option expects.
void checkRefused(std::string_view flag, const std::vector<std::string> &texts) {
  for (const std::string &text : texts) {
    CAPTURE(flag, text);
    CHECK(errorOf([&] { valueOf(flag, text); }) == std::string(flag) + " is '" + text +
                                                       "': expected " +
                                                       std::string(findOption(flag)->expected));
  }
}

} // namespace

TEST_CASE("flag, variable and the flag of aiwc run have one name") {
  std::set<std::string_view> flags;
  for (const Option &option : kOptions) {
    INFO(option.flag);
    CHECK(flags.insert(option.flag).second);
    CHECK(findOption(option.flag) == &option);
    std::string name(option.flag.substr(std::string_view("--aiwc-").size()));
    CHECK(option.runFlag() == "--" + name);
    std::ranges::transform(name, name.begin(), [](unsigned char c) {
      return c == '-' ? '_' : static_cast<char>(std::toupper(c));
    });
    CHECK(option.variable == "AIWC_" + name);
    CHECK_FALSE(option.help.empty());
    CHECK(option.help.back() != '.');
    CHECK(std::ranges::count(option.manual, '`') % 2 == 0);
    if (!option.manual.empty())
      CHECK(option.manual.back() == '.');
  }
  CHECK(findOption("--aiwc") == nullptr);
  CHECK(findOption("--aiwc-outpu") == nullptr);
}

TEST_CASE("What a shell offers for an option is what the option takes") {
  for (const Option &option : kOptions) {
    std::istringstream words{std::string(option.offered)};
    for (std::string word; words >> word;)
      CHECK(errorOf([&] { valueOf(option.flag, word); }).empty());
  }
}

TEST_CASE("Without an environment every option has its default") {
  const Environment environment;
  const SessionOptions options = optionsFromEnvironment();
  CHECK(options.output == std::filesystem::current_path());
  CHECK(options.kernels.empty());
  CHECK(options.invocations == InvocationSelection{.onePerKind = true});
  CHECK(options.lineSize == 64);
  CHECK(options.sampleGroups == 0);
  CHECK(options.engine == EngineChoice::kAuto);
  CHECK(options.threads == 0);
  CHECK_FALSE(options.verbose);
  CHECK_FALSE(options.quiet);
  CHECK(options.statusFile.empty());
  CHECK(options.plugin.empty());
}

TEST_CASE("Every option survives the way through the environment, alone") {
  const Environment environment;
  for (const Option &option : kOptions) {
    INFO(option.flag);
    const std::string text = exampleOf(option);
    const SessionOptions options = valueOf(option.flag, text);
    CHECK(option.value.write(options) == text);
    setEnvironment(options);
    const SessionOptions back = optionsFromEnvironment();
    for (const Option &other : kOptions) {
      INFO(other.flag);
      if (&other == &option)
        CHECK(other.value.write(back) == text);
      else if (other.flag != "--aiwc-output") // which is handed on even where it is the default
        CHECK_FALSE(isSet(other.variable));
    }
  }
}

TEST_CASE("A second session does not inherit what the first one set") {
  const Environment environment;
  SessionOptions options;
  for (const Option &option : kOptions)
    readOption(option, exampleOf(option), option.flag, options);
  options.statusFile = "/tmp/status";
  options.plugin = "/lib/plugin.so";
  setEnvironment(options);
  const SessionOptions back = optionsFromEnvironment();
  CHECK(back.statusFile == options.statusFile);
  CHECK(back.plugin == options.plugin);
  for (const Option &option : kOptions)
    CHECK(option.value.write(back) == option.value.write(options));
  setEnvironment(SessionOptions{});
  for (const Option &option : kOptions)
    CHECK(isSet(option.variable) == (option.flag == "--aiwc-output"));
  CHECK_FALSE(isSet("AIWC_STATUS_FILE"));
  CHECK_FALSE(isSet("AIWC_PLUGIN"));
}

TEST_CASE("A relative output folder is the one below the folder where the session began") {
  const Environment environment;
  environment.set("AIWC_OUTPUT", "x/../profiles/");
  CHECK(optionsFromEnvironment().output == std::filesystem::current_path() / "profiles");
}

TEST_CASE("A folder has one spelling") {
  CHECK(absolutePath("/") == "/");
  CHECK(absolutePath("/a/b/") == "/a/b");
  CHECK(absolutePath("/a/./b/..") == "/a");
}

TEST_CASE("A variable that makes no sense is named") {
  const Environment environment;
  environment.set("AIWC_INVOCATIONS", "5-3");
  CHECK(errorOf(optionsFromEnvironment) ==
        "AIWC_INVOCATIONS is '5-3': expected A, A-, -B or A-B with whole numbers 0 <= A <= B, "
        "counted from 0; or /N or A-B/N with N >= 1");
  environment.set("AIWC_INVOCATIONS", "distinct");
  CHECK(errorOf(optionsFromEnvironment) ==
        "AIWC_INVOCATIONS is 'distinct', which is gone: leave it out, and launches of one kind are "
        "characterised once; --aiwc-sample-groups or --aiwc-budget for less");
  ::unsetenv("AIWC_INVOCATIONS");
  environment.set("AIWC_QUIET", "perhaps");
  CHECK(errorOf(optionsFromEnvironment) == "AIWC_QUIET is 'perhaps': expected 0 or 1");
  environment.set("AIWC_QUIET", "0");
  CHECK_FALSE(optionsFromEnvironment().quiet);
  environment.set("AIWC_KERNEL", "a,");
  CHECK(errorOf(optionsFromEnvironment) == "AIWC_KERNEL is 'a,': expected names or patterns with "
                                           "* and ?, separated by commas");
}

TEST_CASE("A range of invocations has one or two ends") {
  const auto range = [](const char *text) {
    return valueOf("--aiwc-invocations", text).invocations;
  };
  CHECK(SessionOptions().invocations == InvocationSelection{.onePerKind = true});
  CHECK(range("0-") == InvocationSelection{});
  CHECK(range("4") == InvocationSelection{4, 4});
  CHECK(range("4-") == InvocationSelection{4, UINT64_MAX});
  CHECK(range("-4") == InvocationSelection{0, 4});
  CHECK(range("4-9") == InvocationSelection{4, 9});
  CHECK(range("0-18446744073709551615") == InvocationSelection{0, UINT64_MAX});
  CHECK(range("/10") == InvocationSelection{0, UINT64_MAX, 10});
  CHECK(range("4-9/2") == InvocationSelection{4, 9, 2});
  checkRefused("--aiwc-invocations",
               {"", "-", "x", "1-x", "5-3", "1-2-3", "+1", " 1", "1 ", "18446744073709551616", "/",
                "/0", "4/2", "-/2", "1-5/", "1-5/2/2", "distinct/2", "Distinct"});
}

TEST_CASE("A local size has up to three sizes that make a work-group") {
  const auto sizes = [](const char *text) { return valueOf("--aiwc-local-size", text).localSizes; };
  CHECK(sizes("k=64") == std::vector<LocalSize>{{"k", 1, {64, 1, 1}}});
  CHECK(sizes("k=8x8x16,l=1x1024") ==
        std::vector<LocalSize>{{"k", 3, {8, 8, 16}}, {"l", 2, {1, 1024, 1}}});
  checkRefused("--aiwc-local-size", {"",
                                     "k",
                                     "k=",
                                     "=64",
                                     "k=0",
                                     "k=64x",
                                     "k=x64",
                                     "k=8x8x8x1",
                                     "k=64,",
                                     ",k=64",
                                     "k=1025",
                                     "k=32x33",
                                     "k=64,k=32",
                                     "k=+1",
                                     "k=64 ",
                                     "k=18446744073709551616",
                                     "k=18446744073709551615x2",
                                     "k=64,,l=2",
                                     "64",
                                     "k=8X8"});
}

TEST_CASE("A budget is a time with its unit, or 0") {
  const auto budget = [](const char *text) { return valueOf("--aiwc-budget", text).budget; };
  CHECK(budget("60s") == 60);
  CHECK(budget("0.5s") == 0.5);
  CHECK(budget("3m") == 180);
  CHECK(budget("3min") == 180);
  CHECK(budget("1.5h") == 5400);
  CHECK(budget("0") == 0);
  CHECK(budget("0s") == 0);
  CHECK_FALSE(SessionOptions().hasBudget());
  CHECK(valueOf("--aiwc-budget", "0").hasBudget());
  checkRefused("--aiwc-budget", {"", "60", "s", "-1s", "-0", "60 s", "60S", "60sec", "1e3s", "inf",
                                 "infs", "nan", "nans", "1d", "0x", "60s "});
}

TEST_CASE("Numbers are whole and in their range") {
  CHECK(valueOf("--aiwc-sample-groups", "1").sampleGroups == 1);
  CHECK(valueOf("--aiwc-sample-groups", "18446744073709551615").sampleGroups == UINT64_MAX);
  checkRefused("--aiwc-sample-groups",
               {"", "0", "-1", "1.5", "1e3", "64 ", "0x10", "all", "18446744073709551616"});
  CHECK(valueOf("--aiwc-line-size", "32").lineSize == 32);
  CHECK(valueOf("--aiwc-line-size", "256").lineSize == 256);
  checkRefused("--aiwc-line-size", {"", "16", "48", "512", "64B", "-64"});
  CHECK(valueOf("--aiwc-threads", "1").threads == 1);
  CHECK(valueOf("--aiwc-threads", "256").threads == 256);
  checkRefused("--aiwc-threads", {"", "0", "257", "-1", "2 ", "1.5", "all"});
}

TEST_CASE("The cache is a folder, with an absolute path, or none") {
  CHECK(valueOf("--aiwc-cache", "none").cache == kNoCache);
  CHECK(valueOf("--aiwc-cache", "/a b/../c/").cache == "/c");
  CHECK(valueOf("--aiwc-cache", "./none").cache == std::filesystem::current_path() / "none");
}

TEST_CASE("An accuracy is one of three words, maybe with the instructions of a long launch") {
  CHECK(valueOf("--aiwc-accuracy", "exact").accuracy == Accuracy{AccuracyLevel::kExact});
  CHECK(valueOf("--aiwc-accuracy", "standard").accuracy == Accuracy{});
  CHECK(valueOf("--aiwc-accuracy", "fast").accuracy == Accuracy{AccuracyLevel::kFast});
  CHECK(valueOf("--aiwc-accuracy", "fast:1").accuracy == Accuracy{AccuracyLevel::kFast, 1});
  CHECK(valueOf("--aiwc-accuracy", "standard:5000").accuracy ==
        Accuracy{AccuracyLevel::kStandard, 5000});
  CHECK(valueOf("--aiwc-accuracy", "exact:5").accuracy == Accuracy{AccuracyLevel::kExact, 5});
  checkRefused("--aiwc-accuracy", {"", "Exact", "exact:", "fast:", "fast:0", "fast:-1", "fast:1e6",
                                   ":5", "fast 5", "fast:5:6"});
}

TEST_CASE("An engine is one of four words") {
  CHECK(valueOf("--aiwc-engine", "interpreter").engine == EngineChoice::kInterpreter);
  CHECK(valueOf("--aiwc-engine", "compiled").engine == EngineChoice::kCompiled);
  CHECK(valueOf("--aiwc-engine", "optimised").engine == EngineChoice::kOptimised);
  CHECK(valueOf("--aiwc-engine", "auto").engine == EngineChoice::kAuto);
  checkRefused("--aiwc-engine", {"", "Compiled", "jit", "auto "});
}

TEST_CASE("Kernels are names or patterns, none of them empty") {
  CHECK(valueOf("--aiwc-kernel", "lud_*,fill").kernels == "lud_*,fill");
  checkRefused("--aiwc-kernel", {"", ",", "a,", ",a", "a,,b"});
}

TEST_CASE("The filter compares the whole name with the patterns") {
  SessionOptions options;
  SECTION("none: every kernel") {
    CHECK(InvocationFilter(options).selects("anything", 9));
  }
  SECTION("some") {
    options.kernels = "*mul,add_*";
    const InvocationFilter filter(options);
    CHECK(filter.selects("matmul", 0));
    CHECK(filter.selects("add_vectors", 0));
    CHECK_FALSE(filter.selects("vector_add", 0));
  }
  SECTION("and the number between both ends") {
    options.invocations = {2, 3};
    const InvocationFilter filter(options);
    CHECK_FALSE(filter.selects("k", 1));
    CHECK(filter.selects("k", 2));
    CHECK(filter.selects("k", 3));
    CHECK_FALSE(filter.selects("k", 4));
  }
}
