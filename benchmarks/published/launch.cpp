// Launches one OpenCL kernel, with buffers and scalars as the command line says, so that the kernel
// can be characterised or run without a program of its own. Usage: aiwc-launch --help.
//
// Buffers use memory of the host that is only touched where the kernel does: zeros are pages that
// nobody wrote, and random content is one piece of memory that is mapped again and again. So a
// simulator that runs few work-groups of a launch needs little memory for buffers of many GiB.
#include "common/file.h"
#include "opencl_host/opencl.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::published {
namespace {

constexpr std::string_view kUsage =
    "Launch one kernel of an OpenCL C file\n"
    "Usage: aiwc-launch FILE KERNEL --global X[,Y[,Z]] [OPTION...] ARGUMENT...\n"
    "\n"
    "Options:\n"
    "  --global X[,Y[,Z]]   Work-items of the launch\n"
    "  --local X[,Y[,Z]]    Work-items of a work-group (default: the implementation's choice)\n"
    "  --build OPTIONS      Options of the compiler\n"
    "  --launches N         Launch the kernel N times (default: 1)\n"
    "  --print I:COUNT      Print the first COUNT elements of argument I, counted from 0, at the "
    "end\n"
    "\n"
    "One ARGUMENT for each argument of the kernel, in order; BYTES may end in K, M or G (2^10, "
    "...):\n"
    "  zeros:BYTES          A buffer of zeros\n"
    "  floats:BYTES         A buffer of random numbers from -1 to 1, repeated every 16 MiB\n"
    "  doubles:BYTES        The same of double precision\n"
    "  ints:BYTES:LIMIT     The same of integers from 0 to LIMIT - 1\n"
    "  local:BYTES          Local memory\n"
    "  int:V uint:V long:V ulong:V float:V double:V   A scalar\n"
    "\n"
    "Example:\n"
    "  aiwc-launch stream.cl stream_triad --global 1048576 --local 256 zeros:8M doubles:8M "
    "doubles:8M\n";

[[noreturn]] void refuse(const std::string &what) {
  throw Error(what + " (aiwc-launch --help)");
}

/// The number that the text begins with, which becomes what is behind it.
uint64_t takeNumber(std::string_view &text, std::string_view whole) {
  char *end = nullptr;
  const std::string digits(text);
  const uint64_t number = std::strtoull(digits.c_str(), &end, 10);
  if (end == digits.c_str() || digits.front() == '-' || number == 0)
    refuse(fmt::format("no number above 0: {}", whole));
  text.remove_prefix(static_cast<size_t>(end - digits.c_str()));
  return number;
}

uint64_t takeBytes(std::string_view &text, std::string_view whole) {
  const uint64_t number = takeNumber(text, whole);
  constexpr std::string_view kUnits = "KMG";
  const size_t unit = text.empty() ? std::string_view::npos : kUnits.find(text.front());
  if (unit == std::string_view::npos)
    return number;
  text.remove_prefix(1);
  const size_t shift = 10 * (unit + 1);
  if (number << shift >> shift != number)
    refuse(fmt::format("too many bytes: {}", whole));
  return number << shift;
}

std::vector<size_t> sizesOf(std::string_view text) {
  const std::string_view whole = text;
  std::vector<size_t> sizes = {takeNumber(text, whole)};
  while (text.starts_with(',') && sizes.size() < 3) {
    text.remove_prefix(1);
    sizes.push_back(takeNumber(text, whole));
  }
  if (!text.empty())
    refuse(fmt::format("no size of one to three dimensions: {}", whole));
  return sizes;
}

struct Command {
  std::vector<std::string> names; ///< the file, the kernel
  std::vector<size_t> global, local;
  std::string buildOptions;
  uint64_t launches = 1;
  size_t printed = 0, printedCount = 0;
  std::vector<std::string> arguments;
};

Command commandOf(const std::vector<std::string> &words) {
  Command command;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (!word.starts_with('-')) {
      (command.names.size() < 2 ? command.names : command.arguments).push_back(word);
      continue;
    }
    if (++i == words.size())
      refuse(fmt::format("{} is unknown or needs a value", word));
    std::string_view value = words[i];
    if (word == "--global")
      command.global = sizesOf(value);
    else if (word == "--local")
      command.local = sizesOf(value);
    else if (word == "--build")
      command.buildOptions = value;
    else if (word == "--launches")
      command.launches = takeNumber(value, words[i]);
    else if (word == "--print") {
      char extra = 0;
      if (std::sscanf(words[i].c_str(), "%zu:%zu%c", &command.printed, &command.printedCount,
                      &extra) != 2)
        refuse(fmt::format("no argument and count: {}", value));
    } else
      refuse(fmt::format("unknown option {}", word));
  }
  if (command.names.size() < 2 || command.global.empty())
    refuse("a file, a kernel and --global are needed");
  if (!command.local.empty() && command.local.size() != command.global.size())
    refuse("--local has other dimensions than --global");
  return command;
}

unsigned nextRandom() { // a linear congruential generator: its upper bits
  static uint64_t state = 1;
  state = state * 6364136223846793005U + 1442695040888963407U;
  return static_cast<unsigned>(state >> 32);
}

template <typename Value, typename Draw> void fill(void *memory, size_t bytes, const Draw &draw) {
  std::generate_n(static_cast<Value *>(memory), bytes / sizeof(Value), draw);
}

/// `limit`: of integers.
void fillWith(const std::string &content, void *memory, size_t bytes, unsigned limit) {
  constexpr double kScale = 1.0 / 2147483648.0;
  if (content == "floats")
    fill<float>(memory, bytes, [] { return static_cast<float>(nextRandom() * kScale - 1); });
  else if (content == "doubles")
    fill<double>(memory, bytes, [] { return nextRandom() * kScale - 1; });
  else if (content == "ints")
    fill<int>(memory, bytes, [&] { return static_cast<int>(nextRandom() % limit); });
}

void *mapped(void *at, size_t bytes, int flags, int file) {
  void *memory = mmap(at, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
  if (memory == MAP_FAILED)
    throw Error(fmt::format("no address space for {} bytes", bytes));
  return memory;
}

/// Memory of this content, of which pages exist once they are touched. It lives until the end.
void *memoryWith(const std::string &content, size_t bytes, unsigned limit) {
  constexpr size_t kPiece = size_t{16} << 20; // of random content
  auto *memory =
      static_cast<char *>(mapped(nullptr, bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1));
  if (content == "zeros" || bytes <= kPiece) {
    fillWith(content, memory, bytes, limit);
    return memory;
  }
  const int file = memfd_create("content", 0);
  if (file < 0 || ftruncate(file, static_cast<off_t>(kPiece)) != 0)
    throw Error("no memory for the content of a buffer");
  void *piece = mapped(nullptr, kPiece, MAP_SHARED, file);
  fillWith(content, piece, kPiece, limit);
  munmap(piece, kPiece);
  for (size_t offset = 0; offset < bytes; offset += kPiece)
    mapped(memory + offset, std::min(kPiece, bytes - offset),
           MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file);
  close(file);
  return memory;
}

/// Whether the text is a number from its begin to its end, which is then the argument.
template <typename Value, typename Read>
bool setNumber(cl_kernel kernel, cl_uint index, const std::string &text, const Read &read) {
  char *end = nullptr;
  const auto number = static_cast<Value>(read(text.c_str(), &end));
  if (text.empty() || *end != 0)
    return false;
  opencl::setArgument(kernel, index, number);
  return true;
}

bool setScalar(cl_kernel kernel, cl_uint index, const std::string &type, const std::string &value) {
  const auto whole = [](const char *text, char **end) { return std::strtoll(text, end, 10); };
  const auto natural = [](const char *text, char **end) { return std::strtoull(text, end, 10); };
  if (type == "float")
    return setNumber<cl_float>(kernel, index, value, std::strtof);
  if (type == "double")
    return setNumber<cl_double>(kernel, index, value, std::strtod);
  if (type == "int" || type == "uint")
    return setNumber<cl_uint>(kernel, index, value, whole);
  if (type == "long")
    return setNumber<cl_long>(kernel, index, value, whole);
  return type == "ulong" && setNumber<cl_ulong>(kernel, index, value, natural);
}

struct Buffer {
  opencl::Owned<cl_mem> memory; ///< null for scalars and local memory
  size_t bytes = 0;
  bool isDouble = false;
};

Buffer setArgument(const opencl::Device &device, cl_kernel kernel, cl_uint index,
                   const std::string &text) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos)
    refuse(fmt::format("unknown argument: {}", text));
  const std::string kind = text.substr(0, colon);
  const bool isLocal = kind == "local", isInts = kind == "ints";
  if (!isLocal && !isInts && kind != "zeros" && kind != "floats" && kind != "doubles") {
    if (!setScalar(kernel, index, kind, text.substr(colon + 1)))
      refuse(fmt::format("unknown argument: {}", text));
    return {};
  }
  std::string_view left = std::string_view(text).substr(colon + 1);
  const uint64_t bytes = takeBytes(left, text);
  uint64_t limit = 1;
  if (isInts && left.starts_with(':')) {
    left.remove_prefix(1);
    limit = takeNumber(left, text);
  }
  if (!left.empty())
    refuse(fmt::format("unknown argument: {}", text));
  if (isLocal) {
    opencl::setArgument(kernel, index, opencl::LocalBytes{bytes});
    return {};
  }
  Buffer buffer{device.buffer(bytes, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                              memoryWith(kind, bytes, static_cast<unsigned>(limit))),
                bytes, kind == "doubles"};
  opencl::setArgument(kernel, index, buffer.memory.get());
  return buffer;
}

template <typename Value>
void print(const opencl::Device &device, const Buffer &buffer, size_t count) {
  std::vector<Value> values(std::min(count, buffer.bytes / sizeof(Value)));
  device.read(buffer.memory.get(), values.data(), values.size() * sizeof(Value));
  for (const Value value : values)
    std::printf("%.9g\n", static_cast<double>(value));
}

void run(const Command &command) {
  const opencl::Device device;
  const auto program = device.built(readFile(command.names[0], "a program"), command.buildOptions);
  const auto kernel =
      opencl::make(opencl::api().clCreateKernel, program.get(), command.names[1].c_str());
  const size_t count = command.arguments.size();
  const auto expected =
      opencl::ask<cl_uint>(opencl::api().clGetKernelInfo, CL_KERNEL_NUM_ARGS, kernel.get());
  if (expected != count)
    throw Error(fmt::format("{} has {} arguments, not {}", command.names[1], expected, count));
  std::vector<Buffer> buffers;
  for (cl_uint i = 0; i < count; ++i)
    buffers.push_back(setArgument(device, kernel.get(), i, command.arguments[i]));
  if (command.printedCount != 0 && (command.printed >= count || !buffers[command.printed].memory))
    throw Error(fmt::format("argument {} is no buffer", command.printed));
  for (uint64_t i = 0; i < command.launches; ++i)
    device.launch(kernel.get(), static_cast<cl_uint>(command.global.size()), command.global.data(),
                  command.local.empty() ? nullptr : command.local.data());
  device.finish();
  if (command.printedCount == 0)
    return;
  const Buffer &printed = buffers[command.printed];
  if (printed.isDouble)
    print<double>(device, printed, command.printedCount);
  else
    print<float>(device, printed, command.printedCount);
}

} // namespace
} // namespace aiwc::published

int main(int argc, char **argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "--help") {
    std::fputs(aiwc::published::kUsage.data(), stdout);
    return 0;
  }
  try {
    aiwc::published::run(aiwc::published::commandOf(words));
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "aiwc-launch: %s\n", error.what());
    return 1;
  }
}
