/// What was launched, and what ran it: the part that a profile (Provenance) and a launch in the
/// file of a run (run::Launch) have in common.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace aiwc::profile {

using Size3 = std::array<uint64_t, 3>;

/// A new member needs a row in kIdentityFields: JSON of profiles and of runs, and comparisons,
/// follow from it.
struct LaunchIdentity {
  std::string kernel;      ///< name
  uint64_t invocation = 0; ///< number of the launch of this kernel name in its process, from 0
  uint32_t workDim = 1;    ///< dimensions of the NDRange, 1 to 3
  /// In work-items, x first. Dimensions that the NDRange does not have are 1 (0 for the offset).
  Size3 globalOffset{};
  Size3 globalSize{};
  Size3 localSize{};
  /// Whether the application left the local size to OpenCL (NULL) and the kernel requires none, so
  /// that it was chosen for them.
  bool localSizeLeftOpen = false;
  std::string sourceKind; ///< "opencl-c", "cuda" (or HIP) or "bitcode"
  std::string sourceHash; ///< "xxh3-128:<32 hex digits>" of the source or bitcode
  /// The same of the code that the kernel executes (bitcode/module_hash.h). Empty in profiles that
  /// do not tell: those from annotations, for example.
  std::string codeHash;
  std::string buildOptions;
  std::string engine; ///< "interpreter" or "compiled"
  /// Why the interpreter executed the kernel instead of the compiled engine; empty if there is
  /// nothing to report.
  std::string engineReason;
  /// Whether work-items of one warp were seen to exchange values in local memory with no barrier
  /// between, so that the simulator, which runs them one after another, may have wrong results.
  bool exchangesWithoutBarrier = false;

  bool operator==(const LaunchIdentity &) const = default;
};

struct IdentityField {
  using Member =
      std::variant<std::string LaunchIdentity::*, uint64_t LaunchIdentity::*,
                   uint32_t LaunchIdentity::*, Size3 LaunchIdentity::*, bool LaunchIdentity::*>;

  std::string_view key;
  Member member;
  bool onlyIfSet = false; ///< left out of files where it is empty, 0 or false
};

/// In the order of files.
inline constexpr std::array<IdentityField, 14> kIdentityFields = {{
    {"kernel", &LaunchIdentity::kernel},
    {"invocation", &LaunchIdentity::invocation},
    {"work_dim", &LaunchIdentity::workDim},
    {"global_offset", &LaunchIdentity::globalOffset},
    {"global_size", &LaunchIdentity::globalSize},
    {"local_size", &LaunchIdentity::localSize},
    {"local_size_left_open", &LaunchIdentity::localSizeLeftOpen, true},
    {"source_kind", &LaunchIdentity::sourceKind},
    {"source_hash", &LaunchIdentity::sourceHash},
    {"code_hash", &LaunchIdentity::codeHash, true},
    {"build_options", &LaunchIdentity::buildOptions},
    {"engine", &LaunchIdentity::engine},
    {"engine_reason", &LaunchIdentity::engineReason, true},
    {"exchanges_without_barrier", &LaunchIdentity::exchangesWithoutBarrier, true},
}};

/// Calls `use(field, value)` for each field, the value with its own type.
template <typename Identity, typename Use> void forEachField(Identity &identity, const Use &use) {
  for (const IdentityField &field : kIdentityFields)
    std::visit([&](auto member) { use(field, identity.*member); }, field.member);
}

/// The product of the sizes, of which those that are 0 (not known) count as 1.
constexpr uint64_t productOf(const Size3 &sizes) {
  uint64_t product = 1;
  for (const uint64_t size : sizes)
    product *= size == 0 ? 1 : size;
  return product;
}

} // namespace aiwc::profile
