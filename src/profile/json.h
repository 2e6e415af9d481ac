#pragma once

#include "profile/kernel_profile.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace aiwc::profile {

/// The whole profile as JSON, as docs/profile.md describes it: UTF-8, keys in a fixed order, one
/// line per value (a histogram being one), ending in a newline. The same profile always gives the
/// same bytes. Bytes of a name that are not UTF-8 become U+FFFD.
std::string toJson(const KernelProfile &profile);

/// The profile that `toJson` wrote as `text`; `file` names it in messages. A metric that is
/// missing or null has no value. Throws Error, `file:line:column: what is wrong: what was
/// expected`, for a text that is not JSON, is cut off, or is not a profile of this schema.
KernelProfile fromJson(std::string_view text, const std::string &file);

/// The profile in the JSON file `path`. Throws Error also where it cannot be read, is no regular
/// file, or is far too large to be a profile.
KernelProfile readProfile(const std::filesystem::path &path);

} // namespace aiwc::profile
