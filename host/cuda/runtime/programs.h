// The device code of the program: images, kernels and variables, as the compiler's host code
// registers them before main. The simulator gets an image when it is used for the first time.
#pragma once

#include "cuda/runtime/memory.h"
#include "cuda/runtime/simulator.h"
#include "cuda_image/image.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace aiwc::cuda {

class Program;

struct Kernel {
  Image::Kernel entry;
  Program *program = nullptr;
  cl_kernel handle = nullptr;
};

/// An image in the simulator.
class Program {
public:
  explicit Program(const char *image) : image_(image) {}

  /// Reads and builds the image, once. Fails with cudaErrorInvalidKernelImage, after a line on
  /// standard error, if that is not possible.
  void load(const Simulator &simulator, Memory &memory);

  /// A variable in managed memory: the device's symbol of this name is a pointer to it.
  void addManaged(std::string name, void *host, size_t bytes);

  /// The kernel with the name, or null. Of a loaded image. Fails if the simulator does not know it,
  /// and with cudaErrorNotSupported, after a line on standard error at the first time, if it was
  /// refused at build.
  Kernel *kernel(const std::string &name);
  struct Symbol {
    size_t address = 0, bytes = 0;
  };
  /// The variable with the name, or null. Of a loaded image.
  const Symbol *symbol(const std::string &name) const;
  /// The buffer of the variables of a space, with at least one byte.
  cl_mem variables(SymbolSpace space) const { return variables_[indexOf(space)].memory; }

private:
  void build(const Simulator &simulator, const Image &image);
  void placeVariables(const Simulator &simulator, Memory &memory, const Image &image);

  void placeManaged(const Simulator &simulator, Memory &memory);

  struct Managed {
    std::string name;
    void *host;
    size_t bytes;
  };
  const char *image_;
  bool isLoaded_ = false, isBroken_ = false;
  cl_program handle_ = nullptr;
  std::array<Simulator::Buffer, 2> variables_{};
  std::map<std::string, Kernel> kernels_;
  struct Refused {
    std::string reason;
    bool isSaid = false;
  };
  std::map<std::string, Refused> refused_;
  std::map<std::string, Symbol> symbols_;
  std::vector<Managed> managed_;
};

/// What the program has registered.
class Programs {
public:
  /// Units that were linked together share an image.
  Program *add(const char *image);
  void addKernel(Program *program, const void *function, std::string name);
  void addSymbol(Program *program, const void *variable, std::string name);

  /// The kernel of a function of the host, built. Fails with cudaErrorInvalidDeviceFunction.
  Kernel &kernel(const Simulator &simulator, Memory &memory, const void *function);
  /// The variable that the host names. Fails with cudaErrorInvalidSymbol.
  Program::Symbol symbol(const Simulator &simulator, Memory &memory, const void *variable);

private:
  struct Name {
    Program *program;
    std::string name;
  };
  std::map<const char *, std::unique_ptr<Program>> programs_;
  std::unordered_map<const void *, Name> kernels_, symbols_;
};

} // namespace aiwc::cuda
