#include "kernel_host/launches.h"

#include "common/error.h"
#include "kernel_launch/growth.h"
#include "kernel_launch/simulator_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace aiwc::kernel_host {

namespace {

using kernel_launch::Argument;
using kernel_launch::Parameter;
using kernel_launch::SamplerText;
using opencl::api;

/// What the plugin is told of the launch.
std::vector<std::pair<std::string, bool>> &contentsOfLaunch() {
  static std::vector<std::pair<std::string, bool>> instance;
  return instance;
}

/// What the plugin tells of the launch.
struct Reported {
  /// So many errors are enough to choose larger buffers by. Reporting one takes the simulator as
  /// long as thousands of instructions.
  static constexpr size_t kEnough = 1000;

  std::mutex mutex;
  std::vector<kernel_launch::SimulatorError> errors;
  uint64_t untold = 0;
  /// Only where larger buffers may be tried.
  struct Growing {
    kernel_launch::LaunchedArguments launch;
    const std::vector<bool> &growable;
    const kernel_launch::Sizes &sizes;
  };
  std::optional<Growing> growing;
  std::vector<std::string> grown; ///< as in Launched

  void begin(std::optional<Growing> mayGrow) {
    const std::scoped_lock lock(mutex);
    errors.clear();
    untold = 0;
    grown.clear();
    if (mayGrow)
      growing.emplace(*mayGrow);
    else
      growing.reset();
  }
  /// Whether larger buffers are to be tried after the errors so far; call it locked.
  bool chooseLarger() {
    if (!growing)
      return false;
    grown = kernel_launch::grownCounts(errors, errors.size() >= kEnough, growing->launch,
                                       growing->growable, growing->sizes);
    if (std::ranges::all_of(grown, &std::string::empty))
      grown.clear();
    return !grown.empty();
  }
};
Reported &reported() {
  static Reported instance;
  return instance;
}

cl_channel_type channelTypeOf(std::string_view name) {
  static const std::map<std::string_view, cl_channel_type> kTypes = {
      {"unorm8", CL_UNORM_INT8},   {"unorm16", CL_UNORM_INT16}, {"snorm8", CL_SNORM_INT8},
      {"snorm16", CL_SNORM_INT16}, {"u8", CL_UNSIGNED_INT8},    {"u16", CL_UNSIGNED_INT16},
      {"u32", CL_UNSIGNED_INT32},  {"i8", CL_SIGNED_INT8},      {"i16", CL_SIGNED_INT16},
      {"i32", CL_SIGNED_INT32},    {"f16", CL_HALF_FLOAT},      {"f32", CL_FLOAT}};
  return kTypes.at(name);
}

cl_image_format formatOf(const Argument &argument) {
  if (argument.channelOrder != 0)
    return {argument.channelOrder, argument.channelType};
  const unsigned channels = argument.image.channels;
  return {static_cast<cl_channel_order>(channels == 1   ? CL_R
                                        : channels == 2 ? CL_RG
                                                        : CL_RGBA),
          channelTypeOf(argument.image.channelType->name)};
}

Owned<cl_mem> imageOf(const Device &device, const Argument &argument) {
  const cl_image_format format = formatOf(argument);
  cl_image_desc description{};
  description.image_type = argument.imageDimensions == 1   ? CL_MEM_OBJECT_IMAGE1D
                           : argument.imageDimensions == 2 ? CL_MEM_OBJECT_IMAGE2D
                                                           : CL_MEM_OBJECT_IMAGE3D;
  description.image_width = argument.imageSize[0];
  description.image_height = argument.imageSize[1];
  description.image_depth = argument.imageSize[2];
  Owned<cl_mem> image;
  try {
    image = opencl::make(api().clCreateImage, device.context(), CL_MEM_READ_WRITE, &format,
                         &description, nullptr);
  } catch (const opencl::StatusError &error) {
    throw Error(fmt::format("the simulator has no image of this form (status {})", error.status()));
  }
  const size_t origin[3] = {};
  const size_t region[3] = {argument.imageSize[0], argument.imageSize[1], argument.imageSize[2]};
  opencl::call(api().clEnqueueWriteImage, device.queue(), image.get(), CL_TRUE, origin, region, 0,
               0, argument.bytes.data(), 0, nullptr, nullptr);
  return image;
}

cl_addressing_mode addressingOf(SamplerText::Addressing addressing) {
  switch (addressing) {
  case SamplerText::Addressing::kNone:
    return CL_ADDRESS_NONE;
  case SamplerText::Addressing::kClamp:
    return CL_ADDRESS_CLAMP;
  case SamplerText::Addressing::kRepeat:
    return CL_ADDRESS_REPEAT;
  case SamplerText::Addressing::kMirroredRepeat:
    return CL_ADDRESS_MIRRORED_REPEAT;
  case SamplerText::Addressing::kClampToEdge:
    break;
  }
  return CL_ADDRESS_CLAMP_TO_EDGE;
}

/// Sets arguments, and keeps what they refer to.
class Setter {
public:
  Setter(const Device &device, cl_kernel kernel) : device_(device), kernel_(kernel) {}

  void set(const Parameter &parameter, const Argument &argument) {
    Owned<cl_mem> memory;
    addresses_.push_back(0);
    switch (argument.kind) {
    case Argument::Kind::kValue:
      pass(argument.bytes.size(), argument.bytes.data());
      break;
    case Argument::Kind::kLocal:
      requireLocalMemory(argument.localBytes);
      pass(argument.localBytes, nullptr);
      break;
    case Argument::Kind::kSampler:
      passSampler(argument.sampler);
      break;
    case Argument::Kind::kNull:
      passHandle<cl_mem>(nullptr);
      break;
    case Argument::Kind::kImage:
      memory = imageOf(device_, argument);
      addresses_.back() = addressOfLastBuffer();
      passHandle(memory.get());
      break;
    case Argument::Kind::kBuffer:
      memory = passBuffer(parameter, argument);
      break;
    }
    memory_.push_back(std::move(memory));
  }

  const std::vector<uint64_t> &addresses() const { return addresses_; }
  std::vector<Owned<cl_mem>> takeMemory() { return std::move(memory_); }

private:
  void pass(size_t bytes, const void *value) {
    try {
      opencl::setArgument(kernel_, static_cast<cl_uint>(memory_.size()), bytes, value);
    } catch (const opencl::StatusError &error) {
      if (error.status() == CL_INVALID_ARG_SIZE)
        throw Error(fmt::format("it has {} bytes: expected as many as its type", bytes));
      throw;
    }
  }
  /// The simulator makes room for it before it compares it with what the device has.
  void requireLocalMemory(uint64_t bytes) const {
    const auto most =
        opencl::ask<cl_ulong>(api().clGetDeviceInfo, CL_DEVICE_LOCAL_MEM_SIZE, device_.id());
    if (bytes > most)
      throw Error(fmt::format("it has {} bytes, and the simulated device {}: expected less local "
                              "memory, or a device with more (--as DEVICE)",
                              bytes, most));
  }
  // NOLINTNEXTLINE(bugprone-sizeof-expression): the handle itself is passed
  template <typename Handle> void passHandle(Handle handle) { pass(sizeof handle, &handle); }

  Owned<cl_mem> passBuffer(const Parameter &parameter, const Argument &argument) {
    const bool isAddress = parameter.space == Parameter::Space::kPointer;
    if (argument.shared)
      if (const auto known = shared_.find(*argument.shared); known != shared_.end()) {
        passMemory(known->second, isAddress);
        return known->second.memory;
      }
    Buffer buffer = bufferWith(device_, argument.bytes);
    passMemory(buffer, isAddress);
    if (argument.shared)
      shared_[*argument.shared] = buffer;
    return std::move(buffer.memory);
  }

  void passMemory(const Buffer &buffer, bool isAddress) {
    addresses_.back() = buffer.address;
    if (isAddress)
      passHandle(buffer.address);
    else
      passHandle(buffer.memory.get());
  }

  void passSampler(const SamplerText &sampler) {
    samplers_.push_back(opencl::make(
        api().clCreateSampler, device_.context(), sampler.isNormalised ? CL_TRUE : CL_FALSE,
        addressingOf(sampler.addressing), sampler.isLinear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST));
    passHandle(samplers_.back().get());
  }

  const Device &device_;
  cl_kernel kernel_;
  std::vector<Owned<cl_mem>> memory_;
  std::vector<Owned<cl_sampler>> samplers_;
  std::vector<uint64_t> addresses_;
  std::map<uint64_t, Buffer> shared_;
};

std::string refusal(cl_int status, size_t mostItems) {
  switch (status) {
  case CL_INVALID_WORK_GROUP_SIZE:
  case CL_INVALID_WORK_ITEM_SIZE:
    return fmt::format("expected a local size that the device and the kernel allow, of at most {} "
                       "work-items",
                       mostItems);
  case CL_OUT_OF_RESOURCES:
    return "expected less local memory, or a device with more (--as DEVICE)";
  default:
    return "expected other sizes or arguments";
  }
}

/// The simulator keeps a list of the work-groups of a launch.
void requireFewGroups(const kernel_launch::Sizes &sizes) {
  constexpr uint64_t kMostGroups = uint64_t{1} << 28, kMostItemsOfGroup = 1024;
  const uint64_t ofGroup =
      sizes.hasLocal() ? sizes.local[0] * sizes.local[1] * sizes.local[2] : kMostItemsOfGroup;
  if (sizes.items() / ofGroup > kMostGroups)
    throw Error(fmt::format("the launch has {} work-items in groups of {}: expected at most 2^28 "
                            "groups, which the simulator can list",
                            sizes.items(), ofGroup));
}

std::array<size_t, 3> asSizes(const kernel_launch::Size3 &size) {
  return {size[0], size[1], size[2]};
}

} // namespace

Launched launch(const Device &device, const BuiltProgram &program, cl_kernel kernel,
                const kernel_launch::Signature &signature, const std::vector<Argument> &arguments,
                const kernel_launch::Sizes &sizes, size_t sharedBytes,
                const std::vector<bool> &growable) {
  requireFewGroups(sizes);
  Setter setter(device, kernel);
  contentsOfLaunch().clear();
  for (size_t i = 0; i < arguments.size(); ++i) {
    try {
      setter.set(signature.parameters[i], arguments[i]);
    } catch (const Error &error) {
      throw Error(fmt::format("argument {} of {}: {}", signature.nameOf(i), signature.kernel,
                              error.what()));
    }
    contentsOfLaunch().emplace_back(arguments[i].contents, arguments[i].assumed);
  }
  program.setHidden(kernel, sharedBytes);
  const kernel_launch::LaunchedArguments launched{signature, arguments, setter.addresses(),
                                                  program.file(), program.itemNoun()};
  reported().begin(growable.empty() ? std::nullopt
                                    : std::optional(Reported::Growing{launched, growable, sizes}));
  const auto global = asSizes(sizes.global), local = asSizes(sizes.local),
             offset = asSizes(sizes.offset);
  try {
    device.launch(kernel, sizes.dimensions, global.data(),
                  sizes.hasLocal() ? local.data() : nullptr, offset.data());
  } catch (const opencl::StatusError &error) {
    const auto mostItems = opencl::ask<size_t>(api().clGetKernelWorkGroupInfo,
                                               CL_KERNEL_WORK_GROUP_SIZE, kernel, device.id());
    throw Error(fmt::format("the simulated device refuses the launch of {}: {} (status {})",
                            signature.kernel, refusal(error.status(), mostItems), error.status()));
  }
  device.finish();
  const std::scoped_lock lock(reported().mutex);
  reported().growing.reset();
  return {setter.takeMemory(),
          kernel_launch::linesOf(reported().errors, reported().untold, launched), reported().grown};
}

std::string readImage(const Device &device, cl_mem image, const Argument &argument) {
  std::string bytes(argument.bytes.size(), '\0');
  const size_t origin[3] = {};
  const auto region = asSizes(argument.imageSize);
  opencl::call(api().clEnqueueReadImage, device.queue(), image, CL_TRUE, origin, region.data(), 0,
               0, bytes.data(), 0, nullptr, nullptr);
  return bytes;
}

} // namespace aiwc::kernel_host

extern "C" __attribute__((visibility("default"))) const char *
aiwcArgumentContents(unsigned position, bool *assumed) {
  const auto &contents = aiwc::kernel_host::contentsOfLaunch();
  if (position >= contents.size())
    return nullptr;
  *assumed = contents[position].second;
  return contents[position].first.c_str();
}

extern "C" __attribute__((visibility("default"))) bool aiwcSimulatorError(const char *message) {
  auto &reported = aiwc::kernel_host::reported();
  const std::scoped_lock lock(reported.mutex);
  if (*message)
    reported.errors.push_back(aiwc::kernel_launch::simulatorErrorOf(message));
  else
    ++reported.untold;
  return reported.errors.size() == aiwc::kernel_host::Reported::kEnough && *message &&
         reported.chooseLarger();
}

extern "C" __attribute__((visibility("default"))) bool aiwcLaunchDropped() {
  auto &reported = aiwc::kernel_host::reported();
  const std::scoped_lock lock(reported.mutex);
  return reported.chooseLarger();
}
