// Part of the preloaded library: programs in SPIR-V. Oclgrind has a stub for clCreateProgramWithIL.
// The program is created from an empty source, and the plugin translates the SPIR-V when the
// application builds it (plugin/program_builds.cpp).

#include "intermediate_language.h"

#include "kernel_launch/spirv_fault.h"
#include "opencl_api/definition.h"
#include "replaced.h"
#include "shared_virtual_memory.h"

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>

namespace aiwc::plugin {
namespace {

/// Whether the program that this thread linked last cannot run.
thread_local bool linkFailed = false;

/// A program that was created from SPIR-V.
struct SpirvProgram {
  std::string bytes;
  std::map<cl_uint, std::string> constants; ///< as llvm-spirv takes them, by their number

  std::string constantsText() const {
    std::string text;
    for (const auto &[id, constant] : constants)
      text += (text.empty() ? "" : " ") + constant;
    return text;
  }
};

/// The programs that were created from SPIR-V and not released.
class SpirvPrograms {
public:
  void add(cl_program handle, const oclgrind::Program *program, SpirvProgram added) {
    const std::scoped_lock lock(mutex_);
    handles_[handle] = program;
    programs_[program] = std::make_shared<SpirvProgram>(std::move(added));
  }
  void remove(cl_program handle) {
    const std::scoped_lock lock(mutex_);
    if (const auto found = handles_.find(handle); found != handles_.end()) {
      programs_.erase(found->second);
      handles_.erase(found);
    }
  }
  std::shared_ptr<SpirvProgram> of(const oclgrind::Program *program) const {
    const std::scoped_lock lock(mutex_);
    const auto found = programs_.find(program);
    return found == programs_.end() ? nullptr : found->second;
  }
  std::shared_ptr<SpirvProgram> of(cl_program handle) const {
    const std::scoped_lock lock(mutex_);
    const auto found = handles_.find(handle);
    return found == handles_.end() ? nullptr : programs_.at(found->second);
  }
  void setConstant(SpirvProgram &program, cl_uint id, std::string text) {
    const std::scoped_lock lock(mutex_);
    program.constants[id] = std::move(text);
  }
  std::string constantsOf(const SpirvProgram &program) const {
    const std::scoped_lock lock(mutex_);
    return program.constantsText();
  }

private:
  mutable std::mutex mutex_;
  std::map<cl_program, const oclgrind::Program *> handles_;
  std::map<const oclgrind::Program *, std::shared_ptr<SpirvProgram>> programs_;
};

SpirvPrograms &spirvPrograms() {
  static auto *instance = new SpirvPrograms; // it outlives every static destructor
  return *instance;
}

/// The program that this thread created last.
thread_local const oclgrind::Program *lastProgram = nullptr;

/// Builds that fail name this text: there is no plugin to translate the program.
constexpr const char *kSource =
    "#error the plugin of aiwc, which translates SPIR-V, is not loaded\n";

bool byOclgrind(oclgrind::Program *program, bool isCompilation, const char *options,
                const ProgramHeaders &headers) {
  using Build =
      bool (*)(oclgrind::Program *, oclgrind::Program::BuildType, const char *, ProgramHeaders);
  static const auto next =
      replaced<Build>("_ZN8oclgrind7Program5buildENS0_9BuildTypeEPKcNSt7__cxx114listISt4pairINS"
                      "4_12basic_stringIcSt11char_traitsIcESaIcEEEPKS0_ESaISE_EEE");
  return next(program, isCompilation ? oclgrind::Program::COMPILE : oclgrind::Program::BUILD,
              options, headers);
}

} // namespace

void *extensionFunction(const char *name) {
  if (name && std::strcmp(name, "clCreateProgramWithILKHR") == 0)
    return reinterpret_cast<void *>(&clCreateProgramWithIL);
  if (name && std::strcmp(name, "clGetKernelSubGroupInfoKHR") == 0)
    return reinterpret_cast<void *>(&clGetKernelSubGroupInfo);
  return name ? sharedMemoryFunction(name) : nullptr;
}

} // namespace aiwc::plugin

using namespace aiwc::plugin;

oclgrind::Program::Program(const Context *context, const std::string &source) {
  using Construct = void (*)(Program *, const Context *, const std::string &);
  static const auto next = replaced<Construct>(
      "_ZN8oclgrind7ProgramC1EPKNS_7ContextERKNSt7__cxx1112basic_stringIcSt11char_"
      "traitsIcESaIcEEE");
  next(this, context, source);
  lastProgram = this;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): Oclgrind's declaration
bool oclgrind::Program::build(BuildType type, const char *options, std::list<Header> headers) {
  const bool isCompilation = type == COMPILE;
  if (!aiwcHooks.build)
    return byOclgrind(this, isCompilation, options, headers);
  const std::shared_ptr<SpirvProgram> spirv = spirvPrograms().of(this);
  const std::string constants = spirv ? spirvPrograms().constantsOf(*spirv) : "";
  return aiwcHooks.build({this, isCompilation, options, &headers, spirv ? &spirv->bytes : nullptr,
                          &constants, byOclgrind});
}

oclgrind::Program *oclgrind::Program::createFromPrograms(const Context *context,
                                                         std::list<const Program *> programs,
                                                         const char *options) {
  using Create = Program *(*)(const Context *, std::list<const Program *>, const char *);
  static const auto next = replaced<Create>(
      "_ZN8oclgrind7Program18createFromProgramsEPKNS_7ContextENSt7__cxx114listIPKS0_SaIS7_EEEPKc");
  Program *const made = next(context, std::move(programs), options);
  linkFailed = made && aiwcHooks.linked && !aiwcHooks.linked(made);
  return made;
}

AIWC_OPENCL_FUNCTION(clLinkProgram, context, devices, list, options, count, programs, notify, data,
                     status) {
  linkFailed = false;
  const cl_program made = oclgrindApi().clLinkProgram(context, devices, list, options, count,
                                                      programs, notify, data, status);
  if (made && linkFailed && status)
    *status = CL_LINK_PROGRAM_FAILURE; // the build log says why
  return made;
}

AIWC_OPENCL_FUNCTION(clCreateProgramWithIL, context, il, length, status) {
  cl_int unused = CL_SUCCESS;
  if (!status)
    status = &unused;
  if (!il || length == 0) {
    *status = CL_INVALID_VALUE;
    return nullptr;
  }
  try {
    SpirvProgram program{{static_cast<const char *>(il), length}, {}};
    if (const char *fault = aiwc::kernel_launch::spirvFault(program.bytes)) {
      sayFromPreload(
          (std::string("aiwc: clCreateProgramWithIL: the module is not SPIR-V: ") + fault + "\n")
              .c_str());
      *status = CL_INVALID_VALUE;
      return nullptr;
    }
    const char *source = kSource;
    cl_program handle =
        oclgrindApi().clCreateProgramWithSource(context, 1, &source, nullptr, status);
    if (handle)
      spirvPrograms().add(handle, lastProgram, std::move(program));
    return handle;
  } catch (const std::bad_alloc &) {
    *status = CL_OUT_OF_HOST_MEMORY;
    return nullptr;
  }
}

AIWC_OPENCL_FUNCTION(clSetProgramSpecializationConstant, program, id, size, value) {
  const std::shared_ptr<SpirvProgram> spirv = spirvPrograms().of(program);
  if (!spirv)
    return program ? CL_INVALID_OPERATION : CL_INVALID_PROGRAM;
  uint64_t number = 0;
  if (!value || (size != 1 && size != 2 && size != 4 && size != 8))
    return CL_INVALID_VALUE;
  std::memcpy(&number, value, size);
  try {
    spirvPrograms().setConstant(*spirv, id,
                                std::to_string(id) + ":i" + std::to_string(size * 8) + ":" +
                                    std::to_string(number));
  } catch (const std::bad_alloc &) {
    return CL_OUT_OF_HOST_MEMORY;
  }
  return CL_SUCCESS;
}

AIWC_OPENCL_FUNCTION(clGetProgramInfo, program, parameter, bytes, value, valueBytes) {
  const std::shared_ptr<SpirvProgram> spirv = spirvPrograms().of(program);
  if (parameter == CL_PROGRAM_IL && program)
    return copyAnswer(spirv ? spirv->bytes : "", bytes, value, valueBytes);
  if (parameter == CL_PROGRAM_SOURCE && spirv)
    return copyAnswer(std::string(1, '\0'), bytes, value, valueBytes);
  return oclgrindApi().clGetProgramInfo(program, parameter, bytes, value, valueBytes);
}

AIWC_OPENCL_FUNCTION(clReleaseProgram, program) {
  cl_uint references = 0;
  if (program && spirvPrograms().of(program) &&
      oclgrindApi().clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof references,
                                     &references, nullptr) == CL_SUCCESS &&
      references == 1)
    spirvPrograms().remove(program);
  return oclgrindApi().clReleaseProgram(program);
}

AIWC_OPENCL_FUNCTION(clGetExtensionFunctionAddress, name) {
  void *const ours = extensionFunction(name);
  return ours ? ours : oclgrindApi().clGetExtensionFunctionAddress(name);
}

AIWC_OPENCL_FUNCTION(clGetExtensionFunctionAddressForPlatform, platform, name) {
  void *const ours = platform ? extensionFunction(name) : nullptr;
  return ours ? ours : oclgrindApi().clGetExtensionFunctionAddressForPlatform(platform, name);
}
