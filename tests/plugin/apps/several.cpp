// Several of everything that OpenCL has: `several MODE`, a mode per test.

#include "opencl.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace {

// Two programs with a kernel of one name, and another kernel each. `fill` executes one instruction
// more in the second: the addition.
constexpr const char *kFirst = R"(
  kernel void fill(global int *x) { x[get_global_id(0)] = VALUE; }
  kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }
)";
constexpr const char *kSecond = R"(
  kernel void fill(global int *x) { int i = get_global_id(0); x[i] = x[i] + 1; }
  kernel void square(global int *x) { int i = get_global_id(0); x[i] = x[i] * x[i]; }
)";

/// A kernel of a program with its buffer of 64 integers, ready to be enqueued.
cl_kernel ready(cl_context context, cl_program program, const char *name) {
  const cl_kernel kernel = app::createKernel(program, name);
  app::setArgument(kernel, 0, app::createBuffer(context, 64 * sizeof(cl_int)));
  return kernel;
}

void runOnce(cl_context context, cl_command_queue queue, cl_program program, const char *name,
             size_t items) {
  app::runKernel(queue, ready(context, program, name), items, 1);
}

void programs() {
  const cl_context context = app::createContext();
  const cl_command_queue queue = app::createQueue(context);
  const cl_program first = app::buildSource(context, kFirst, "-DVALUE=1");
  const cl_program second = app::buildSource(context, kSecond);
  runOnce(context, queue, first, "fill", 8);
  runOnce(context, queue, second, "fill", 16);
  runOnce(context, queue, first, "twice", 8);
  runOnce(context, queue, second, "square", 8);
  runOnce(context, queue, first, "fill", 32);
}

/// Launches with and without a local size, in two queues, which all wait before the first one runs.
void localSizes() {
  const cl_context context = app::createContext();
  const cl_program program = app::buildSource(context, kFirst, "-DVALUE=1");
  const cl_command_queue queues[] = {app::createQueue(context), app::createQueue(context)};
  const cl_kernel kernel = ready(context, program, "fill");
  const size_t global = 64;
  for (const std::vector<size_t> &locals : {std::vector<size_t>{0, 1, 8, 0}, {0, 1, 1, 0}}) {
    const cl_command_queue queue = queues[locals[2] == 1];
    for (const size_t &local : locals)
      app::check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global,
                                        local == 0 ? nullptr : &local, 0, nullptr, nullptr),
                 "clEnqueueNDRangeKernel");
  }
  for (const cl_command_queue queue : queues)
    app::check(clFinish(queue), "clFinish");
}

void queues(cl_command_queue_properties properties) {
  const cl_context context = app::createContext();
  const cl_program program = app::buildSource(context, kFirst, "-DVALUE=1");
  std::vector<cl_command_queue> all;
  for (int i = 0; i < 3; ++i)
    all.push_back(app::createQueue(context, properties));
  const cl_kernel kernel = ready(context, program, "fill");
  for (size_t i = 0; i < all.size(); ++i) {
    const size_t global = 8 * (i + 1);
    app::check(
        clEnqueueNDRangeKernel(all[i], kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  }
  for (const cl_command_queue queue : all)
    app::check(clFinish(queue), "clFinish");
}

void contexts() {
  const cl_context first = app::createContext(), second = app::createContext();
  const cl_command_queue firstQueue = app::createQueue(first),
                         secondQueue = app::createQueue(second);
  const cl_program firstProgram = app::buildSource(first, kFirst, "-DVALUE=1"),
                   secondProgram = app::buildSource(second, kFirst, "-DVALUE=1");
  runOnce(first, firstQueue, firstProgram, "fill", 8);
  runOnce(second, secondQueue, secondProgram, "fill", 16);
  clReleaseCommandQueue(firstQueue);
  clReleaseProgram(firstProgram);
  clReleaseContext(first); // the numbers go on in the other one
  runOnce(second, secondQueue, secondProgram, "fill", 32);
}

/// What one host thread works with.
struct Own {
  cl_context context = app::createContext();
  cl_command_queue queue = app::createQueue(context);
  cl_program program = app::buildSource(context, kSecond);
  cl_kernel kernel = app::createKernel(program, "fill");
  cl_mem buffer = app::createBuffer(context, 256 * sizeof(cl_int));
};

void threads() {
  constexpr int kTimes = 5;
  const auto work = [](const Own &own, size_t items) {
    app::setArgument(own.kernel, 0, own.buffer);
    for (int i = 0; i < kTimes; ++i)
      app::runKernel(own.queue, own.kernel, items);
  };
  const Own first, second;
  std::thread one(work, std::cref(first), 128), other(work, std::cref(second), 256);
  one.join();
  other.join();
  for (const auto &[own, items] : {std::pair(&first, 128), std::pair(&second, 256)}) {
    std::vector<cl_int> values(static_cast<size_t>(items));
    app::check(clEnqueueReadBuffer(own->queue, own->buffer, CL_TRUE, 0, values.size() * 4,
                                   values.data(), 0, nullptr, nullptr),
               "clEnqueueReadBuffer");
    for (const cl_int value : values)
      if (value != kTimes) {
        std::fprintf(stderr, "%d instead of %d\n", value, kTimes);
        std::exit(1);
      }
  }
}

/// Threads that share a context, each with a queue, a kernel and a buffer of its own.
void oneContext() {
  constexpr int kTimes = 20;
  const cl_context context = app::createContext();
  const cl_program program = app::buildSource(context, kSecond);
  std::vector<std::thread> all;
  for (int i = 0; i < 3; ++i) {
    const cl_mem buffer = app::createBuffer(context, 8 * sizeof(cl_int));
    const cl_kernel kernel = app::createKernel(program, "fill");
    app::setArgument(kernel, 0, buffer);
    all.emplace_back([buffer, kernel, queue = app::createQueue(context)] {
      for (int time = 0; time < kTimes; ++time)
        app::runKernel(queue, kernel, 8);
      cl_int value = 0;
      app::check(
          clEnqueueReadBuffer(queue, buffer, CL_TRUE, 4, sizeof value, &value, 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
      if (value != kTimes)
        std::exit(1);
    });
  }
  for (std::thread &thread : all)
    thread.join();
}

/// Threads that have nothing in common begin to use OpenCL at once. They hold a lock while they
/// enqueue, and so do their callbacks.
void commands() {
  static std::mutex own;
  static std::atomic<int> completed = 0, destroyed = 0;
  constexpr int kThreads = 3, kTimes = 20;
  const auto completes = [](cl_event, cl_int, void *) {
    const std::scoped_lock lock(own);
    ++completed;
  };
  const auto destroys = [](cl_mem, void *) {
    const std::scoped_lock lock(own);
    ++destroyed;
  };
  const auto work = [&] {
    const Own mine;
    for (cl_int i = 0; i < kTimes; ++i) {
      const size_t items = 8;
      const cl_mem buffer = app::createBuffer(mine.context, items * sizeof i);
      app::check(clSetMemObjectDestructorCallback(buffer, destroys, nullptr),
                 "clSetMemObjectDestructorCallback");
      app::setArgument(mine.kernel, 0, buffer);
      cl_event written = nullptr, run = nullptr;
      {
        const std::scoped_lock lock(own);
        app::check(clEnqueueFillBuffer(mine.queue, buffer, &i, sizeof i, 0, items * sizeof i, 0,
                                       nullptr, &written),
                   "clEnqueueFillBuffer");
        app::check(clEnqueueNDRangeKernel(mine.queue, mine.kernel, 1, nullptr, &items, nullptr, 1,
                                          &written, &run),
                   "clEnqueueNDRangeKernel");
        app::check(clSetEventCallback(run, CL_COMPLETE, completes, nullptr), "clSetEventCallback");
      }
      cl_int value = 0;
      app::check(clEnqueueReadBuffer(mine.queue, buffer, CL_TRUE, 4, sizeof value, &value, 1, &run,
                                     nullptr),
                 "clEnqueueReadBuffer");
      if (value != i + 1)
        std::exit(1);
      clEnqueueFillBuffer(mine.queue, buffer, &i, sizeof i, 0, sizeof i, 0, nullptr, nullptr);
      app::setArgument(mine.kernel, 0, mine.buffer);
      clReleaseMemObject(buffer); // the command keeps it
      app::check(clFinish(mine.queue), "clFinish");
      clReleaseEvent(written);
      clReleaseEvent(run);
    }
  };
  std::vector<std::thread> all;
  for (int i = 0; i < kThreads; ++i)
    all.emplace_back(work);
  for (std::thread &thread : all)
    thread.join();
  std::printf("%d completed, %d destroyed\n", completed.load(), destroyed.load());
}

void reloaded() {
  const cl_context context = app::createContext();
  const cl_command_queue queue = app::createQueue(context);
  const cl_program source = app::buildSource(context, kFirst, "-DVALUE=1");
  const cl_program program = app::buildBinary(context, app::binaryOf(source));
  const cl_kernel twice = ready(context, program, "twice");
  runOnce(context, queue, program, "fill", 8);
  app::runKernel(queue, twice, 8);
  runOnce(context, queue, program, "fill", 8);
}

void linked() {
  const cl_context context = app::createContext();
  const cl_command_queue queue = app::createQueue(context);
  const auto compile = [context](const char *source) {
    cl_int status = CL_SUCCESS;
    const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
    app::check(status, "clCreateProgramWithSource");
    app::check(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
               "clCompileProgram");
    return program;
  };
  const cl_program parts[] = {
      compile("int next(int x) { return x + 1; }"),
      compile("int next(int); kernel void fill(global int *x) { x[get_global_id(0)] = next(6); }")};
  cl_int status = CL_SUCCESS;
  const cl_program program =
      clLinkProgram(context, 0, nullptr, "", 2, parts, nullptr, nullptr, &status);
  app::check(status, "clLinkProgram");
  runOnce(context, queue, program, "fill", 8);
}

void rebuilt() {
  const cl_context context = app::createContext();
  const cl_command_queue queue = app::createQueue(context);
  const char *source = kFirst;
  cl_int status = CL_SUCCESS;
  const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
  app::check(status, "clCreateProgramWithSource");
  for (const char *options : {"-DVALUE=1", "-DVALUE=2 -cl-fast-relaxed-math"}) {
    app::build(program, options);
    const cl_kernel kernel = ready(context, program, "fill");
    app::runKernel(queue, kernel, 8);
    clReleaseKernel(kernel); // or the program could not be built again
  }
}

/// More programs than the plugin remembers, each released before the next is made, so that the next
/// is likely to have its addresses.
void manyPrograms() {
  const cl_context context = app::createContext();
  const cl_command_queue queue = app::createQueue(context);
  for (int i = 0; i < 70; ++i) {
    const cl_program program =
        app::buildSource(context, i % 3 == 0 ? kSecond : kFirst, "-DVALUE=1");
    const cl_kernel kernel = ready(context, program, "fill");
    app::runKernel(queue, kernel, 8);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
  }
}

/// Builds a program again and again, each time with another comparison, and prints how many of the
/// 8 work-items it holds for. LLVM is likely to put the instructions where the last build but one
/// had them, since the last build's are freed after the build: that one, too, compared otherwise.
void compared() {
  const cl_context context = app::createContext();
  const cl_command_queue queue = app::createQueue(context);
  const char *source = "kernel void compare(global int *x) {"
                       "  int i = get_global_id(0); x[i] = i IS 4; }";
  cl_int status = CL_SUCCESS;
  const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
  app::check(status, "clCreateProgramWithSource");
  const cl_mem buffer = app::createBuffer(context, 8 * sizeof(cl_int));
  for (int i = 0; i < 10; ++i)
    for (const char *options : {"-DIS=<", "-DIS=>", "-DIS==="}) {
      app::build(program, options);
      const cl_kernel kernel = app::createKernel(program, "compare");
      app::setArgument(kernel, 0, buffer);
      app::runKernel(queue, kernel, 8);
      clReleaseKernel(kernel); // or the program could not be built again
      cl_int holds[8];
      app::check(
          clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof holds, holds, 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
      std::printf("%d ", static_cast<int>(std::count(holds, holds + 8, 1)));
    }
}

/// Launches kernels on a thread with the smallest stack that there is. Oclgrind interprets them in
/// threads of its own.
void smallStack() {
  struct Work {
    cl_command_queue queue;
    cl_kernel twice, exchange;
  };
  const cl_context context = app::createContext();
  const cl_program program = app::buildSource(context, R"(
    kernel void twice(global int *x) {
      for (int i = 0; i < 100; ++i)
        x[get_global_id(0)] += 2;
    }
    kernel void exchange(global int *x) {
      local int row[8];
      const size_t i = get_global_id(0), l = get_local_id(0);
      row[l] = x[i];
      barrier(CLK_LOCAL_MEM_FENCE);
      x[i] = row[7 - l];
    })");
  Work work{app::createQueue(context), ready(context, program, "twice"),
            ready(context, program, "exchange")};
  const auto launch = [](void *passed) -> void * {
    const auto &given = *static_cast<Work *>(passed);
    for (int i = 0; i < 2; ++i)
      for (const cl_kernel kernel : {given.twice, given.exchange}) {
        const size_t global = 64, local = 8;
        app::check(clEnqueueNDRangeKernel(given.queue, kernel, 1, nullptr, &global, &local, 0,
                                          nullptr, nullptr),
                   "clEnqueueNDRangeKernel");
        app::check(clFinish(given.queue), "clFinish");
      }
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 16384);
  pthread_t thread;
  app::check(pthread_create(&thread, &attributes, launch, &work), "pthread_create");
  pthread_join(thread, nullptr);
}

} // namespace

int main(int argc, char **argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "local-sizes")
    localSizes();
  else if (mode == "programs")
    programs();
  else if (mode == "in-order")
    queues(0);
  else if (mode == "out-of-order")
    queues(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  else if (mode == "contexts")
    contexts();
  else if (mode == "threads")
    threads();
  else if (mode == "one-context")
    oneContext();
  else if (mode == "commands")
    commands();
  else if (mode == "reloaded")
    reloaded();
  else if (mode == "linked")
    linked();
  else if (mode == "rebuilt")
    rebuilt();
  else if (mode == "many-programs")
    manyPrograms();
  else if (mode == "compared")
    compared();
  else if (mode == "small-stack")
    smallStack();
  else
    return 2;
  return 0;
}
