/// aiwc-starpu-time: asks a model of libaiwc_starpu as a scheduler of StarPU does, and prints the
/// time per query.
#include "common/error.h"
#include "eod/statistics/quantile.h"
#include "lookup/subjects.h"

#include <aiwc_starpu.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace aiwc;

struct Settings {
  std::string device = "i7-6700k";
  size_t rounds = 1000;
  size_t threads = 1;
};

constexpr size_t kSizes = 64;    ///< NDRanges, so as many footprints
constexpr size_t kPerRound = 20; ///< queries of each, so that reading the clock costs nothing

int launchOf(starpu_task *task, aiwc_starpu_launch *launch) {
  launch->work_dim = 1;
  launch->global_size[0] = starpu_vector_get_nx(task->handles[0]);
  launch->local_size[0] = 64;
  return 0;
}

void execute(void **, void *) {}

/// StarPU with one CPU worker, for as long as it lives.
struct Runtime {
  Runtime() {
    starpu_conf conf;
    starpu_conf_init(&conf);
    conf.ncpus = 1;
    conf.nopencl = 0;
    conf.ncuda = 0;
    if (starpu_init(&conf) != 0)
      throw Error("StarPU does not start: expected a CPU worker");
  }
  Runtime(const Runtime &) = delete;
  Runtime &operator=(const Runtime &) = delete;
  ~Runtime() { starpu_shutdown(); }
};

struct Models {
  aiwc_starpu *const handle = aiwc_starpu_open(nullptr, nullptr, nullptr);

  Models() = default;
  Models(const Models &) = delete;
  Models &operator=(const Models &) = delete;
  ~Models() { aiwc_starpu_close(handle); }
};

/// Tasks over vectors of all sizes, none of which is submitted.
class Tasks {
public:
  explicit Tasks(starpu_codelet &codelet) {
    for (size_t i = 1; i <= kSizes; ++i) {
      starpu_data_handle_t data = nullptr;
      starpu_vector_data_register(&data, -1, 0, static_cast<uint32_t>(i * lookup::kWorkItems),
                                  sizeof(float));
      data_.push_back(data);
      starpu_task *const task = starpu_task_create();
      task->cl = &codelet;
      task->handles[0] = data;
      task->destroy = 0;
      tasks.push_back(task);
    }
  }
  Tasks(const Tasks &) = delete;
  Tasks &operator=(const Tasks &) = delete;
  ~Tasks() {
    for (starpu_task *task : tasks)
      starpu_task_destroy(task);
    for (const starpu_data_handle_t data : data_)
      starpu_data_unregister(data);
  }

  std::vector<starpu_task *> tasks;

private:
  std::vector<starpu_data_handle_t> data_;
};

/// Nanoseconds per query, for each round of one thread. Empty where nothing is predicted.
template <typename Ask>
std::vector<double> timesOf(const std::vector<starpu_task *> &tasks, size_t rounds, Ask ask) {
  std::vector<double> times;
  for (size_t round = 0; round < rounds; ++round) {
    double sum = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (size_t i = 0; i < kPerRound; ++i)
      for (starpu_task *task : tasks)
        sum += ask(task);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    if (!(sum > 0))
      return {};
    times.push_back(taken.count() / static_cast<double>(kPerRound * tasks.size()));
  }
  return times;
}

/// Throws Error where nothing is predicted.
void print(const char *what, const std::vector<double> &times) {
  if (times.empty())
    throw Error(fmt::format("{}: has no answer: expected a time", what));
  fmt::print("{:<32} {:8.0f} {:8.0f}\n", what, statistics::median(times),
             statistics::quantile(times, 0.9));
}

void report(const Settings &settings) {
  const Models models; // outlives the runtime, as its header asks for
  const Runtime runtime;
  if (aiwc_starpu_name_device(models.handle, STARPU_CPU_WORKER, -1, settings.device.c_str()) != 0)
    throw Error(settings.device + ": expected the id of a device profile");
  const lookup::Subject subject = lookup::subjects(65536, 4).front(); // OpenCL C
  const aiwc_starpu_kernel kernel = {"aiwc_starpu_time", "k0", subject.content.data(),
                                     subject.content.size(), launchOf};
  starpu_codelet codelet{};
  codelet.cpu_funcs[0] = execute;
  codelet.nbuffers = 1;
  codelet.modes[0] = STARPU_RW;
  codelet.model = aiwc_starpu_time_model(models.handle, &kernel);
  if (!codelet.model || codelet.model->type != STARPU_PER_ARCH)
    throw Error("the kernel is not predicted: expected a model");
  const Tasks tasks(codelet);
  starpu_perfmodel_arch *const arch = starpu_worker_get_perf_archtype(0, 0);

  fmt::print("ns per query of one of {} NDRanges: median, and what nine of ten are below\n",
             tasks.tasks.size());
  const auto model = [&](starpu_task *task) {
    return codelet.model->arch_cost_function(task, arch, 0);
  };
  const auto first = std::chrono::steady_clock::now();
  for (starpu_task *task : tasks.tasks)
    model(task);
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - first;
  fmt::print("{:<32} {:8.0f}\n", "the first of its NDRange",
             taken.count() / static_cast<double>(tasks.tasks.size()));

  std::vector<std::vector<double>> ofThreads(settings.threads);
  std::vector<std::jthread> threads;
  for (std::vector<double> &times : ofThreads)
    threads.emplace_back([&] { times = timesOf(tasks.tasks, settings.rounds, model); });
  threads.clear();
  std::vector<double> all;
  for (const std::vector<double> &times : ofThreads)
    all.insert(all.end(), times.begin(), times.end());
  print("a later one", all);
  print("the same, asked through StarPU",
        timesOf(tasks.tasks, settings.rounds,
                [&](starpu_task *task) { return starpu_task_expected_length(task, arch, 0); }));
}

} // namespace

int main(int argc, char **argv) {
  Settings settings;
  CLI::App app("Times the queries of StarPU's schedulers to a model of libaiwc_starpu");
  app.add_option("--device", settings.device, "Id of the CPU workers' device profile")
      ->capture_default_str();
  app.add_option("--rounds", settings.rounds, "Rounds of queries that are timed")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  app.add_option("--threads", settings.threads, "That ask at the same time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    report(settings);
  } catch (const Error &error) {
    std::fputs((std::string(error.what()) + "\n").c_str(), stderr);
    return 2;
  }
}
