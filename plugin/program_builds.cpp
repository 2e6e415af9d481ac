#include "plugin/program_builds.h"

#include "bitcode/module_hash.h"
#include "common/argument_pointers.h"
#include "common/descriptor.h"
#include "common/write.h"
#include "lowering/optimisation.h"
#include "lowering/passes.h"
#include "plugin/hooks.h"
#include "plugin/private_members.h"
#include "plugin/sub_groups.h"
#include "simulator/compat.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::plugin {

template <typename Type> struct MemberOfProgram { using Pointer = Type oclgrind::Program::*; };

struct ModuleMember : MemberOfProgram<std::unique_ptr<llvm::Module>> {
  friend Pointer memberOf(ModuleMember);
};
struct SourceMember : MemberOfProgram<std::string> {
  friend Pointer memberOf(SourceMember);
};
struct LogMember : MemberOfProgram<std::string> {
  friend Pointer memberOf(LogMember);
};
struct OptionsMember : MemberOfProgram<std::string> {
  friend Pointer memberOf(OptionsMember);
};
struct StatusMember : MemberOfProgram<unsigned int> {
  friend Pointer memberOf(StatusMember);
};
struct FunctionOfProgram {
  using Pointer = void (oclgrind::Program::*)();
};
struct Allocation : FunctionOfProgram {
  friend Pointer memberOf(Allocation);
};
struct Deallocation : FunctionOfProgram {
  friend Pointer memberOf(Deallocation);
};
struct DebugRemoval : FunctionOfProgram {
  friend Pointer memberOf(DebugRemoval);
};
struct LoadRemoval : FunctionOfProgram {
  friend Pointer memberOf(LoadRemoval);
};
template struct Access<ModuleMember, &oclgrind::Program::m_module>;
template struct Access<SourceMember, &oclgrind::Program::m_source>;
template struct Access<LogMember, &oclgrind::Program::m_buildLog>;
template struct Access<OptionsMember, &oclgrind::Program::m_buildOptions>;
template struct Access<StatusMember, &oclgrind::Program::m_buildStatus>;
template struct Access<Allocation, &oclgrind::Program::allocateProgramScopeVars>;
template struct Access<Deallocation, &oclgrind::Program::deallocateProgramScopeVars>;
template struct Access<DebugRemoval, &oclgrind::Program::stripDebugIntrinsics>;
template struct Access<LoadRemoval, &oclgrind::Program::removeLValueLoads>;

namespace {

struct ToolResult {
  bool succeeded = false;
  std::string output;  ///< bitcode; empty if the module may stay as it is
  std::string message; ///< why it failed, one line
};

namespace fs = std::filesystem;

constexpr const char *kTool = "aiwc-opencl-device";

/// In the installed tree and in the build tree, from the folder of this library.
fs::path toolPath() {
  Dl_info library;
  if (dladdr(reinterpret_cast<const void *>(&toolPath), &library) == 0 || !library.dli_fname)
    return kTool;
  const fs::path folder = fs::path(library.dli_fname).parent_path();
  std::error_code error;
  for (const char *way : {AIWC_LIBEXEC_FROM_PLUGIN, "../../libexec/aiwc"})
    if (const fs::path tool = folder / way / kTool; fs::exists(tool, error))
      return tool.lexically_normal();
  return folder / AIWC_LIBEXEC_FROM_PLUGIN / kTool;
}

struct Start {
  const char *program = nullptr;
  char *const *arguments = nullptr;
  char *const *environment = nullptr;
  std::array<int, 3> files{};
  int error = 0; ///< why the program could not be started
};

/// Shares the memory of the application's process until it executes the program.
int startTool(void *data) {
  auto *start = static_cast<Start *>(data);
  for (int i = 0; i < 3; ++i)
    if (::dup2(start->files[static_cast<size_t>(i)], i) < 0)
      ::_exit(1);
  ::syscall(SYS_close_range, 3U, ~0U, 0U); // what the application left open
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(start->program, start->arguments, start->environment);
  start->error = errno;
  ::_exit(1);
}

/// The variables of the application's environment that the program and llvm-spirv need. LD_PRELOAD
/// is not among them.
std::vector<std::string> environmentOfTool() {
  std::vector<std::string> result;
  for (const char *name : {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"})
    if (const char *value = std::getenv(name))
      result.push_back(std::string(name) + "=" + value);
  return result;
}

/// The number of the process; negative if there is none.
pid_t startProcess(Start &start) {
  constexpr size_t kStackBytes = 1 << 16;
  const auto stack = std::make_unique<char[]>(kStackBytes);
  const AllSignalsBlocked blocked; // no handler of the application runs in the child
  // Without a signal for its end, it is no child that the application's waits could meet.
  return ::clone(startTool, stack.get() + kStackBytes, CLONE_VM | CLONE_VFORK, &start);
}

ToolResult failed(std::string message) {
  ToolResult result;
  result.message = std::move(message);
  return result;
}

/// Runs aiwc-opencl-device with `options` on `input`. The application cannot see that process: its
/// end sends no signal, and the application's waits do not meet it.
ToolResult runDeviceTool(const std::vector<std::string> &options, std::string_view input) {
  const Descriptor in = memoryFile(), out = memoryFile(), messages = memoryFile();
  if (!in || !out || !messages || !writeWhole(in.number(), input))
    return failed(fmt::format("{} cannot be run: no memory for its files", kTool));
  const std::string program = toolPath().string();
  std::vector<std::string> words = {kTool}, variables = environmentOfTool();
  words.insert(words.end(), options.begin(), options.end());
  const std::vector<char *> arguments = argumentPointers(words),
                            environment = argumentPointers(variables);
  Start start{program.c_str(),
              arguments.data(),
              environment.data(),
              {in.number(), out.number(), messages.number()}};
  const pid_t process = startProcess(start);
  if (process < 0)
    return failed(fmt::format("{} cannot be run: {}", kTool, std::strerror(errno)));
  int status = 0;
  while (::waitpid(process, &status, __WALL) < 0 && errno == EINTR) {
  }
  if (start.error != 0)
    return failed(fmt::format("{} cannot be run: {}", program, std::strerror(start.error)));
  ToolResult result{WIFEXITED(status) && WEXITSTATUS(status) == 0, readWhole(out.number()),
                    readWhole(messages.number())};
  result.message.resize(result.message.find_last_not_of('\n') + 1);
  if (!result.succeeded && result.message.empty())
    result.message = fmt::format("{} ended without a reason", kTool);
  return result;
}

/// In a module that was compiled and has to be lowered when it is linked.
constexpr const char *kUnlowered = "aiwc.unlowered";
/// In a module that was made of SPIR-V.
constexpr const char *kFromSpirv = "aiwc.spirv";

/// What a program in SPIR-V has for a source while Oclgrind builds it.
constexpr const char *kPlaceholder = "kernel void aiwc_placeholder() {}";

/// Declares again the functions that a part of a sub-group may call: clang would otherwise make one
/// call of those in two branches, at which both parts would meet. The program's first line follows.
constexpr const char *kDeclarations = R"(
#define AIWC_F __attribute__((overloadable, convergent, nomerge))
int AIWC_F sub_group_elect(void);
int AIWC_F sub_group_non_uniform_all(int);
int AIWC_F sub_group_non_uniform_any(int);
uint4 AIWC_F sub_group_ballot(int);
#define AIWC_BROADCAST(T) T AIWC_F sub_group_non_uniform_broadcast(T, uint);
#define AIWC_OPERATION(T, NAME)                                                                    \
  T AIWC_F sub_group_non_uniform_reduce_##NAME(T);                                                 \
  T AIWC_F sub_group_non_uniform_scan_inclusive_##NAME(T);                                         \
  T AIWC_F sub_group_non_uniform_scan_exclusive_##NAME(T);                                         \
  T AIWC_F sub_group_clustered_reduce_##NAME(T, uint);
#define AIWC_TYPE(T)                                                                               \
  T AIWC_F sub_group_broadcast_first(T);                                                           \
  int AIWC_F sub_group_non_uniform_all_equal(T);                                                   \
  AIWC_BROADCAST(T) AIWC_BROADCAST(T##2) AIWC_BROADCAST(T##3)                                      \
  AIWC_BROADCAST(T##4) AIWC_BROADCAST(T##8) AIWC_BROADCAST(T##16)                                  \
  AIWC_OPERATION(T, add) AIWC_OPERATION(T, mul) AIWC_OPERATION(T, min) AIWC_OPERATION(T, max)
#define AIWC_BITS(T, prefix)                                                                       \
  AIWC_OPERATION(T, prefix##and) AIWC_OPERATION(T, prefix##or) AIWC_OPERATION(T, prefix##xor)
#define AIWC_INTEGER(T) AIWC_TYPE(T) AIWC_BITS(T, )
AIWC_INTEGER(char) AIWC_INTEGER(uchar) AIWC_INTEGER(short) AIWC_INTEGER(ushort)
AIWC_INTEGER(int) AIWC_INTEGER(uint) AIWC_INTEGER(long) AIWC_INTEGER(ulong)
AIWC_BITS(int, logical_)
AIWC_TYPE(float)
#ifdef cl_khr_fp64
AIWC_TYPE(double)
#endif
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
AIWC_TYPE(half)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#line 1
)";

/// Of each extension that clang has a macro for and no simulated device has, `before` and the name,
/// unless the options name it.
std::string forMissingExtensions(const std::string &options, const std::string &before) {
  std::string text;
  for (const char *name :
       {"cl_amd_media_ops", "cl_amd_media_ops2", "cl_arm_integer_dot_product_accumulate_int16",
        "cl_arm_integer_dot_product_accumulate_int8",
        "cl_arm_integer_dot_product_accumulate_saturate_int8", "cl_arm_integer_dot_product_int8",
        "cl_clang_storage_class_specifiers", "cl_ext_float_atomics",
        "cl_intel_device_side_avc_motion_estimation", "cl_intel_subgroups",
        "cl_intel_subgroups_short", "cl_khr_depth_images", "cl_khr_extended_bit_ops",
        "cl_khr_gl_msaa_sharing", "cl_khr_mipmap_image", "cl_khr_mipmap_image_writes",
        "cl_khr_srgb_image_writes"})
    if (options.find(name) == std::string::npos)
      text += before + name;
  return text;
}

/// The version of OpenCL C that the options ask for; empty if they leave it open.
std::string languageOf(std::string_view options) {
  constexpr std::string_view kFlag = "-cl-std=";
  std::string version;
  for (size_t at = options.find(kFlag); at != std::string_view::npos;
       at = options.find(kFlag, at + 1)) {
    const std::string_view rest = options.substr(at + kFlag.size());
    version = rest.substr(0, rest.find_first_of(" \t\""));
  }
  return version;
}

/// The options with what the simulator has of OpenCL C 2 or 3 switched on. Oclgrind switches
/// everything off first.
std::string withFeatures(const std::string &given, std::string_view language) {
  // Clang 14 does not declare these functions.
  const std::string options =
      given +
      " -Dcl_khr_subgroup_rotate=1"
      " -Dsub_group_rotate(value,by)=sub_group_shuffle(value,(get_sub_group_local_id()+(by))%"
      "get_max_sub_group_size())"
      " -Dsub_group_clustered_rotate(value,by,size)=sub_group_shuffle(value,(get_sub_group_"
      "local_id()&~((size)-1))+((get_sub_group_local_id()+(by))&((size)-1)))";
  if (language == "CL2.0")
    return options + " -cl-ext=+cl_khr_subgroups,+cl_khr_fp16";
  // Clang knows this feature by its macro only.
  std::string result = options + " -D__opencl_c_work_group_collective_functions=1 "
                                 "-cl-ext=+cl_khr_subgroups,+cl_khr_fp16";
  for (const char *feature :
       {"3d_image_writes", "atomic_order_acq_rel", "atomic_order_seq_cst",
        "atomic_scope_all_devices", "atomic_scope_device", "fp64", "generic_address_space",
        "images", "int64", "program_scope_global_variables", "read_write_images", "subgroups"})
    result += std::string(",+__opencl_c_") + feature;
  return result;
}

/// What the lowering has to know of groups.
std::vector<std::string> groupOptions() {
  return {"--sub-group-size", std::to_string(subGroupSize()), "--work-items",
          std::to_string(mostWorkItems())};
}

/// The build log gets `message`, and the build has failed.
bool fail(oclgrind::Program &program, const std::string &message) {
  std::string &log = program.*memberOf(LogMember());
  if (!log.empty() && log.back() != '\n')
    log += '\n';
  log += message + '\n';
  program.*memberOf(StatusMember()) = static_cast<unsigned int>(CL_BUILD_ERROR);
  return false;
}

llvm::Module &moduleOf(oclgrind::Program &program) {
  return *(program.*memberOf(ModuleMember()));
}

/// Makes `bitcode` the code of the program, and does with it what Oclgrind does with what it
/// compiles.
bool replaceCode(oclgrind::Program &program, const std::string &bitcode) {
  const std::unique_ptr<oclgrind::Program> made(oclgrind::Program::createFromBitcode(
      program.getContext(), reinterpret_cast<const unsigned char *>(bitcode.data()),
      bitcode.size()));
  if (!made)
    return fail(program, "error: Oclgrind does not read the bitcode of the program");
  (program.*memberOf(Deallocation()))();
  ((*made).*memberOf(Deallocation()))();
  program.*memberOf(ModuleMember()) = std::move((*made).*memberOf(ModuleMember()));
  if (!std::getenv("OCLGRIND_INTERACTIVE"))
    (program.*memberOf(DebugRemoval()))();
  (program.*memberOf(LoadRemoval()))();
  (program.*memberOf(Allocation()))();
  return true;
}

std::string bitcodeOf(const llvm::Module &module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  return stream.str();
}

bool lower(oclgrind::Program &program) {
  llvm::Module &module = moduleOf(program);
  if (llvm::NamedMDNode *mark = module.getNamedMetadata(kUnlowered))
    mark->eraseFromParent();
  std::vector<std::string> options = groupOptions();
  if (module.getNamedMetadata(kFromSpirv))
    options.emplace_back("--from-spirv");
  const ToolResult lowered = runDeviceTool(options, bitcodeOf(module));
  if (!lowered.succeeded)
    return fail(program, lowered.message);
  return lowered.output.empty() || replaceCode(program, lowered.output);
}

/// Has a build log name the lines of the program's source, which `before` was put in front of.
void countFromProgram(std::string &log, std::string_view before) {
  constexpr std::string_view kFile = "input.cl:";
  const auto lines = static_cast<size_t>(std::ranges::count(before, '\n'));
  for (size_t at = log.find(kFile); at != std::string::npos; at = log.find(kFile, at + 1)) {
    const size_t begin = at + kFile.size();
    size_t line = 0;
    const char *const first = log.data() + begin;
    const auto [end, error] = std::from_chars(first, log.data() + log.size(), line);
    if (error == std::errc() && line > lines)
      log.replace(begin, static_cast<size_t>(end - first), std::to_string(line - lines));
  }
}

/// `all`: the options, and those that Oclgrind adds.
bool buildSource(const BuildRequest &request, const std::string &options, const std::string &all,
                 std::string_view language) {
  oclgrind::Program &program = *request.program;
  const std::string extended = withFeatures(options, language);
  const std::string source = program.getSource();
  // The header, which comes after the options, defines some of these.
  const std::string before = forMissingExtensions(all, "\n#undef ") + kDeclarations;
  program.*memberOf(SourceMember()) = before + source;
  const bool isBuilt =
      request.byOclgrind(&program, request.isCompilation, extended.c_str(), *request.headers);
  program.*memberOf(OptionsMember()) = options;
  program.*memberOf(SourceMember()) = source;
  countFromProgram(program.*memberOf(LogMember()), before);
  if (!isBuilt)
    return false;
  if (!request.isCompilation)
    return lower(program);
  moduleOf(program).getOrInsertNamedMetadata(kUnlowered);
  return true;
}

bool buildSpirv(const BuildRequest &request, const std::string &options) {
  oclgrind::Program &program = *request.program;
  program.*memberOf(SourceMember()) = kPlaceholder;
  const bool isBuilt = request.byOclgrind(&program, request.isCompilation, "", {});
  program.*memberOf(SourceMember()) = "";
  program.*memberOf(OptionsMember()) = options;
  if (!isBuilt)
    return false;
  std::vector<std::string> words = groupOptions();
  words.emplace_back("--spirv");
  if (request.isCompilation)
    words.emplace_back("--translate");
  if (!request.constants->empty())
    words.insert(words.end(), {"--constants", *request.constants});
  const ToolResult translated = runDeviceTool(words, *request.spirv);
  if (!translated.succeeded)
    return fail(program, "error: " + translated.message);
  if (!replaceCode(program, translated.output))
    return false;
  moduleOf(program).getOrInsertNamedMetadata(kFromSpirv);
  if (request.isCompilation)
    moduleOf(program).getOrInsertNamedMetadata(kUnlowered);
  return true;
}

/// A variable that the program uses and does not define; null if there is none.
const llvm::GlobalVariable *undefinedVariable(const oclgrind::Program &program) {
  const auto &module = program.*memberOf(ModuleMember());
  if (!module)
    return nullptr;
  for (const llvm::GlobalVariable &variable : module->globals())
    if (variable.isDeclaration() && !variable.use_empty())
      return &variable;
  return nullptr;
}

bool hasVariables(const oclgrind::Program *program) {
  return !undefinedVariable(*program);
}

/// Fails if a variable is defined nowhere. The program then has no kernels: Oclgrind ends the
/// process that creates one.
bool requireVariables(oclgrind::Program &program) {
  const llvm::GlobalVariable *variable = undefinedVariable(program);
  if (!variable)
    return true;
  const std::string name = variable->getName().str();
  auto &module = program.*memberOf(ModuleMember());
  module = std::make_unique<llvm::Module>("", module->getContext());
  return fail(program, "error: variable '" + name +
                           "' is declared extern only: expected a program that defines it among "
                           "those that are linked");
}

bool buildAny(const BuildRequest &request) {
  const std::string options = request.options ? request.options : "";
  if (request.spirv)
    return buildSpirv(request, options);
  const char *users = std::getenv("OCLGRIND_BUILD_OPTIONS"); // which Oclgrind adds
  const std::string all = options + " " + (users ? users : "");
  const std::string language = languageOf(all);
  const bool isNew = language == "CL2.0" || language == "CL3.0";
  // A program that was created from a binary is built already.
  if (request.program->getSource().empty())
    return request.byOclgrind(request.program, request.isCompilation, request.options,
                              *request.headers);
  if (isNew)
    return buildSource(request, options, all, language);
  // Oclgrind's precompiled headers, which only OpenCL C 1.2 has, know it already.
  const std::string extended =
      "-cl-ext=+cl_khr_fp16" + forMissingExtensions(all, " -U") + " " + options;
  const bool isBuilt = request.byOclgrind(request.program, request.isCompilation, extended.c_str(),
                                          *request.headers);
  request.program->*memberOf(OptionsMember()) = options;
  return isBuilt;
}

/// Replaces what Oclgrind computes otherwise than the language says, and what only the device
/// tells, in a program of any version that is about to run.
void correct(oclgrind::Program &program) {
  llvm::Module &module = moduleOf(program);
  // A program without a source is known by the hash of its code, as the application gave it.
  const std::string hash = program.getSource().empty() ? bitcode::moduleHash(module) : "";
  bool isChanged = lowering::placeWarpSize(module, subGroupSize() == 64 ? 64 : 32);
  isChanged |= lowering::keepArraysInRegisters(module);
  isChanged |= lowering::clearNarrowIntegers(module);
  isChanged |= lowering::storeComponents(module);
  if (isChanged && !hash.empty())
    bitcode::keepModuleHash(module, hash);
}

bool build(const BuildRequest &request) {
  if (!buildAny(request))
    return false;
  if (request.isCompilation)
    return true;
  if (!requireVariables(*request.program))
    return false;
  correct(*request.program);
  return true;
}

bool linked(oclgrind::Program *program) {
  if (!requireVariables(*program))
    return false;
  if (moduleOf(*program).getNamedMetadata(kUnlowered) && !lower(*program))
    return false;
  correct(*program);
  return true;
}

bool hasAddress(const llvm::Type *type) {
  return type->isPtrOrPtrVectorTy() ||
         std::any_of(type->subtype_begin(), type->subtype_end(), hasAddress);
}

bool storesAddress(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::PtrToIntInst>(instruction))
    return true;
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store && store->getPointerAddressSpace() != 0 &&
         hasAddress(store->getValueOperand()->getType());
}

/// Whether an instruction of the kernel, or of a function that it calls, makes a number of an
/// address, or stores one outside of private memory.
bool storesAddresses(const oclgrind::Kernel *kernel) {
  std::vector<const llvm::Function *> functions = {kernel->getFunction()};
  for (size_t i = 0; i < functions.size(); ++i)
    for (const llvm::BasicBlock &block : *functions[i])
      for (const llvm::Instruction &instruction : block) {
        if (storesAddress(instruction))
          return true;
        const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
        if (callee && std::ranges::find(functions, callee) == functions.end())
          functions.push_back(callee);
      }
  return false;
}

} // namespace

void takeBuilds() {
  if (Hooks *const hooks = preloadedHooks()) {
    hooks->build = build;
    hooks->linked = linked;
    hooks->hasVariables = hasVariables;
    hooks->storesAddresses = storesAddresses;
  }
}

} // namespace aiwc::plugin
