/// aiwc-irregular: runs a kernel on a sparse matrix, checks its result and times it.
#include "bench.h"
#include "common/error.h"
#include "eod/common/output_file.h"
#include "input.h"
#include "tiling.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace aiwc::irregular {
namespace {

struct Arguments {
  std::string kernel;
  std::string input;
  std::string size = "tiny";
  eod::Options device;
  uint32_t groupSize = 64;
  uint32_t repeat = 1;
  bool check = true;
  Settings settings;
  std::string csv;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

const WorkloadKernel &kernelNamed(const std::string &name) {
  return *std::find_if(kernels().begin(), kernels().end(),
                       [&](const WorkloadKernel &kernel) { return kernel.name == name; });
}

Matrix matrixFor(const Arguments &arguments, const WorkloadKernel &kernel) {
  if (!arguments.input.empty())
    return sparse::readMatrix(arguments.input, {.values = kernel.values});
  const auto *const size = std::find_if(
      kSizes.begin(), kSizes.end(), [&](const Size &each) { return arguments.size == each.name; });
  return generatedMatrix(size->order);
}

void print(const Lanes &lanes, uint32_t tile) {
  fmt::print("SIMD utilisation {:.4f}: {} non-zeros in {} groups of {} lanes; {} tiles of {} rows "
             "and columns in {} rounds\n",
             lanes.utilisation(), lanes.nonZeros, lanes.groups, kLanes, lanes.tiles, tile,
             lanes.rounds);
}

uint64_t workItems(const Workload &workload) {
  uint64_t sum = 0;
  for (const WorkloadLaunch &launch : workload.launches)
    sum += launch.workItems;
  return sum;
}

/// Returns the exit status.
int run(const Arguments &arguments) {
  const WorkloadKernel &kernel = kernelNamed(arguments.kernel);
  eod::OutputFile csv(arguments.csv);
  const Matrix matrix = matrixFor(arguments, kernel);
  const Workload workload = workloadOf(kernel, matrix, arguments.settings);
  const eod::Device device = eod::selectDevice(arguments.device);
  Bench bench(device, kernel, workload, arguments.groupSize);
  std::vector<double> times;
  for (uint32_t i = 0; i < arguments.repeat; ++i)
    times.push_back(bench.run());
  const double micros = median(times);
  if (!csv.isStdout()) {
    fmt::print("{} on {}\n{} rows, {} columns, {} non-zeros; {} bytes in {} buffers\n", kernel.name,
               device.name, matrix.rows, matrix.columns, matrix.nonZeros(), workload.bytes(),
               workload.buffers.size());
    if (workload.lanes)
      print(*workload.lanes, arguments.settings.tile);
    fmt::print("launches: {}, work-items: {}, time: {:.3f} us (median of runs: {})\n",
               workload.launches.size(), workItems(workload), micros, times.size());
  }
  if (arguments.check) {
    const Comparison comparison = compare(workload.reference(), bench.result());
    if (!comparison.wrong.empty()) {
      fmt::print(stderr, "aiwc-irregular: {}: {}\n", kernel.name, comparison.wrong);
      return 1;
    }
    if (!csv.isStdout())
      fmt::print("correct: the largest error is {:.2g} of the bound of all roundings\n",
                 comparison.worst);
  }
  if (csv.wanted())
    csv.commit(fmt::format("kernel,rows,columns,non_zeros,launches,kernel_time_us\n"
                           "{},{},{},{},{},{:.3f}\n",
                           kernel.name, matrix.rows, matrix.columns, matrix.nonZeros(),
                           workload.launches.size(), micros));
  return 0;
}

int main(int argc, char **argv) {
  Arguments arguments;
  CLI::App app("Runs a kernel on a sparse matrix, checks its result and times it",
               "aiwc-irregular");
  std::vector<std::string> names;
  std::vector<std::string> sizes(kSizes.size());
  std::transform(kSizes.begin(), kSizes.end(), sizes.begin(),
                 [](const Size &size) { return size.name; });
  std::string footer = "Kernels:\n";
  for (const WorkloadKernel &kernel : kernels()) {
    names.emplace_back(kernel.name);
    footer += fmt::format("  {:<18}{}\n", kernel.name, kernel.summary);
  }
  app.footer(footer);
  app.add_option("kernel", arguments.kernel, "One of the kernels below")
      ->required()
      ->type_name("KERNEL")
      ->check(CLI::IsMember(names).description(""));
  CLI::Option *input =
      app.add_option("--input", arguments.input,
                     "The matrix: a Matrix Market file or a list of edges, - for standard input")
          ->type_name("FILE");
  app.add_option("--size", arguments.size, "A generated matrix: tiny, small, medium or large")
      ->type_name("SIZE")
      ->check(CLI::IsMember(sizes).description(""))
      ->excludes(input)
      ->capture_default_str();
  app.add_option("--platform", arguments.device.platform, "Index, or part of the name");
  app.add_option("--device", arguments.device.device, "Index, or part of the name");
  CLI::Option *local =
      app.add_option("--local", arguments.groupSize,
                     "Work-items of a work-group; those of a tiled kernel are 16, its lanes")
          ->check(CLI::Range(1U, 65536U))
          ->capture_default_str();
  app.add_option("--repeat", arguments.repeat, "Runs; the time is their median")
      ->check(CLI::Range(1U, 1'000'000U))
      ->capture_default_str();
  app.add_flag("--check,!--no-check", arguments.check,
               "Compare the result with a sequential program in double (default)");
  CLI::Option *tile =
      app.add_option("--tile", arguments.settings.tile, "Tiled kernels: rows and columns of a tile")
          ->check(CLI::Range(1U, 0x7FFFFFFFU))
          ->capture_default_str();
  app.add_option("--csv", arguments.csv, "Write a row with the time to this file, - for stdout")
      ->type_name("FILE");
  try {
    app.parse(argc, argv);
    const bool tiled = kernelNamed(arguments.kernel).tiled;
    if (tiled && *local)
      throw eod::UsageError(fmt::format("--local: a work-group of {} is the {} lanes of a tile",
                                        arguments.kernel, kLanes));
    if (!tiled && *tile)
      throw eod::UsageError(fmt::format("--tile: {} has no tiles", arguments.kernel));
    return run(arguments);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0)
      return app.exit(error); // --help
    fmt::print(stderr, "aiwc-irregular: {}\n", error.what());
    return 2;
  } catch (const eod::UsageError &error) {
    fmt::print(stderr, "aiwc-irregular: {}\n", error.what());
    return 2;
  } catch (const opencl::StatusError &error) {
    fmt::print(stderr, "aiwc-irregular: {}\n", error.what());
    return 1;
  } catch (const Error &error) { // of the input file
    fmt::print(stderr, "aiwc-irregular: {}\n", error.what());
    return 2;
  } catch (const std::bad_alloc &) {
    fmt::print(stderr, "aiwc-irregular: the host has not enough memory for this matrix\n");
    return 2;
  } catch (const std::exception &error) {
    fmt::print(stderr, "aiwc-irregular: {}\n", error.what());
    return 1;
  }
}

} // namespace
} // namespace aiwc::irregular

int main(int argc, char **argv) {
  return aiwc::irregular::main(argc, argv);
}
