#include "attach/budget.h"
#include "attach/layer.h"
#include "fake_driver.h"
#include "run/launch.h"
#include "session/status.h"
#include "support/files.h"

#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
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
  explicit Watched(const FakeDriver &driver = FakeDriver(), const char *budget = nullptr) {
    setenv("AIWC_STATUS_FILE", (folder / "status").c_str(), 1);
    setenv("AIWC_OUTPUT", folder.path().c_str(), 1);
    if (budget)
      setenv(attach::kBudgetVariable, budget, 1);
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
    std::vector<run::Launch> result;
    for (const std::string &text : status().launches)
      result.push_back(run::launchOf(text, "launch"));
    return result;
  }
  std::filesystem::path captures() const { return attach::capturesFolder(folder.path()); }

  TemporaryFolder folder;
  const cl_icd_dispatch *cl = nullptr;
};

cl_kernel kernelOf(const Watched &app, const char *name = "scale") {
  return app.cl->clCreateKernel(nullptr, name, nullptr);
}

constexpr const char *kAmple = "1 1000000000";

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
  CHECK(launches[0].measured == run::DeviceTime{"Fake 1", 5, 7});
  CHECK(launches[0].hostToDevice == run::Transfers{80, 2, 10});
  CHECK(launches[0].deviceToHost == run::Transfers{8, 1, 5});
  CHECK(launches[1].number == 1);
  CHECK(launches[1].invocation == 1);
  CHECK(launches[1].hostToDevice == run::Transfers{});
  REQUIRE(launches[0].arguments.size() == 2);
  CHECK(launches[0].arguments[0].kind == run::Argument::Kind::kBuffer);
  CHECK(launches[0].arguments[0].bytes == 64);
  CHECK(launches[0].arguments[1].value == "0x03000000");
  CHECK(FakeDriver::liveEvents() == 0);
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

TEST_CASE("A driver without profiling leaves launches without times") {
  FakeDriver driver;
  driver.refusesProfiling = true;
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
  const Watched app(FakeDriver(), kAmple);
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
  size_t captures = 0; // of each thread's kernel the first launch, the 16th and the 256th
  for (const auto &entry : std::filesystem::directory_iterator(app.captures()))
    captures += entry.path().filename().string().starts_with("Enqueue_");
  CHECK(captures == size_t{kThreads} * 3);
  CHECK(FakeDriver::liveEvents() == 0);
  // The folder of captures and reports goes away under the application.
  std::filesystem::remove_all(app.folder.path());
  workInThreads();
  attach::finishWatching();
  CHECK(FakeDriver::liveEvents() == 0);
}

TEST_CASE("A capture has what the launch reads, from before it") {
  const Watched app(FakeDriver(), kAmple);
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
  app.launch(queue, kernel, 64); // alike
  const int other = 6;
  app.cl->clSetKernelArg(kernel, 1, sizeof other, &other);
  app.launch(queue, kernel, 64);
  CHECK(app.launches().size() == 3);
  const auto first = app.captures() / "Enqueue_0_kernel";
  CHECK(test::contents(first / "Pre/kernel_Arg_0_Buffer_0.bin") == "before12");
  CHECK(test::contents(first / "kernelName.txt") == "scale");
  CHECK(test::contents(first / "kernel.cl") == FakeDriver::current().source);
  CHECK(test::contents(first / "buildOptions.txt") == "-DN=2");
  CHECK(test::contents(first / "worksizes.txt") == "64\n0\n0\n");
  CHECK(test::contents(first / "Argument1.bin") == std::string("\5\0\0\0", 4));
  CHECK(test::contents(first / "Local2.txt") == "48");
  CHECK(!std::filesystem::exists(app.captures() / "Enqueue_1_kernel"));
  CHECK(test::contents(app.captures() / "Enqueue_2_kernel/Pre/kernel_Arg_0_Buffer_0.bin") ==
        "xxxxxxxx");
  CHECK(FakeDriver::liveEvents() == 0);
}

TEST_CASE("A launch that waits for the application is captured without waiting") {
  FakeDriver driver;
  driver.endsAtOnce = false;
  const Watched app(driver, kAmple);
  cl_command_queue queue = app.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_kernel kernel = kernelOf(app);
  cl_mem buffer = app.cl->clCreateBuffer(nullptr, 0, 8, nullptr, nullptr);
  app.cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  cl_event user = FakeDriver::userEvent();
  CHECK(app.launch(queue, kernel, 1, nullptr, {user}) == CL_SUCCESS);
  // It may not write before its buffer was read.
  const auto waits = FakeDriver::waitsOfLastLaunch();
  REQUIRE(waits.size() == 2);
  CHECK(waits[1] == user);
  CHECK(waits[0] != user);
  CHECK(!std::filesystem::exists(app.captures() / "Enqueue_0_kernel"));
  FakeDriver::endAll();
  CHECK(app.cl->clFinish(queue) == CL_SUCCESS);
  CHECK(std::filesystem::exists(app.captures() / "Enqueue_0_kernel"));
  // An in-order queue keeps the order by itself.
  cl_command_queue inOrder = app.queue();
  const int n = 1;
  app.cl->clSetKernelArg(kernel, 1, sizeof n, &n);
  CHECK(app.launch(inOrder, kernel, 1, nullptr, {user}) == CL_SUCCESS);
  CHECK(FakeDriver::waitsOfLastLaunch() == std::vector<cl_event>{user});
}

TEST_CASE("Of many kinds of launches a few are captured, and what the budget leaves out is said") {
  const auto capturesOf = [](const Watched &app, int kinds, int repeats) {
    cl_command_queue queue = app.queue();
    cl_kernel kernel = kernelOf(app);
    cl_mem buffer = app.cl->clCreateBuffer(nullptr, 0, 1000, nullptr, nullptr);
    app.cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    for (int i = 0; i < kinds; ++i)
      for (int j = 0; j < repeats; ++j) {
        app.cl->clSetKernelArg(kernel, 1, sizeof i, &i);
        app.launch(queue, kernel, 1);
      }
    attach::finishWatching();
    size_t found = 0;
    if (std::filesystem::exists(app.captures()))
      for (const auto &entry : std::filesystem::directory_iterator(app.captures()))
        found += entry.path().filename().string().starts_with("Enqueue_");
    return found;
  };
  CHECK(capturesOf(Watched(FakeDriver(), kAmple), 100, 1) ==
        13);                                                     // 1 2 3 4 6 8 12 16 24 32 48 64 96
  CHECK(capturesOf(Watched(FakeDriver(), kAmple), 1, 300) == 3); // 1 16 256
  const Watched poor(FakeDriver(), "1 2500");
  CHECK(capturesOf(poor, 4, 1) == 2);
  const SessionStatus status = poor.status();
  CHECK(status.notes == std::vector<std::string>{"2 chosen launches were not characterised: the "
                                                 "budget was spent (--budget)"});
  CHECK(status.errors.empty());
  FakeDriver refusing;
  refusing.refusesReads = true;
  const Watched unreadable(refusing, kAmple);
  CHECK(capturesOf(unreadable, 1, 1) == 0);
  REQUIRE(unreadable.status().notes.size() == 1);
  CHECK(unreadable.status().notes[0].find("the host may not read their buffers") !=
        std::string::npos);
  FakeDriver extended;
  extended.parameters = 3; // of which the application sets two by functions that the layer knows
  const Watched partial(extended, kAmple);
  CHECK(capturesOf(partial, 1, 1) == 0);
  REQUIRE(partial.status().notes.size() == 1);
  CHECK(partial.status().notes[0].find("a function of an extension sets") != std::string::npos);
}

TEST_CASE("A budget is read as it is written, and anything else is none") {
  setenv(attach::kBudgetVariable, attach::budgetText({0.25, 7}).c_str(), 1);
  CHECK(attach::budgetOfEnvironment().share == 0.25);
  CHECK(attach::budgetOfEnvironment().bytes == 7);
  for (const char *text : {"", "x", "1", "1 x"}) {
    setenv(attach::kBudgetVariable, text, 1);
    CHECK(attach::budgetOfEnvironment().bytes == 0);
  }
}
