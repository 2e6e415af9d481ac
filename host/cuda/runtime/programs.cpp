#include "cuda/runtime/programs.h"

#include "common/error.h"
#include "common/shared_memory.h"
#include "cuda/runtime/failure.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace aiwc::cuda {

void RuntimeProgram::load(const Simulator &simulator, Memory &memory) {
  require(!isBroken_, cudaErrorInvalidKernelImage);
  if (isLoaded_)
    return;
  isBroken_ = true; // until it is built
  try {
    const DeviceCode code = parseDeviceCode({code_, deviceCodeBytes(code_)});
    build(simulator, code);
    placeVariables(simulator, memory, code);
    watchAssertions();
    placeManaged(simulator, memory);
    for (const DeviceCode::Kernel &entry : code.kernels)
      kernels_.emplace(entry.name, RuntimeKernel{entry, this, nullptr});
    for (const DeviceCode::Refused &entry : code.refused)
      refused_.emplace(entry.name, Refused{entry.reason});
  } catch (const Error &error) {
    say("%s", error.what());
    throw Failure{cudaErrorInvalidKernelImage};
  }
  isLoaded_ = true;
  isBroken_ = false;
}

void RuntimeProgram::build(const Simulator &simulator, const DeviceCode &code) {
  const auto *bitcode = reinterpret_cast<const unsigned char *>(code.bitcode.data());
  const size_t bytes = code.bitcode.size();
  cl_int loaded = CL_SUCCESS, status = CL_SUCCESS;
  handle_ = clCreateProgramWithBinary(simulator.context, 1, &simulator.device, &bytes, &bitcode,
                                      &loaded, &status);
  if (status == CL_SUCCESS && loaded == CL_SUCCESS)
    status = clBuildProgram(handle_, 1, &simulator.device, "", nullptr, nullptr);
  if (status != CL_SUCCESS || loaded != CL_SUCCESS)
    throw Error("the simulator does not load the program's device code (OpenCL error " +
                std::to_string(status != CL_SUCCESS ? status : loaded) + ")");
}

void RuntimeProgram::placeVariables(const Simulator &simulator, Memory &memory,
                                    const DeviceCode &code) {
  std::array<std::string, 2> bytes = code.initial;
  for (size_t space = 0; space < bytes.size(); ++space) {
    const size_t address =
        memory.allocate(simulator, bytes[space].size(), Allocation::Kind::kVariables);
    const Memory::Range *range = memory.onDevice(pointerTo(address));
    variables_[space] = {range->value.buffer, address};
  }
  for (const DeviceCode::Pointer &pointer : code.pointers) {
    const uint64_t target = variables_[indexOf(pointer.targetSpace)].address + pointer.targetOffset;
    std::memcpy(&bytes[indexOf(pointer.space)][pointer.offset], &target, sizeof target);
  }
  for (size_t space = 0; space < bytes.size(); ++space)
    if (!bytes[space].empty())
      simulator.finish(clEnqueueWriteBuffer(simulator.queue, variables_[space].memory, CL_TRUE, 0,
                                            bytes[space].size(), bytes[space].data(), 0, nullptr,
                                            nullptr));
  for (const DeviceCode::Symbol &entry : code.symbols)
    symbols_[entry.name] = {variables_[indexOf(entry.space)].address + entry.offset, entry.bytes};
}

void RuntimeProgram::addManaged(std::string name, void *host, size_t bytes) {
  managed_.push_back({std::move(name), host, bytes});
}

void RuntimeProgram::placeManaged(const Simulator &simulator, Memory &memory) {
  for (const Managed &variable : managed_) {
    memory.share(variable.host, variable.bytes, 0, Allocation::Kind::kManaged);
    const Symbol *pointer = symbol(variable.name);
    if (!pointer || pointer->bytes != sizeof(size_t))
      continue; // no kernel uses it
    const size_t address = memory.deviceAddress(simulator, reinterpret_cast<size_t>(variable.host));
    memory.copy(simulator, {pointerTo(pointer->address), sizeof address},
                {&address, sizeof address}, sizeof address, 1, cudaMemcpyHostToDevice);
  }
}

RuntimeKernel *RuntimeProgram::kernel(const std::string &name) {
  if (const auto refused = refused_.find(name); refused != refused_.end()) {
    if (!std::exchange(refused->second.isSaid, true))
      say("%s", refused->second.reason.c_str());
    throw Failure{cudaErrorNotSupported};
  }
  const auto found = kernels_.find(name);
  if (found == kernels_.end())
    return nullptr;
  RuntimeKernel &kernel = found->second;
  if (!kernel.handle) {
    cl_int status = CL_SUCCESS;
    cl_kernel created = clCreateKernel(handle_, found->second.entry.function.c_str(), &status);
    require(status == CL_SUCCESS, cudaErrorInvalidDeviceFunction);
    kernel.handle = created;
  }
  return &kernel;
}

const RuntimeProgram::Symbol *RuntimeProgram::symbol(const std::string &name) const {
  const auto found = symbols_.find(name);
  return found == symbols_.end() ? nullptr : &found->second;
}

void RuntimeProgram::watchAssertions() {
  for (const auto &[name, pointer] : symbols_)
    if (name.starts_with("_ZZ") && name.find("13__assert_fail") != std::string::npos) {
      auto *sign = static_cast<int *>(mapShared(sizeof(int)));
      if (!sign)
        throw std::bad_alloc();
      failedAssertions_.push_back(sign);
      addManaged(name, sign, sizeof *sign);
    }
}

bool RuntimeProgram::takeFailedAssertion() const {
  return std::ranges::count_if(failedAssertions_,
                               [](int *sign) { return std::exchange(*sign, 0); });
}

RuntimeProgram *Programs::add(const char *code) {
  auto &program = programs_[code];
  if (!program)
    program = std::make_unique<RuntimeProgram>(code);
  return program.get();
}

void Programs::addKernel(RuntimeProgram *program, const void *function, std::string name) {
  // Units that instantiate the same template share the host's function; the device code of either
  // has it.
  kernels_.insert_or_assign(function, Name{program, std::move(name)});
}

void Programs::addSymbol(RuntimeProgram *program, const void *variable, std::string name) {
  symbols_.insert_or_assign(variable, Name{program, std::move(name)});
}

RuntimeKernel &Programs::kernel(const Simulator &simulator, Memory &memory, const void *function) {
  const auto found = kernels_.find(function);
  require(found != kernels_.end(), cudaErrorInvalidDeviceFunction);
  const auto &[program, name] = found->second;
  program->load(simulator, memory);
  RuntimeKernel *kernel = program->kernel(name);
  require(kernel, cudaErrorInvalidDeviceFunction);
  return *kernel;
}

RuntimeProgram::Symbol Programs::symbol(const Simulator &simulator, Memory &memory,
                                        const void *variable) {
  const auto found = symbols_.find(variable);
  require(found != symbols_.end(), cudaErrorInvalidSymbol);
  const auto &[program, name] = found->second;
  program->load(simulator, memory);
  const RuntimeProgram::Symbol *symbol = program->symbol(name);
  require(symbol, cudaErrorInvalidSymbol);
  return *symbol;
}

} // namespace aiwc::cuda
