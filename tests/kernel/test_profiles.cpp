// Profiles of `aiwc kernel`: closed forms, and those of the same launches by another host.
#include "kernel/command.h"
#include "profile/json.h"
#include "run/launch.h"
#include "support/simulate.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <sstream>

using namespace aiwc;
using namespace aiwc::literals;
using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

constexpr const char *kCopy = R"(
kernel void copy(global const float *in, global float *out) {
  out[get_global_id(0)] = in[get_global_id(0)];
}
)";

/// An argument of a simulation file: "<size=256 float range=0:1:63>", and numbers after it.
struct SimulatedArgument {
  size_t bytes = 0;
  std::string type; ///< empty: none is given
  std::string range, fill;
  std::vector<std::string> numbers;
};

struct SimulationFile {
  std::string source, kernel, global, local;
  std::vector<SimulatedArgument> arguments;
};

std::string joined(const std::string &sizes) {
  std::istringstream words(sizes);
  std::string text;
  for (std::string word; words >> word;)
    text += (text.empty() ? "" : "x") + word;
  return text;
}

SimulationFile readSimulation(const fs::path &file) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    if (!line.empty() && line[0] != '#')
      lines.push_back(line);
  SimulationFile simulation{lines.at(0), lines.at(1), joined(lines.at(2)), joined(lines.at(3)), {}};
  for (size_t i = 4; i < lines.size(); ++i) {
    std::string line = lines[i];
    if (line[0] != '<') {
      std::istringstream numbers(line);
      for (std::string number; numbers >> number;)
        simulation.arguments.back().numbers.push_back(number);
      continue;
    }
    SimulatedArgument argument;
    std::istringstream words(line.substr(1, line.find('>') - 1));
    for (std::string word; words >> word;)
      if (word.starts_with("size="))
        argument.bytes = std::stoul(word.substr(5));
      else if (word.starts_with("range="))
        argument.range = word.substr(6);
      else if (word.starts_with("fill="))
        argument.fill = word.substr(5);
      else if (word != "dump")
        argument.type = word;
    simulation.arguments.push_back(argument);
  }
  return simulation;
}

/// The declarations of a kernel's parameters, in the source.
std::vector<std::string> parametersOf(const std::string &source, const std::string &kernel) {
  const size_t begin = source.find("void " + kernel + "(");
  REQUIRE(begin != std::string::npos);
  const size_t open = source.find('(', begin);
  std::istringstream list(source.substr(open + 1, source.find(')', open) - open - 1));
  std::vector<std::string> parameters;
  for (std::string parameter; std::getline(list, parameter, ',');)
    parameters.push_back(parameter);
  return parameters;
}

size_t bytesOfType(const std::string &type) {
  return type.ends_with("char") ? 1 : type.ends_with("short") ? 2 : type == "double" ? 8 : 4;
}

template <typename Number> std::string bytesOfNumbers(const std::vector<std::string> &numbers) {
  std::string bytes;
  for (const std::string &text : numbers) {
    const auto number = static_cast<Number>(std::stod(text));
    bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
  }
  return bytes;
}

/// The words of `aiwc kernel` for the launch of a simulation file.
Words wordsFor(const SimulationFile &simulation, const Workplace &workplace) {
  const fs::path source = fs::path(AIWC_TEST_SOURCES) / "kernels" / simulation.source;
  const auto parameters = parametersOf(contents(source), simulation.kernel);
  REQUIRE(parameters.size() == simulation.arguments.size());
  Words words = {source,    "--kernel",      simulation.kernel, "--global", simulation.global,
                 "--local", simulation.local};
  for (size_t i = 0; i < parameters.size(); ++i) {
    const SimulatedArgument &argument = simulation.arguments[i];
    const std::string type = argument.type.empty() ? "uchar" : argument.type;
    std::string value;
    if (parameters[i].find('*') == std::string::npos) {
      value = argument.fill.empty() ? argument.numbers.at(0) : argument.fill;
    } else if (parameters[i].find("local ") != std::string::npos) {
      value = "local:" + std::to_string(argument.bytes);
    } else if (!argument.numbers.empty()) { // the contents, dumped
      const std::string file = "argument" + std::to_string(i) + ".bin";
      workplace.write(file, type == "float"   ? bytesOfNumbers<float>(argument.numbers)
                            : type == "uchar" ? bytesOfNumbers<unsigned char>(argument.numbers)
                                              : bytesOfNumbers<int>(argument.numbers));
      value = file;
    } else {
      value = "buffer:" + type + ":" + std::to_string(argument.bytes / bytesOfType(type)) + ":";
      if (!argument.range.empty()) {
        const size_t colon = argument.range.find(':');
        const size_t second = argument.range.find(':', colon + 1);
        value += "range(" + argument.range.substr(0, colon) + "," +
                 argument.range.substr(colon + 1, second - colon - 1) + ")";
      } else {
        value += "fill(" + argument.fill + ")";
      }
    }
    words.insert(words.end(), {"--arg", std::to_string(i) + "=" + value});
  }
  return words;
}

/// The profile as text, without what the two hosts do otherwise: transfers, and which engine ran.
std::string comparable(profile::KernelProfile profile) {
  run::setTransfers(profile, {}, {});
  profile.provenance.engine.clear();
  profile.provenance.engineReason.clear();
  return profile::toJson(profile);
}

} // namespace

TEST_CASE("a copy of n floats has n loads, n stores and a footprint of 2 n") {
  Workplace workplace;
  workplace.write("copy.cl", kCopy);
  const unsigned n = GENERATE(64U, 1024U);
  workplace.kernel({"copy.cl", "--global", std::to_string(n), "--local", "32", "--arg",
                    "in=random(-1,1)", "--arg", "out=zeros"});
  const profile::KernelProfile profile = workplace.profile();
  CHECK(profile.count("total_reads"_metric) == n);
  // What aiwc kernel copies for the launch is not the kernel's.
  CHECK(profile.count("host_to_device_bytes"_metric) == 0);
  CHECK(profile.count("device_to_host_bytes"_metric) == 0);
  CHECK(profile.count("total_writes"_metric) == n);
  CHECK(profile.count("bytes_read_global"_metric) == uint64_t{4} * n);
  CHECK(profile.count("bytes_written_global"_metric) == uint64_t{4} * n);
  CHECK(profile.provenance.localSize == profile::Size3{32, 1, 1});
}

TEST_CASE("several global sizes are launches of one run, with buffers of their sizes") {
  Workplace workplace;
  workplace.write("copy.cl", kCopy);
  workplace.kernel({"copy.cl", "--global", "64", "--global", "128", "--global", "512", "--local",
                    "64", "--arg", "in=buffer:f32:gx:range", "--arg", "out=buffer:f32:2*items"});
  const run::Run run = workplace.run();
  REQUIRE(run.launches.size() == 3);
  const uint64_t sizes[] = {64, 128, 512};
  for (size_t i = 0; i < 3; ++i) {
    CHECK(run.launches[i].globalSize[0] == sizes[i]);
    CHECK(run.launches[i].arguments.at(0).bytes == 4 * sizes[i]);
    CHECK(run.launches[i].arguments.at(1).bytes == 8 * sizes[i]);
  }
  for (const profile::KernelProfile &profile : workplace.profiles())
    CHECK(profile.count("total_reads"_metric) == profile.provenance.globalSize[0]);
}

TEST_CASE("contents decide what a kernel does: a loop bound, a branch, an index") {
  Workplace workplace;
  workplace.write("data.cl", R"(
kernel void sums(global const int *length, global const int *index, global const float *x,
                 global float *out) {
  float sum = 0;
  for (int i = 0; i < length[get_global_id(0)]; ++i)
    sum += x[index[i]];
  out[get_global_id(0)] = sum;
}
)");
  const auto additions = [&](const std::string &length) {
    workplace.kernel({"data.cl", "--global", "16", "--local", "16", "--arg", "length=" + length,
                      "--arg", "index=fill(3)", "--arg", "x=range", "--arg", "out=zeros"});
    return workplace.profile().count("fp_add"_metric);
  };
  CHECK(additions("zeros") == 0);
  CHECK(additions("fill(2)") == 32);
  CHECK(additions("range") == 120); // 0 + 1 + ... + 15
}

TEST_CASE("options of aiwc run are of aiwc kernel, too; the simulator's are in the environment") {
  Workplace workplace;
  workplace.write("copy.cl", kCopy);
  const Words words = {"copy.cl", "--global", "1024",  "--local",  "64",
                       "--arg",   "in=range", "--arg", "out=zeros"};
  const auto with = [&](Words variables) {
    Words all = std::move(variables);
    const std::string output = all.back();
    all.insert(all.end(), {AIWC_TEST_COMMAND, "kernel", "--quiet", "--output", output});
    all.insert(all.end(), words.begin(), words.end());
    REQUIRE(workplace.execute("/usr/bin/env", all).status == 0);
    return profile::readProfile(workplace / output / "aiwc_copy_0.json");
  };
  CHECK(with({"AIWC_ENGINE=interpreter"}).provenance.engine == "interpreter");
  CHECK(with({"AIWC_ENGINE=compiled", "AIWC_SAMPLE_GROUPS=4"}).provenance.sampledGroups == 4);
  Words as = {"--as", "i9-13900k"};
  as.insert(as.end(), words.begin(), words.end());
  workplace.kernel(as);
  CHECK(workplace.run().answeredAs.device == "i9-13900k");
}

TEST_CASE("what was made up is in run.json, and said where launches are titled") {
  Workplace workplace;
  workplace.write("axpy.cl", "kernel void axpy(float a, int n, global float *x, global float *y) "
                             "{ int i = get_global_id(0); if (i < n) y[i] += a * x[i]; }\n");
  workplace.write("x.bin", std::string(4 * 64, '\0'));
  const std::string said = workplace.kernel(
      {"axpy.cl", "--global", "64", "--arg", "auto", "--arg", "n=32", "--arg", "x=x.bin"});
  CHECK_THAT(said, Contains("assumed --arg 'a=1' --arg 'y=buffer:f32:items:random(0,1)'\n"));
  const auto arguments = workplace.run().launches.at(0).arguments;
  REQUIRE(arguments.size() == 4);
  CHECK((arguments[0].contents == "1" && arguments[0].assumed && arguments[0].value == "1"));
  CHECK((arguments[1].contents.empty() && !arguments[1].assumed && arguments[1].value == "32"));
  CHECK((arguments[2].contents == "file:x.bin" && !arguments[2].assumed));
  CHECK((arguments[3].contents == "random(0,1)" && arguments[3].assumed));
  for (const char *command : {"show", "advise"})
    CHECK_THAT(workplace.aiwc({command, workplace.output()}).out,
               Contains("Input assumed: a = 1, y random(0,1)."));
  workplace.kernel({"axpy.cl", "--global", "64", "--arg", "a=1", "--arg", "n=64", "--arg",
                    "x=random(-1,1)", "--arg", "y=x.bin"});
  CHECK_THAT(workplace.aiwc({"show", workplace.output()}).out,
             Contains("Input made up: x random(-1,1).\n"));
}

TEST_CASE("what was assumed, given as arguments, makes the same profile") {
  Workplace workplace;
  const std::string source = std::string(AIWC_TEST_SOURCES) + "/kernels/stencil.cl";
  const Words launch = {source, "--kernel", "stencil_2d", "--global", "32x16", "--local", "8x8"};
  Words words = launch;
  words.insert(words.end(), {"--arg", "auto"});
  const std::string said = workplace.kernel(words);
  const profile::KernelProfile assumed = workplace.profile();
  words = launch;
  const std::string line = said.substr(0, said.find('\n'));
  for (size_t at = line.find("--arg '"); at != std::string::npos; at = line.find("--arg '", at + 1))
    words.insert(words.end(), {"--arg", line.substr(at + 7, line.find('\'', at + 7) - at - 7)});
  REQUIRE(words.size() > launch.size());
  workplace.kernel(words);
  CHECK(profile::toJson(workplace.profile()) == profile::toJson(assumed));
}

TEST_CASE("the profile is that of the same launch by another host") {
  // Values, buffers with ranges, fills and dumped contents, local memory, atomics, barriers, calls.
  const std::string name =
      GENERATE(as<std::string>(), "saxpy", "gather", "scatter", "types", "serial_sum", "constant",
               "vector_middle3", "reduce", "matmul_local", "transpose_tiled", "histogram_local",
               "branchy_coin", "call_struct", "stencil_2d", "switch");
  CAPTURE(name);
  const fs::path file = fs::path(AIWC_TEST_SOURCES) / "kernels" / (name + ".sim");
  const auto simulated = simulate(file);
  REQUIRE(simulated.size() == 1);
  Workplace workplace;
  workplace.kernel(wordsFor(readSimulation(file), workplace));
  CHECK(comparable(workplace.profile()) == comparable(simulated.front()));
}
