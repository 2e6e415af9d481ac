#pragma once

#include <string>
#include <string_view>

namespace aiwc::eod {

/// All bytes of the file that --program names, OpenCL C or a binary. Throws UsageError if it cannot
/// be read, is not a regular file, or is far too large to be a program.
std::string readProgram(const std::string &file);

/// "xxh3-128:" and 32 hexadecimal digits, the XXH3 hash of 128 bits. Not cryptographic.
std::string sourceHash(std::string_view bytes);

/// `source` without the comment blocks in which `aiwc annotate embed` puts profiles into OpenCL C:
/// whole lines, from `//@aiwc begin` to `#line N //@aiwc end`. Other bytes are unchanged.
std::string withoutAnnotations(std::string_view source);

/// The `source_hash` of aiwc's profiles. It is the hash without annotations, so annotating a source
/// does not change it.
inline std::string programHash(std::string_view program) {
  return sourceHash(withoutAnnotations(program));
}

} // namespace aiwc::eod
