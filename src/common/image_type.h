#pragma once

#include <string_view>

namespace aiwc {

/// Whether `name` is OpenCL C's of an image's type, "image2d_array_t": a struct may be called
/// image_size.
constexpr bool isImageType(std::string_view name) {
  constexpr std::string_view kBefore = "image";
  return name.starts_with(kBefore) && name.ends_with("_t") &&
         name.substr(kBefore.size()).find_first_of("123") == 0;
}

} // namespace aiwc
