/// What there is to run: the applications beside this program, and selections of them.
#pragma once

#include "eod/common/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace aiwc::eod {

struct SizeEntry {
  std::string size; ///< "tiny", ...
  std::string parameter;
  std::string settings;
  uint64_t footprintBytes = 0;
  uint64_t deviceBytes = 0;
};

/// What an application's `--list --json` says.
struct Program {
  std::filesystem::path path;
  std::string application;
  std::string dwarf;
  std::string summary;
  std::string sourceHash;
  std::vector<std::string> kernels;
  std::vector<SizeEntry> sizes;
};

/// An application at a size.
struct Case {
  Program program;
  SizeEntry size;
  /// "lud-small": the stem of its files.
  std::string name() const { return program.application + "-" + size.size; }
};

/// Names to choose by; an empty list chooses all. Letters' case does not matter.
struct Selection {
  std::vector<std::string> applications;
  std::vector<std::string> dwarfs; ///< a part of the name suffices: "dynamic"
  std::vector<std::string> sizes;
};

/// The folder of the running program, where the suite's programs are, too. Throws Error where the
/// system does not tell.
std::filesystem::path programFolder();

/// The command `aiwc`: the one beside the running program, or else the first in PATH. Throws Error
/// where there is none.
std::filesystem::path findAiwc();

/// Makes the folder and those above it, where they are not there. Throws UsageError.
void createFolder(const std::filesystem::path &folder);

/// Asks every executable `eod-*` of the folder what it is, and sorts them by name. Throws Error
/// where there is none or one does not answer.
std::vector<Program> findPrograms(const std::filesystem::path &folder);

/// Sizes of an application from small to large, applications by name. Throws UsageError for a name
/// that chooses nothing.
std::vector<Case> select(const std::vector<Program> &programs, const Selection &selection);

/// A table: a row per case.
std::string toText(const std::vector<Case> &cases);
std::string toJson(const std::vector<Case> &cases);

} // namespace aiwc::eod
