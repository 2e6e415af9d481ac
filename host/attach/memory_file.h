/// Memory that processes share, as a file without a name.
#pragma once

#include "common/descriptor.h"

#include <cstdint>
#include <filesystem>

namespace aiwc::attach {

/// Memory of `bytes`, of which only what is written takes space. A limit on the size of files
/// (`ulimit -f`) counts only if it is a hard one. Throws Error if the system has none. For
/// processes of a single thread.
Descriptor memoryFile(const char *name, uint64_t bytes);

/// By which other processes of the user reach it as long as this process has it.
std::filesystem::path pathOf(const Descriptor &memory);

} // namespace aiwc::attach
