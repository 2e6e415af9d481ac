#include "kernel_sources.h"

#include "command_line/output.h"
#include "common/error.h"
#include "common/file.h"
#include "embed/opencl_c.h"
#include "processes/clang_tokens.h"
#include "text/text.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

namespace aiwc::cli {

namespace {

constexpr std::string_view kWhat = "the kernels' source";

} // namespace

std::string SourceFile::nameFor(const NamedProfile &named) const {
  return isKept ? fmt::format("source of {}", text::printable(named.launch.kernel, 60))
                : std::filesystem::path(path).filename().string();
}

KernelSources::KernelSources(const std::vector<std::string> &files) {
  for (const std::string &file : files) {
    std::string text = readFile(file, kWhat);
    std::string hash = embed::bareHash(text);
    byHash_[std::move(hash)] = {{file, std::move(text), false}, false};
  }
}

const SourceFile *KernelSources::of(const NamedProfile &named) {
  if (const auto found = byHash_.find(named.launch.sourceHash); found != byHash_.end()) {
    found->second.used = true;
    return &found->second.source;
  }
  if (named.source.empty())
    return nullptr;
  const auto [kept, isNew] = kept_.try_emplace(named.source);
  if (isNew)
    kept->second = {named.source, readFile(named.source, kWhat), true};
  return &kept->second;
}

const advice::SourceCode *KernelSources::codeOf(const SourceFile &source) {
  if (const auto known = codes_.find(&source); known != codes_.end() || !hasClang_)
    return known == codes_.end() ? nullptr : &known->second;
  try {
    const std::string tokens = processes::clangTokens(source.text);
    return &codes_.try_emplace(&source, source.text, tokens).first->second;
  } catch (const Error &error) {
    hasClang_ = false;
    command_line::warn(fmt::format("aiwc: changes of the source are left out: {}", error.what()));
    return nullptr;
  }
}

void KernelSources::requireUse() const {
  for (const auto &[hash, named] : byHash_)
    if (!named.used)
      throw Error(fmt::format("{}: is not the source of any of these kernels: expected the file "
                              "that was given to clCreateProgramWithSource",
                              text::printable(named.source.path, 4096)));
}

} // namespace aiwc::cli
