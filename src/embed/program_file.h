/// Writes annotated copies of the programs whose kernels are characterised.
#pragma once

#include "profile/kernel_profile.h"

#include <filesystem>
#include <string_view>

namespace aiwc::embed {

/// The file in `folder` for the program that `provenance` describes. Its name is `kernels_` and the
/// first 16 digits of the source's hash, with `.cl` for OpenCL C and `.bc` for bitcode. It is
/// therefore the same for all build options of one source.
std::filesystem::path programFile(const std::filesystem::path &folder,
                                  const profile::Provenance &provenance);

/// Adds `profile` to the file of its program and keeps the file's profiles for other kernels and
/// NDRanges. If the file does not exist, it is made from `program`, the source or the bitcode. Of
/// several profiles for one kernel and NDRange, the one with the most instructions is kept; of
/// equal ones, the first whose host reads are known. The file is replaced atomically. Any number of
/// processes and threads may add to one folder at the same time, and may be killed meanwhile.
/// Returns whether the file was made.
///
/// Throws Error if `profile` cannot be embedded, if the folder cannot be written to or another
/// process holds its lock for ten seconds, and if the existing file is of another source. The file
/// is then unchanged.
bool addToProgramFile(const std::filesystem::path &folder, const profile::KernelProfile &profile,
                      std::string_view program);

} // namespace aiwc::embed
