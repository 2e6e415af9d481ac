/// The applications in this program's folder, and selections of them.
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

/// The contents of an application's `--list --json` output.
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

/// Names to select by; an empty list selects all. Case is ignored.
struct Selection {
  std::vector<std::string> applications;
  std::vector<std::string> dwarfs; ///< a part of the name suffices: "dynamic"
  std::vector<std::string> sizes;
};

/// The folder of the running program, which also contains the suite's programs. Throws Error if the
/// system does not give it.
std::filesystem::path programFolder();

/// The command `aiwc`: the one in the running program's folder, or else the first in PATH. Throws
/// Error if there is none.
std::filesystem::path findAiwc();

/// Creates the folder and its parents if they do not exist. Throws UsageError.
void createFolder(const std::filesystem::path &folder);

/// Runs every executable `eod-*` of the folder to get its description, and sorts them by name.
/// Throws Error if there is none or one does not answer.
std::vector<Program> findPrograms(const std::filesystem::path &folder);

/// Sizes of an application from small to large, applications by name. Throws UsageError for a name
/// that chooses nothing.
std::vector<Case> select(const std::vector<Program> &programs, const Selection &selection);

/// A table: a row per case.
std::string toText(const std::vector<Case> &cases);
std::string toJson(const std::vector<Case> &cases);

} // namespace aiwc::eod
