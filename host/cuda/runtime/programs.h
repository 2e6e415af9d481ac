// The device code of the program: units, kernels and variables, as the compiler's host code
// registers them before main. The simulator gets a unit's code when it is used for the first time.
#pragma once

#include "cuda/runtime/memory.h"
#include "cuda/runtime/simulator.h"
#include "device_code/device_code.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace aiwc::cuda {

class RuntimeProgram;

struct RuntimeKernel {
  DeviceCode::Kernel entry;
  RuntimeProgram *program = nullptr;
  cl_kernel handle = nullptr;
  size_t askedSharedBytes = 0; ///< by cudaFuncSetAttribute, static ones included
};

/// The device code of a unit in the simulator.
class RuntimeProgram {
public:
  explicit RuntimeProgram(const char *code) : code_(code) {}

  /// Reads and builds the code, once. Fails with cudaErrorInvalidKernelImage, after a line on
  /// standard error, if that is not possible.
  void load(const Simulator &simulator, Memory &memory);

  /// A variable in managed memory: the device's symbol of this name is a pointer to it.
  void addManaged(std::string name, void *host, size_t bytes);

  /// The kernel with the name, or null. Of a loaded program. Fails if the simulator does not know
  /// it, and with cudaErrorNotSupported, after a line on standard error at the first time, if it
  /// was refused at build.
  RuntimeKernel *kernel(const std::string &name);
  struct Symbol {
    size_t address = 0, bytes = 0;
  };
  /// The variable with the name, or null. Of a loaded program.
  const Symbol *symbol(const std::string &name) const;
  /// Whether an assertion has failed in the code since the last question.
  bool takeFailedAssertion() const;
  /// The buffer of the variables of a space, with at least one byte.
  cl_mem variables(SymbolSpace space) const { return variables_[indexOf(space)].memory; }

private:
  void build(const Simulator &simulator, const DeviceCode &code);
  void placeVariables(const Simulator &simulator, Memory &memory, const DeviceCode &code);

  /// Gives the code that says that an assertion failed (aiwc_index.h) a place of the host to sign.
  void watchAssertions();
  void placeManaged(const Simulator &simulator, Memory &memory);

  struct Managed {
    std::string name;
    void *host;
    size_t bytes;
  };
  const char *code_;
  bool isLoaded_ = false, isBroken_ = false;
  cl_program handle_ = nullptr;
  std::array<Simulator::Buffer, 2> variables_{};
  std::map<std::string, RuntimeKernel> kernels_;
  struct Refused {
    std::string reason;
    bool isSaid = false;
  };
  std::map<std::string, Refused> refused_;
  std::map<std::string, Symbol> symbols_;
  std::vector<Managed> managed_;
  std::vector<int *> failedAssertions_; ///< not 0: one has; for each file
};

/// What the program has registered.
class Programs {
public:
  /// Units that were linked together share their code.
  RuntimeProgram *add(const char *code);
  void addKernel(RuntimeProgram *program, const void *function, std::string name);
  void addSymbol(RuntimeProgram *program, const void *variable, std::string name);

  /// The kernel of a function of the host, built. Fails with cudaErrorInvalidDeviceFunction.
  RuntimeKernel &kernel(const Simulator &simulator, Memory &memory, const void *function);
  /// The variable that the host names. Fails with cudaErrorInvalidSymbol.
  RuntimeProgram::Symbol symbol(const Simulator &simulator, Memory &memory, const void *variable);

private:
  struct Name {
    RuntimeProgram *program;
    std::string name;
  };
  std::map<const char *, std::unique_ptr<RuntimeProgram>> programs_;
  std::unordered_map<const void *, Name> kernels_, symbols_;
};

} // namespace aiwc::cuda
