#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace aiwc::profile {

/// Returns the whole profile as JSON in the format of docs/formats.md: UTF-8, keys in a fixed
/// order, one line per value or histogram, ending in a newline. Equal profiles give equal bytes.
/// Bytes that are not UTF-8 are replaced by U+FFFD.
std::string toJson(const KernelProfile &profile);

/// Parses a profile that `toJson` wrote. `file` is the file name for error messages. A metric that
/// is missing or null has no value. Throws Error, `file:line:column: what is wrong: what was
/// expected`, if `text` is not JSON, is cut off, or is not a profile of this schema.
KernelProfile fromJson(std::string_view text, const std::string &file);

/// Much larger than any profile, and small enough not to exhaust memory.
inline constexpr std::uintmax_t kMaximumJsonBytes = std::uintmax_t{64} << 20U;

/// Reads the profile in the JSON file `path`. Also throws Error if the file cannot be read, is not
/// a regular file, or is far too large to be a profile.
KernelProfile readProfile(const std::filesystem::path &path);

} // namespace aiwc::profile
