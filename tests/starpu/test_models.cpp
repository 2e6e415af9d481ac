/// What StarPU is told is what the C interface predicts from the same annotations; where it cannot
/// be told anything, StarPU measures, tasks run, and one line says why.
#include "capi/fixture.h"
#include "embed/match.h"
#include "embed/opencl_c.h"
#include "profile/source_hash.h"
#include "runtime.h"
#include "support/files.h"
#include "support/ndrange.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <thread>
#include <vector>

using namespace aiwc;
using namespace aiwc::test;
namespace fs = std::filesystem;

namespace {

const std::string kSource = "kernel void triad() {}\n\nkernel void other() {}\n";

/// `source` with the profile of a launch of `triad` of 6400 work-items in groups of 64.
std::string annotated(const std::string &source = kSource) {
  profile::KernelProfile kernel = streaming();
  setNdrange(kernel, 1, {6400, 1, 1}, {64, 1, 1});
  kernel.provenance.sourceHash = profile::sourceHash(source);
  return embed::embed(source, std::vector<embed::Annotation>{embed::annotationOf(kernel)});
}

int launchOf(starpu_task *task, aiwc_starpu_launch *launch) {
  launch->work_dim = 1;
  launch->global_size[0] = starpu_vector_get_nx(task->handles[0]);
  launch->local_size[0] = 64;
  return 0;
}

int launchUnknown(starpu_task *, aiwc_starpu_launch *) {
  return 1;
}

std::atomic<int> executed = 0;

void execute(void **, void *) {
  ++executed;
}

void receive(const char *line, void *lines) {
  static_cast<std::vector<std::string> *>(lines)->emplace_back(line);
}

/// Devices for all workers, a codelet with a model of the kernel `triad`, and its tasks.
class Application {
public:
  explicit Application(const fs::path &devices) : devices_(devices) {
    starpu_ = aiwc_starpu_open(devices_.c_str(), receive, &lines);
    REQUIRE(starpu_);
    codelet.cpu_funcs[0] = execute;
    codelet.opencl_funcs[0] = execute;
    codelet.nbuffers = 1;
    codelet.modes[0] = STARPU_RW;
  }
  ~Application() {
    for (starpu_task *task : asked_)
      starpu_task_destroy(task);
    for (const auto &handle : handles_)
      starpu_data_unregister(handle);
    closeAtEnd(starpu_);
  }

  aiwc_starpu *operator*() const { return starpu_; }

  aiwc_starpu_kernel kernel(const std::string &code) const {
    return {"triad", "triad", code.data(), code.size(), launchOf};
  }

  /// A task over a vector of `items`, which is not submitted.
  starpu_task *ask(size_t items) {
    starpu_task *const task = newTask(items);
    task->destroy = 0; // by us
    asked_.push_back(task);
    return task;
  }

  /// Whether tasks run.
  bool runs() {
    const int before = executed;
    constexpr int kTasks = 5;
    for (int i = 0; i < kTasks; ++i)
      if (starpu_task_submit(newTask(6400)) != 0)
        return false;
    starpu_task_wait_for_all();
    return executed == before + kTasks;
  }

  starpu_codelet codelet{};
  std::vector<std::string> lines;

private:
  starpu_task *newTask(size_t items) {
    data_.push_back(std::vector<float>(items));
    handles_.emplace_back();
    starpu_vector_data_register(&handles_.back(), STARPU_MAIN_RAM,
                                reinterpret_cast<uintptr_t>(data_.back().data()),
                                static_cast<uint32_t>(items), sizeof(float));
    starpu_task *const task = starpu_task_create();
    task->cl = &codelet;
    task->handles[0] = handles_.back();
    return task;
  }

  fs::path devices_;
  aiwc_starpu *starpu_ = nullptr;
  std::vector<std::vector<float>> data_;
  std::vector<starpu_data_handle_t> handles_;
  std::vector<starpu_task *> asked_;
};

/// A folder with a device for the CPU workers and one for the OpenCL workers.
void writeDevices(const TemporaryFolder &folder) {
  writeDevice(folder.path(), "host", "some processor");
  writeDevice(folder.path(), "card",
              hasWorker(STARPU_OPENCL_WORKER) ? openclDeviceName() : "some card");
}

starpu_perfmodel_arch *archOf(starpu_worker_archtype kind) {
  return starpu_worker_get_perf_archtype(starpu_worker_get_by_type(kind, 0), 0);
}

aiwc_prediction predicted(const fs::path &folder, const char *id, const std::string &code,
                          size_t items) {
  const LibraryHandle library = openLibrary(folder);
  const aiwc_device *device = nullptr;
  REQUIRE(aiwc_device_find(library.get(), id, &device) == AIWC_OK);
  aiwc_annotations *annotations = nullptr;
  REQUIRE(aiwc_annotations_parse(code.data(), code.size(), nullptr, &annotations) == AIWC_OK);
  const AnnotationsHandle owner(annotations);
  const size_t local = 64;
  aiwc_profile *profile = nullptr;
  REQUIRE(aiwc_annotations_find(annotations, "triad", 1, &items, &local, &profile, nullptr,
                                sizeof(aiwc_match)) == AIWC_OK);
  const ProfileHandle profileOwner(profile);
  aiwc_prediction prediction{};
  REQUIRE(aiwc_predict(profile, device, nullptr, &prediction, sizeof prediction) == AIWC_OK);
  return prediction;
}

} // namespace

TEST_CASE("StarPU is told what is predicted, for every worker and size") {
  const TemporaryFolder folder;
  writeDevices(folder);
  Application application(folder.path());
  REQUIRE(aiwc_starpu_name_device(*application, STARPU_CPU_WORKER, -1, "host") == 0);
  const std::string code = annotated();
  const aiwc_starpu_kernel kernel = application.kernel(code);
  application.codelet.model = aiwc_starpu_time_model(*application, &kernel);
  application.codelet.energy_model = aiwc_starpu_energy_model(*application, &kernel);
  REQUIRE(application.codelet.model);
  CHECK(application.codelet.model->type == STARPU_PER_ARCH);
  for (const size_t items : {size_t{6400}, size_t{12800}, size_t{640}}) {
    starpu_task *const task = application.ask(items);
    for (const auto &[kind, id] :
         {std::pair{STARPU_CPU_WORKER, "host"}, std::pair{STARPU_OPENCL_WORKER, "card"}}) {
      if (!hasWorker(kind))
        continue;
      CAPTURE(items, id);
      const aiwc_prediction expected = predicted(folder.path(), id, code, items);
      for (int i = 0; i < 2; ++i) { // the second answer is remembered
        CHECK(starpu_task_expected_length(task, archOf(kind), 0) == Approx(expected.seconds * 1e6));
        CHECK(starpu_task_expected_energy(task, archOf(kind), 0) == Approx(expected.energy_joules));
      }
    }
  }
  CHECK(application.runs());
  CHECK(application.lines.empty());
}

TEST_CASE("StarPU measures what cannot be predicted, and one line says why") {
  const TemporaryFolder folder;
  writeDevices(folder);
  const std::string whole = annotated();
  std::string damaged = whole;
  damaged[damaged.find("aiwc") + 60] ^= 1;
  struct Case {
    const char *what;
    std::string code;
    bool named;
    bool devices;
  };
  for (const Case &c : {
           Case{"no annotation", kSource, true, true},
           Case{"a damaged annotation", damaged, true, true},
           Case{"an annotation of another source", whole + "// changed\n", true, true},
           Case{"no code", "", true, true},
           Case{"a binary", std::string("\x7f\x45\x4c\x46\0\0\0", 7), true, true},
           Case{"an unknown device", whole, false, true},
           Case{"no devices", whole, false, false},
       }) {
    CAPTURE(c.what);
    Application application(c.devices ? folder.path() : folder / "missing");
    if (c.named)
      REQUIRE(aiwc_starpu_name_device(*application, STARPU_CPU_WORKER, -1, "host") == 0);
    application.lines.clear();
    const aiwc_starpu_kernel kernel = application.kernel(c.code);
    application.codelet.model = aiwc_starpu_time_model(*application, &kernel);
    REQUIRE(application.codelet.model);
    CHECK(application.codelet.model->type == STARPU_HISTORY_BASED);
    CHECK(application.runs());
    CAPTURE(application.lines);
    REQUIRE(!application.lines.empty());
    CHECK(application.lines.back().find("aiwc: triad: StarPU measures it: ") == 0);
    const size_t lines = application.lines.size();
    aiwc_starpu_time_model(*application, &kernel);
    CHECK(application.lines.size() == lines); // said once
  }
}

TEST_CASE("of a task without a known NDRange nothing is said to StarPU") {
  const TemporaryFolder folder;
  writeDevices(folder);
  Application application(folder.path());
  REQUIRE(aiwc_starpu_name_device(*application, STARPU_CPU_WORKER, -1, "host") == 0);
  const std::string code = annotated();
  aiwc_starpu_kernel kernel = application.kernel(code);
  kernel.launch = launchUnknown;
  application.codelet.model = aiwc_starpu_time_model(*application, &kernel);
  starpu_task *const task = application.ask(6400);
  for (int i = 0; i < 3; ++i)
    CHECK(std::isnan(starpu_task_expected_length(task, archOf(STARPU_CPU_WORKER), 0)));
  CHECK(application.runs());
  REQUIRE(application.lines.size() == 1);
  CHECK(application.lines.front() ==
        "aiwc: triad: its NDRange is not known; StarPU knows nothing of such tasks");
}

TEST_CASE("a device of a wrong name is refused") {
  const TemporaryFolder folder;
  writeDevices(folder);
  const Application application(folder.path());
  CHECK(aiwc_starpu_name_device(*application, STARPU_CPU_WORKER, -1, "hots") == -1);
  REQUIRE(application.lines.size() == 1);
  CHECK(application.lines.front().find("hots") != std::string::npos);
  CHECK(aiwc_starpu_name_device(*application, STARPU_CPU_WORKER, -1, nullptr) == -1);
}

TEST_CASE("a seeded history says what is predicted, once") {
  const TemporaryFolder folder;
  writeDevices(folder);
  Application application(folder.path());
  REQUIRE(aiwc_starpu_name_device(*application, STARPU_CPU_WORKER, -1, "host") == 0);
  const std::string code = annotated();
  aiwc_starpu_kernel kernel = application.kernel(code);
  const std::string symbol = "triad_seeded_" + std::to_string(getpid()); // without a history
  kernel.symbol = symbol.c_str();
  application.codelet.model = aiwc_starpu_history_model(*application, &kernel);
  starpu_task *const task = application.ask(6400);
  const unsigned kinds = 1 + hasWorker(STARPU_OPENCL_WORKER);
  CHECK(aiwc_starpu_seed(task) == kinds);
  CHECK(starpu_task_expected_length(task, archOf(STARPU_CPU_WORKER), 0) ==
        Approx(predicted(folder.path(), "host", code, 6400).seconds * 1e6));
  CHECK(aiwc_starpu_seed(task) == 0);
  CHECK(application.runs());
}

TEST_CASE("a launch is divided as the C interface divides it") {
  const TemporaryFolder folder;
  writeDevices(folder);
  Application application(folder.path());
  REQUIRE(aiwc_starpu_name_device(*application, STARPU_CPU_WORKER, -1, "host") == 0);
  const std::string code = annotated();
  const aiwc_starpu_kernel kernel = application.kernel(code);
  starpu_perfmodel *const model = aiwc_starpu_time_model(*application, &kernel);
  const int workers[] = {starpu_worker_get_by_type(STARPU_CPU_WORKER, 0),
                         starpu_worker_get_by_type(STARPU_CPU_WORKER, 1)};
  size_t items[2] = {};
  aiwc_starpu_launch launch{1, {6400}, {64}};
  // Two alike: half each, if a part costs much less than the whole; else one has all.
  REQUIRE(aiwc_starpu_split(model, &launch, 0, workers, 2, items) == 0);
  CHECK(items[0] + items[1] == 6400);
  CHECK(items[0] % 64 == 0);
  CHECK((items[0] == 6400 || items[0] == 3200));
  launch.global_size[0] = size_t{64} << 20;
  REQUIRE(aiwc_starpu_split(model, &launch, 0, workers, 2, items) == 0);
  CHECK(items[0] == launch.global_size[0] / 2);
  CHECK(items[1] == launch.global_size[0] / 2);
  CHECK(application.lines.empty());

  items[0] = items[1] = 7;
  CHECK(aiwc_starpu_split(model, &launch, 1, workers, 2, items) == -1); // it has one dimension
  CHECK(aiwc_starpu_split(model, &launch, 0, workers, 0, items) == -1);
  launch.work_dim = 4;
  CHECK(aiwc_starpu_split(model, &launch, 0, workers, 2, items) == -1);
  CHECK(items[0] == 7);
  REQUIRE(application.lines.size() == 1);
  CHECK(application.lines.front().find("aiwc: triad: a launch cannot be divided: ") == 0);
}

TEST_CASE("threads get the same answers") {
  const TemporaryFolder folder;
  writeDevices(folder);
  Application application(folder.path());
  REQUIRE(aiwc_starpu_name_device(*application, STARPU_CPU_WORKER, -1, "host") == 0);
  const std::string code = annotated();
  const aiwc_starpu_kernel kernel = application.kernel(code);
  application.codelet.model = aiwc_starpu_time_model(*application, &kernel);
  std::vector<starpu_task *> tasks;
  std::vector<double> expected;
  for (size_t i = 1; i <= 16; ++i) {
    tasks.push_back(application.ask(640 * i));
    expected.push_back(predicted(folder.path(), "host", code, 640 * i).seconds * 1e6);
  }
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round)
        for (size_t i = 0; i < tasks.size(); ++i) {
          starpu_perfmodel_arch *const arch = archOf(STARPU_CPU_WORKER);
          const double time = application.codelet.model->arch_cost_function(tasks[i], arch, 0);
          wrong += std::abs(time - expected[i]) > 1e-9 * expected[i];
        }
    });
  threads.clear();
  CHECK(wrong == 0);
}
