#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::eod {

/// All bytes of a file, of whatever kind: at least one, at most `most`; of a longer file no more is
/// read. Throws UsageError, `file: what is wrong: what was expected`.
std::vector<uint8_t> readRaw(const std::string &path, uint64_t most);

} // namespace aiwc::eod
