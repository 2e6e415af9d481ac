#include "attach/capture_memory.h"
#include "attach/layer.h"
#include "attach/pending_reports.h"
#include "fake_driver.h"
#include "run/launch_texts.h"
#include "session/status.h"
#include "support/files.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <thread>

using namespace aiwc;
using test::FakeDriver;
using test::TemporaryFolder;

namespace {

/// An application's process under the layer: the functions that it calls, and what the layer
/// reports at its end.
class Watched {
public:
  /// `budget`: of captures; none without bytes.
  explicit Watched(const FakeDriver &driver = FakeDriver(), attach::Budget budget = {})
      : memory(1U << 30) {
    setenv("AIWC_STATUS_FILE", (folder / "status").c_str(), 1);
    setenv("AIWC_OUTPUT", folder.path().c_str(), 1);
    setenv(attach::kReportsVariable, reports.path().c_str(), 1);
    budget.memory = memory.path();
    if (budget.bytes > 0)
      setenv(attach::kBudgetVariable, attach::budgetText(budget).c_str(), 1);
    else
      unsetenv(attach::kBudgetVariable);
    cl = &FakeDriver::begin(driver);
  }

  cl_command_queue queue(cl_command_queue_properties properties = 0) const {
    return cl->clCreateCommandQueue(nullptr, nullptr, properties, nullptr);
  }
  cl_int launch(cl_command_queue on, cl_kernel kernel, size_t items, cl_event *event = nullptr,
                std::vector<cl_event> waits = {}) const {
    return cl->clEnqueueNDRangeKernel(on, kernel, 1, nullptr, &items, nullptr,
                                      static_cast<cl_uint>(waits.size()),
                                      waits.empty() ? nullptr : waits.data(), event);
  }
  SessionStatus status() const { return readStatus(folder / "status", folder.path()); }
  std::vector<run::Launch> launches() const {
    attach::finishWatching();
    return reported();
  }
  std::vector<run::Launch> reported() const {
    std::vector<run::Launch> result;
    run::FullLaunches earlier;
    for (const std::string &text : status().launches)
      result.push_back(run::launchOf(text, "launch", earlier));
    return result;
  }
  /// Gives the captures that are complete folders, as the launcher does. Returns how many.
  size_t unpack() {
    const auto captured = memory.takeComplete();
    for (const auto &one : captured) {
      CHECK(one.process == attach::programNumber());
      memory.unpack(one, capture(one.number));
    }
    return captured.size();
  }
  std::filesystem::path capture(uint64_t number) const {
    return folder / ("captures/Enqueue_" + std::to_string(number) + "_kernel");
  }

  TemporaryFolder folder;
  attach::CaptureMemory memory;
  attach::ReportMemory reports;
  const opencl::Functions *cl = nullptr;
};

cl_kernel kernelOf(const Watched &app, const char *name = "scale") {
  return app.cl->clCreateKernel(nullptr, name, nullptr);
}

run::Transfers totalsOf(run::Transfers transfers) {
  transfers.placed.clear();
  return transfers;
}

/// More than any test needs, in time and in memory.
attach::Budget ample(uint64_t bytes = 1'000'000'000) {
  return {1e9, bytes, {}};
}

} // namespace

TEST_CASE("Launches are reported with the device's times, and the transfers between them") {
  const Watched app;
  cl_command_queue queue = app.queue();
  std::array<char, 64> bytes{};
  cl_mem buffer = app.cl->clCreateBuffer(nullptr, 0, bytes.size(), nullptr, nullptr);
  cl_kernel kernel = kernelOf(app);
  const int n = 3;
  CHECK(app.cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS);
  CHECK(app.cl->clSetKernelArg(kernel, 1, sizeof n, &n) == CL_SUCCESS);
  CHECK(app.cl->clSetKernelArg(kernel, 9, sizeof n, &n) == CL_INVALID_ARG_INDEX);
  const auto write = [&](size_t size) {
    return app.cl->clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, bytes.data(), 0, nullptr,
                                        nullptr);
  };
  CHECK(write(64) == CL_SUCCESS);
  CHECK(write(16) == CL_SUCCESS);
  CHECK(app.launch(queue, kernel, 64) == CL_SUCCESS);
  CHECK(app.cl->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 8, bytes.data(), 0, nullptr,
                                    nullptr) == CL_SUCCESS);
  CHECK(app.launch(queue, kernel, 32) == CL_SUCCESS);
  const auto launches = app.launches();
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].kernel == "scale");
  CHECK(launches[0].globalSize == profile::Size3{64, 1, 1});
  CHECK(launches[0].localSizeLeftOpen);
  CHECK(launches[0].buildOptions == "-DN=2");
  // A command is queued each 10 ns, starts after 2 ns, and takes 5 ns; the first one was queued at
  // 0.
  CHECK(launches[0].measured ==
        run::DeviceTime{"Fake 1", 5, 7, false, run::FirstLaunch::kNo, run::Place{0, 22}});
  CHECK(launches[0].hostToDevice == run::Transfers{80, 2, 10, {{{0, 2}, 5, 64}, {{0, 12}, 5, 16}}});
  CHECK(launches[0].deviceToHost == run::Transfers{8, 1, 5, {{{0, 32}, 5, 8}}});
  CHECK(launches[1].measured->place == run::Place{0, 42});
  CHECK(launches[1].number == 1);
  CHECK(launches[1].invocation == 1);
  CHECK(launches[1].hostToDevice == run::Transfers{});
  REQUIRE(launches[0].arguments.size() == 2);
  CHECK(launches[0].arguments[0].kind == run::Argument::Kind::kBuffer);
  CHECK(launches[0].arguments[0].bytes == 64);
  CHECK(launches[0].arguments[1].value == "0x03000000");
  CHECK(FakeDriver::liveEvents() == 0);
}

TEST_CASE("A launch of global size 0 is queued and not reported") {
  const Watched app;
  cl_command_queue queue = app.queue();
  cl_kernel kernel = kernelOf(app);
  std::array<char, 8> bytes{};
  cl_mem buffer = app.cl->clCreateBuffer(nullptr, 0, bytes.size(), nullptr, nullptr);
  CHECK(app.cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS);
  CHECK(app.cl->clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 8, bytes.data(), 0, nullptr,
                                     nullptr) == CL_SUCCESS);
  cl_event event = nullptr;
  CHECK(app.launch(queue, kernel, 0, &event) == CL_SUCCESS);
  CHECK(event != nullptr);
  CHECK(app.launch(queue, kernel, 0) == CL_SUCCESS);
  CHECK(app.cl->clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, nullptr, nullptr, 0, nullptr,
                                       nullptr) == CL_SUCCESS);
  CHECK(app.launch(queue, kernel, 64) == CL_SUCCESS);
  const auto launches = app.launches();
  REQUIRE(launches.size() == 1);
  CHECK(launches[0].invocation == 0);
  CHECK(totalsOf(launches[0].hostToDevice) == run::Transfers{8, 1, 5});
  CHECK(app.status().notes ==
        std::vector<std::string>{
            "launches of global size 0 execute nothing: the run leaves them out"});
  // A command is queued each 10 ns, and starts after 2 ns: the driver got all of them.
  CHECK(launches[0].measured->place == run::Place{0, 42});
}

TEST_CASE("A launch that has ended outlives its process before it is reported") {
  const Watched app;
  cl_command_queue queue = app.queue();
  std::array<char, 8> bytes{};
  cl_mem buffer = app.cl->clCreateBuffer(nullptr, 0, bytes.size(), nullptr, nullptr);
  const auto pending = [&] {
    std::map<uint64_t, run::Launch> launches;
    for (const std::string &text : app.reports.pending()) {
      const run::Launch launch = run::launchOf(text, "launch");
      launches.emplace(launch.number, launch);
    }
    for (const run::Launch &launch : app.reported())
      launches.emplace(launch.number, launch);
    return launches;
  };
  for (size_t i = 0; i < 3; ++i) {
    CHECK(app.launch(queue, kernelOf(app), 64) == CL_SUCCESS);
    CHECK(app.cl->clFinish(queue) == CL_SUCCESS);
    CHECK(pending().size() == i + 1);
  }
  CHECK(pending().at(2).deviceToHost == run::Transfers{});
  CHECK(app.cl->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 8, bytes.data(), 0, nullptr,
                                    nullptr) == CL_SUCCESS);
  CHECK(app.cl->clFinish(queue) == CL_SUCCESS);
  CHECK(totalsOf(pending().at(2).deviceToHost) == run::Transfers{8, 1, 5});
  for (int i = 0; i < 2; ++i) // the third transfer is in the report only
    CHECK(app.cl->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 8, bytes.data(), 0, nullptr,
                                      nullptr) == CL_SUCCESS);
  if (const pid_t child = fork(); child == 0) { // which has launches of its own
    app.launch(queue, kernelOf(app), 64);
    app.cl->clFinish(queue);
    _exit(0);
  } else {
    waitpid(child, nullptr, 0);
  }
  std::set<uint64_t> programs;
  for (const std::string &text : app.reports.pending())
    programs.insert(run::launchOf(text, "launch").process);
  CHECK(programs.size() == 2);
  const auto reported = app.launches();
  CHECK(reported.size() == 3);
  CHECK(totalsOf(reported.at(2).deviceToHost) == run::Transfers{24, 3, 15});
  CHECK(app.reports.pending().size() == 1);
}

TEST_CASE("What is pending has an end, and is what was set last") {
  const attach::ReportMemory memory;
  setenv(attach::kReportsVariable, memory.path().c_str(), 1);
  attach::PendingReports pending;
  pending.begin();
  CHECK(memory.pending().empty());
  pending.set("a longer text");
  pending.set("b");
  CHECK(memory.pending() == std::vector<std::string>{"b"});
  pending.keep();
  pending.set("c");
  CHECK(memory.pending() == std::vector<std::string>{"b", "c"});
  const std::string large(1U << 20U, 'x'); // has no room
  pending.set(large);
  pending.keep();
  CHECK(memory.pending() == std::vector<std::string>{"b"});
  pending.clear();
  CHECK(memory.pending().empty());
  // A second process has room of its own; after the last room there is none.
  attach::PendingReports other;
  other.begin();
  other.set("other");
  pending.set("mine");
  CHECK(memory.pending().size() == 2);
  for (int i = 0; i < 2000; ++i)
    other.begin();
  other.set("lost");
  CHECK(memory.pending().size() == 2);
  setenv(attach::kReportsVariable, "/nowhere", 1);
  other.begin();
  other.set("lost");
}

TEST_CASE("The application does not see the profiling that the layer asks for") {
  const Watched app;
  const std::array<cl_queue_properties, 3> given = {CL_QUEUE_PROPERTIES,
                                                    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  for (cl_command_queue queue :
       {app.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
        app.cl->clCreateCommandQueueWithProperties(nullptr, nullptr, given.data(), nullptr)}) {
    cl_command_queue_properties properties = 0;
    CHECK(app.cl->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties,
                                        nullptr) == CL_SUCCESS);
    CHECK(properties == CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event event = nullptr;
    CHECK(app.launch(queue, kernelOf(app), 1, &event) == CL_SUCCESS);
    cl_ulong time = 0;
    const auto ask = [&] {
      return app.cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time,
                                             nullptr);
    };
    CHECK(ask() == CL_PROFILING_INFO_NOT_AVAILABLE);
    app.cl->clReleaseEvent(event);
  }
  cl_command_queue own = app.queue(CL_QUEUE_PROFILING_ENABLE);
  cl_event event = nullptr;
  cl_ulong time = 0;
  CHECK(app.launch(own, kernelOf(app), 1, &event) == CL_SUCCESS);
  CHECK(app.cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time,
                                        nullptr) == CL_SUCCESS);
  app.cl->clReleaseEvent(event);
  CHECK(app.launches().size() == 3);
  CHECK(FakeDriver::liveEvents() == 0);
}

TEST_CASE("A driver that neither measures nor tells leaves launches without times") {
  FakeDriver driver;
  driver.refusesProfiling = driver.refusesCallbacks = true;
  const Watched app(driver);
  cl_command_queue queue = app.queue();
  REQUIRE(queue);
  CHECK(app.launch(queue, kernelOf(app), 1) == CL_SUCCESS);
  const auto launches = app.launches();
  REQUIRE(launches.size() == 1);
  CHECK(!launches[0].measured);
}

TEST_CASE("Commands that fail are not reported, and fail as without the layer") {
  const Watched app;
  cl_command_queue queue = app.queue();
  CHECK(app.launch(queue, kernelOf(app, "impossible"), 1) == CL_OUT_OF_RESOURCES);
  CHECK(app.cl->clEnqueueNDRangeKernel(queue, kernelOf(app), 7, nullptr, nullptr, nullptr, 0,
                                       nullptr, nullptr) == CL_INVALID_WORK_DIMENSION);
  CHECK(app.launches().empty());
  CHECK(FakeDriver::liveEvents() == 0);
}

TEST_CASE("Launches are reported while the application runs, which may die") {
  const Watched app;
  cl_command_queue queue = app.queue();
  cl_kernel kernel = kernelOf(app);
  app.launch(queue, kernel, 1);
  app.launch(queue, kernel, 1); // until then, what the host reads after the first is not known
  app.cl->clFinish(queue);
  CHECK(app.status().launches.size() == 1);
  attach::finishWatching();
  CHECK(app.status().launches.size() == 2);
}

TEST_CASE("A launch that has not ended when the process does has no time") {
  FakeDriver driver;
  driver.endsAtOnce = false;
  const Watched app(driver);
  cl_command_queue queue = app.queue();
  cl_kernel kernel = kernelOf(app);
  app.launch(queue, kernel, 1);
  FakeDriver::endAll();
  app.launch(queue, kernel, 1);
  const auto launches = app.launches();
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].measured);
  CHECK(!launches[1].measured);
}

TEST_CASE("Three threads launch at the same time, and the status file fails them late") {
  constexpr int kThreads = 3, kLaunches = 400;
  Watched app(FakeDriver(), ample());
  const auto work = [&](int thread) {
    cl_command_queue queue = app.queue();
    cl_kernel kernel = kernelOf(app, ("k" + std::to_string(thread)).c_str());
    std::array<char, 32> bytes{};
    cl_mem buffer = app.cl->clCreateBuffer(nullptr, 0, bytes.size(), nullptr, nullptr);
    app.cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    for (int i = 0; i < kLaunches; ++i) {
      app.cl->clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, bytes.size(), bytes.data(), 0,
                                   nullptr, nullptr);
      app.launch(queue, kernel, 8);
      if (i % 50 == 0)
        app.cl->clFinish(queue);
    }
    app.cl->clReleaseCommandQueue(queue);
  };
  const auto workInThreads = [&] {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back(work, i);
    for (std::thread &thread : threads)
      thread.join();
  };
  workInThreads();
  std::set<uint64_t> numbers;
  for (const run::Launch &launch : app.launches()) {
    numbers.insert(launch.number);
    CHECK(launch.measured.has_value());
  }
  CHECK(numbers.size() == size_t{kThreads} * kLaunches);
  CHECK(*numbers.rbegin() == size_t{kThreads} * kLaunches - 1);
  // Of each thread's kernel the first launch, the 16th and the 256th.
  CHECK(app.unpack() == size_t{kThreads} * 3);
  CHECK(FakeDriver::liveEvents() == 0);
  // The folder of captures and reports goes away under the application.
  std::filesystem::remove_all(app.folder.path());
  workInThreads();
  attach::finishWatching();
  CHECK(FakeDriver::liveEvents() == 0);
}

TEST_CASE("A capture has what the launch reads, from before it") {
  Watched app(FakeDriver(), ample());
  cl_command_queue queue = app.queue();
  cl_kernel kernel = kernelOf(app);
  std::array<char, 8> bytes{'b', 'e', 'f', 'o', 'r', 'e', '1', '2'};
  cl_mem buffer = app.cl->clCreateBuffer(nullptr, CL_MEM_COPY_HOST_PTR, 8, bytes.data(), nullptr);
  const int n = 5;
  app.cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  app.cl->clSetKernelArg(kernel, 1, sizeof n, &n);
  app.cl->clSetKernelArg(kernel, 2, 48, nullptr);
  app.launch(queue, kernel, 64);
  bytes.fill('x');
  app.cl->clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 8, bytes.data(), 0, nullptr, nullptr);
  app.launch(queue, kernel, 64); // of the same kind
  const int other = 6;
  app.cl->clSetKernelArg(kernel, 1, sizeof other, &other);
  app.launch(queue, kernel, 64);
  CHECK(app.launches().size() == 3);
  CHECK(app.unpack() == 2);
  const auto first = app.capture(0);
  CHECK(test::contents(first / "Pre/kernel_Arg_0_Buffer_0.bin") == "before12");
  CHECK(test::contents(first / "kernelName.txt") == "scale");
  CHECK(test::contents(first / "kernel.cl") == FakeDriver::current().source);
  CHECK(test::contents(first / "buildOptions.txt") == "-DN=2");
  CHECK(test::contents(first / "worksizes.txt") == "64\n0\n0\n");
  CHECK(test::contents(first / "Argument1.bin") == std::string("\5\0\0\0", 4));
  CHECK(test::contents(first / "Local2.txt") == "48");
  CHECK(!std::filesystem::exists(app.capture(1)));
  CHECK(test::contents(app.capture(2) / "Pre/kernel_Arg_0_Buffer_0.bin") == "xxxxxxxx");
  CHECK(FakeDriver::liveEvents() == 0);
}

TEST_CASE("A launch that waits for the application is captured without waiting") {
  FakeDriver driver;
  driver.endsAtOnce = false;
  Watched app(driver, ample());
  cl_command_queue queue = app.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_kernel kernel = kernelOf(app);
  std::array<char, 8> bytes{};
  cl_mem buffer = app.cl->clCreateBuffer(nullptr, CL_MEM_COPY_HOST_PTR, 8, bytes.data(), nullptr);
  app.cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  cl_event user = FakeDriver::userEvent();
  CHECK(app.launch(queue, kernel, 1, nullptr, {user}) == CL_SUCCESS);
  // It may not write before its buffer was read.
  const auto waits = FakeDriver::waitsOfLastLaunch();
  REQUIRE(waits.size() == 2);
  CHECK(waits[1] == user);
  CHECK(waits[0] != user);
  CHECK(app.unpack() == 0);
  FakeDriver::endAll();
  CHECK(app.cl->clFinish(queue) == CL_SUCCESS);
  CHECK(app.unpack() == 1);
  // An in-order queue keeps the order by itself.
  cl_command_queue inOrder = app.queue();
  const int n = 1;
  app.cl->clSetKernelArg(kernel, 1, sizeof n, &n);
  CHECK(app.launch(inOrder, kernel, 1, nullptr, {user}) == CL_SUCCESS);
  CHECK(FakeDriver::waitsOfLastLaunch() == std::vector<cl_event>{user});
  app.cl->clReleaseEvent(user);
}

TEST_CASE("Of many kinds of launches a few are captured, and what the budget leaves out is said") {
  const std::array<char, 1000> bytes{};
  const auto capturesOf = [&](Watched &app, int kinds, int repeats) {
    cl_command_queue queue = app.queue();
    cl_kernel kernel = kernelOf(app);
    cl_mem buffer = app.cl->clCreateBuffer(nullptr, CL_MEM_COPY_HOST_PTR, bytes.size(),
                                           const_cast<char *>(bytes.data()), nullptr);
    app.cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    for (int i = 0; i < kinds; ++i)
      for (int j = 0; j < repeats; ++j) {
        app.cl->clSetKernelArg(kernel, 1, sizeof i, &i);
        app.launch(queue, kernel, 1);
      }
    attach::finishWatching();
    return app.unpack();
  };
  Watched manyKinds(FakeDriver(), ample());
  CHECK(capturesOf(manyKinds, 100, 1) == 13); // 1 2 3 4 6 8 12 16 24 32 48 64 96
  Watched oneKind(FakeDriver(), ample());
  CHECK(capturesOf(oneKind, 1, 300) == 3); // 1 16 256
  Watched poor(FakeDriver(), ample(2500));
  CHECK(capturesOf(poor, 4, 1) == 2);
  const SessionStatus status = poor.status();
  CHECK(status.notes == std::vector<std::string>{"2 chosen launches were not characterised: the "
                                                 "budget was spent (--budget)"});
  CHECK(status.errors.empty());
  Watched exact(FakeDriver(), ample(2000)); // all of it may be used
  CHECK(capturesOf(exact, 4, 1) == 2);
  Watched less(FakeDriver(), ample(1999));
  CHECK(capturesOf(less, 4, 1) == 1);
  FakeDriver refusing;
  refusing.refusesReads = true;
  Watched unreadable(refusing, ample());
  CHECK(capturesOf(unreadable, 1, 1) == 0);
  REQUIRE(unreadable.status().notes.size() == 1);
  CHECK(unreadable.status().notes[0].find("the host may not read their buffers") !=
        std::string::npos);
  FakeDriver extended;
  extended.parameters = 3; // of which the application sets two by functions that the layer knows
  Watched partial(extended, ample());
  CHECK(capturesOf(partial, 1, 1) == 0);
  REQUIRE(partial.status().notes.size() == 1);
  CHECK(partial.status().notes[0].find("a function of an extension sets") != std::string::npos);
}

TEST_CASE("A kernel whose first kinds are too dear is captured with the first that is not") {
  const std::vector<char> bytes(2000);
  Watched app(FakeDriver(), ample(1000));
  cl_command_queue queue = app.queue();
  cl_kernel kernel = kernelOf(app);
  const auto launchOfKind = [&](int n, size_t size) {
    cl_mem buffer = app.cl->clCreateBuffer(nullptr, CL_MEM_COPY_HOST_PTR, size,
                                           const_cast<char *>(bytes.data()), nullptr);
    app.cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    app.cl->clSetKernelArg(kernel, 1, sizeof n, &n);
    app.launch(queue, kernel, 1);
  };
  for (int n = 1; n <= 4; ++n)
    launchOfKind(n, bytes.size());
  launchOfKind(5, 8); // chosen only because no other one could be captured
  launchOfKind(6, bytes.size());
  launchOfKind(7, 8);
  CHECK(app.launches().size() == 7);
  CHECK(app.unpack() == 1);
  CHECK(app.status().notes == std::vector<std::string>{"5 chosen launches were not characterised: "
                                                       "the budget was spent (--budget)"});
}

TEST_CASE("Memory to which nothing was written is not read") {
  Watched app(FakeDriver(), ample());
  cl_command_queue queue = app.queue();
  cl_kernel kernel = kernelOf(app);
  constexpr size_t kBytes = 8;
  cl_mem buffer = app.cl->clCreateBuffer(nullptr, 0, kBytes, nullptr, nullptr);
  app.cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  const auto launchOfKind = [&](int n) {
    app.cl->clSetKernelArg(kernel, 1, sizeof n, &n);
    const size_t before = FakeDriver::reads();
    CHECK(app.launch(queue, kernel, 1) == CL_SUCCESS);
    return FakeDriver::reads() - before;
  };
  CHECK(launchOfKind(0) == 0);
  CHECK(launchOfKind(1) == 1); // the first launch may have written
  CHECK(app.launches().size() == 2);
  CHECK(app.unpack() == 2);
  CHECK(test::contents(app.capture(0) / "Pre/kernel_Arg_0_Buffer_0.bin") ==
        std::string(kBytes, '\0'));
  // A kernel does not write to read-only memory, but the host does.
  cl_mem readOnly = app.cl->clCreateBuffer(nullptr, CL_MEM_READ_ONLY, kBytes, nullptr, nullptr);
  app.cl->clSetKernelArg(kernel, 0, sizeof readOnly, &readOnly);
  CHECK(launchOfKind(2) == 0);
  CHECK(launchOfKind(3) == 0);
  CHECK(launchOfKind(4) == 0); // the fifth kind is not chosen, the sixth is
  const std::array<char, kBytes> bytes{};
  app.cl->clEnqueueWriteBuffer(queue, readOnly, CL_TRUE, 0, kBytes, bytes.data(), 0, nullptr,
                               nullptr);
  CHECK(launchOfKind(5) == 1);
}

TEST_CASE("Captures take no more time than the budget, and few milliseconds for first kernels") {
  // Reads take the driver 5 ns by its clock; what the host takes counts as well. Nothing is allowed
  // beyond the first capture of each kernel.
  const std::array<char, 8> bytes{};
  Watched app(FakeDriver(), {1e-12, 1'000'000, {}});
  cl_command_queue queue = app.queue();
  cl_mem buffer = app.cl->clCreateBuffer(nullptr, CL_MEM_COPY_HOST_PTR, bytes.size(),
                                         const_cast<char *>(bytes.data()), nullptr);
  cl_kernel one = kernelOf(app, "one");
  app.cl->clSetKernelArg(one, 0, sizeof buffer, &buffer);
  for (int n = 0; n < 3; ++n) {
    app.cl->clSetKernelArg(one, 1, sizeof n, &n);
    app.launch(queue, one, 1);
  }
  CHECK(app.launches().size() == 3);
  CHECK(app.unpack() == 1);
  CHECK(app.status().notes == std::vector<std::string>{"2 chosen launches were not characterised: "
                                                       "the budget was spent (--budget)"});
}

TEST_CASE("A first capture may take the device 300 ms, at 1 GB/s as long as nothing was measured") {
  Watched app(FakeDriver(), {1e-12, 1'000'000'000, {}});
  cl_command_queue queue = app.queue();
  cl_kernel kernel = kernelOf(app);
  const auto launchWith = [&](size_t bytes) {
    cl_mem buffer = app.cl->clCreateBuffer(nullptr, CL_MEM_USE_HOST_PTR, bytes, nullptr, nullptr);
    app.cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    app.cl->clSetKernelArg(kernel, 1, sizeof bytes, &bytes);
    const size_t before = FakeDriver::reads();
    app.launch(queue, kernel, 1);
    app.cl->clReleaseMemObject(buffer);
    return FakeDriver::reads() - before;
  };
  CHECK(launchWith(300'000'001) == 0);
  CHECK(launchWith(8) == 1);
  CHECK(app.launches().size() == 2);
  CHECK(app.unpack() == 1);
}

TEST_CASE("Commands are placed in the queues of the process, the first transfers of many") {
  const Watched app;
  cl_command_queue first = app.queue(), second = app.queue();
  std::array<char, 8> bytes{};
  cl_mem buffer = app.cl->clCreateBuffer(nullptr, 0, bytes.size(), nullptr, nullptr);
  CHECK(app.launch(second, kernelOf(app), 1) == CL_SUCCESS);
  CHECK(app.launch(first, kernelOf(app), 1) == CL_SUCCESS);
  for (size_t i = 0; i < run::Transfers::kMostPlaced + 4; ++i)
    CHECK(app.cl->clEnqueueReadBuffer(second, buffer, CL_TRUE, 0, 8, bytes.data(), 0, nullptr,
                                      nullptr) == CL_SUCCESS);
  const auto launches = app.launches();
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].measured->place->queue == 0);
  CHECK(launches[1].measured->place->queue == 1);
  CHECK(launches[1].measured->place->startNanos > launches[0].measured->place->startNanos);
  const run::Transfers &reads = launches[1].deviceToHost;
  CHECK(reads.transfers == run::Transfers::kMostPlaced + 4);
  REQUIRE(reads.placed.size() == run::Transfers::kMostPlaced);
  CHECK(reads.placed.back().place.queue == 0);
}

TEST_CASE("A queue that cannot measure has the host's times") {
  FakeDriver driver;
  driver.refusesProfiling = true;
  const Watched app(driver);
  cl_command_queue queue = app.queue();
  cl_kernel kernel = kernelOf(app);
  CHECK(app.launch(queue, kernel, 1) == CL_SUCCESS);
  const auto launches = app.launches();
  REQUIRE(launches.size() == 1);
  REQUIRE(launches[0].measured);
  CHECK(launches[0].measured->isHostClock);
  CHECK(launches[0].measured->nanos > 0);
  CHECK(launches[0].measured->queuedNanos >= launches[0].measured->nanos);
  CHECK(FakeDriver::liveEvents() == 0);
}

TEST_CASE("The memory of captures is handed over once, and never exceeds its size") {
  constexpr uint64_t kBytes = 16384;
  const TemporaryFolder folder;
  attach::CaptureMemory reader(kBytes);
  attach::CaptureMemory writer(reader.path()); // as in another process
  using Content = attach::CapturedFile::Content;
  const std::vector<attach::CapturedFile> files = {{"a.txt", Content::kGiven, "given"},
                                                   {"b/c.bin", Content::kLater, {}, 3},
                                                   {"b/d.bin", Content::kZeros, {}, 100'000}};
  {
    const auto room = writer.reserve(files);
    REQUIRE(room);
    REQUIRE(room->later.size() == 1);
    std::memcpy(room->later[0], "xyz", 3);
    CHECK(reader.takeComplete().empty());
    writer.complete(*room, 7);
  }
  const auto taken = reader.takeComplete();
  REQUIRE(taken.size() == 1);
  CHECK(taken[0].number == 7);
  CHECK(reader.takeComplete().empty());
  reader.unpack(taken[0], folder / "made");
  CHECK(test::contents(folder / "made/a.txt") == "given");
  CHECK(test::contents(folder / "made/b/c.bin") == "xyz");
  CHECK(test::contents(folder / "made/b/d.bin") == std::string(100'000, '\0'));
  size_t more = 0;
  while (writer.reserve(files))
    ++more;
  CHECK(more == 1); // two pages each
  CHECK_THROWS_AS(attach::CaptureMemory(std::filesystem::path("/proc/self/fd/missing")), Error);
}

TEST_CASE("The memory of captures of another launcher is refused, and not kept mapped") {
  const TemporaryFolder folder;
  const std::filesystem::path other = folder / "other";
  test::write(other, std::string(1 << 20, '\0')); // zeros, where the mark of a launcher would be
  CHECK(test::errorOf([&] { attach::CaptureMemory{other}; }) ==
        "the memory of captures is another launcher's");
  CHECK(test::contents("/proc/self/maps").find(other.string()) == std::string::npos);
}

TEST_CASE("A budget is read as it is written, and anything else is none") {
  setenv(attach::kBudgetVariable, attach::budgetText({0.25, 7, "/memory"}).c_str(), 1);
  CHECK(attach::budgetOfEnvironment().share == 0.25);
  CHECK(attach::budgetOfEnvironment().bytes == 7);
  CHECK(attach::budgetOfEnvironment().memory == "/memory");
  for (const char *text : {"", "x", "1", "1 x", "1 7"}) {
    setenv(attach::kBudgetVariable, text, 1);
    CHECK(attach::budgetOfEnvironment().bytes == 0);
  }
}
