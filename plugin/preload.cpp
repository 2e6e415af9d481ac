// This library is loaded before Oclgrind's runtime and replaces some functions:
// - Oclgrind launches a kernel by calling `run` with its NDRange: the replacement lets the plugin
//   choose the local size. To know whether the application left that to OpenCL, it also replaces
//   `clEnqueueNDRangeKernel`, and the constructor with which that function copies the kernel.
// - Oclgrind calls `getLocalMemorySize` of a kernel before a launch and for an answer to the host:
//   the replacement lets the plugin leave out what other kernels have.
// - Applications call `clGetDeviceInfo` and `clGetKernelWorkGroupInfo`: the replacements answer as
//   the device that the launcher describes, and note what was asked.
// - Oclgrind calls `run` of the launch to execute its work-groups: the replacement offers each
//   launch to the plugin first.
// - Oclgrind calls `clearBarrier` of a work-group when no work-item can go on before it: the
//   replacement lets the plugin decide who has to have arrived. It calls `getNextWorkItem` to know
//   who can go on: the replacement first lets work-items go on whose sub-group has met.
// - Oclgrind calls `execute...` of a queue to carry out a command of the host, and
//   `allocateProgramScopeVars` to initialise a program's constants: the replacements tell the
//   plugin which command the reported loads and stores belong to.
// - Oclgrind calls `allocateBuffer` and `createHostBuffer` of its memory: the replacements note the
//   addresses of new buffers for the CUDA runtime (host/cuda/runtime), whose programs compute with
//   them.
// - Oclgrind calls `getFloat` and `setFloat` of a value to compute with real numbers, and
//   `getConstantData`: the replacements know half precision (half_numbers.cpp).
// - Oclgrind's runtime calls `async...` to keep the objects of commands in maps, which the
//   replacements lock (command_lock.cpp).
// - Oclgrind calls `__cxa_thread_atexit` to have a variable of a thread destroyed, although it uses
//   the variable later: the replacement prevents that.
// - Oclgrind adds an instruction to an error's message by `<<`: the replacement lets the plugin add
//   the source, of which Oclgrind has none for CUDA.
// - Oclgrind's launcher calls `setenv` to have its runtime loaded before everything else: the
//   replacement keeps this library before the runtime, and has applications that load
//   `libOpenCL.so.1` themselves find Oclgrind there, too.
// The library also keeps standard error for the plugin's messages. It does nothing else, because
// every program that the application starts loads it too.

#include "hooks.h"
#include "host_command.h"
#include "intermediate_language.h"
#include "opencl_api/definition.h"
#include "replaced.h"
#include "shared_virtual_memory.h"
#include "simulated_device.h"
#include "standard_error.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <unordered_set>
#include <vector>

namespace oclgrind {

class Context {
public:
  class Message {
  public:
    __attribute__((visibility("default"))) Message &operator<<(const llvm::Instruction *);
  };
};
/// Has the name of Oclgrind's class, like the classes below.
class Kernel {
public:
  __attribute__((visibility("default"))) Kernel(const Kernel &other);
  __attribute__((visibility("default"))) void setArgument(unsigned int index, TypedValue value);
  __attribute__((visibility("default"))) size_t getLocalMemorySize() const;
};
/// Has the members of Oclgrind's struct.
struct Size3 {
  size_t x, y, z;
};

struct BufferCommand;
struct BufferRectCommand;
struct CopyCommand;
struct CopyRectCommand;
struct FillBufferCommand;
struct FillImageCommand;

class Queue {
  __attribute__((visibility("default"))) void executeReadBuffer(BufferCommand *command);
  __attribute__((visibility("default"))) void executeWriteBuffer(BufferCommand *command);
  __attribute__((visibility("default"))) void executeReadBufferRect(BufferRectCommand *command);
  __attribute__((visibility("default"))) void executeWriteBufferRect(BufferRectCommand *command);
  __attribute__((visibility("default"))) void executeCopyBuffer(CopyCommand *command);
  __attribute__((visibility("default"))) void executeCopyBufferRect(CopyRectCommand *command);
  __attribute__((visibility("default"))) void executeFillBuffer(FillBufferCommand *command);
  __attribute__((visibility("default"))) void executeFillImage(FillImageCommand *command);
};

class Memory {
  __attribute__((visibility("default"))) size_t allocateBuffer(size_t size, cl_mem_flags flags,
                                                               const uint8_t *initial);
  __attribute__((visibility("default"))) size_t createHostBuffer(size_t size, void *host,
                                                                 cl_mem_flags flags);
};

class WorkItem;

class WorkGroup {
  __attribute__((visibility("default"))) void clearBarrier();
  __attribute__((visibility("default"))) WorkItem *getNextWorkItem() const;
};

/// Both `run` get the symbols of Oclgrind's functions.
class KernelInvocation {
  __attribute__((visibility("default"))) static void run(const Context *context, Kernel *kernel,
                                                         unsigned int workDim, Size3 globalOffset,
                                                         Size3 globalSize, Size3 localSize);
  __attribute__((visibility("default"))) void run();
};

} // namespace oclgrind

namespace {

/// Whether this thread is enqueuing a kernel without a local size.
thread_local bool enqueuesWithoutLocalSize = false;

/// The kernels that were enqueued without a local size and have not run.
class WithoutLocalSize {
public:
  void enqueued(const oclgrind::Kernel *kernel, bool withoutLocalSize) noexcept {
    const std::scoped_lock lock(mutex_);
    kernels_.erase(kernel); // an earlier one at this address never ran
    if (withoutLocalSize)
      try {
        kernels_.insert(kernel);
      } catch (const std::bad_alloc &) { // the kernel keeps Oclgrind's local size
      }
  }
  bool take(const oclgrind::Kernel *kernel) {
    const std::scoped_lock lock(mutex_);
    return kernels_.erase(kernel) > 0;
  }

private:
  std::mutex mutex_;
  std::unordered_set<const oclgrind::Kernel *> kernels_;
};

WithoutLocalSize &withoutLocalSize() {
  static auto *instance = new WithoutLocalSize; // it outlives every static destructor
  return *instance;
}

aiwc::plugin::StandardError standardError; // made before the application's own code runs

__attribute__((constructor)) void releaseInChildren() {
  pthread_atfork(nullptr, nullptr, [] { standardError.releaseCopy(); });
}

/// Whether the address is in a library of Oclgrind.
bool isOclgrinds(const void *address) {
  Dl_info library;
  if (dladdr(address, &library) == 0 || !library.dli_fname)
    return false;
  const char *folderEnd = std::strrchr(library.dli_fname, '/');
  const char *name = folderEnd ? folderEnd + 1 : library.dli_fname;
  constexpr char kPrefix[] = "liboclgrind";
  return std::strncmp(name, kPrefix, sizeof kPrefix - 1) == 0;
}

[[noreturn]] void endWithout(const char *symbol) {
  std::fprintf(stderr, "aiwc: Oclgrind has no function '%s'\n", symbol);
  std::abort();
}

/// Has the symbol of a function of Oclgrind's lead to the replacement.
void redirect(void *function, const void *replacement) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  Dl_info library;
  ElfW(Sym) *symbol = nullptr;
  if (!isOclgrinds(function) ||
      !dladdr1(function, &library, reinterpret_cast<void **>(&symbol), RTLD_DL_SYMENT) || !symbol)
    return;
  const auto begin = reinterpret_cast<uintptr_t>(symbol) / page * page;
  const size_t size = reinterpret_cast<uintptr_t>(symbol + 1) - begin;
  void *const pages =
      reinterpret_cast<char *>(symbol) - (reinterpret_cast<uintptr_t>(symbol) - begin);
  if (mprotect(pages, size, PROT_READ | PROT_WRITE) != 0)
    return; // such an application sees Oclgrind's device
  symbol->st_value =
      reinterpret_cast<uintptr_t>(replacement) - reinterpret_cast<uintptr_t>(library.dli_fbase);
  mprotect(pages, size, PROT_READ);
}

/// An application that opens `libOpenCL.so` gets Oclgrind's runtime, which has this name, and looks
/// functions up in it alone. So the runtime's own table of symbols leads to the replacements, which
/// are all functions of OpenCL that this library has.
__attribute__((constructor)) void replaceInRuntime() {
  Dl_info own;
  if (dladdr(reinterpret_cast<const void *>(&isOclgrinds), &own) == 0 || !own.dli_fname)
    return;
  void *const ownLibrary = dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  if (!ownLibrary)
    return;
  aiwc::opencl::forEachFunction(aiwc::plugin::oclgrindApi(), [&](auto function, const char *name) {
    if (const void *const replacement = dlsym(ownLibrary, name))
      redirect(reinterpret_cast<void *>(function), replacement);
  });
  dlclose(ownLibrary);
}

} // namespace

/// Found when this library is loaded: afterwards, names lead to the replacements.
const aiwc::opencl::Functions &aiwc::plugin::oclgrindApi() {
  static const opencl::Functions functions = [] {
    auto found = opencl::functionsFoundBy([](const char *name) { return dlsym(RTLD_NEXT, name); });
    opencl::failWhereAbsent<endWithout>(found);
    return found;
  }();
  return functions;
}

void *aiwc::plugin::replacedFunction(const char *symbol) {
  void *const next = dlsym(RTLD_NEXT, symbol);
  if (!next)
    endWithout(symbol);
  return next;
}

void aiwc::plugin::sayFromPreload(const char *line) noexcept {
  dprintf(standardError.descriptor(), "%s", line);
}

namespace {

using aiwc::plugin::HostCommand;
using aiwc::plugin::oclgrindApi;
using aiwc::plugin::replaced;

/// What Oclgrind does for the host on this thread; null if nothing of interest.
thread_local HostCommand *hostCommand = nullptr;

/// The buffer that this thread created last.
thread_local aiwc::plugin::CreatedBuffer lastBuffer;

/// Has Oclgrind carry out what it was called for.
template <typename... Arguments>
void carryOut(HostCommand::Kind kind, void (*next)(Arguments...), Arguments... arguments) {
  HostCommand command{kind};
  struct Current { // Oclgrind may throw
    explicit Current(HostCommand *current) { hostCommand = current; }
    ~Current() { hostCommand = nullptr; }
  } const current(&command);
  next(arguments...);
}

aiwc::plugin::SimulatedDevice &device() {
  static auto *instance = new aiwc::plugin::SimulatedDevice; // it outlives every static destructor
  return *instance;
}

__attribute__((constructor)) void readDevice() { // before the application changes its environment
  device();
}

/// Answers a question as the simulated device does, or as `oclgrind` does. Oclgrind finds what is
/// wrong with a question.
template <typename Oclgrind>
cl_int answered(cl_uint parameter, size_t bytes, void *value, size_t *valueBytes,
                Oclgrind oclgrind) {
  try {
    size_t size = 0;
    cl_int status = oclgrind(0, nullptr, &size);
    const bool isUnknown = status == CL_INVALID_VALUE; // a question of an extension
    if (status != CL_SUCCESS && !isUnknown)
      return oclgrind(bytes, value, valueBytes);
    std::string extensions;
    if (parameter == CL_DEVICE_EXTENSIONS) {
      extensions.resize(size);
      status = oclgrind(size, extensions.data(), nullptr);
      extensions.resize(std::strlen(extensions.c_str()));
    } else if (parameter == CL_DEVICE_EXTENSIONS_WITH_VERSION) {
      std::vector<cl_name_version> named(size / sizeof(cl_name_version));
      status = oclgrind(size, named.data(), nullptr);
      for (const cl_name_version &extension : named)
        extensions += std::string(" ") + extension.name;
    }
    const auto answer = device().answer(parameter, extensions);
    if (!answer || (status != CL_SUCCESS && !isUnknown))
      return oclgrind(bytes, value, valueBytes);
    return aiwc::plugin::copyAnswer(*answer, bytes, value, valueBytes);
  } catch (const std::bad_alloc &) {
    return CL_OUT_OF_HOST_MEMORY;
  }
}

/// The value of LD_PRELOAD with this library before all others, if it is among them.
std::string withOursFirst(const char *libraries) {
  std::string list = libraries;
  Dl_info ours;
  if (dladdr(reinterpret_cast<const void *>(&withOursFirst), &ours) == 0 || !ours.dli_fname)
    return list;
  const std::string name = ours.dli_fname;
  const size_t at = (":" + list + ":").find(":" + name + ":");
  if (at == std::string::npos || at == 0)
    return list;
  list.erase(at - 1, name.size() + 1);
  return name + ":" + list;
}

/// OpenCL's loader of implementations would load those of the machine, into a process in which the
/// functions of Oclgrind's runtime take the place of theirs: it crashes. Has it load Oclgrind's, if
/// the value of LD_PRELOAD begins with Oclgrind's runtime and the user chose no implementation.
void offerOclgrindToLoader(const char *libraries) {
  constexpr char kRuntime[] = "/liboclgrind-rt.so", kLoaded[] = "/liboclgrind-rt-icd.so";
  const std::string first(libraries, std::strcspn(libraries, ":"));
  const size_t folderEnd = first.size() - std::min(first.size(), sizeof kRuntime - 1);
  if (first.compare(folderEnd, std::string::npos, kRuntime) != 0)
    return;
  const std::string loaded = first.substr(0, folderEnd) + kLoaded;
  if (access(loaded.c_str(), R_OK) != 0)
    return;
  for (const char *variable : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "OCL_ICD_FILENAMES"})
    if (std::getenv(variable))
      return;
  // For the loaders of ocl-icd and of Khronos.
  for (const char *variable : {"OCL_ICD_VENDORS", "OCL_ICD_FILENAMES"})
    setenv(variable, loaded.c_str(), 1);
}

} // namespace

__attribute__((visibility("default"))) aiwc::plugin::Hooks aiwcHooks;

/// For the plugin: a descriptor of the standard error that the process was started with, or -1.
extern "C" __attribute__((visibility("default"))) int aiwcStandardError() {
  return standardError.descriptor();
}

AIWC_OPENCL_FUNCTION(clEnqueueNDRangeKernel, queue, kernel, workDim, globalOffset, globalSize,
                     localSize, events, waitList, event) {
  enqueuesWithoutLocalSize = !localSize;
  const cl_int status = oclgrindApi().clEnqueueNDRangeKernel(
      queue, kernel, workDim, globalOffset, globalSize, localSize, events, waitList, event);
  enqueuesWithoutLocalSize = false;
  return status;
}

/// For the plugin: which of the questions (device_questions.h) the application has asked.
extern "C" __attribute__((visibility("default"))) uint64_t aiwcAskedOfDevice() {
  return device().asked();
}

AIWC_OPENCL_FUNCTION(clGetDeviceIDs, platform, types, most, devices, count) {
  device().soughtTypes(types);
  return oclgrindApi().clGetDeviceIDs(platform, types, most, devices, count);
}

AIWC_OPENCL_FUNCTION(clCreateContextFromType, properties, types, notify, data, status) {
  device().soughtTypes(types);
  return oclgrindApi().clCreateContextFromType(properties, types, notify, data, status);
}

AIWC_OPENCL_FUNCTION(clGetDeviceInfo, of, parameter, bytes, value, valueBytes) {
  return answered(parameter, bytes, value, valueBytes, [&](size_t room, void *to, size_t *used) {
    return oclgrindApi().clGetDeviceInfo(of, parameter, room, to, used);
  });
}

AIWC_OPENCL_FUNCTION(clGetKernelWorkGroupInfo, kernel, of, parameter, bytes, value, valueBytes) {
  return answered(parameter, bytes, value, valueBytes, [&](size_t room, void *to, size_t *used) {
    return oclgrindApi().clGetKernelWorkGroupInfo(kernel, of, parameter, room, to, used);
  });
}

oclgrind::Kernel::Kernel(const Kernel &other) {
  using Copy = void (*)(Kernel *, const Kernel &);
  static const auto next = replaced<Copy>("_ZN8oclgrind6KernelC1ERKS0_");
  next(this, other);
  withoutLocalSize().enqueued(this, enqueuesWithoutLocalSize);
}

void oclgrind::Kernel::setArgument(unsigned int index, TypedValue value) {
  aiwc::plugin::setKernelArgument(this, index, value);
}

size_t oclgrind::Kernel::getLocalMemorySize() const {
  using Measure = size_t (*)(const Kernel *);
  static const auto next = replaced<Measure>("_ZNK8oclgrind6Kernel18getLocalMemorySizeEv");
  return (aiwcHooks.measureLocalMemory ? aiwcHooks.measureLocalMemory : next)(this);
}

void oclgrind::KernelInvocation::run() {
  if (aiwcHooks.takeLaunch && aiwcHooks.takeLaunch(this))
    return;
  using Run = void (*)(KernelInvocation *);
  static const auto next = replaced<Run>("_ZN8oclgrind16KernelInvocation3runEv");
  next(this);
}

void oclgrind::KernelInvocation::run(const Context *context, Kernel *kernel, unsigned int workDim,
                                     Size3 globalOffset, Size3 globalSize, Size3 localSize) {
  const bool isLeftOpen = withoutLocalSize().take(kernel);
  if (aiwcHooks.chooseLocalSize) {
    const size_t global[] = {globalSize.x, globalSize.y, globalSize.z};
    size_t local[] = {localSize.x, localSize.y, localSize.z};
    aiwcHooks.chooseLocalSize(kernel, workDim, global, local, isLeftOpen);
    localSize = {local[0], local[1], local[2]};
  }
  // Two kernels that run in one context at once fail an assertion of Oclgrind's.
  static auto *running = new std::mutex; // it outlives every static destructor
  const std::scoped_lock lock(*running);
  const aiwc::plugin::TranslatedAddresses translated(context, kernel);
  using Run = void (*)(const Context *, Kernel *, unsigned int, Size3, Size3, Size3);
  static const auto next = replaced<Run>(
      "_ZN8oclgrind16KernelInvocation3runEPKNS_7ContextEPNS_6KernelEjNS_5Size3ES6_S6_");
  next(context, kernel, workDim, globalOffset, globalSize, localSize);
}

void oclgrind::WorkGroup::clearBarrier() {
  static const auto next =
      replaced<void (*)(WorkGroup *)>("_ZN8oclgrind9WorkGroup12clearBarrierEv");
  if (aiwcHooks.clearBarrier)
    aiwcHooks.clearBarrier(this, next);
  else
    next(this);
}

oclgrind::WorkItem *oclgrind::WorkGroup::getNextWorkItem() const {
  static const auto next =
      replaced<WorkItem *(*)(const WorkGroup *)>("_ZNK8oclgrind9WorkGroup15getNextWorkItemEv");
  if (aiwcHooks.beforeNextItem)
    aiwcHooks.beforeNextItem(this);
  return next(this);
}

oclgrind::Context::Message &
oclgrind::Context::Message::operator<<(const llvm::Instruction *instruction) {
  static const auto next = replaced<void (*)(void *, const llvm::Instruction *)>(
      "_ZN8oclgrind7Context7MessagelsEPKN4llvm11InstructionE");
  if (aiwcHooks.describe)
    aiwcHooks.describe(this, instruction, next);
  else
    next(this, instruction);
  return *this;
}

void oclgrind::Program::allocateProgramScopeVars() {
  if (aiwcHooks.hasVariables && !aiwcHooks.hasVariables(this))
    return; // the build, or the link, fails
  using Allocate = void (*)(Program *);
  static const auto next = replaced<Allocate>("_ZN8oclgrind7Program24allocateProgramScopeVarsEv");
  carryOut(HostCommand::Kind::kInitialisation, next, this);
}

// NOLINTBEGIN(bugprone-macro-parentheses): names of a function and of a type
// The symbol is that of the function's name and its parameter.
#define AIWC_COMMAND(function, Command, kind, symbol)                                              \
  void oclgrind::Queue::function(Command *command) {                                               \
    static const auto next =                                                                       \
        replaced<void (*)(Queue *, Command *)>("_ZN8oclgrind5Queue" symbol "E");                   \
    carryOut(HostCommand::Kind::kind, next, this, command);                                        \
  }
// NOLINTEND(bugprone-macro-parentheses)
AIWC_COMMAND(executeReadBuffer, BufferCommand, kTransfer, "17executeReadBufferEPNS_13BufferCommand")
AIWC_COMMAND(executeWriteBuffer, BufferCommand, kTransfer,
             "18executeWriteBufferEPNS_13BufferCommand")
AIWC_COMMAND(executeReadBufferRect, BufferRectCommand, kTransfer,
             "21executeReadBufferRectEPNS_17BufferRectCommand")
AIWC_COMMAND(executeWriteBufferRect, BufferRectCommand, kTransfer,
             "22executeWriteBufferRectEPNS_17BufferRectCommand")
AIWC_COMMAND(executeCopyBuffer, CopyCommand, kWithinDevice, "17executeCopyBufferEPNS_11CopyCommand")
AIWC_COMMAND(executeCopyBufferRect, CopyRectCommand, kWithinDevice,
             "21executeCopyBufferRectEPNS_15CopyRectCommand")
AIWC_COMMAND(executeFillBuffer, FillBufferCommand, kWithinDevice,
             "17executeFillBufferEPNS_17FillBufferCommand")
AIWC_COMMAND(executeFillImage, FillImageCommand, kWithinDevice,
             "16executeFillImageEPNS_16FillImageCommand")

size_t oclgrind::Memory::allocateBuffer(size_t size, cl_mem_flags flags, const uint8_t *initial) {
  using Allocate = size_t (*)(Memory *, size_t, cl_mem_flags, const uint8_t *);
  static const auto next = replaced<Allocate>("_ZN8oclgrind6Memory14allocateBufferEmmPKh");
  lastBuffer = {next(this, size, flags, initial), this};
  aiwc::plugin::forgetBufferAt(this, lastBuffer.address);
  return lastBuffer.address;
}

size_t oclgrind::Memory::createHostBuffer(size_t size, void *host, cl_mem_flags flags) {
  using Create = size_t (*)(Memory *, size_t, void *, cl_mem_flags);
  static const auto next = replaced<Create>("_ZN8oclgrind6Memory16createHostBufferEmPvm");
  lastBuffer = {next(this, size, host, flags), this};
  aiwc::plugin::forgetBufferAt(this, lastBuffer.address);
  return lastBuffer.address;
}

/// For the CUDA runtime: the address in the simulator of the buffer that the calling thread created
/// last; 0 if none.
extern "C" __attribute__((visibility("default"))) size_t aiwcAddressOfLastBuffer() {
  return lastBuffer.address;
}

aiwc::plugin::CreatedBuffer aiwc::plugin::lastCreatedBuffer() noexcept {
  return lastBuffer;
}

/// For the plugin: what Oclgrind does for the host on the calling thread; null if nothing of
/// interest.
extern "C" __attribute__((visibility("default"))) HostCommand *aiwcHostCommand() {
  return hostCommand;
}

extern "C" __attribute__((visibility("default"))) int setenv(const char *name, const char *value,
                                                             int overwrite) noexcept {
  static const auto next = replaced<decltype(&setenv)>("setenv");
  if (name && std::strcmp(name, "LD_PRELOAD") == 0)
    try {
      offerOclgrindToLoader(value);
      return next(name, withOursFirst(value).c_str(), overwrite);
    } catch (const std::bad_alloc &) { // the list stays as it is
    }
  return next(name, value, overwrite);
}

// The C++ ABI's names. NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)

extern "C" int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library);

/// Oclgrind's runtime keeps the names of the called API functions in a list per thread. When a
/// process exits, the list of the main thread is destroyed before all static objects. A library
/// that keeps programs in a static object (CLBlast, OpenCL's C++ bindings) releases them
/// afterwards, and Oclgrind then writes to freed memory. So the list of the main thread is never
/// destroyed.
extern "C" __attribute__((visibility("default"))) int
__cxa_thread_atexit(void (*destroy)(void *), void *object, void *library) {
  if (syscall(SYS_gettid) == getpid() && isOclgrinds(library))
    return 0;
  return __cxa_thread_atexit_impl(destroy, object, library);
}

// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
