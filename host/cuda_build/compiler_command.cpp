#include "cuda_build/compiler_command.h"

#include "common/error.h"
#include "common/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

namespace aiwc::cuda_build {
namespace {

/// What an option of nvcc does to a build for the simulator.
enum class Effect {
  kIgnored,
  kPreprocessor,
  kHost,
  kForHost,   ///< its value is for the host compiler: -Xcompiler
  kForLinker, ///< its value is for the linker: -Xlinker
  kLinker,
  kDependencies,
  kOutput,
  kOutputFolder,
  kLanguage,
  kRelocatable,
  kArchitecture,
  kProduct,
  kRefused,
  kOptionsFile,
  kVersion,
  kHelp,
  kVerbose,
};

struct NvccOption {
  std::string_view name, longName; ///< with one dash
  bool takesValue;
  Effect effect;
  Product product = Product::kProgram; ///< of kProduct
};

/// nvcc's options, from its manual. Where nvcc takes one dash, it takes two as well.
constexpr auto kNvccOptions = std::to_array<NvccOption>({
    {"-o", "-output-file", true, Effect::kOutput},
    {"-c", "-compile", false, Effect::kProduct, Product::kObjects},
    {"-dc", "-device-c", false, Effect::kProduct, Product::kObjects},
    {"-dw", "-device-w", false, Effect::kProduct, Product::kObjects},
    {"-dlink", "-device-link", false, Effect::kProduct, Product::kDeviceObject},
    {"-lib", "-lib", false, Effect::kProduct, Product::kArchive},
    {"-emit-static-lib", "-emit-static-lib", false, Effect::kProduct, Product::kArchive}, // hipcc's
    {"-link", "-link", false, Effect::kProduct, Product::kProgram},
    {"-E", "-preprocess", false, Effect::kProduct, Product::kPreprocessed},
    {"-M", "-generate-dependencies", false, Effect::kProduct, Product::kDependencies},
    {"-MM", "-generate-nonsystem-dependencies", false, Effect::kProduct, Product::kDependencies},
    {"-ptx", "-ptx", false, Effect::kRefused},
    {"-cubin", "-cubin", false, Effect::kProduct, Product::kModule},
    {"-fatbin", "-fatbin", false, Effect::kProduct, Product::kModule},
    {"-genco", "-genco", false, Effect::kProduct, Product::kModule}, // hipcc's
    {"-cuda", "-cuda", false, Effect::kRefused},
    {"-run", "-run", false, Effect::kRefused},
    {"-MD", "-generate-dependencies-with-compile", false, Effect::kDependencies},
    {"-MMD", "-generate-nonsystem-dependencies-with-compile", false, Effect::kDependencies},
    {"-MP", "-generate-dependency-targets", false, Effect::kDependencies},
    {"-MF", "-dependency-output", true, Effect::kDependencies},
    {"-MT", "-dependency-target-name", true, Effect::kDependencies},
    {"-MQ", "-MQ", true, Effect::kDependencies},
    {"-include", "-pre-include", true, Effect::kPreprocessor},
    {"-isystem", "-system-include", true, Effect::kPreprocessor},
    {"-idirafter", "-idirafter", true, Effect::kPreprocessor},
    {"-std", "-std", true, Effect::kPreprocessor},
    {"-x", "-x", true, Effect::kLanguage},
    {"-O", "-optimize", true, Effect::kHost},
    {"-g", "-debug", false, Effect::kHost},
    {"-pg", "-profile", false, Effect::kHost},
    {"-w", "-disable-warnings", false, Effect::kHost},
    {"-Xcompiler", "-compiler-options", true, Effect::kForHost},
    {"-Xlinker", "-linker-options", true, Effect::kForLinker},
    {"-shared", "-shared", false, Effect::kLinker},
    {"-rdc", "-relocatable-device-code", true, Effect::kRelocatable},
    {"-arch", "-gpu-architecture", true, Effect::kArchitecture},
    {"-code", "-gpu-code", true, Effect::kArchitecture},
    {"-gencode", "-generate-code", true, Effect::kArchitecture},
    {"-optf", "-options-file", true, Effect::kOptionsFile},
    {"-V", "-version", false, Effect::kVersion},
    {"-h", "-help", false, Effect::kHelp},
    {"-v", "-verbose", false, Effect::kVerbose},
    {"-dryrun", "-dryrun", false, Effect::kVerbose, Product::kNothing},
    // What has no meaning here. Others without a value, which look like none above, need no row.
    {"-lineinfo", "-generate-line-info", false, Effect::kIgnored},
    {"-maxrregcount", "-maxrregcount", true, Effect::kIgnored},
    {"-ftz", "-ftz", true, Effect::kIgnored},
    {"-prec-div", "-prec-div", true, Effect::kIgnored},
    {"-prec-sqrt", "-prec-sqrt", true, Effect::kIgnored},
    {"-fmad", "-fmad", true, Effect::kIgnored},
    {"-Xptxas", "-ptxas-options", true, Effect::kIgnored},
    {"-Xnvlink", "-nvlink-options", true, Effect::kIgnored},
    {"-Xarchive", "-archive-options", true, Effect::kIgnored},
    {"-Xcudafe", "-Xcudafe", true, Effect::kIgnored},
    {"-Xfatbin", "-fatbin-options", true, Effect::kIgnored},
    {"-cudart", "-cudart", true, Effect::kIgnored},
    {"-cudadevrt", "-cudadevrt", true, Effect::kIgnored},
    {"-ccbin", "-compiler-bindir", true, Effect::kIgnored},
    {"-default-stream", "-default-stream", true, Effect::kIgnored},
    {"-keep-dir", "-keep-dir", true, Effect::kIgnored},
    {"-objtemp", "-objdir-as-tempdir", false, Effect::kIgnored},
    {"-odir", "-output-directory", true, Effect::kOutputFolder},
    {"-t", "-threads", true, Effect::kIgnored},
    {"-split-compile", "-split-compile", true, Effect::kIgnored},
    {"-lto", "-lto", false, Effect::kIgnored},
    {"-m", "-machine", true, Effect::kIgnored},
    {"-m64", "-m64", false, Effect::kIgnored},
    {"-Wno-deprecated-gpu-targets", "-Wno-deprecated-gpu-targets", false, Effect::kIgnored},
    {"-Werror", "-Werror", true, Effect::kIgnored},
    {"-Wreorder", "-Wreorder", false, Effect::kIgnored},
    {"-diag-suppress", "-diag-suppress", true, Effect::kIgnored},
    {"-diag-error", "-diag-error", true, Effect::kIgnored},
    {"-diag-warn", "-diag-warn", true, Effect::kIgnored},
    {"-forward-unknown-to-host-compiler", "-forward-unknown-to-host-compiler", false,
     Effect::kIgnored},
    {"-forward-unknown-to-host-linker", "-forward-unknown-to-host-linker", false, Effect::kIgnored},
    {"-time", "-time", true, Effect::kIgnored},
    {"-e", "-entries", true, Effect::kIgnored},
    {"-target-dir", "-target-directory", true, Effect::kIgnored},
    {"-idp", "-input-drive-prefix", true, Effect::kIgnored},
    {"-L", "-library-path", true, Effect::kLinker},
    {"-l", "-library", true, Effect::kLinker},
    {"-I", "-include-path", true, Effect::kPreprocessor},
    {"-D", "-define-macro", true, Effect::kPreprocessor},
    {"-U", "-undefine-macro", true, Effect::kPreprocessor},
});

/// Libraries of CUDA and HIP that the simulator's runtime library stands for, if only by refusing
/// their functions.
constexpr auto kOurLibraries =
    std::to_array<std::string_view>({"cudart",   "cudart_static",   "cudadevrt",  "cuda",
                                     "curand",   "curand_static",   "cublas",     "cublas_static",
                                     "cublasLt", "cublasLt_static", "cufft",      "cufft_static",
                                     "cusparse", "cusparse_static", "amdhip64",   "hiprtc",
                                     "hiprand",  "rocrand",         "nvToolsExt", "culibos",
                                     "hip_hcc",  "cudnn",           "nccl",       "nvrtc"});

/// Libraries of vendors that there is nothing for.
constexpr auto kVendorLibraries = std::to_array<std::string_view>(
    {"cusolver", "cusolver_static", "nppc", "npps", "nppi", "nvjpeg", "cupti", "nvidia-ml",
     "rocblas", "hipblas", "rocfft", "hipfft", "rocsparse", "hipsparse", "MIOpen", "cutensor",
     "nvgraph"});

template <typename List> bool contains(const List &list, std::string_view word) {
  return std::ranges::find(list, word) != std::ranges::end(list);
}

std::vector<std::string> separated(std::string_view list, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(separator, begin), list.size());
    if (end > begin)
      parts.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// The words of a text as a shell reads them: quotes keep separators, a backslash the next
/// character.
std::vector<std::string> shellWords(std::string_view text, std::string_view separators) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool inWord = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    const bool isSeparator = !quote && separators.find(c) != std::string_view::npos;
    if (isSeparator && inWord)
      words.push_back(std::exchange(word, {}));
    inWord = !isSeparator;
    if (isSeparator)
      continue;
    if (quote ? c == quote : c == '"' || c == '\'') {
      quote = quote ? '\0' : c;
      continue;
    }
    if (c == '\\' && quote != '\'' && i + 1 < text.size())
      c = text[++i];
    word += c;
  }
  if (inWord)
    words.push_back(word);
  return words;
}

/// The words of nvcc's file of options.
std::vector<std::string> wordsOfFile(const std::string &path) {
  const std::optional<std::string> text = readFileIfAny(path);
  if (!text)
    throw Error(path + ": cannot be read: expected a file of compiler options");
  return shellWords(*text, " \t\r\n");
}

Language languageOf(const std::string &path, bool isHip, std::optional<Language> chosen) {
  const std::string extension = std::filesystem::path(path).extension();
  constexpr auto kLinked = std::to_array<std::string_view>({".o", ".a", ".so", ".obj", ".lo"});
  if (contains(kLinked, extension))
    return Language::kLinked;
  if (chosen)
    return *chosen;
  constexpr auto kCuda = std::to_array<std::string_view>({".cu", ".hip", ".cuh"});
  constexpr auto kCxx =
      std::to_array<std::string_view>({".cpp", ".cc", ".cxx", ".C", ".c++", ".cp", ".ii"});
  if (contains(kCuda, extension))
    return Language::kCuda;
  if (contains(kCxx, extension))
    return isHip ? Language::kCuda : Language::kCxx;
  if (extension == ".c")
    return Language::kC;
  return Language::kLinked; // the linker knows more kinds, and says what it does not know
}

class Reader {
public:
  Reader(const std::string &program, std::vector<std::string> words) : words_(std::move(words)) {
    result_.compiler = std::filesystem::path(program).filename();
    result_.isHip = result_.compiler.starts_with("hipcc");
  }

  CompilerCommand read() {
    const bool isNvcc = result_.compiler.find("nvcc") != std::string::npos;
    while (next_ < words_.size()) {
      const std::string word = words_[next_++];
      if (word.size() < 2 || word[0] != '-')
        readInput(word);
      else if (word.starts_with("-Wl,"))
        result_.linker.push_back(word);
      else if (!isNvcc && readClangOption(word))
        continue;
      else
        readOption(word);
    }
    const bool asksOnly = result_.showsVersion || result_.showsHelp || dryRun_;
    if (asksOnly)
      result_.product = Product::kNothing;
    else if (result_.inputs.empty())
      throw Error(result_.compiler + ": no source and no object to build from");
    const auto compiled = std::ranges::count_if(
        result_.inputs, [](const Input &input) { return input.language != Language::kLinked; });
    const bool isPerSource =
        result_.product == Product::kObjects || result_.product == Product::kModule;
    if (!result_.output.empty() && compiled > 1 && isPerSource)
      throw Error(fmt::format("{}: -o {} with {} sources and -c: expected one source",
                              result_.compiler, result_.output, compiled));
    return std::move(result_);
  }

private:
  void readInput(const std::string &word) {
    result_.inputs.push_back({word, languageOf(word, result_.isHip, language_)});
    // Archives count where they stand among -l and objects.
    if (result_.inputs.back().language == Language::kLinked)
      result_.linker.push_back(word);
  }

  std::string valueOf(const std::string &word) {
    if (next_ == words_.size())
      throw Error(fmt::format("{}: {} has no value", result_.compiler, word));
    return words_[next_++];
  }

  void readOption(const std::string &word) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    for (const NvccOption &option : kNvccOptions) {
      const bool isLong = name == "-" + std::string(option.longName);
      if (name != option.name && name != "-" + std::string(option.name) && !isLong)
        continue;
      if (option.takesValue && equals != std::string::npos)
        return apply(option, word.substr(equals + 1), word);
      // -Werror alone is the host compiler's way; -O without a level is -O.
      const bool hasWord = next_ < words_.size() && !words_[next_].starts_with("-");
      if (option.takesValue && (option.name == "-O" || option.name == "-Werror") && !hasWord)
        return apply(option, "", word);
      if (option.takesValue) {
        const std::string value = valueOf(word);
        return apply(option, value, fmt::format("{} {}", word, value));
      }
      if (equals == std::string::npos)
        return apply(option, "", word);
    }
    if (word.size() > 2 && std::string_view("oIDULlOx").find(word[1]) != std::string_view::npos)
      for (const NvccOption &option : kNvccOptions)
        if (option.name == word.substr(0, 2))
          return apply(option, word.substr(2), word);
    if (word.starts_with("-g") || word.starts_with("-f") || word.starts_with("-m") ||
        word.starts_with("-W") || word == "-pthread" || word == "-ansi" || word == "-pedantic") {
      result_.host.push_back(word);
      return;
    }
    result_.ignored.push_back(word);
  }

  void apply(const NvccOption &option, const std::string &value, const std::string &written) {
    switch (option.effect) {
    case Effect::kIgnored:
      result_.ignored.push_back(written);
      break;
    case Effect::kPreprocessor:
      if (option.name == "-std")
        result_.preprocessor.push_back("-std=" + value);
      else if (option.name.size() == 2)
        for (const std::string &part : separatedUnlessMacro(option, value))
          result_.preprocessor.push_back(std::string(option.name) + part);
      else
        for (const std::string &part : separated(value, ','))
          result_.preprocessor.insert(result_.preprocessor.end(), {std::string(option.name), part});
      break;
    case Effect::kHost:
      result_.host.push_back(std::string(option.name) + value);
      break;
    case Effect::kForHost:
      for (const std::string &word : shellWords(value, ", \t"))
        result_.host.push_back(word);
      break;
    case Effect::kForLinker:
      for (const std::string &word : shellWords(value, ","))
        result_.linker.insert(result_.linker.end(), {"-Xlinker", word});
      break;
    case Effect::kLinker:
      addToLinker(option, value);
      break;
    case Effect::kDependencies:
      result_.dependencies.emplace_back(option.name);
      if (option.takesValue)
        result_.dependencies.push_back(value);
      break;
    case Effect::kOutput:
      result_.output = value;
      break;
    case Effect::kOutputFolder:
      result_.outputFolder = value;
      break;
    case Effect::kLanguage:
      setLanguage(value);
      break;
    case Effect::kRelocatable:
      result_.relocatable = value == "true";
      break;
    case Effect::kArchitecture:
      for (size_t at = 0; (at = value.find('_', at)) != std::string::npos; ++at) // sm_80
        result_.computeCapability =
            std::max(result_.computeCapability, std::atoi(value.c_str() + at + 1));
      break;
    case Effect::kProduct:
      result_.product = option.product;
      result_.relocatable |= option.name == "-dc" || option.name == "-dlink";
      if (option.product == Product::kDependencies)
        result_.dependencies.emplace_back(option.name);
      break;
    case Effect::kRefused:
      throw Error(fmt::format("{}: {} makes nothing that the simulator could run: expected a "
                              "command that makes objects or a program",
                              result_.compiler, written));
    case Effect::kOptionsFile:
      for (const std::string &file : separated(value, ',')) {
        const std::vector<std::string> words = wordsOfFile(file);
        if (++optionsFiles_ > 100)
          throw Error(file + ": names itself as a file of options");
        words_.insert(words_.begin() + static_cast<std::ptrdiff_t>(next_), words.begin(),
                      words.end());
      }
      break;
    case Effect::kVersion:
      result_.showsVersion = true;
      break;
    case Effect::kHelp:
      result_.showsHelp = true;
      break;
    case Effect::kVerbose:
      result_.isVerbose = true;
      dryRun_ |= option.product == Product::kNothing;
      break;
    }
  }

  /// nvcc takes lists of folders, but a macro's value may have commas.
  static std::vector<std::string> separatedUnlessMacro(const NvccOption &option,
                                                       const std::string &value) {
    return option.name == "-I" ? separated(value, ',') : std::vector{value};
  }

  void addToLinker(const NvccOption &option, const std::string &value) {
    if (option.name != "-l") {
      result_.linker.push_back(std::string(option.name) + value);
      return;
    }
    for (const std::string &library : separated(value, ',')) {
      if (contains(kVendorLibraries, library))
        throw Error(fmt::format("{}: -l{}: the simulator has none of the vendors' libraries",
                                result_.compiler, library));
      if (!contains(kOurLibraries, library))
        result_.linker.push_back("-l" + library);
    }
  }

  void setLanguage(const std::string &value) {
    result_.isHip |= value == "hip";
    if (value == "cu" || value == "cuda" || value == "hip")
      language_ = Language::kCuda;
    else if (value == "c++")
      language_ = Language::kCxx;
    else if (value == "c")
      language_ = Language::kC;
    else if (value == "none")
      language_ = std::nullopt;
    else
      throw Error(
          fmt::format("{}: -x {}: expected cu, cuda, hip, c++ or c", result_.compiler, value));
  }

  /// What hipcc and clang++ write differently from nvcc. Returns false for the rest.
  bool readClangOption(const std::string &word) {
    constexpr auto kOneWord = std::to_array<std::string_view>(
        {"--offload-arch=", "--cuda-gpu-arch=", "--amdgpu-target=", "--rocm-path=", "--cuda-path=",
         "--hip-path=", "--gcc-toolchain=", "--hip-link",
         "--rocm-device-lib-path=", "--no-cuda-version-check", "-munsafe-fp-atomics", "-fcuda-",
         "-fgpu-", "-nogpu", "-Rpass", "-parallel-jobs", "--cuda-noopt", "-foffload"});
    constexpr auto kTwoWords =
        std::to_array<std::string_view>({"-Xarch_device", "-mllvm", "-Xclang", "-target"});
    if (word == "-fgpu-rdc") {
      result_.relocatable = true;
      return true;
    }
    if (word == "-S" || word == "-emit-llvm" || word.starts_with("--cuda-device-only"))
      throw Error(fmt::format("{}: {} makes nothing that the simulator could run: expected a "
                              "command that makes objects or a program",
                              result_.compiler, word));
    if (word == "-Xarch_host") {
      result_.host.push_back(valueOf(word));
      return true;
    }
    if (contains(kTwoWords, word)) {
      result_.ignored.push_back(word + " " + valueOf(word));
      return true;
    }
    if (word == "-fopenmp" || word.starts_with("-O") || word.starts_with("-Werror")) {
      result_.host.push_back(word);
      return true;
    }
    const bool isOurs = std::ranges::any_of(
        kOneWord, [&](std::string_view prefix) { return word.starts_with(prefix); });
    if (isOurs)
      result_.ignored.push_back(word);
    return isOurs;
  }

  std::vector<std::string> words_;
  size_t next_ = 0;
  int optionsFiles_ = 0;
  bool dryRun_ = false;
  std::optional<Language> language_; ///< of -x
  CompilerCommand result_;
};

} // namespace

bool isCompiler(std::string_view program, const std::vector<std::string> &arguments) {
  const std::string name = std::filesystem::path(program).filename();
  if (name == "nvcc" || name == "hipcc" || name == "hipcc.pl")
    return true;
  if (!name.starts_with("clang") && !name.starts_with("amdclang"))
    return false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &word = arguments[i];
    const bool follows = i > 0 && arguments[i - 1] == "-x";
    if ((follows && (word == "cuda" || word == "hip")) || word == "-xcuda" || word == "-xhip" ||
        word.ends_with(".cu") || word.ends_with(".hip") || word == "--hip-link")
      return true;
  }
  return false;
}

CompilerCommand readCommandLine(const std::string &program,
                                const std::vector<std::string> &arguments) {
  return Reader(program, arguments).read();
}

} // namespace aiwc::cuda_build
