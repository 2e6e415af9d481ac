#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::eod {

/// An image, row by row from the top, the channels of a pixel side by side.
struct Image {
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t channels = 1; ///< 1: grey, 3: red, green, blue
  uint32_t maximum = 0;  ///< the sample that means white, 1 to 65535
  std::vector<uint16_t> samples;
};

/// The requirements for an image file.
struct PnmExpectation {
  bool colour;      ///< whether PPM is accepted as well as PGM
  uint32_t maximum; ///< of the samples, at most
  uint64_t pixels;  ///< at most
};

/// Reads the first image of a portable greymap or pixmap, plain or raw: P2, P3, P5, P6 of Netpbm's
/// pgm(5) and ppm(5). Memory grows with what the file holds, not with what its header claims.
/// Throws UsageError, `file:line: what is wrong: what was expected`; the samples of a raw image
/// count as one line.
Image readPnm(const std::string &path, const PnmExpectation &expected);

} // namespace aiwc::eod
