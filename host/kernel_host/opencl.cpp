#include "kernel_host/opencl.h"

#include "common/close_words.h"
#include "common/error.h"
#include "common/image_type.h"
#include "kernel_launch/simulator_errors.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <regex>
#include <sstream>
#include <utility>

namespace aiwc::kernel_host {

namespace {

using kernel_launch::Parameter;
using opencl::api;

bool isIdentifier(const std::string &name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return c < 128 && (std::isalnum(c) != 0 || c == '_');
  });
}

/// "__global float4*" without qualifiers and the last "*".
std::string plainType(std::string type) {
  if (type.ends_with('*'))
    type.pop_back();
  while (type.ends_with(' '))
    type.pop_back();
  for (const std::string_view word :
       {"const ", "volatile ", "__global ", "__constant ", "__local ", " const", " volatile"})
    if (const size_t at = type.find(word); at != std::string::npos)
      type.erase(at, word.size());
  return type;
}

/// "void reduce<float>(float const*)" of a mangled name; empty if it is none.
std::string demangled(const std::string &mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : "";
}

/// Of a CUDA kernel what people call it, with its parameters: "reduce<float>(float const*)".
std::string plainCudaName(const std::string &mangled) {
  std::string name = demangled(mangled);
  return name.empty() ? mangled : name.starts_with("void ") ? name.substr(5) : name;
}

/// The types of a CUDA kernel's parameters, by its mangled name: "float const*"; none if that does
/// not tell.
std::vector<std::string> cudaTypes(const std::string &mangled) {
  std::string name = demangled(mangled);
  if (!name.ends_with(')'))
    return {};
  name.pop_back();
  int depth = 1;
  std::vector<std::string> types(1); // from the last one on, each from its end
  for (; !name.empty(); name.pop_back()) {
    const char c = name.back();
    depth += c == ')' || c == '>' ? 1 : c == '(' || c == '<' ? -1 : 0;
    if (depth == 0)
      break;
    if (c == ',' && depth == 1)
      types.emplace_back();
    else if (c != ' ' || !types.back().empty())
      types.back().insert(0, 1, c);
  }
  std::ranges::reverse(types);
  for (std::string &type : types)
    type.erase(0, std::min(type.find_first_not_of(' '), type.size()));
  return types;
}

/// The type of OpenCL that `type` is another name of: OpenCL tells the name that the parameter is
/// declared with, and `source` has the definition, unless that needs the preprocessor.
std::string withoutNames(std::string type, const std::string &source) {
  constexpr int kMostNames = 4; // names of names
  for (int i = 0; i < kMostNames && isIdentifier(type); ++i) {
    if (kernel_launch::valueTypeOf(type))
      return type;
    std::smatch found;
    if (!std::regex_search(source, found,
                           std::regex("typedef\\s+([A-Za-z_0-9 ]+?)\\s+" + type + "\\s*;")))
      return type;
    type = found[1];
  }
  return type;
}

Parameter parameterOf(cl_kernel kernel, cl_uint index, const std::string &source) {
  const auto text = [&](cl_kernel_arg_info question) {
    return opencl::askText(api().clGetKernelArgInfo, question, kernel, index);
  };
  Parameter parameter;
  // For bitcode without names, the simulator answers with any bytes.
  if (std::string name = text(CL_KERNEL_ARG_NAME); isIdentifier(name))
    parameter.name = std::move(name);
  const std::string type = text(CL_KERNEL_ARG_TYPE_NAME);
  if (type.empty() ||
      !std::ranges::all_of(type, [](unsigned char c) { return c >= ' ' && c < 127; }))
    throw Error("the program does not tell the types of its arguments: expected "
                "!kernel_arg_type and !kernel_arg_addr_space, as clang writes them");
  parameter.type = withoutNames(plainType(type), source);
  const auto space = opencl::askOr<cl_kernel_arg_address_qualifier>(
      0, api().clGetKernelArgInfo, CL_KERNEL_ARG_ADDRESS_QUALIFIER, kernel, index);
  using Space = Parameter::Space;
  if (isImageType(type))
    parameter.space = Space::kImage;
  else if (type.starts_with("sampler_t"))
    parameter.space = Space::kSampler;
  else if (space == CL_KERNEL_ARG_ADDRESS_LOCAL)
    parameter.space = Space::kLocal;
  else if (space == CL_KERNEL_ARG_ADDRESS_GLOBAL || space == CL_KERNEL_ARG_ADDRESS_CONSTANT)
    parameter.space = Space::kBuffer;
  else if (const auto known = parameter.valueType())
    parameter.bytes = known->valueBytes();
  return parameter;
}

} // namespace

size_t addressOfLastBuffer() {
  static const auto ofLast =
      reinterpret_cast<size_t (*)()>(dlsym(RTLD_DEFAULT, "aiwcAddressOfLastBuffer"));
  if (!ofLast)
    throw Error("the simulator does not tell addresses: expected to run by aiwc kernel");
  return ofLast();
}

Buffer bufferWith(const Device &device, const std::string &bytes) {
  Buffer buffer;
  try {
    buffer.memory = device.buffer(bytes.size());
  } catch (const opencl::StatusError &error) {
    throw Error(fmt::format("the simulated device has no memory of {} bytes (status {}): expected "
                            "a smaller buffer",
                            bytes.size(), error.status()));
  }
  buffer.address = addressOfLastBuffer();
  device.write(buffer.memory.get(), bytes.data(), bytes.size());
  return buffer;
}

std::string contentsOf(const Device &device, cl_mem buffer, size_t bytes) {
  std::string held(bytes, '\0');
  device.read(buffer, held.data(), bytes);
  return held;
}

namespace {

/// A program that is not built; null if the simulator does not read it.
Owned<cl_program> programOf(const Device &device, const ProgramText &text) {
  try {
    const size_t bytes = text.bytes.size();
    if (text.isSource)
      return device.program(text.bytes);
    if (text.isSpirv)
      return opencl::make(api().clCreateProgramWithIL, device.context(), text.bytes.data(), bytes);
    const auto *binary = reinterpret_cast<const unsigned char *>(text.bytes.data());
    const cl_device_id id = device.id();
    cl_int loaded = CL_SUCCESS;
    Owned<cl_program> made = opencl::make(api().clCreateProgramWithBinary, device.context(), 1, &id,
                                          &bytes, &binary, &loaded);
    return loaded == CL_SUCCESS ? made : nullptr;
  } catch (const opencl::StatusError &) {
    return nullptr;
  }
}

} // namespace

BuiltProgram::BuiltProgram(const Device &device, std::string file, const ProgramText &text,
                           const std::string &options)
    : file_(std::move(file)), source_(text.isSource ? text.bytes : ""), cuda_(text.cuda),
      program_(programOf(device, text)) {
  if (!program_)
    throw Error(
        fmt::format("{}: the simulator does not read it: expected bitcode of LLVM 14", file_));
  build(device, text, options);
  std::istringstream names(
      opencl::askText(api().clGetProgramInfo, CL_PROGRAM_KERNEL_NAMES, program_.get()));
  if (cuda_) // their names have blanks and semicolons
    for (const cuda::DeviceCode::Kernel &entry : cuda_->kernels)
      names_.push_back(entry.function);
  else
    for (std::string name; std::getline(names, name, ';');)
      names_.push_back(name);
  if (names_.empty())
    throw Error(fmt::format("{}: has no kernel: expected one", file_));
  if (cuda_)
    placeVariables(device);
}

namespace {

/// Clang prints "1 error generated." on standard error by itself, unless it prints no source lines
/// with its messages, of which only the first one's text is said here. These options, unlike those
/// of the build, are no part of the program's profile.
void keepCompilerQuiet() {
  constexpr const char *kVariable = "OCLGRIND_BUILD_OPTIONS";
  constexpr std::string_view kOption = "-fno-caret-diagnostics";
  const char *const users = std::getenv(kVariable);
  std::string options = users ? users : "";
  if (options.find(kOption) != std::string::npos)
    return;
  options += options.empty() ? "" : " ";
  options += kOption;
  ::setenv(kVariable, options.c_str(), 1);
}

/// The option with which a program that is not built otherwise is; empty if there is none.
std::string missingLanguage(const Device &device, const std::string &source,
                            const std::string &options) {
  if (options.find("-cl-std=") != std::string::npos)
    return "";
  for (const char *const language : {"-cl-std=CL2.0", "-cl-std=CL3.0"}) {
    try {
      device.built(source, options + " " + language);
      return language;
    } catch (const Error &) { // nor with this one
    }
  }
  return "";
}

} // namespace

void BuiltProgram::build(const Device &device, const ProgramText &text,
                         const std::string &options) {
  if (std::ranges::count(options, '"') % 2 != 0)
    throw Error(
        fmt::format("{}: the build options are '{}': expected a second quote", file_, options));
  keepCompilerQuiet();
  try {
    // The options of a CUDA program are for its compiler.
    device.build(program_.get(), cuda_ ? "" : options);
  } catch (const opencl::BuildError &failure) {
    const std::string error = kernel_launch::withFileName(firstError(failure.log()), file_);
    const std::string language = text.isSource ? missingLanguage(device, text.bytes, options) : "";
    throw Error(
        fmt::format("{}: cannot be built{}{}{}", file_, error.empty() ? "" : ": ", error,
                    language.empty()
                        ? ""
                        : fmt::format(": expected --build-options '{}{}{}', with which it is built",
                                      options, options.empty() ? "" : " ", language)));
  }
}

void BuiltProgram::placeVariables(const Device &device) {
  auto bytes = cuda_->initial;
  std::array<size_t, std::size(cuda::kSymbolSpaces)> addresses{};
  for (size_t space = 0; space < bytes.size(); ++space) {
    if (bytes[space].empty())
      continue;
    Buffer buffer = bufferWith(device, bytes[space]);
    variables_[space] = std::move(buffer.memory);
    addresses[space] = buffer.address;
  }
  for (const cuda::DeviceCode::Pointer &pointer : cuda_->pointers) {
    const uint64_t target = addresses[indexOf(pointer.targetSpace)] + pointer.targetOffset;
    std::memcpy(&bytes[indexOf(pointer.space)][pointer.offset], &target, sizeof target);
  }
  for (size_t space = 0; space < bytes.size() && !cuda_->pointers.empty(); ++space)
    if (variables_[space])
      device.write(variables_[space].get(), bytes[space].data(), bytes[space].size());
}

Owned<cl_kernel> BuiltProgram::kernel(const std::string &name) const {
  std::string wanted = name;
  if (wanted.empty() && names_.size() == 1)
    wanted = names_.front();
  // Of CUDA, kernels of one name have their parameters behind it.
  const auto isCalled = [&](const std::string &known) {
    return known == wanted || (cuda_ && known.starts_with(wanted + "("));
  };
  const auto found = wanted.empty() ? names_.end() : std::ranges::find_if(names_, isCalled);
  if (cuda_ && found == names_.end())
    for (const cuda::DeviceCode::Refused &refused : cuda_->refused)
      if (isCalled(plainCudaName(refused.name)))
        throw Error(fmt::format("{}: {}", file_, refused.reason));
  if (found == names_.end()) {
    const std::string meant = closestWord(name, names_);
    throw Error(fmt::format(
        "{}: {}: expected --kernel {}{}", file_,
        name.empty() ? "has several kernels" : fmt::format("has no kernel '{}'", name),
        fmt::join(names_, ", "), meant.empty() ? "" : fmt::format("; did you mean {}?", meant)));
  }
  return opencl::make(api().clCreateKernel, program_.get(), found->c_str());
}

namespace {

std::string nameOf(cl_kernel kernel) {
  return opencl::askText(api().clGetKernelInfo, CL_KERNEL_FUNCTION_NAME, kernel);
}

} // namespace

const cuda::DeviceCode::Kernel *BuiltProgram::cudaEntry(const std::string &name) const {
  if (!cuda_)
    return nullptr;
  const auto found = std::ranges::find(cuda_->kernels, name, &cuda::DeviceCode::Kernel::function);
  return found == cuda_->kernels.end() ? nullptr : &*found;
}

Parameter BuiltProgram::parameterIn(const std::string &name, cl_kernel kernel,
                                    cl_uint index) const {
  try {
    return parameterOf(kernel, index, source_);
  } catch (const Error &error) {
    throw Error(fmt::format("{}: argument {} of {}: {}", file_, index, name, error.what()));
  }
}

kernel_launch::Signature BuiltProgram::signatureOf(cl_kernel kernel) const {
  kernel_launch::Signature signature{nameOf(kernel), {}};
  auto count = opencl::ask<cl_uint>(api().clGetKernelInfo, CL_KERNEL_NUM_ARGS, kernel);
  const cuda::DeviceCode::Kernel *entry = cudaEntry(signature.kernel);
  std::vector<std::string> types;
  if (entry) {
    count = static_cast<cl_uint>(entry->argumentBytes.size());
    types = cudaTypes(entry->name);
  }
  for (cl_uint i = 0; i < count; ++i) {
    Parameter parameter = parameterIn(signature.kernel, kernel, i);
    if (entry) {
      parameter.bytes = entry->argumentBytes[i];
      if (parameter.type == "void")
        parameter.space = Parameter::Space::kPointer;
      if (types.size() == count)
        parameter.type = plainType(types[i]);
    }
    signature.parameters.push_back(std::move(parameter));
  }
  return signature;
}

void BuiltProgram::setHidden(cl_kernel kernel, size_t sharedBytes) const {
  const cuda::DeviceCode::Kernel *entry = cudaEntry(nameOf(kernel));
  if (!entry)
    return;
  auto index = static_cast<cl_uint>(entry->argumentBytes.size());
  if (entry->hasDynamicShared) // OpenCL has no local memory of 0 bytes
    opencl::setArgument(kernel, index++, opencl::LocalBytes{std::max<size_t>(sharedBytes, 1)});
  for (const auto &[space, has] : {std::pair{cuda::SymbolSpace::kGlobal, entry->hasGlobal},
                                   std::pair{cuda::SymbolSpace::kConstant, entry->hasConstant}})
    if (has)
      opencl::setArgument(kernel, index++, variables_[indexOf(space)].get());
}

} // namespace aiwc::kernel_host
