/// Files in memory without a name, through which processes give each other texts.
#pragma once

#include "common/descriptor.h"

#include <string>
#include <string_view>

namespace aiwc {

/// Behind the numbers of the standard streams, for this process only. Without a number, and with
/// errno, if the system has no memory for it.
Descriptor memoryFile();

/// Writes the bytes at the begin of a file. Returns whether they are all there.
bool writeWhole(int file, std::string_view bytes);

/// All that is in a file, wherever its position is.
std::string readWhole(int file);

} // namespace aiwc
