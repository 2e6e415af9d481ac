/// Annotated copies of the programs whose kernels are being characterised.
#pragma once

#include "profile/kernel_profile.h"

#include <filesystem>
#include <string_view>

namespace aiwc::embed {

/// The file in `folder` for the program that `provenance` is of: `kernels_` and the first 16 digits
/// of the source's hash, with `.cl` for OpenCL C and `.bc` for bitcode. So it is the same for
/// programs of the same source, whatever their build options.
std::filesystem::path programFile(const std::filesystem::path &folder,
                                  const profile::Provenance &provenance);

/// Puts `profile` into the file of its program, next to what that holds for other kernels and
/// NDRanges; it is made of `program`, the source or the bitcode, where it is not there yet. Of
/// several profiles of one kernel and NDRange the one with the most instructions stays, of equal
/// ones the first whose host reads are known. The file changes at a stroke. Any number of processes
/// and threads may do that in one folder at the same time, and be killed. Whether the file was
/// made.
///
/// Throws Error where `profile` cannot be embedded, the folder cannot be written to or somebody
/// else holds it for ten seconds, and where the file there is not of the same source: then it is as
/// it was.
bool addToProgramFile(const std::filesystem::path &folder, const profile::KernelProfile &profile,
                      std::string_view program);

} // namespace aiwc::embed
