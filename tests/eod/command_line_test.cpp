#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Outcome {
  int status;
  std::string out;
  std::string err;
};

std::string contents(const fs::path &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Runs a program in an empty folder without any OpenCL driver: what is refused here is refused
/// before a device is looked for.
Outcome run(const std::string &program, const std::string &options) {
  const fs::path folder =
      fs::temp_directory_path() / ("eod_command_line." + std::to_string(getpid()));
  fs::create_directory(folder);
  // What the OpenCL loader leaks is not this project's.
  const std::string in =
      "cd '" + folder.string() + "' && ASAN_OPTIONS=detect_leaks=0 OCL_ICD_VENDORS=/nonexistent '";
  const int code = std::system((in + program + "' " + options + " >out 2>err").c_str());
  Outcome outcome{WIFEXITED(code) ? WEXITSTATUS(code) : -1, contents(folder / "out"),
                  contents(folder / "err")};
  fs::remove_all(folder);
  return outcome;
}

struct Refusal {
  const char *program;
  const char *options;
  const char *says;
};

const std::vector<Refusal> kRefusals{
    {EOD_LUD, "--size huge", "huge"},
    {EOD_LUD, "--size", "--size"},
    {EOD_LUD, "--order 0", "expected 1 to 65504"},
    {EOD_LUD, "--order -5", "--order"},
    {EOD_LUD, "--order 80x", "--order"},
    {EOD_LUD, "--order 99999999999", "--order"},
    {EOD_LUD, "--order 65505", "expected 1 to 65504"},
    {EOD_LUD, "--order 80 --size tiny", "excludes"},
    {EOD_LUD, "--local-size 7", "expected one of 4, 8, 16, 32"},
    {EOD_LUD, "--local-size -1", "--local-size"},
    {EOD_LUD, "--samples 0", "--samples"},
    {EOD_LUD, "--min-seconds -1", "expected a number of seconds"},
    {EOD_LUD, "--min-seconds nan", "expected a number of seconds"},
    {EOD_LUD, "--seed -1", "expected 0 or more"},
    {EOD_LUD, "--type fpga", "fpga"},
    {EOD_LUD, "--csv - --json -", "stdout"},
    {EOD_LUD, "--csv missing/rows.csv", "missing/rows.csv: cannot be written"},
    {EOD_LUD, "--json .", "is a folder"},
    {EOD_LUD, "--frobnicate", "--frobnicate"},
    {EOD_LUD, "stray", "stray"},
    {EOD_LUD, "", "no OpenCL platform"},
    {EOD_KMEANS, "", "no OpenCL platform"},
    {EOD_KMEANS, "--points 4", "expected at least 5"},
    {EOD_KMEANS, "--clusters 0", "expected 1 or more"},
    {EOD_KMEANS, "--features 0", "expected 1 or more"},
    {EOD_KMEANS, "--iterations 0", "expected 1 or more"},
    {EOD_KMEANS, "--points 4294967295", "expected at most"},
    {EOD_KMEANS, "--clusters 20000 --points 30000", "constant memory"},
};

/// The number in column `column` (from 0) of the line of --list that begins with `size`.
double listed(const std::string &list, const std::string &size, int column) {
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word != size)
      continue;
    for (int i = 0; i < column; ++i)
      words >> word;
    return std::stod(word);
  }
  return -1;
}

} // namespace

TEST_CASE("what cannot be run is refused in one line with status 2 and no output") {
  for (const Refusal &refusal : kRefusals) {
    const Outcome outcome = run(refusal.program, refusal.options);
    INFO(refusal.program << ' ' << refusal.options << "\n" << outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    CHECK(outcome.err.starts_with("eod-"));
    CHECK_THAT(outcome.err, Catch::Contains(refusal.says));
  }
}

TEST_CASE("--help and --version need no device") {
  for (const char *program : {EOD_LUD, EOD_KMEANS})
    for (const char *option : {"--help", "--version"}) {
      const Outcome outcome = run(program, option);
      CHECK(outcome.status == 0);
      CHECK(outcome.err.empty());
      CHECK_FALSE(outcome.out.empty());
    }
}

TEST_CASE("--list of lud: n * n floats for n = 80, 240, 1440, 4096") {
  const Outcome outcome = run(EOD_LUD, "--list");
  REQUIRE(outcome.status == 0);
  CHECK(listed(outcome.out, "tiny", 2) == 25.0);
  CHECK(listed(outcome.out, "small", 2) == 225.0);
  CHECK(listed(outcome.out, "medium", 2) == 8100.0);
  CHECK(listed(outcome.out, "large", 2) == 65536.0);
}

TEST_CASE("--list of kmeans: features, centres and membership, and the points beside them") {
  const Outcome outcome = run(EOD_KMEANS, "--list");
  REQUIRE(outcome.status == 0);
  const std::pair<const char *, double> sizes[] = {
      {"tiny", 256}, {"small", 2048}, {"medium", 65600}, {"large", 131072}};
  for (const auto &[size, points] : sizes) {
    const double features = points * 30 * 4 / 1024;
    const double footprint = features + points * 4 / 1024 + 5 * 30 * 4 / 1024.0;
    CHECK(listed(outcome.out, size, 2) == Approx(footprint).margin(0.06));
    CHECK(listed(outcome.out, size, 3) == Approx(footprint + features).margin(0.06));
  }
  CHECK_THAT(outcome.out, Catch::Contains("at most 10 iterations"));
}

TEST_CASE("footprints keep the rule: tiny in 32 KiB, small in 256 KiB, medium in 8 MiB") {
  for (const char *program : {EOD_LUD, EOD_KMEANS}) {
    const std::string list = run(program, "--list").out;
    for (const auto &[size, limit] :
         {std::pair("tiny", 32.0), std::pair("small", 256.0), std::pair("medium", 8192.0)}) {
      CHECK(listed(list, size, 2) > limit / 4);
      CHECK(listed(list, size, 2) <= limit);
    }
  }
}
