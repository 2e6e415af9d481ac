// Things that the operating system refuses in the middle of a launch: `faults FAULT [NUMBER]`
// launches a kernel in one work-group, so that it is compiled, then in many, while the fault is
// armed, and once more. Prints a checksum of what the kernel wrote, how many faults there were, and
// of NUMBER 0, which is never reached, how many opportunities. The faults:
//   none
//   allocation  the NUMBERth allocation fails that is not the main thread's
//   numbering   the NUMBERth allocation fails that is not the main thread's and has the size of the
//               local id of a work-group's only work-item
//   thread      the NUMBERth thread does not start
//   scatter     the same, in a launch whose work-groups are not proved to be apart
//   code        no memory becomes executable any more, as where SELinux or systemd forbid it
//   no-code     the same from the beginning
//   stacks      the NUMBERth request for memory for stacks fails; better code, which needs larger
//               ones, is there as soon as a thread that makes it has been started
//   crowd       nothing; the work-group of the second launch is larger than the engine has stacks
//   mapped      the NUMBERth copy of the list of mapped regions fails, of which there are many from
//               the second launch on
//   fill, copy, group-copy
//               the NUMBERth allocation of the main thread fails that has 256 KiB: the engine saves
//               the granules that a kernel is going to write to, here by that operation
// Some of them are the system's own; the others come from functions of the C and C++ libraries that
// this program has in their place.

#include "opencl.h"

#include <dlfcn.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>

namespace {

/// Counts what might fail while it is armed, and says which one does.
class Fault {
public:
  void arm(long number) {
    number_ = number;
    armed_ = true;
  }
  void disarm() { armed_ = false; }
  /// Whether this opportunity is the one that fails.
  bool strikes() {
    if (!armed_ || ++seen_ != number_)
      return false;
    ++struck_;
    return true;
  }
  long seen() const { return seen_; }
  long struck() const { return struck_; }

private:
  std::atomic<bool> armed_ = false;
  std::atomic<long> number_ = 0, seen_ = 0, struck_ = 0;
};

constexpr size_t kPage = 4096;

Fault allocations, numberings, granules, threads, stacks;
thread_local bool isMainThread = false;
/// The size of the allocations of the main thread that fail.
std::atomic<size_t> failingBytes = 64 * kPage;
/// A work-item's local id, for which a thread asks before its first work-group.
constexpr size_t kLocalIdBytes = 3 * sizeof(uint64_t);
/// A number of mapped regions, and what the plugin needs to describe one. No other allocation has
/// the size of their list.
constexpr size_t kRegions = 321, kRegionBytes = 32;

/// As many threads analyse a launch; those that start later make better code.
constexpr int kAnalysing = 3;
std::atomic<bool> waitsForCode = false; ///< whether a launch goes on only when better code is made
std::atomic<int> started = 0;           ///< threads since then

/// What a new thread does, and whether it is done.
struct Task {
  void *(*work)(void *);
  void *argument;
  std::atomic<bool> done = false;

  static void *carryOut(void *task) {
    auto &own = *static_cast<Task *>(task);
    void *const result = own.work(own.argument);
    own.done = true;
    own.done.notify_all(); // the thread that waits keeps it
    return result;
  }
};

} // namespace

void *operator new(std::size_t size) {
  const bool fails = isMainThread
                         ? size == failingBytes && granules.strikes()
                         : allocations.strikes() || (size == kLocalIdBytes && numberings.strikes());
  void *memory = fails ? nullptr : std::malloc(size ? size : 1);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}
void *operator new[](std::size_t size) {
  return ::operator new(size);
}
void operator delete(void *memory) noexcept {
  std::free(memory);
}
void operator delete(void *memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void *memory) noexcept {
  std::free(memory);
}
void operator delete[](void *memory, std::size_t) noexcept {
  std::free(memory);
}

extern "C" __attribute__((visibility("default"))) int
pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *),
               void *argument) noexcept {
  if (threads.strikes())
    return EAGAIN;
  static const auto create =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  if (!waitsForCode || ++started <= kAnalysing)
    return create(thread, attributes, work, argument);
  auto *task = new Task{work, argument}; // never deleted: the thread still notifies
  const int error = create(thread, attributes, Task::carryOut, task);
  if (error == 0)
    task->done.wait(false);
  return error;
}

extern "C" __attribute__((visibility("default"))) void *
mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) noexcept {
  // The C library's own threads get their stacks from its own function.
  if ((flags & MAP_STACK) != 0 && stacks.strikes()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  const long result = syscall(SYS_mmap, address, size, protection, flags, file, offset);
  return reinterpret_cast<void *>(result); // -1 is MAP_FAILED
}

namespace {

constexpr const char *kSource = R"(
  int sumOf(global const int *in, size_t i) {
    int sum = 0;
    for (size_t j = 0; j < 16; ++j)
      if (in[(i * 7 + 61 * j) & 4095] & 1)
        sum += in[(i + 61 * j) & 4095];
    return sum;
  }

  kernel void work(global int *out, global const int *in) {
    const size_t i = get_global_id(0);
    out[i] = sumOf(in, i);
  }

  kernel void scatter(global int *out, global const int *in) {
    const size_t i = get_global_id(0);
    out[i ^ 5] = sumOf(in, i);
  }

  typedef struct { int of[16]; } Line;

  kernel void fill(global int *out, global const int *in) {
    const size_t i = get_global_id(0);
    *(global Line *)(out + i * 1024) = (Line){{0}};
    out[i * 1024] = sumOf(in, i);
  }

  kernel void copy(global int *out, global const int *in) {
    const size_t i = get_global_id(0);
    *(global Line *)(out + i * 1024) = *(global const Line *)(in + (i & 63) * 16);
    out[i * 1024] = sumOf(in, i);
  }

  kernel void group_copy(global int *out, global const int *in) {
    local int line[16];
    if (get_local_id(0) < 16)
      line[get_local_id(0)] = sumOf(in, get_global_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t event = 0;
    for (size_t i = 0; i < get_local_size(0); ++i)
      event = async_work_group_copy(out + (get_group_id(0) * get_local_size(0) + i) * 1024, line,
                                    16, event);
    wait_group_events(1, &event);
  }
)";

/// A kernel with a barrier. Better code computes the products, which do not change in the loop,
/// before the loop and keeps them on the stack meanwhile. The simulator's compiler moves no calls,
/// and code that is made quickly has each product where it is used.
std::string looping() {
  std::string sum;
  for (int i = 0; i < 40; ++i)
    sum += "      sum ^= mul24(a, (int8)(" + std::to_string(2 * i + 1001) + ")) + (int8)(j);\n";
  return R"(
  kernel void looping(global int *out, global const int *in) {
    local int shared;
    const size_t i = get_global_id(0);
    const int8 a = vload8(i & 63, in);
    int8 sum = 0;
    uint random = i;
    for (uint j = 0; j < 200; ++j) // which earns the kernel better code
      random = random * 1664525 + 1013904223;
    for (uint j = 0; j < random % 2 + 2; ++j) {
)" + sum +
         R"(    }
    if (get_local_id(0) == 0)
      shared = sum.s5;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = sum.s3 + shared;
  }
)";
}

/// No memory that is there becomes executable any more. Files that are mapped so are not concerned.
void forbidNewCode() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0) {
    std::perror("seccomp");
    std::exit(2);
  }
}

struct State {
  cl_context context = app::createContext();
  cl_command_queue queue = app::createQueue(context);
  cl_program program = app::buildSource(context, (kSource + looping()).c_str());
  cl_mem out = nullptr, in = nullptr;
  size_t outBytes = 0;

  State(size_t bytes) : outBytes(bytes) {
    out = app::createBuffer(context, bytes);
    std::vector<cl_int> values(4096);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<cl_int>(i * i % 1009);
    in = app::createBuffer(context, values.size() * sizeof values[0],
                           CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, values.data());
  }

  cl_kernel kernel(const char *name) const {
    const cl_kernel created = app::createKernel(program, name);
    app::setArgument(created, 0, out);
    app::setArgument(created, 1, in);
    return created;
  }

  /// Maps parts of the input for reading.
  void mapInput() const {
    for (size_t i = 0; i < kRegions; ++i) {
      cl_int status = CL_SUCCESS;
      clEnqueueMapBuffer(queue, in, CL_TRUE, CL_MAP_READ, i * sizeof(cl_int), sizeof(cl_int), 0,
                         nullptr, nullptr, &status);
      app::check(status, "clEnqueueMapBuffer");
    }
  }

  void report(const Fault &fault) const {
    std::vector<cl_int> values(outBytes / sizeof(cl_int));
    app::check(
        clEnqueueReadBuffer(queue, out, CL_TRUE, 0, outBytes, values.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
    unsigned long sum = 0;
    for (const cl_int value : values)
      sum = sum * 31 + static_cast<unsigned>(value);
    std::printf("%lu %ld %ld\n", sum, fault.struck(), fault.seen());
  }
};

constexpr size_t kGroup = 16;

/// What can go wrong with which kernel, over how many work-items.
struct Case {
  const char *name, *kernel;
  size_t items;
  Fault *counted;        ///< null: nothing that is counted
  size_t group = kGroup; ///< work-items of a group of the second launch
};

// With fewer than 32768, no better code is made, which costs allocations in another thread.
constexpr Case kCases[] = {
    {"none", "work", 32768, nullptr},
    {"allocation", "work", 4096, &allocations},
    {"numbering", "work", 4096, &numberings, 1},
    {"thread", "work", 32768, &threads},
    {"scatter", "scatter", 32768, &threads},
    {"code", "work", 32768, nullptr},
    {"no-code", "work", 32768, nullptr},
    {"fill", "fill", 8192, &granules},
    {"copy", "copy", 8192, &granules},
    {"group-copy", "group_copy", 8192, &granules},
    {"mapped", "work", 4096, &granules},
    {"stacks", "looping", 4096, &stacks},
    {"crowd", "looping", 8208, nullptr, 8208},
};

void run(const Case &what, long number) {
  constexpr size_t kLater = 64;
  const std::string name = what.name;
  if (name == "no-code")
    forbidNewCode();
  const State s(what.counted == &granules ? what.items * kPage : what.items * sizeof(cl_int));
  const cl_kernel kernel = s.kernel(what.kernel);
  app::runKernel(s.queue, kernel, kGroup, kGroup);
  Fault none;
  Fault &counted = what.counted ? *what.counted : none;
  if (name == "code")
    forbidNewCode();
  if (name == "mapped") {
    failingBytes = kRegions * kRegionBytes;
    s.mapInput();
  }
  counted.arm(number);
  waitsForCode = what.counted == &stacks;
  app::runKernel(s.queue, kernel, what.items, what.group);
  counted.disarm();
  waitsForCode = false;
  app::runKernel(s.queue, kernel, kLater, kGroup);
  s.report(counted);
}

} // namespace

int main(int argc, char **argv) {
  isMainThread = true;
  for (const Case &what : kCases)
    if (argc > 1 && std::strcmp(argv[1], what.name) == 0) {
      run(what, argc > 2 ? std::atol(argv[2]) : 0);
      return 0;
    }
  return 2;
}
