#include "cuda/runtime/programs.h"

#include "common/error.h"
#include "cuda/runtime/failure.h"

#include <cstring>
#include <utility>
#include <vector>

namespace aiwc::cuda {

void Program::load(const Simulator &simulator, Memory &memory) {
  require(!isBroken_, cudaErrorInvalidKernelImage);
  if (isLoaded_)
    return;
  isBroken_ = true; // until it is built
  try {
    const Image image = parseImage({image_, imageBytes(image_)});
    build(simulator, image);
    placeVariables(simulator, memory, image);
    placeManaged(simulator, memory);
    for (const Image::Kernel &entry : image.kernels)
      kernels_.emplace(entry.name, Kernel{entry, this, nullptr});
    for (const Image::Refused &entry : image.refused)
      refused_.emplace(entry.name, Refused{entry.reason});
  } catch (const Error &error) {
    say("%s", error.what());
    throw Failure{cudaErrorInvalidKernelImage};
  }
  isLoaded_ = true;
  isBroken_ = false;
}

void Program::build(const Simulator &simulator, const Image &image) {
  const auto *bitcode = reinterpret_cast<const unsigned char *>(image.bitcode.data());
  const size_t bytes = image.bitcode.size();
  cl_int loaded = CL_SUCCESS, status = CL_SUCCESS;
  handle_ = clCreateProgramWithBinary(simulator.context, 1, &simulator.device, &bytes, &bitcode,
                                      &loaded, &status);
  if (status == CL_SUCCESS && loaded == CL_SUCCESS)
    status = clBuildProgram(handle_, 1, &simulator.device, "", nullptr, nullptr);
  if (status != CL_SUCCESS || loaded != CL_SUCCESS)
    throw Error("the simulator does not load the program's device code (OpenCL error " +
                std::to_string(status != CL_SUCCESS ? status : loaded) + ")");
}

void Program::placeVariables(const Simulator &simulator, Memory &memory, const Image &image) {
  std::array<std::string, 2> bytes = image.initial;
  for (size_t space = 0; space < bytes.size(); ++space) {
    const size_t address =
        memory.allocate(simulator, bytes[space].size(), Allocation::Kind::kVariables);
    const Memory::Range *range = memory.onDevice(pointerTo(address));
    variables_[space] = {range->value.buffer, address};
  }
  for (const Image::Pointer &pointer : image.pointers) {
    const uint64_t target = variables_[indexOf(pointer.targetSpace)].address + pointer.targetOffset;
    std::memcpy(&bytes[indexOf(pointer.space)][pointer.offset], &target, sizeof target);
  }
  for (size_t space = 0; space < bytes.size(); ++space)
    if (!bytes[space].empty())
      simulator.finish(clEnqueueWriteBuffer(simulator.queue, variables_[space].memory, CL_TRUE, 0,
                                            bytes[space].size(), bytes[space].data(), 0, nullptr,
                                            nullptr));
  for (const Image::Symbol &entry : image.symbols)
    symbols_[entry.name] = {variables_[indexOf(entry.space)].address + entry.offset, entry.bytes};
}

void Program::addManaged(std::string name, void *host, size_t bytes) {
  managed_.push_back({std::move(name), host, bytes});
}

void Program::placeManaged(const Simulator &simulator, Memory &memory) {
  for (const Managed &variable : managed_) {
    memory.share(simulator, variable.host, variable.bytes, 0, Allocation::Kind::kManaged);
    const Symbol *pointer = symbol(variable.name);
    if (!pointer || pointer->bytes != sizeof(size_t))
      continue; // no kernel uses it
    const size_t address = memory.deviceAddress(reinterpret_cast<size_t>(variable.host));
    memory.copy(simulator, {pointerTo(pointer->address), sizeof address},
                {&address, sizeof address}, sizeof address, 1, cudaMemcpyHostToDevice);
  }
}

Kernel *Program::kernel(const std::string &name) {
  if (const auto refused = refused_.find(name); refused != refused_.end()) {
    if (!std::exchange(refused->second.isSaid, true))
      say("%s", refused->second.reason.c_str());
    throw Failure{cudaErrorNotSupported};
  }
  const auto found = kernels_.find(name);
  if (found == kernels_.end())
    return nullptr;
  Kernel &kernel = found->second;
  if (!kernel.handle) {
    cl_int status = CL_SUCCESS;
    cl_kernel created = clCreateKernel(handle_, found->second.entry.function.c_str(), &status);
    require(status == CL_SUCCESS, cudaErrorInvalidDeviceFunction);
    kernel.handle = created;
  }
  return &kernel;
}

const Program::Symbol *Program::symbol(const std::string &name) const {
  const auto found = symbols_.find(name);
  return found == symbols_.end() ? nullptr : &found->second;
}

Program *Programs::add(const char *image) {
  auto &program = programs_[image];
  if (!program)
    program = std::make_unique<Program>(image);
  return program.get();
}

void Programs::addKernel(Program *program, const void *function, std::string name) {
  // Units that instantiate the same template share the host's function; either image has it.
  kernels_.insert_or_assign(function, Name{program, std::move(name)});
}

void Programs::addSymbol(Program *program, const void *variable, std::string name) {
  symbols_.insert_or_assign(variable, Name{program, std::move(name)});
}

Kernel &Programs::kernel(const Simulator &simulator, Memory &memory, const void *function) {
  const auto found = kernels_.find(function);
  require(found != kernels_.end(), cudaErrorInvalidDeviceFunction);
  const auto &[program, name] = found->second;
  program->load(simulator, memory);
  Kernel *kernel = program->kernel(name);
  require(kernel, cudaErrorInvalidDeviceFunction);
  return *kernel;
}

Program::Symbol Programs::symbol(const Simulator &simulator, Memory &memory, const void *variable) {
  const auto found = symbols_.find(variable);
  require(found != symbols_.end(), cudaErrorInvalidSymbol);
  const auto &[program, name] = found->second;
  program->load(simulator, memory);
  const Program::Symbol *symbol = program->symbol(name);
  require(symbol, cudaErrorInvalidSymbol);
  return *symbol;
}

} // namespace aiwc::cuda
