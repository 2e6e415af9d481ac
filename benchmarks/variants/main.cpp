/// aiwc-variants: builds, checks and times variants of a matrix product and of a convolution, and
/// writes a row per sample as `eod run` does; in the simulator, an index of the profiles as
/// `eod characterise` does.
#include "eod/common/csv.h"
#include "eod/common/device.h"
#include "eod/common/output_file.h"
#include "eod/common/program_source.h"
#include "eod/common/random.h"
#include "opencl_host/opencl.h"
#include "variant.h"
#include "variants_cl.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace aiwc::variants {
namespace {

using opencl::Owned;

using Data = std::vector<float>;

/// The inputs of a problem, and its result.
struct Values {
  Data first, second, result;
};

Data random(size_t count, eod::Random &numbers) {
  Data values(count);
  for (float &value : values)
    value = numbers.uniform(-1, 1);
  return values;
}

Values product(uint32_t size) {
  eod::Random numbers(1);
  const size_t count = size_t{size} * size;
  Values values{random(count, numbers), random(count, numbers), Data(count)};
  for (size_t row = 0; row < size; ++row)
    for (size_t k = 0; k < size; ++k)
      for (size_t column = 0; column < size; ++column)
        values.result[row * size + column] +=
            values.first[row * size + k] * values.second[k * size + column];
  return values;
}

Values convolution(uint32_t size) {
  eod::Random numbers(1);
  constexpr size_t kEdge = 2 * kRadius + 1;
  const size_t stride = size + 2 * kRadius;
  Values values{random(stride * stride, numbers), random(kEdge * kEdge, numbers),
                Data(size_t{size} * size)};
  for (size_t row = 0; row < size; ++row)
    for (size_t column = 0; column < size; ++column)
      for (size_t v = 0; v < kEdge; ++v)
        for (size_t u = 0; u < kEdge; ++u)
          values.result[row * size + column] +=
              values.second[v * kEdge + u] * values.first[(row + v) * stride + column + u];
  return values;
}

/// An in-order queue with the buffers of both problems.
class Bench {
public:
  Bench(const eod::Device &device, uint32_t productSize, uint32_t convolutionSize)
      : device_(device.id, CL_QUEUE_PROFILING_ENABLE) {
    add(Problem::kProduct, product(productSize));
    add(Problem::kConvolution, convolution(convolutionSize));
  }

  Owned<cl_kernel> build(const Variant &variant) const {
    const Owned<cl_program> program = device_.built(eod::kSource, variant.buildOptions());
    Owned<cl_kernel> kernel =
        opencl::make(opencl::api().clCreateKernel, program.get(), variant.name().c_str());
    cl_uint index = 0;
    for (const Owned<cl_mem> &memory : problems_.at(variant.problem).memory)
      opencl::setArgument(kernel.get(), index++, memory.get());
    return kernel;
  }

  /// Microseconds from start to end on the device.
  double launch(const Variant &variant, cl_kernel kernel) const {
    const std::array<size_t, 2> global = {variant.size / variant.vector,
                                          variant.size / variant.rows};
    const std::array<size_t, 2> local = {variant.groupWidth, variant.groupHeight};
    cl_event made = nullptr;
    device_.launch(kernel, 2, global.data(), local.data(), nullptr, &made);
    const opencl::CommandTimes times = opencl::timesOf(opencl::owned(made).get());
    return 1e-3 * (times.end - times.start);
  }

  /// Throws Error where the last launch of the variant's problem was not right everywhere.
  void verify(const Variant &variant) {
    constexpr float kTolerance = 1e-3F; // of sums of some hundred products of numbers up to 1
    Buffers &buffers = problems_.at(variant.problem);
    Data found(buffers.expected.size());
    cl_mem result = buffers.memory[2].get();
    device_.read(result, found.data(), found.size() * sizeof(float));
    for (size_t i = 0; i < found.size(); ++i)
      if (!(std::abs(found[i] - buffers.expected[i]) <= kTolerance))
        throw eod::Error(fmt::format("{}: value {} is {}: expected {}", variant.name(), i, found[i],
                                     buffers.expected[i]));
    std::fill(found.begin(), found.end(), 0.0F); // or the next variant could do nothing
    device_.write(result, found.data(), found.size() * sizeof(float));
  }

private:
  struct Buffers {
    std::vector<Owned<cl_mem>> memory; ///< two inputs, the result
    Data expected;
  };

  void add(Problem problem, Values values) {
    Buffers &buffers = problems_[problem];
    buffers.expected = std::move(values.result);
    Data zeros(buffers.expected.size());
    for (Data *data : {&values.first, &values.second, &zeros})
      buffers.memory.push_back(device_.buffer(
          data->size() * sizeof(float), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, data->data()));
  }

  opencl::Device device_;
  std::map<Problem, Buffers> problems_;
};

struct Settings {
  eod::Options device;
  uint32_t productSize = 128;
  uint32_t convolutionSize = 256;
  size_t variants = 48;
  uint32_t samples = 1;
  std::string rows, index;
};

/// The columns that rows.csv and index.csv have in common.
std::string launchColumns(const Variant &variant, uint32_t sample, bool withSample) {
  return fmt::format("{},{},\"{}\",1,{}{},0,", toString(variant.problem), variant.size,
                     variant.buildOptions(), withSample ? fmt::format("{},", sample) : "",
                     variant.name());
}

std::string shapeColumns(const Variant &variant) {
  return fmt::format("{}x{},{}x{}", variant.size / variant.vector, variant.size / variant.rows,
                     variant.groupWidth, variant.groupHeight);
}

void run(const Settings &settings) {
  eod::OutputFile rowsFile(settings.rows);
  eod::OutputFile indexFile(settings.index);
  const eod::Device device = eod::selectDevice(settings.device);
  Bench bench(device, settings.productSize, settings.convolutionSize);
  std::vector<std::pair<Variant, Owned<cl_kernel>>> kernels;
  for (const auto &[problem, size] : {std::pair(Problem::kProduct, settings.productSize),
                                      {Problem::kConvolution, settings.convolutionSize}})
    for (const Variant &variant : chooseVariants(problem, size, settings.variants))
      kernels.emplace_back(variant, bench.build(variant));
  const std::string hash = eod::programHash(eod::kSource);
  std::string rows = "application,size,parameter,seed,sample,kernel,invocation,kernel_time_us,"
                     "global_size,local_size,device,source_hash\n";
  std::string index = "application,size,parameter,seed,kernel,invocation,global_size,local_size,"
                      "source_hash,profile\n";
  // Drivers compile at the first launch, which is therefore no sample where there are several.
  const uint32_t first = settings.samples > 1 ? 1 : 0;
  // Variants in turn, so that other work on the machine disturbs all of them alike.
  for (uint32_t sample = 0; sample < settings.samples + first; ++sample)
    for (const auto &[variant, kernel] : kernels) {
      const double micros = bench.launch(variant, kernel.get());
      if (sample == 0) {
        bench.verify(variant);
        index += fmt::format("{}{},{},aiwc_{}_0.json\n", launchColumns(variant, sample, false),
                             shapeColumns(variant), hash, variant.name());
      }
      if (sample >= first)
        rows += fmt::format("{}{:.3f},{},{},{}\n", launchColumns(variant, sample, true), micros,
                            shapeColumns(variant), eod::csvField(device.name), hash);
    }
  if (rowsFile.wanted())
    rowsFile.commit(rows);
  if (indexFile.wanted())
    indexFile.commit(index);
}

int main(int argc, char **argv) {
  Settings settings;
  CLI::App app("Runs variants of a matrix product and of a convolution, and checks their results",
               "aiwc-variants");
  app.add_option("--rows", settings.rows, "Write the times to this file, as eod run does")
      ->type_name("FILE");
  app.add_option("--index", settings.index,
                 "In the simulator: write this index of the profiles, into their folder")
      ->type_name("FILE");
  app.add_option("--samples", settings.samples, "Launches of each variant")
      ->check(CLI::Range(1U, 100'000U))
      ->capture_default_str();
  app.add_option("--variants", settings.variants, "Of each problem, by chance, always the same")
      ->check(CLI::Range(size_t{2}, size_t{10'000}))
      ->capture_default_str();
  app.add_option("--product-size", settings.productSize, "Edge of the matrices")
      ->check(CLI::Range(64U, 8192U))
      ->capture_default_str();
  app.add_option("--convolution-size", settings.convolutionSize, "Edge of the convolution's result")
      ->check(CLI::Range(64U, 8192U))
      ->capture_default_str();
  app.add_option("--platform", settings.device.platform, "Index, or part of the name");
  app.add_option("--device", settings.device.device, "Index, or part of the name");
  try {
    app.parse(argc, argv);
    run(settings);
    return 0;
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const eod::UsageError &error) {
    fmt::print(stderr, "aiwc-variants: {}\n", error.what());
    return 2;
  } catch (const std::exception &error) {
    fmt::print(stderr, "aiwc-variants: {}\n", error.what());
    return 1;
  }
}

} // namespace
} // namespace aiwc::variants

int main(int argc, char **argv) {
  return aiwc::variants::main(argc, argv);
}
