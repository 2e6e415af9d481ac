#include "plugin/launched.h"

#include "common/image_type.h"
#include "plugin/kernel_host_functions.h"
#include "profile/source_hash.h"
#include "simulator/images.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string_view>

namespace aiwc::plugin {

namespace {

using run::Argument;

/// A larger value is given as its hash.
constexpr size_t kLongestValue = 64;
constexpr unsigned kGlobalMemory = 1; ///< LLVM's address space

template <typename T> T read(const uint8_t *data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

std::string integer(const uint8_t *data, unsigned bytes, bool isUnsigned) {
  switch (bytes) {
  case 1:
    return isUnsigned ? fmt::format("{}", unsigned{*data})
                      : fmt::format("{}", int{read<int8_t>(data)});
  case 2:
    return isUnsigned ? fmt::format("{}", read<uint16_t>(data))
                      : fmt::format("{}", read<int16_t>(data));
  case 4:
    return isUnsigned ? fmt::format("{}", read<uint32_t>(data))
                      : fmt::format("{}", read<int32_t>(data));
  case 8:
    return isUnsigned ? fmt::format("{}", read<uint64_t>(data))
                      : fmt::format("{}", read<int64_t>(data));
  default:
    return "";
  }
}

/// The value of one element; empty if its type is no number.
std::string number(const llvm::Type &type, const uint8_t *data, size_t bytes, bool isUnsigned) {
  if (type.isFloatTy() && bytes == sizeof(float))
    return fmt::format("{}", read<float>(data));
  if (type.isDoubleTy() && bytes == sizeof(double))
    return fmt::format("{}", read<double>(data));
  if (type.isIntegerTy() && bytes * 8 == type.getIntegerBitWidth())
    return integer(data, static_cast<unsigned>(bytes), isUnsigned);
  return "";
}

std::string hexadecimal(const uint8_t *data, size_t bytes) {
  std::string text = "0x";
  for (size_t i = 0; i < bytes; ++i)
    text += fmt::format("{:02x}", data[i]);
  return text;
}

std::string valueText(const llvm::Type &type, const oclgrind::TypedValue &value,
                      std::string_view typeName) {
  const size_t bytes = size_t{value.size} * value.num;
  if (!value.data)
    return "";
  if (bytes > kLongestValue)
    return profile::sourceHash({reinterpret_cast<const char *>(value.data), bytes});
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  const llvm::Type &element = vector ? *vector->getElementType() : type;
  const size_t count = vector ? vector->getNumElements() : 1;
  const size_t elementBytes = element.getPrimitiveSizeInBits() / 8;
  std::string text;
  for (size_t i = 0; elementBytes > 0 && i < count && (i + 1) * elementBytes <= bytes; ++i) {
    const std::string one =
        number(element, value.data + i * elementBytes, elementBytes, typeName.starts_with("u"));
    if (one.empty())
      return hexadecimal(value.data, bytes);
    text += (i > 0 ? "," : "") + one;
  }
  return text.empty() ? hexadecimal(value.data, bytes) : text;
}

profile::Size3 sizeOf(const oclgrind::Size3 &size) {
  return {size.x, size.y, size.z};
}

/// Where the memory of a buffer or an image begins; 0 for other arguments, and for null pointers.
size_t addressOf(const Argument &argument, const oclgrind::TypedValue &value) {
  if (!value.data)
    return 0;
  if (argument.kind == Argument::Kind::kBuffer)
    return value.getPointer();
  const oclgrind::Image *image =
      argument.kind == Argument::Kind::kImage ? simulator::imageOf(value.getPointer()) : nullptr;
  return image ? image->address : 0;
}

/// Sets what is known of a buffer or an image at `address`.
void setMemory(Argument &argument, const oclgrind::Memory &memory, size_t address,
               const Allocations &allocations) {
  const size_t begin = address - memory.extractOffset(address);
  // Oclgrind's getBuffer dereferences null for one that was freed: programs in CUDA may pass those.
  if (!memory.isAddressValid(begin))
    return;
  argument.allocation = allocations.at(memory, address);
  if (argument.allocation)
    argument.bytes = memory.getBuffer(begin)->size;
}

/// What the host program of `aiwc kernel` says of the argument; other applications say nothing.
void setContents(Argument &argument, unsigned index) {
  static const auto ask =
      reinterpret_cast<ArgumentContentsFunction>(dlsym(RTLD_DEFAULT, kArgumentContentsName));
  if (!ask)
    return;
  const char *contents = ask(index, &argument.assumed);
  argument.contents = contents ? contents : "";
}

Argument argumentOf(const oclgrind::KernelInvocation &invocation, unsigned index,
                    const oclgrind::TypedValue &value, const Allocations &allocations) {
  const oclgrind::Kernel &kernel = *invocation.getKernel();
  const oclgrind::Memory &memory = *invocation.getContext()->getGlobalMemory();
  const llvm::Type &type = *kernel.getFunction()->getArg(index)->getType();
  Argument argument;
  argument.name = kernel.getArgumentName(index).str();
  argument.type = kernel.getArgumentTypeName(index).str();
  argument.bytes = uint64_t{value.size} * value.num;
  const auto qualifier = kernel.getArgumentAddressQualifier(index);
  // Programs in CUDA pass pointers by value.
  const bool isPointerValue = type.isPointerTy() && type.getPointerAddressSpace() == kGlobalMemory;
  if (isImageType(argument.type)) {
    argument.kind = Argument::Kind::kImage;
  } else if (qualifier == CL_KERNEL_ARG_ADDRESS_LOCAL) {
    argument.kind = Argument::Kind::kLocal;
  } else if (isPointerValue || qualifier == CL_KERNEL_ARG_ADDRESS_GLOBAL ||
             qualifier == CL_KERNEL_ARG_ADDRESS_CONSTANT) {
    argument.kind = Argument::Kind::kBuffer;
  } else {
    argument.value = valueText(type, value, argument.type);
  }
  if (argument.kind == Argument::Kind::kImage || argument.kind == Argument::Kind::kBuffer) {
    argument.bytes = 0;
    if (const size_t address = addressOf(argument, value))
      setMemory(argument, memory, address, allocations);
  }
  setContents(argument, index);
  return argument;
}

/// Bytes whose hash takes no longer than to characterise the launch: XXH3 takes a tenth of a
/// nanosecond for each, a launch at least 0.3 ms and a microsecond for each work-item.
uint64_t hashedBytes(const run::Launch &launch) {
  constexpr uint64_t kOfLaunch = 4 << 20, kOfItem = 8 << 10;
  uint64_t items = 1;
  for (const uint64_t size : launch.globalSize)
    items *= std::clamp<uint64_t>(size, 1, 1 << 20);
  return kOfLaunch + kOfItem * std::min<uint64_t>(items, 1 << 30);
}

/// Calls `visit(argument of the launch, its place, value)` for each argument.
template <typename Launch, typename Visit>
void forEachArgument(Launch &launch, const oclgrind::Kernel &kernel, Visit visit) {
  for (auto value = kernel.values_begin(); value != kernel.values_end(); ++value)
    if (const auto *argument = llvm::dyn_cast<llvm::Argument>(value->first);
        argument && argument->getArgNo() < launch.arguments.size())
      visit(launch.arguments[argument->getArgNo()], argument->getArgNo(), value->second);
}

} // namespace

void Allocations::allocated(const oclgrind::Memory &memory, size_t address) {
  static std::atomic<uint64_t> count = 0; // of the process
  const std::scoped_lock lock(mutex_);
  numbers_[memory.extractBuffer(address)] = count++;
}

std::optional<uint64_t> Allocations::at(const oclgrind::Memory &memory, size_t address) const {
  if (address == 0)
    return std::nullopt;
  const std::scoped_lock lock(mutex_);
  const auto found = numbers_.find(memory.extractBuffer(address));
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

run::Launch launched(const oclgrind::KernelInvocation &invocation, const Allocations &allocations) {
  const oclgrind::Kernel &kernel = *invocation.getKernel();
  run::Launch launch;
  launch.kernel = kernel.getName();
  launch.workDim = static_cast<uint32_t>(invocation.getWorkDim());
  launch.globalOffset = sizeOf(invocation.getGlobalOffset());
  launch.globalSize = sizeOf(invocation.getGlobalSize());
  launch.localSize = sizeOf(invocation.getLocalSize());
  launch.arguments.resize(kernel.getNumArguments());
  forEachArgument(launch, kernel, [&](Argument &argument, unsigned i, const auto &value) {
    argument = argumentOf(invocation, i, value, allocations);
  });
  return launch;
}

std::string memoryLayout(const run::Launch &launch, const oclgrind::KernelInvocation &invocation) {
  const oclgrind::Memory &memory = *invocation.getContext()->getGlobalMemory();
  std::string text;
  forEachArgument(
      launch, *invocation.getKernel(),
      [&](const Argument &argument, unsigned i, const oclgrind::TypedValue &value) {
        if (!argument.allocation)
          return;
        const size_t first =
            std::ranges::find(launch.arguments, argument.allocation, &Argument::allocation) -
            launch.arguments.begin();
        text += fmt::format("{}:{}+{}", i, first, memory.extractOffset(addressOf(argument, value)));
        if (argument.kind == Argument::Kind::kImage) {
          const oclgrind::Image &image = *simulator::imageOf(value.getPointer());
          text += fmt::format(" {},{} {}x{}x{}x{}", image.format.image_channel_order,
                              image.format.image_channel_data_type, image.desc.image_width,
                              image.desc.image_height, image.desc.image_depth,
                              image.desc.image_array_size);
        }
        text += "\n";
      });
  return text;
}

bool hashSteering(run::Launch &launch, const oclgrind::KernelInvocation &invocation,
                  const decoding::SteeringContents &steering) {
  uint64_t bytes = 0;
  bool isKnown = !steering.others;
  forEachArgument(launch, *invocation.getKernel(),
                  [&](const Argument &argument, unsigned i, const oclgrind::TypedValue &value) {
                    if (!steering.arguments[i])
                      return;
                    if (!argument.allocation) {
                      isKnown = isKnown && addressOf(argument, value) == 0;
                      return;
                    }
                    bytes += argument.bytes;
                    isKnown = isKnown && std::ranges::count(launch.arguments, argument.allocation,
                                                            &Argument::allocation) == 1;
                  });
  if (!isKnown || bytes > hashedBytes(launch))
    return false;
  const oclgrind::Memory &memory = *invocation.getContext()->getGlobalMemory();
  forEachArgument(
      launch, *invocation.getKernel(), [&](Argument &argument, unsigned i, const auto &value) {
        if (!steering.arguments[i] || !argument.allocation)
          return;
        const size_t address = addressOf(argument, value);
        const auto &buffer = *memory.getBuffer(address);
        const std::string_view contents(reinterpret_cast<const char *>(buffer.data), buffer.size);
        const size_t offset = std::min(memory.extractOffset(address), contents.size());
        profile::SourceHasher hasher; // from where the kernel counts
        hasher.add(contents.substr(offset));
        hasher.add(contents.substr(0, offset));
        argument.contentsHash = hasher.hash();
      });
  return true;
}

/// Of the launches with the code and NDRange of `launch`. Guarded by the lock that a launch holds.
static Representatives::Known &knownLike(const run::Launch &launch) {
  // Outlives every static destructor.
  static auto *all = new std::unordered_map<std::string, Representatives::Known>;
  run::Launch work = launch;
  work.sourceHash = launch.codeHash;
  work.arguments.clear();
  return (*all)[fmt::format("{} {}", launch.process, run::workOf(work))];
}

const run::Launch *Representatives::find(const run::Launch &launch, const std::string &memory) {
  run::Launch work = launch; // without the source, in which comments and other kernels count
  work.sourceHash.clear();
  std::string text = fmt::format("{}\n{}\n{}", run::workOf(work), memory, launch.codeHash);
  for (const run::Argument &argument : launch.arguments)
    text += "\n" + argument.contentsHash;
  kind_ = profile::sourceHash(text);
  const auto known = kinds_.find(kind_);
  return known != kinds_.end() && known->second.process == launch.process ? &known->second
                                                                          : nullptr;
}

void Representatives::add(const run::Launch &launch, double lateSeconds) {
  if (!kind_.empty() && launch.complete && launch.simulatorErrors == 0)
    kinds_.insert_or_assign(kind_, launch);
  Known &known = knownLike(launch);
  ++known.launches;
  known.othersLeftOut = launch.othersLeftOut;
  known.interpreted = launch.engine != "compiled";
  known.lateSeconds += lateSeconds;
}

Representatives::Known Representatives::known(const run::Launch &launch) {
  return knownLike(launch);
}

void takeProfile(run::Launch &launch, const run::Launch &representative) {
  launch.profile = representative.profile;
  launch.representative = representative.number;
  launch.source = representative.source;
  launch.instructions = representative.instructions;
  launch.sampledGroups = representative.sampledGroups;
}

} // namespace aiwc::plugin
