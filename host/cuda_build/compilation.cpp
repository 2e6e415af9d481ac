#include "cuda_build/compilation.h"

#include "common/error.h"
#include "common/file.h"
#include "common/temporary_folder.h"
#include "cuda_build/clang_dialect.h"
#include "processes/program.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <iostream>
#include <string_view>
#include <system_error>

namespace aiwc::cuda_build {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::string_view kClang = "clang-14";
constexpr std::string_view kBitcodeSection = ".aiwc_cuda_bitcode";

void append(Words &to, const Words &words) {
  to.insert(to.end(), words.begin(), words.end());
}

/// A step that failed has said why; nothing is left to say.
struct StepFailed {
  int status;
};

class Build {
public:
  Build(const CompilerCommand &command, const Toolkit &toolkit)
      : command_(command), toolkit_(toolkit) {}

  /// Writes the device code of the one source.
  void makeDeviceCode(const std::string &code) { makeDeviceCode(command_.inputs.front(), code); }

  void run() {
    if (command_.isVerbose)
      describeToolkit();
    switch (command_.product) {
    case Product::kPreprocessed:
    case Product::kDependencies:
      for (const Input &input : command_.inputs)
        if (input.language != Language::kLinked)
          preprocess(input);
      break;
    case Product::kObjects:
      for (const Input &input : command_.inputs)
        if (input.language != Language::kLinked)
          compile(input, objectOf(input));
      break;
    case Product::kArchive:
      archive();
      break;
    case Product::kModule:
      for (const Input &input : command_.inputs)
        makeDeviceCode(input, outputOr(fs::path(input.path).stem().string() + ".fatbin"));
      break;
    case Product::kDeviceObject:
      makeObjectOfDeviceCode(linkDeviceCode(withGiven(compiled())), outputOr("a_dlink.o"));
      break;
    case Product::kProgram:
      link();
      break;
    case Product::kNothing:
      break;
    }
  }

private:
  /// The lines of `nvcc -v` from which CMake learns where the toolkit is and what it compiles for.
  void describeToolkit() const {
    const std::string folder = toolkit_.folder.string();
    std::cerr << fmt::format("#$ PATH={0}/bin:/usr/bin\n#$ TOP={0}\n"
                             "#$ NVVMIR_LIBRARY_DIR={0}/nvvm/libdevice\n"
                             "#$ INCLUDES=\"-I{0}/include\"\n#$ LIBRARIES= -L{0}/lib64\n"
                             "#$ -arch compute_70\n",
                             folder);
  }

  /// Runs a command. Its standard error goes to the file `errors`, if one is named.
  void step(const Words &words, const std::string &errors = {}) {
    if (command_.isVerbose)
      std::cerr << "#$ " << fmt::format("{}", fmt::join(words, " ")) << "\n";
    const int status = processes::run({.words = words,
                                       .failure = "aiwc build: cannot run '" + words.front() + "'",
                                       .errors = errors});
    if (WIFSIGNALED(status))
      throw Error(
          fmt::format("aiwc build: {} ended by signal {}", words.front(), WTERMSIG(status)));
    if (WEXITSTATUS(status) != 0)
      throw StepFailed{WEXITSTATUS(status)};
  }

  /// A path of no file yet.
  std::string temporaryFile(std::string_view extension) {
    return temporary_ / fmt::format("{}{}", ++files_, extension);
  }

  /// The file to write; `usual` is the compiler's name for it if the user gives none.
  std::string outputOr(const std::string &usual) const {
    return command_.output.empty() ? (fs::path(command_.outputFolder) / usual).string()
                                   : command_.output;
  }

  /// Where nvcc puts the object of a source.
  std::string objectNameOf(const Input &input) const {
    return fs::path(command_.outputFolder) / (fs::path(input.path).stem().string() + ".o");
  }
  std::string objectOf(const Input &input) const {
    return command_.output.empty() ? objectNameOf(input) : command_.output;
  }

  /// The options by which clang reads CUDA of a source, for host or device.
  Words clang(const Input &input) {
    Words words = {std::string(kClang), "-x", "hip", "-nogpuinc", "-nogpulib", "--offload=spirv64",
                   "-fdeclspec", "-Wno-unknown-warning-option",
                   // Warnings about what nvcc accepts say nothing of the user's program.
                   "-w",
                   // Of older standards, which nvcc may be asked for: these words are no errors.
                   "-Wno-register", "-Wno-dynamic-exception-spec",
                   // A function may end without the value that nobody takes.
                   "-fno-strict-return"};
    if (command_.isHip)
      words.emplace_back("-DAIWC_HIPCC");
    // What only later devices have, the simulator has not.
    words.push_back(
        fmt::format("-DAIWC_CUDA_ARCH={}0", std::clamp(command_.computeCapability, 70, 89)));
    if (std::ranges::none_of(command_.preprocessor, isStandard))
      words.emplace_back("-std=c++17");
    // First: makefiles name the folder of NVIDIA's headers, where they are installed.
    words.push_back("-I" + toolkit_.include().string());
    for (const std::string &word : command_.preprocessor)
      words.push_back(isStandard(word) ? atLeastCxx17(word) : word);
    append(words, {"-include", "cuda_runtime.h"});
    append(words, asClangReads(input));
    return words;
  }

  /// Has clang read another text in place of the source, if it could not read that: under the
  /// source's name, so that messages and lines of kernels have it.
  Words asClangReads(const Input &input) {
    const std::string source = readFileIfAny(input.path).value_or("");
    const std::string read = withSharedAlignment(withLaunchBrackets(source));
    return read == source ? Words{} : inPlaceOf(input, read);
  }

  Words inPlaceOf(const Input &input, const std::string &read) {
    const std::string text = temporaryFile(".cu"), overlay = temporaryFile(".yaml");
    std::ofstream(text) << read;
    const auto quoted = [](const fs::path &path) {
      std::string text = "'";
      for (const char c : path.string())
        text += c == '\'' ? "''" : std::string(1, c); // as YAML has it
      return text + "'";
    };
    const fs::path path = fs::absolute(input.path).lexically_normal();
    std::ofstream(overlay) << fmt::format(
        "{{'version': 0, 'use-external-names': false, 'roots': [{{'type': 'directory', 'name': {}, "
        "'contents': [{{'type': 'file', 'name': {}, 'external-contents': {}}}]}}]}}\n",
        quoted(path.parent_path()), quoted(path.filename()), quoted(text));
    return {"-ivfsoverlay", overlay};
  }

  static bool isStandard(const std::string &word) { return word.starts_with("-std="); }

  /// The standard of the headers, if `word` names an older one. GNU's types, which the device has
  /// not, are left out.
  static std::string atLeastCxx17(const std::string &word) {
    const std::string level = word.substr(std::min(word.find("++"), word.size()));
    constexpr std::array kOlder = {"++98", "++03", "++0x", "++11", "++1y", "++14"};
    return level.empty()                       ? word
           : std::ranges::count(kOlder, level) ? "-std=c++17"
                                               : "-std=c" + level;
  }

  /// Of the user's options, those that clang takes for code of the host.
  Words clangHost() const {
    Words words;
    for (const std::string &word : command_.host)
      if (word == "-fopenmp") // clang's own OpenMP would need its library; loops run in order
        append(words, {"-fopenmp=libgomp", "-idirafter", gccInclude()});
      else if (word != "-fopenmp-simd" && !word.starts_with("-march") && word != "-O")
        words.push_back(word);
    words.emplace_back("-Qunused-arguments");
    return words;
  }

  /// gcc or g++, as nvcc takes them, or clang where they are not installed.
  static std::string hostCompilerFor(Language language) {
    const bool isC = language == Language::kC;
    const bool hasGcc = access(isC ? "/usr/bin/gcc" : "/usr/bin/g++", X_OK) == 0;
    return isC ? (hasGcc ? "gcc" : "clang-14") : (hasGcc ? "g++" : "clang++-14");
  }

  /// Where gcc has omp.h.
  static std::string gccInclude() {
    for (const fs::path root :
         {"/usr/lib/gcc/x86_64-linux-gnu", "/usr/lib/gcc/aarch64-linux-gnu"}) {
      std::error_code error;
      for (const fs::directory_entry &version : fs::directory_iterator(root, error))
        if (fs::exists(version.path() / "include/omp.h", error))
          return version.path() / "include";
    }
    return "/usr/include";
  }

  /// Options for a compiler of C or C++ that has nothing to do with CUDA.
  Words hostCompiler(Language language) const {
    Words words = {hostCompilerFor(language), "-I" + toolkit_.include().string()};
    for (const std::string &word : command_.preprocessor)
      if (language != Language::kC || !word.starts_with("-std=c++"))
        words.push_back(word);
    append(words, command_.host);
    return words;
  }

  void preprocess(const Input &input) {
    Words words = input.language == Language::kCuda ? clang(input) : hostCompiler(input.language);
    if (input.language == Language::kCuda)
      append(words, {"--cuda-host-only"});
    if (command_.product == Product::kPreprocessed)
      words.emplace_back("-E");
    append(words, command_.dependencies);
    if (command_.product == Product::kDependencies && !command_.outputFolder.empty() &&
        !hasTarget())
      append(words, {"-MT", objectNameOf(input)});
    append(words, {input.path});
    if (!command_.output.empty())
      append(words, {"-o", command_.output});
    step(words);
  }

  /// A file with clang's bitcode of a source's device code.
  std::string deviceCode(const Input &input) {
    std::string bitcode = temporaryFile(".bc");
    Words device = clang(input), options;
    // Unoptimised: the device tool optimises as Oclgrind optimises OpenCL C. The lines of the
    // source reach the profiles. Conversions of constants to integers saturate. Lanes may pass
    // values that they have not computed to a shuffle that takes another lane's.
    append(options,
           {"--cuda-device-only", "-emit-llvm", "-Oz", "-Xclang", "-disable-llvm-passes",
            "-fno-discard-value-names", "-ffp-contract=on", "-fno-strict-float-cast-overflow",
            "-Xclang", "-disable-noundef-analysis", "-Xclang", "-debug-info-kind=line-tables-only",
            "-Xclang", "-dwarf-version=4", "-c", input.path, "-o", bitcode});
    append(device, options);
    compileExplained(device, [&](std::string_view said) {
      const bool isPtx = said.find("invalid output constraint") != std::string_view::npos;
      if (isPtx)
        compileExplained(withConstraintsOfClang(input, options));
      return isPtx;
    });
    return bitcode;
  }

  /// Compiles the text that the preprocessor makes of a source and its headers, with constraints of
  /// inline assembly that clang takes.
  Words withConstraintsOfClang(const Input &input, const Words &options) {
    const std::string preprocessed = temporaryFile(".cu");
    Words words = clang(input);
    append(words, {"--cuda-device-only", "-E", input.path, "-o", preprocessed});
    step(words);
    Words again = clang(input);
    const auto included = std::ranges::find(again, "-include");
    again.erase(included, included + 2); // the text has it
    append(again,
           inPlaceOf(input, withRegisterConstraints(readFileIfAny(preprocessed).value_or(""))));
    append(again, options);
    return again;
  }

  void makeDeviceCode(const Input &input, const std::string &code) {
    lower({deviceCode(input)}, code);
  }

  /// Links the files of bitcode, and writes their device code to the file `code`.
  void lower(const Words &units, const std::string &code) {
    Words words = {toolkit_.deviceTool.string()};
    append(words, units);
    append(words, {"-o", code});
    if (warpsRunInStep())
      words.emplace_back("--warps-in-step");
    step(words);
  }

  void compile(const Input &input, const std::string &object) {
    if (input.language != Language::kCuda) {
      Words words = hostCompiler(input.language);
      append(words, command_.dependencies);
      append(words, {"-c", input.path, "-o", object});
      compileExplained(words, [&](std::string_view said) {
        // A class of thrust is for files of the host, too, but our headers are for CUDA.
        const bool hasThrust = said.find("/aiwc_cub_") != std::string_view::npos;
        if (hasThrust)
          compile({input.path, Language::kCuda}, object);
        return hasThrust;
      });
      return;
    }
    const std::string bitcode = deviceCode(input);
    Words host = clang(input);
    append(host, {"--cuda-host-only"});
    append(host, clangHost());
    append(host, command_.dependencies);
    if (!command_.dependencies.empty() && !hasTarget())
      append(host, {"-MT", object});
    append(host, {"-c", input.path, "-o", object});
    if (command_.relocatable) {
      append(host, {"-Xclang", "-fgpu-rdc"}); // other files name this one's variables
      step(host);
      step({"objcopy", fmt::format("--add-section={}={}", kBitcodeSection, bitcode), object});
      return;
    }
    const std::string code = temporaryFile(".code");
    lower({bitcode}, code);
    append(host, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", code});
    step(host);
  }

  /// A compiler's messages name no feature: a last line does, if one is absent. `otherwise` gets
  /// the messages of a compiler that failed, and returns whether it has compiled instead.
  void compileExplained(
      Words words,
      const std::function<bool(std::string_view said)> &otherwise = [](auto) { return false; }) {
    if (isatty(STDERR_FILENO) && words.front().starts_with("clang"))
      words.emplace_back("-fcolor-diagnostics"); // GCC's colours would part a name from its quotes
    const std::string errors = temporaryFile(".txt");
    const auto messages = [&] { return readFileIfAny(errors).value_or(""); };
    try {
      step(words, errors);
      std::cerr << messages();
    } catch (const StepFailed &) {
      const std::string said = messages();
      if (otherwise(said))
        return;
      std::cerr << said;
      if (const std::string feature = absentFeatureIn(said); !feature.empty())
        std::cerr << "aiwc build: the simulator has no " << feature << "\n";
      throw;
    }
  }

  bool hasTarget() const {
    return std::ranges::any_of(command_.dependencies, [](const std::string &word) {
      return word.starts_with("-MT") || word.starts_with("-MQ");
    });
  }

  /// Compiles all sources. Returns their objects.
  Words compiled() {
    Words made;
    for (const Input &input : command_.inputs)
      if (input.language != Language::kLinked) {
        made.push_back(temporaryFile(".o"));
        compile(input, made.back());
      }
    return made;
  }

  /// `made`, and the objects, archives and libraries that are given.
  Words withGiven(Words made) const {
    for (const Input &input : command_.inputs)
      if (input.language == Language::kLinked)
        made.push_back(input.path);
    return made;
  }

  void archive() {
    Words words = {"ar", "rcs", outputOr("a.a")};
    append(words, withGiven(compiled()));
    step(words);
  }

  /// The packed relocatable device code of these objects and archives; empty if none has any.
  std::string linkDeviceCode(const Words &files) {
    Words units;
    for (const std::string &file : files)
      if (file.ends_with(".a"))
        append(units, unitsOfArchive(file));
      else if (file.ends_with(".o"))
        append(units, unitOf(file));
    if (units.empty())
      return "";
    std::string code = temporaryFile(".code");
    lower(units, code);
    return code;
  }

  Words unitOf(const std::string &object) {
    const std::string bitcode = temporaryFile(".bc");
    // An object without the section gives an empty file, whether objcopy fails or not.
    const std::string quoted = processes::shellWord(object);
    Words words = {"sh", "-c",
                   fmt::format("objcopy -O binary --only-section={0} --set-section-flags {0}=alloc "
                               "{1} {2} 2>/dev/null || : > {2}",
                               kBitcodeSection, quoted, processes::shellWord(bitcode))};
    step(words);
    std::error_code error;
    const auto size = fs::file_size(bitcode, error);
    return !error && size > 0 ? Words{bitcode} : Words{};
  }

  Words unitsOfArchive(const std::string &archive) {
    const std::string folder = temporaryFile("");
    fs::create_directory(folder);
    step({"sh", "-c",
          fmt::format("cd {} && ar x {}", processes::shellWord(folder),
                      processes::shellWord(fs::absolute(archive).string()))});
    Words members;
    for (const fs::directory_entry &member : fs::directory_iterator(folder))
      members.push_back(member.path());
    std::ranges::sort(members);
    Words units;
    for (const std::string &member : members)
      append(units, unitOf(member));
    return units;
  }

  /// An object that defines the symbol by which the objects of all sources register their device
  /// code.
  void makeObjectOfDeviceCode(const std::string &code, const std::string &object) {
    const std::string assembly = temporaryFile(".s");
    std::ofstream text(assembly);
    if (!code.empty()) // without relocatable code, build systems link an object without content
      text << ".section .hip_fatbin,\"a\"\n.globl __hip_fatbin\n.hidden __hip_fatbin\n"
              ".balign 4096\n__hip_fatbin:\n.incbin \""
           << code << "\"\n";
    text << ".section .note.GNU-stack,\"\",@progbits\n";
    text.close();
    step({std::string(kClang), "-c", assembly, "-o", object});
  }

  void link() {
    Words made = compiled();
    const Words all = withGiven(made);
    const std::string code = linkDeviceCode(all);
    if (!code.empty() && !isDefined(all)) {
      made.push_back(temporaryFile(".o"));
      makeObjectOfDeviceCode(code, made.back());
    }
    Words words = {hostCompilerFor(Language::kCxx)};
    append(words, made);
    for (const std::string &word : command_.host)
      if (word.starts_with("-f") || word.starts_with("-m") || word == "-pthread" || word == "-g")
        words.push_back(word);
    append(words, command_.linker);
    append(words, {"-o", outputOr("a.out"), "-L" + toolkit_.libraries().string(),
                   "-Wl,-rpath," + toolkit_.libraries().string(), "-laiwc_cuda", "-lm", "-lpthread",
                   "-ldl", "-lrt"});
    step(words);
  }

  /// Whether one of the objects is that of `-dlink`.
  bool isDefined(const Words &objects) {
    return std::ranges::any_of(objects, [&](const std::string &object) {
      if (!object.ends_with(".o"))
        return false;
      try {
        step({"sh", "-c",
              fmt::format("nm {} 2>/dev/null | grep -q ' [RrDd] __hip_fatbin$'",
                          processes::shellWord(object))});
        return true;
      } catch (const StepFailed &) {
        return false;
      }
    });
  }

  const CompilerCommand &command_;
  const Toolkit &toolkit_;
  TemporaryFolder temporary_{"aiwc-build"};
  int files_ = 0; ///< made in it
};

/// The status of the first step that failed, or 0.
template <typename Steps> int statusOf(const Steps &steps) {
  try {
    steps();
    return 0;
  } catch (const StepFailed &failed) {
    return failed.status;
  }
}

} // namespace

int build(const CompilerCommand &command, const Toolkit &toolkit) {
  return statusOf([&] { Build(command, toolkit).run(); });
}

int buildDeviceCode(const std::string &source, std::vector<std::string> options,
                    const std::string &code, const Toolkit &toolkit) {
  options.insert(options.end(), {"-c", source});
  const bool isHip = source.ends_with(".hip");
  const CompilerCommand command = readCommandLine(isHip ? "hipcc" : "nvcc", options);
  if (command.inputs.size() != 1 || command.inputs.front().language != Language::kCuda)
    throw Error(source + ": is no CUDA or HIP source: expected one");
  return statusOf([&] { Build(command, toolkit).makeDeviceCode(code); });
}

} // namespace aiwc::cuda_build
