#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace aiwc::profile {

/// All bytes of `path`. `expected` says in messages what the file should have been, "a JSON
/// profile". Throws Error where it cannot be read, is no regular file, or has more than
/// `maximumBytes`: then somebody named the wrong file.
std::string readFile(const std::filesystem::path &path, std::string_view expected,
                     std::uintmax_t maximumBytes);

} // namespace aiwc::profile
