#include "cuda_build/clang_dialect.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

namespace aiwc::cuda_build {
namespace {

/// The letters, digits and underscores before a place.
std::string_view wordBefore(std::string_view source, size_t at) {
  size_t begin = at;
  while (begin > 0 &&
         (std::isalnum(static_cast<unsigned char>(source[begin - 1])) || source[begin - 1] == '_'))
    --begin;
  return source.substr(begin, at - begin);
}

/// The end of the comment or literal that begins at `at`, or `at` if none does.
size_t endOfText(std::string_view source, size_t at) {
  const auto after = [&](std::string_view sign, size_t from) {
    const size_t found = source.find(sign, from);
    return found == std::string_view::npos ? source.size() : found + sign.size();
  };
  const std::string_view rest = source.substr(at);
  const std::string_view word = wordBefore(source, at);
  constexpr std::array<std::string_view, 4> kEncodings = {"u8", "u", "U", "L"};
  const bool followsWord = !word.empty() && std::ranges::find(kEncodings, word) == kEncodings.end();
  if (rest.starts_with("//"))
    return after("\n", at);
  if (rest.starts_with("/*"))
    return after("*/", at + 2);
  if (rest.starts_with("R\"") && !followsWord) {
    const std::string_view delimiter = rest.substr(2, rest.find('(') - 2);
    return after(")" + std::string(delimiter) + "\"", at);
  }
  const char quote = rest.front();
  if (quote != '"' && (quote != '\'' || followsWord)) // 1'000
    return at;
  for (size_t end = at + 1; end < source.size(); ++end)
    if (source[end] == '\\')
      ++end;
    else if (source[end] == quote || source[end] == '\n')
      return end + 1;
  return source.size();
}

/// GCC's messages with the quotes that Clang writes.
std::string quotedAsByClang(std::string_view messages) {
  constexpr auto kWritten = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"\u2018", "'"}, {"\u2019", "'"}, {"fatal error: ", "fatal error: '"}});
  std::string result(messages);
  for (const auto &[gccs, clangs] : kWritten)
    for (size_t at = 0; (at = result.find(gccs, at)) != std::string::npos; at += clangs.size())
      result.replace(at, gccs.size(), clangs);
  return result;
}

} // namespace

std::string withLaunchBrackets(std::string_view source) {
  /// Three brackets: the first two, and a third that blanks may part from them.
  struct Brackets {
    size_t first, third;
  };
  struct Opened {
    Brackets brackets;
    int depth; ///< in parentheses
  };
  const auto afterBlanks = [&](size_t at) {
    while (at < source.size() && (source[at] == ' ' || source[at] == '\t'))
      ++at;
    return at;
  };
  const auto bracketsAt = [&](size_t at) -> std::optional<Brackets> {
    const size_t third = afterBlanks(at + 2);
    if (source.substr(at, 2) != std::string(2, source[at]) || third >= source.size() ||
        source[third] != source[at])
      return std::nullopt;
    return Brackets{at, third};
  };
  const auto beginsArguments = [&](size_t at) {
    const size_t place = afterBlanks(at);
    return place < source.size() && source[place] == '(';
  };
  std::string result(source);
  const auto join = [&](const Brackets &brackets) {
    std::swap(result[brackets.first + 2], result[brackets.third]);
  };
  std::vector<Opened> opened;
  int depth = 0;
  for (size_t at = 0; at < source.size();) {
    if (const size_t end = endOfText(source, at); end > at) {
      at = end;
      continue;
    }
    const char c = source[at];
    const std::optional<Brackets> three = c == '<' || c == '>' ? bracketsAt(at) : std::nullopt;
    if (three && c == '<' && wordBefore(source, at) != "operator") {
      opened.push_back({*three, depth});
      at = three->third + 1;
      continue;
    }
    if (three && c == '>' && !opened.empty() && opened.back().depth == depth &&
        beginsArguments(three->third + 1)) {
      join(opened.back().brackets);
      join(*three);
      opened.pop_back();
      at = three->third + 1;
      continue;
    }
    depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    while (!opened.empty() && (opened.back().depth > depth || c == ';'))
      opened.pop_back(); // it was no launch
    ++at;
  }
  return result;
}

std::string withSharedAlignment(std::string_view source) {
  constexpr std::string_view kShared = "__shared__", kAlignment = "alignas";
  std::string result;
  for (size_t at = 0; at < source.size();) {
    const size_t end = std::max(endOfText(source, at), at + 1);
    result += source.substr(at, end - at);
    at = end;
    const size_t next = std::min(source.find_first_not_of(" \t\n", at), source.size());
    const size_t behind = std::min(next + kAlignment.size(), source.size());
    const size_t parenthesis = std::min(source.find_first_not_of(" \t\n", behind), source.size());
    if (wordBefore(source, at) == kShared && source.substr(next).starts_with(kAlignment) &&
        source.substr(parenthesis).starts_with('(')) {
      result += source.substr(at, next - at);
      result += "__align__";
      at = behind;
    }
  }
  return result;
}

std::string withRegisterConstraints(std::string_view source) {
  std::string result(source);
  for (size_t at = 0; at < source.size();) {
    const size_t end = std::min(endOfText(source, at), source.size());
    if (source[at] == '"' && end - at >= 4) {
      const std::string_view literal = source.substr(at + 1, end - at - 2);
      const size_t last = literal.size() - 1;
      const size_t next = source.find_first_not_of(" \t\n", end);
      const bool isConstraint =
          (literal[0] == '=' || literal[0] == '+') && literal.find_first_not_of("=+&") == last &&
          std::string_view("lfdhc").find(literal[last]) != std::string_view::npos;
      if (isConstraint && next != std::string_view::npos && source[next] == '(')
        result[at + 1 + last] = 'r';
    }
    at = std::max(end, at + 1);
  }
  return result;
}

std::string absentFeatureIn(std::string_view said) {
  const std::string quoted = quotedAsByClang(said);
  const std::string_view messages = quoted;
  // What a program uses, and what stands in a compiler's messages if it does.
  using Signs = std::vector<std::string_view>;
  static const std::vector<std::pair<std::string_view, Signs>> kFeatures = {
      {"such part of thrust", {"'thrust/", "in namespace 'thrust'"}},
      {"such part of cub", {"'cub/", "in namespace 'cub'"}},
      {"such part of libcu++",
       {"'cuda/std/", "'cuda/latch'", "'cuda/semaphore'", "in 'cuda::barrier<",
        "in 'cuda::pipeline<"}},
      {"cuBLAS", {"'cublas"}},
      {"cuFFT", {"'cufft"}},
      {"cuSPARSE", {"'cusparse"}},
      {"cuSOLVER", {"'cusolver"}},
      {"cuDNN", {"'cudnn"}},
      {"NCCL", {"'nccl"}},
      {"NVML", {"'nvml"}},
      {"rocBLAS", {"'rocblas"}},
      {"hipBLAS", {"'hipblas"}},
      {"rocPRIM", {"'rocprim/"}},
      {"such part of hipCUB", {"'hipcub/"}},
      {"compilation of CUDA at run time", {"'nvrtc"}},
      {"linking of PTX at run time", {"'cuLink", "'CUlink"}},
      {"virtual memory of the driver API", {"'CUmem", "'CU_DEVICE_ATTRIBUTE_VIRTUAL"}},
      {"textures",
       {"'cuArray",
        "'CUarray",
        "'cuTex",
        "'CUtex",
        "'cudaAddressMode",
        "'cudaBindTex",
        "'cudaChannelFormat",
        "'cudaCreateChannelDesc",
        "'cudaCreateTex",
        "'cudaFilterMode",
        "'cudaFreeArray",
        "'cudaMalloc3DArray",
        "'cudaMallocArray",
        "'cudaMallocMipmapped",
        "'cudaMemcpy2DToArray",
        "'cudaMemcpyToArray",
        "'cudaReadMode",
        "'cudaResource",
        "'cudaTexture",
        "'cudaUnbindTex",
        "'cuda_texture_",
        "'hipResource",
        "'hipTexture",
        "'texture_",
        "named 'texture'",
        "'tex1D",
        "'tex2D",
        "'tex3D",
        "'texCubemap"}},
      {"surfaces",
       {"'cudaBoundaryMode", "'surf1D", "'surf2D", "'surf3D", "'surface'", "'surface_"}},
      {"interoperation with graphics", {"'cudaGraphics", "'cudaGL"}},
      {"graphs", {"'cudaGraph", "'cudaKernelNodeParams", "'cudaMemsetParams"}},
      {"NPP", {"'npp"}},
      {"nvJPEG", {"'nvjpeg"}},
      {"kernels that launch kernels (dynamic parallelism)",
       {"'__hipPushCallConfiguration' in __global__", "in __global__ function\n"}},
      {"malloc in kernels", {"call to 'malloc'", "'operator new' function"}},
      {"quasi-random generators", {"'curandStateS"}},
  };
  for (size_t at = 0; (at = messages.find("error: ", at)) != std::string_view::npos; ++at) {
    const std::string_view rest = messages.substr(at);
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    const bool isOfGlobal = line.find("reference to __global__ function") != std::string_view::npos;
    for (const auto &[feature, signs] : kFeatures)
      for (const std::string_view sign : signs)
        if (line.find(sign) != std::string_view::npos &&
            (isOfGlobal || !sign.starts_with("in __global__")))
          return std::string(feature);
  }
  return {};
}

} // namespace aiwc::cuda_build
