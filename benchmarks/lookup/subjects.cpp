#include "lookup/subjects.h"

#include "common/error.h"
#include "embed/container.h"
#include "embed/marker.h"
#include "embed/opencl_c.h"
#include "embed/sidecar.h"
#include "embed/spirv.h"
#include "profile/reuse.h"
#include "profile/source_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <span>

namespace aiwc::lookup {

namespace {

/// With all metrics and long histograms, so that its annotation is as large as they come.
profile::KernelProfile largeProfile(size_t kernel, const std::string &hash) {
  const profile::LaunchKey launch = launchOf(kernel, kWorkItems);
  profile::KernelProfile profile;
  profile.provenance.kernel = launch.kernel;
  profile.provenance.workDim = launch.workDim;
  profile.provenance.globalSize = launch.globalSize;
  profile.provenance.localSize = launch.localSize;
  profile.provenance.sourceKind = "opencl-c";
  profile.provenance.sourceHash = hash;
  for (const profile::MetricInfo &metric : profile::catalogue())
    if (metric.type == profile::MetricType::kCount)
      profile.setCount(metric.metric, 123'456);
    else
      profile.setReal(metric.metric, 1.0 / 3);
  profile.reuse.lineBytes = 64;
  profile.setCount("work_items"_metric, kWorkItems);
  profile.setCount("work_groups"_metric, kWorkItems / launch.localSize[0]);
  profile.setCount("work_group_size"_metric, launch.localSize[0]);
  for (uint64_t i = 1; i <= 400; ++i)
    profile.histograms.asapFpLevels.emplace_back(i * i, 2);
  for (uint64_t lowest = 0; lowest < 1U << 14U; lowest = profile::reuseBinEnd(lowest))
    profile.histograms.reuseDistances.emplace_back(lowest, 100 + 7 * lowest % 13);
  return profile;
}

/// `kernels` times `begin`, with the number of the kernel in place of {}, `line` as often as there
/// is room, and `end`.
std::string textOf(size_t bytes, size_t kernels, std::string_view begin, std::string_view line,
                   std::string_view end) {
  std::string text;
  for (size_t i = 0; i < kernels; ++i) {
    text += fmt::format(fmt::runtime(begin), i);
    while (text.size() + line.size() + end.size() < bytes * (i + 1) / kernels)
      text += line;
    text += end;
  }
  return text;
}

std::string openclC(size_t bytes, size_t kernels) {
  return textOf(bytes, kernels, "kernel void k{}(global float *a, global float *b) {{\n",
                "  a[i] = a[i] / 2 + b[i]; // halve and add\n", "}\n");
}

std::string spirv(size_t bytes, size_t kernels) {
  // Header, OpCapability, OpMemoryModel.
  std::vector<uint32_t> words = {0x07230203, 0x00010400, 0,          1000, 0,
                                 0x00020011, 6,          0x0003000e, 2,    2};
  for (size_t i = 0; i < kernels; ++i) { // OpEntryPoint
    std::array<char, 8> name{};
    std::ranges::copy(launchOf(i, 1).kernel, name.begin());
    const auto letters = std::bit_cast<std::array<uint32_t, 2>>(name);
    words.insert(words.end(), {0x0005000f, 6, 1, letters[0], letters[1]});
  }
  while (words.size() * sizeof(uint32_t) < bytes) // OpFAdd
    words.insert(words.end(), {0x00050081, 3, 4, 5, 6});
  return {reinterpret_cast<const char *>(words.data()), words.size() * sizeof(uint32_t)};
}

/// Bytes that say nothing.
std::string noise(size_t bytes, std::string begin) {
  uint64_t state = 1;
  while (begin.size() < bytes) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    begin += static_cast<char>(state >> 56U);
  }
  return begin;
}

std::string bitcode(size_t bytes, std::span<const embed::Annotation> annotations) {
  std::string module = noise(bytes / 2, "BC\xc0\xde");
  for (const embed::Annotation &annotation : annotations)
    module += embed::markedLine(annotation.text);
  return noise(bytes + module.size() - bytes / 2, module);
}

} // namespace

profile::LaunchKey launchOf(size_t kernel, uint64_t workItems) {
  return {fmt::format("k{}", kernel), 1, {workItems, 1, 1}, {64, 1, 1}};
}

std::vector<Subject> subjects(size_t bytes, size_t kernels) {
  const std::string source = openclC(bytes, kernels);
  std::vector<embed::Annotation> annotations;
  for (size_t i = 0; i < kernels; ++i)
    annotations.push_back(embed::annotationOf(largeProfile(i, profile::sourceHash(source))));
  std::vector<Subject> result;
  const auto add = [&](const embed::Container &container, const std::string &file,
                       const std::string &bare) {
    std::string content = container.embed(bare, annotations);
    const size_t more = content.size() - bare.size();
    result.push_back({std::string(container.name), file, std::move(content), "", more});
  };
  add(embed::kOpenClC, "k.cl", source);
  add(embed::kSpirv, "k.spv", spirv(bytes, kernels));
  const std::string module = bitcode(bytes, annotations);
  result.push_back({"bitcode", "k.bc", module, "", module.size() - bytes});
  const std::string binary = noise(bytes, std::string(1, '\0'));
  const std::string sidecar = embed::writeSidecar(annotations, profile::sourceHash(binary));
  result.push_back({"sidecar", "k.bin", binary, sidecar, sidecar.size()});
  return result;
}

embed::Annotations read(const Subject &subject) {
  embed::Annotations annotations = embed::annotationsIn(subject.content, subject.file);
  if (!subject.sidecar.empty())
    annotations = embed::readSidecar(subject.sidecar, "sidecar", annotations.sourceHash);
  return annotations;
}

} // namespace aiwc::lookup
