/// The command line of a CUDA or HIP compiler: nvcc's, hipcc's or clang++'s.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aiwc::cuda_build {

enum class Product {
  kProgram,
  kObjects,      ///< -c, -dc: an object per source
  kDeviceObject, ///< -dlink: an object with the linked device code of others
  kArchive,      ///< -lib, --emit-static-lib
  kModule,       ///< -fatbin, -cubin, --genco: a file of device code per source, for the driver API
  kPreprocessed, ///< -E: on standard output, or in the output file
  kDependencies, ///< -M, -MM: a makefile's rule instead
  kNothing,      ///< --help or --version was asked, or --dryrun
};

enum class Language {
  kCuda, ///< or HIP: code for host and device
  kCxx,
  kC,
  kLinked, ///< an object, an archive or a shared library
};

struct Input {
  std::string path;
  Language language;
};

struct CompilerCommand {
  std::string compiler; ///< "nvcc", "hipcc", "clang++": the name of the program, without its folder
  Product product = Product::kProgram;
  std::vector<Input> inputs;
  std::string output;       ///< empty: the compiler's usual name, in `outputFolder`
  std::string outputFolder; ///< -odir; empty: the current one
  /// Device code refers to other sources (-rdc=true, -dc, -fgpu-rdc): the link joins it.
  bool relocatable = false;
  int computeCapability = 0;             ///< 80 of -arch=sm_80; of several, the highest
  bool isHip = false;                    ///< hipcc, or -x hip: HIP instead of CUDA
  std::vector<std::string> preprocessor; ///< -I, -D, -U, -include, -std: for all sources
  std::vector<std::string> host;         ///< -O2, -g, -fopenmp: for code of the host
  std::vector<std::string> linker;       ///< -L, -l, -Wl: in the order of the command line
  std::vector<std::string> dependencies; ///< -MD, -MF FILE: beside the compilation
  /// What has no meaning in the simulator, as the user wrote it: "-maxrregcount=32".
  std::vector<std::string> ignored;
  bool showsVersion = false, showsHelp = false;
  bool isVerbose = false; ///< -v, --dryrun: the commands are printed
};

/// Whether a program of this name or path is such a compiler, given its arguments: clang++ is only
/// with `-x cuda` or `-x hip`, or if a source's name ends in `.cu` or `.hip`.
bool isCompiler(std::string_view program, const std::vector<std::string> &arguments);

/// Reads the words of a command line. Throws Error for what cannot be read or cannot be built for
/// the simulator, such as -ptx: the message names the word.
CompilerCommand readCommandLine(const std::string &program,
                                const std::vector<std::string> &arguments);

} // namespace aiwc::cuda_build
