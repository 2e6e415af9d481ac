/// Numbers in sentences, and sentences in the words of the kernel's language.
#pragma once

#include "profile/kernel_profile.h"

#include <string>
#include <string_view>

namespace aiwc::advice {

/// Two significant digits, or all of a number of 100 and more: what a reader keeps.
std::string rounded(double value);
/// A share as a percentage: "45 %", "less than 1 %".
std::string percent(double share);
/// A rounded number of things: "1 work-item", "2,432 work-items".
std::string plural(double number, std::string_view noun);
std::string plural(double number, std::string_view one, std::string_view several);

/// A sentence about a kernel in the words that its author uses: threads, blocks and shared memory
/// for CUDA, work-items, work-groups and local memory for OpenCL, in which `sentence` is.
std::string inWordsOf(const profile::Provenance &kernel, std::string sentence);

} // namespace aiwc::advice
