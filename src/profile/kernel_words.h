/// The words of the language that a kernel is written in: the only place that knows CUDA's.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace aiwc::profile {

/// What is said of a kernel, in the words that its author uses: threads, blocks and shared memory
/// for CUDA, work-items, work-groups and local memory for OpenCL, in which `text` is. Keys of
/// metrics, such as work_items, stay. `sourceKind` is that of the kernel's LaunchIdentity.
std::string inWordsOf(std::string_view sourceKind, std::string text);

/// What is said of a launch that exchangesWithoutBarrier: a sentence without its end.
std::string exchangeNote(std::string_view sourceKind);

/// The kind that all kernels of a text have, or nothing: then it is in OpenCL's words.
std::string sourceKindOfAll(std::span<const std::string_view> kinds);

} // namespace aiwc::profile
